import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { performAction } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { sendTokenAction } from '../../core/bills/actions.ts'
import { categories, findServiceForSale, formatPlainAmount } from '../../core/bills/catalogue.ts'
import { readPurchaseRooms } from '../../core/bills/limits.ts'
import { PurchaseQuote } from '../../core/bills/purchase-view.ts'
import { BillRefusal, invalidField } from '../../core/bills/refusals.ts'
import { findBillWallet } from '../../core/bills/wallets.ts'
import { documented, fieldErrors, id } from '../../core/fields.ts'
import { calculateFee, readFeeRates } from '../../core/ledger/fees.ts'
import { Invalid } from '../../core/refusals.ts'
import { previewApproval } from '../../core/spending/approval-preview.ts'
import { writeHeaders } from '../../http/headers.ts'
import { idParams } from '../../http/lists.ts'
import type { Server, SignReview } from '../../http/server.ts'
import { type FoundHolder, findAccountHolder } from './account-holders.ts'
import {
  createCatalogueReads,
  type PricedPurchase,
  type PurchaseBody,
  type PurchaseForm,
  purchaseForms,
} from './purchase-forms.ts'
import { createPurchaseStore } from './purchases.ts'

/** The fields of the purchase forms of the bills API (`purchase-forms.ts`), and which form it is. */
const BuyBody = z.looseObject({ kind: z.enum(categories) })
const permission = 'pay_bills'

/**
 * Add purchases for people in the session scope of the console. They are a quote with the checks of a purchase, the
 * purchase itself, and the SMS with its token. The purchase is stored under its Duplicate-Check-Key and not waited for.
 */
export function addBillBuying(server: Server, app: App, signReview: SignReview): void {
  addQuote(server, app, signReview)
  addBuy(server, app)
  addTokenSms(server, app)
}

function addQuote(server: Server, app: App, signReview: SignReview): void {
  const url = '/api/purchase-quotes'
  const reads = createCatalogueReads(app)
  server.post(url, {
    config: { permission },
    schema: { body: BuyBody, response: { 200: PurchaseQuote } },
    handler: async (request) => {
      const { organization, user: author } = request.caller
      const { form, body } = readForm(request.body)
      const found = await findHolder(app, organization, form, body)
      const priced = await form.checkAndPrice(reads, organization, body)
      const { amount: price } = priced
      const least = found?.minimum_amount ?? null
      if (least !== null && price < least)
        throw invalidField('amount', `The smallest amount for this account is ${formatPlainAmount(least)}.`)
      const holder = found ? { name: found.name, address: found.address } : null
      const quoted = await quote(app, { ...priced, organization, author })
      return { ...quoted, holder, token: signReview(request, quoted) }
    },
  })
}

/** Read the costs, the wallet and the rules of a purchase that passed its checks. @throws Invalid above a limit */
async function quote(app: App, purchase: PricedPurchase & { organization: number; author: number }) {
  const { organization, author, kind, service_type, country, account_number, phone, amount, currency } = purchase
  const now = app.clock.now()
  const [service, wallet, [rates], approval, limits] = await Promise.all([
    findServiceForSale(app.db, kind, service_type),
    findBillWallet(app.db, organization, currency),
    readFeeRates(app.db, [{ organization, kind: 'bill', currency, network: null }]),
    previewApproval(app.db, now, { organization, author, sums: [{ currency, amount }] }),
    readPurchaseRooms(app.db, now, purchase),
  ])
  const fee = calculateFee(rates, amount, currency)
  const total = amount + fee
  return {
    service: service.name,
    country,
    account_number,
    phone,
    amount,
    fee,
    total,
    currency,
    wallet: wallet ? { name: wallet.name, before: wallet.balance, after: wallet.balance - total } : null,
    approval,
    limits,
  }
}

function addBuy(server: Server, app: App): void {
  const store = createPurchaseStore(app)
  const reads = createCatalogueReads(app)
  server.post('/api/purchases', {
    config: { permission },
    schema: {
      operationId: 'buyBill',
      headers: writeHeaders,
      body: BuyBody,
      response: { 201: z.object({ id: documented(id, 'Id of the purchase.') }) },
    },
    handler: async (request, reply) => {
      const { form, body } = readForm(request.body)
      const { agentReference: agent_reference, agentId: agent_id = null, metadata = {} } = body
      const priced = await form.checkAndPrice(reads, request.caller.organization, body)
      const { reviewed } = request
      const bought = await store(request, { agent_reference, agent_id, metadata, reviewed, ...priced })
      return reply.code(201).send({ id: bought })
    },
  })
}

/** Read the fields of a kind of purchase. @throws Invalid */
function readForm(input: z.output<typeof BuyBody>): { form: PurchaseForm; body: PurchaseBody } {
  const form = purchaseForms.find((one) => one.kind === input.kind)!
  const read = form.body.safeParse(input)
  if (!read.success) throw new Invalid(fieldErrors(read.error.issues))
  return { form, body: read.data }
}

/** The names of the account in the forms; airtime and pins go to phones. */
const ACCOUNT_FIELDS = ['account_number', 'smartcard_number'] as const

/**
 * Ask the biller for the holder of an account. A biller that does not answer stops no purchase, except of an exam pin, which is
 * sold only after the look-up. @throws BillRefusal
 */
async function findHolder(
  app: App,
  organization: number,
  { kind }: PurchaseForm,
  body: PurchaseBody,
): Promise<FoundHolder | undefined> {
  const given = body as PurchaseBody & { service_type: string } & Record<string, unknown>
  const field = ACCOUNT_FIELDS.find((name) => typeof given[name] === 'string')
  if (!field) return undefined
  const service = await findServiceForSale(app.db, kind, given.service_type)
  const product_code = kind === 'exampin' ? String(given.product_code) : undefined
  try {
    return await findAccountHolder(app, organization, service, { account_number: String(given[field]), product_code })
  } catch (error) {
    if (!(error instanceof BillRefusal)) throw error
    if (error.code === 'BX0025') throw invalidField(field, error.message)
    if (error.fields || kind === 'exampin') throw error
    return undefined
  }
}

function addTokenSms(server: Server, app: App): void {
  const url = '/api/purchases/:id/send-token'
  server.post(url, {
    config: { permission },
    schema: { params: idParams },
    handler: async (request: FastifyRequest<{ Params: { id: number } }>, reply) => {
      await performAction(app, request, sendTokenAction)
      return reply.code(204).send()
    },
  })
}

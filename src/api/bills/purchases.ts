import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { createBatchedRead } from '../../actions/batched-calls.ts'
import { keyOf, performAction } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { type Scenario, scenarios } from '../../billers/biller.ts'
import { sellersOf } from '../../connections/bill-sellers.ts'
import { buyBillAction } from '../../core/bills/actions.ts'
import { type ChosenSeller, findSellersOfAll, type SellerQuery } from '../../core/bills/choose-seller.ts'
import { findUsedReferences, type NewPurchase, type Purchase } from '../../core/bills/purchases.ts'
import { BillRefusal, invalidField } from '../../core/bills/refusals.ts'
import { BILL_CURRENCY, findBillWallets } from '../../core/bills/wallets.ts'
import { documented, fieldMessages } from '../../core/fields.ts'
import { createDuplicateKeyClaim, findDuplicates } from '../../core/idempotency.ts'
import type { Account } from '../../core/ledger/accounts.ts'
import type { Refusal } from '../../core/refusals.ts'
import { writeHeaders } from '../../http/headers.ts'
import type { Server } from '../../http/server.ts'
import { type CatalogueReads, createCatalogueReads, type PurchaseForm, purchaseForms } from './purchase-forms.ts'
import { createPurchaseWaiter } from './purchase-waiter.ts'
import { addRequery } from './requery.ts'
import { answerPurchase, purchaseAnswer } from './results.ts'

/** Add the purchases and the requery of their results (interface 4.5). */
export function addPurchases(server: Server, app: App): void {
  const tools = { reads: createCatalogueReads(app), buy: createBuyer(server, app) }
  for (const form of purchaseForms) addPurchase(server, form, tools)
  addRequery(server, app)
}

type BuyPurchase = (request: FastifyRequest, input: PurchaseInput) => Promise<Purchase>

/** A purchase after its form was checked and its price found. */
type PurchaseInput = Omit<NewPurchase, 'organization' | 'account' | 'biller' | 'scenario' | 'author'> &
  Required<Pick<NewPurchase, 'country' | 'currency'>>

function addPurchase(
  server: Server,
  form: PurchaseForm,
  { reads, buy }: { reads: CatalogueReads; buy: BuyPurchase },
): void {
  server.post(form.url, {
    config: { waits_for_third_party: true },
    schema: {
      tags: ['Bill payments'],
      operationId: form.operationId,
      summary: form.summary,
      description: DESCRIPTION,
      headers: writeHeaders.extend({
        'x-sandbox-scenario': documented(
          z.string().optional(),
          'Sandbox only: how the simulated biller behaves.',
          ...scenarios,
        ),
      }),
      body: form.body,
      response: { 200: purchaseAnswer },
    },
    handler: async (request, reply) => {
      const { body } = request
      const { agentReference: agent_reference, agentId: agent_id = null, metadata = {} } = body
      const { organization } = request.caller
      const priced = await form.checkAndPrice(reads, organization, body)
      const purchase = await buy(request, { agent_reference, agent_id, metadata, ...priced })
      return answerPurchase(request, reply, purchase)
    },
  })
}

const DESCRIPTION = 'Pays from your wallet. The answer comes when the biller has settled the purchase.'

/** Make the function that stores a purchase, hold its amount, and wait until the job has settled it. */
function createBuyer(server: Server, app: App): BuyPurchase {
  const store = createPurchaseStore(app)
  const waiter = createPurchaseWaiter(app)
  server.addHook('onClose', () => waiter.close())
  return async (request, input) => waiter.wait(await store(request, input), app.config.BILL_WAIT_SECONDS * 1_000)
}

/**
 * Make the function that stores a purchase and hold its amount. It returns the id of the purchase. @throws BillRefusal,
 * Duplicate
 */
export function createPurchaseStore(app: App): (request: FastifyRequest, input: PurchaseInput) => Promise<number> {
  const prepare = createBatchedRead(app, (orders: Order[]) => readPreparations(app, orders))

  return async (request, input) => {
    const { organization, user: author } = request.caller
    if (sellersOf(app).length === 0) throw new BillRefusal('EXC00144')
    const scenario = readScenario(app, request)
    const { is_repeat, wallet, seller } = await prepare({ ...input, organization, scenario })
    // The purchase and its key were stored at once, so a read that finds the one also finds the other.
    if (is_repeat) throw await refuseRepeat(app, request)
    if (!wallet) throw new BillRefusal('EXC00105', noWallet(input.currency))
    if (wallet.balance < input.amount) throw new BillRefusal('EXC00102')
    if (!seller) throw new BillRefusal('EXC00103')
    const { connection, remote_service, remote_product, cost } = seller
    const provided = { biller: connection, remote_service, remote_product, cost }
    const purchase = { ...input, organization, account: wallet.id, ...provided, scenario, author }
    return performAction(app, request, buyBillAction, { input: { purchase } })
  }
}

/** Return the refusal of a purchase whose reference was used before: of its key, if that was used as well. */
async function refuseRepeat(app: App, request: FastifyRequest): Promise<Refusal> {
  const key = keyOf(request)
  const claim = key ? createDuplicateKeyClaim(request.caller.organization, key) : undefined
  return (await findDuplicates(app.db, app.clock.now(), [claim]))[0] ?? new BillRefusal('BX0023')
}

type Order = SellerQuery & Pick<PurchaseInput, 'agent_reference'>

/** Data that decide whether a purchase can be stored, read before the transaction that stores it. */
interface Preparation {
  /** The organization has used the reference before. */
  is_repeat: boolean
  /** The wallet that would pay; undefined for none in the currency. */
  wallet: Account | undefined
  /** The best provider; undefined when none sells it. */
  seller: ChosenSeller | undefined
}

async function readPreparations(app: App, orders: readonly Order[]): Promise<Preparation[]> {
  const [isUsed, wallets, sellers] = await Promise.all([
    findUsedReferences(app.db, orders),
    findBillWallets(app.db, orders),
    findSellersOfAll(app.db, orders, sellersOf(app)),
  ])
  return orders.map((order, index) => ({
    is_repeat: isUsed(order),
    wallet: wallets[index],
    seller: sellers[index]![0],
  }))
}

/** Clients know the message for naira. */
function noWallet(currency: string): string | undefined {
  return currency === BILL_CURRENCY ? undefined : `The organization has no active account in ${currency}.`
}

/** The scenario in the request's header; null in live mode, which ignores the header. @throws BillRefusal BX0003 */
function readScenario(app: App, request: FastifyRequest): Scenario | null {
  const header = request.headers['x-sandbox-scenario']
  if (header === undefined || app.config.MODE === 'live') return null
  const scenario = scenarios.find((one) => one === String(header).trim().toLowerCase())
  if (!scenario) throw invalidField('X-Sandbox-Scenario', fieldMessages.choice(header, scenarios))
  return scenario
}

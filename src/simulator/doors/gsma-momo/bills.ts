import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Amount, parseAmount } from '../../../lib/money.ts'
import type { JsonObject } from '../../../lib/structured-input.ts'
import { errors } from './codes.ts'
import { sendError, sendPage, switchesOf } from './gateway.ts'
import { acceptChange, findObject, keepObject, listObjects, newReference, readObject } from './objects.ts'
import { ACCOUNT_PATHS, findAccount } from './parties.ts'
import { ACCOUNT, type GsmaWorld } from './switches.ts'
import { showAmount } from './wire.ts'

const companies = [
  { serviceProvider: 'SIMULATED-WATER', serviceProviderType: 'utility', companyName: 'Simulated Water' },
  { serviceProvider: 'SIMULATED-POWER', serviceProviderType: 'utility', companyName: 'Simulated Power' },
]

/** The bills that every account has. */
const bills: readonly { billReference: string; due: Amount; least: Amount; billdescription: string }[] = [
  { billReference: 'REF-000001', due: 500_000n, least: 0n, billdescription: 'Water' },
  { billReference: 'REF-000002', due: 600_000n, least: 100_000n, billdescription: 'Power' },
]

type WithBill = { Params: { bill?: string } }

/** Add companies that send bills, the bills of an account, and payments of bills. They move no money. */
export function addBillRoutes(server: FastifyInstance, world: GsmaWorld): void {
  const config = { config: { verb: 'bill' } }
  server.get('/billcompanies', config, (request, reply) => sendPage(request, reply, world, companies))
  server.get<{ Params: { id: string } }>('/billcompanies/:id', config, async (request, reply) => {
    const found = companies.find(({ serviceProvider }) => serviceProvider === request.params.id)
    return found ?? sendError(request, reply, world, errors.unknown_id)
  })
  for (const path of ACCOUNT_PATHS) {
    server.get(`${path}/billcompanies`, config, async (request, reply) =>
      (await findAccount(request, reply, world)) ? sendPage(request, reply, world, companies) : reply,
    )
    server.get(`${path}/bills`, config, async (request, reply) => {
      const account = await findAccount(request, reply, world)
      if (!account) return reply
      const switches = switchesOf(request)
      const shown = await Promise.all(
        bills.map(async ({ billReference, due, least, billdescription }) => ({
          billReference,
          billdescription,
          billStatus: await statusOf(world, account.name, billReference, due),
          amountDue: showAmount(due, switches),
          minimumAmountDue: showAmount(least, switches),
          currency: switches.currency,
          dueDate: '2030-12-31',
        })),
      )
      return sendPage(request, reply, world, shown)
    })
    addPayments(server, world, `${path}/bills/:bill/payments`)
    addPayments(server, world, `${path}/bills/payments`)
  }
  addPayments(server, world, '/bills/:bill/payments')
}

function collectionOf(account: string, bill: string): string {
  return `billpayments ${account} ${bill}`
}

async function statusOf(world: GsmaWorld, account: string, bill: string, due: Amount): Promise<string> {
  const payments = await listObjects(world, collectionOf(account, bill))
  const paid = payments.reduce((sum, { object }) => sum + parseAmount(String(object.amountPaid))!, 0n)
  if (paid >= due) return 'paid'
  return paid === 0n ? 'unpaid' : 'partialpaid'
}

const RULES = {
  required: ['amountPaid', 'currency'],
  amounts: ['amountPaid'],
  currencies: ['currency'],
  words: { paymentType: ['partialpayment', 'fullpayment'] },
}

/** Payments of one bill, or of bills that the call names only in its content. The standard has no address for a single one; links have. */
function addPayments(server: FastifyInstance, world: GsmaWorld, path: string): void {
  const config = { config: { verb: 'bill payment' } }
  const has_account = path.startsWith('/accounts')
  const own = { name: `${ACCOUNT.key}/${ACCOUNT.value}` }
  server.post<WithBill>(path, config, async (request, reply) => {
    const account = has_account ? await findAccount(request, reply, world) : own
    if (!account) return reply
    const { bill = 'any' } = request.params
    return acceptChange(request, reply, world, async () => {
      if (request.params.bill !== undefined && !bills.some(({ billReference }) => billReference === bill))
        return { error: errors.unknown_id, words: 'the bill' }
      const read = readObject(request, RULES)
      if ('error' in read) return read
      const now = world.now()
      const reference = newReference(now)
      const dates = { creationDate: now.toISOString(), modificationDate: now.toISOString() }
      const defaults: JsonObject = { serviceProviderPaymentReference: reference, billPaymentStatus: 'completed' }
      const object = { ...defaults, ...read.body, ...dates }
      await keepObject(world, collectionOf(account.name, bill), reference, { account: account.name, object })
      return { reference, link: `${pathOf(request)}/${reference}`, shown: object }
    })
  })
  server.get<WithBill>(path, config, async (request, reply) => {
    const account = has_account ? await findAccount(request, reply, world) : own
    if (!account) return reply
    const payments = await listObjects(world, collectionOf(account.name, request.params.bill ?? 'any'))
    return sendPage(request, reply, world, payments.map(({ object }) => object).toReversed())
  })
  server.get<WithBill & { Params: { payment: string } }>(`${path}/:payment`, config, async (request, reply) => {
    const account = has_account ? await findAccount(request, reply, world) : own
    if (!account) return reply
    const { bill = 'any', payment } = request.params
    const found = await findObject(world, collectionOf(account.name, bill), payment)
    return found?.object ?? sendError(request, reply, world, errors.unknown_id)
  })
}

/** The path of a call below the base address. */
function pathOf({ url }: FastifyRequest): string {
  return url.split('?')[0]!.replace(/^.*?\/mm(?=\/)/, '')
}

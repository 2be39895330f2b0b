import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { StatementEntry } from '../../world/world.ts'
import { errors } from './codes.ts'
import { sendError, sendPage, switchesOf } from './gateway.ts'
import { findObject, listObjects } from './objects.ts'
import { findOrder } from './order-questions.ts'
import { ACCOUNT_PATHS, findAccount } from './parties.ts'
import { ACCOUNT, type GsmaSwitches, type GsmaWorld } from './switches.ts'
import { showMoney, showPayment, showTransaction } from './wire.ts'

interface Shown {
  type: string
  transactionStatus: string
  transactionReference: string
  creationDate: string
}

/** Add the list of transactions and, as another form of the same, the list of statement entries. */
export function addStatementRoutes(server: FastifyInstance, world: GsmaWorld): void {
  const config = { config: { verb: 'statement' } }
  for (const path of ACCOUNT_PATHS) {
    server.get(`${path}/transactions`, config, async (request, reply) => {
      const shown = await readTransactions(request, reply, world)
      return shown ? sendPage(request, reply, world, shown) : reply
    })
    server.get(`${path}/statemententries`, config, async (request, reply) => {
      const shown = await readTransactions(request, reply, world)
      return shown ? sendPage(request, reply, world, shown.map(toEntry)) : reply
    })
  }
  server.get<{ Params: { id: string } }>('/statemententries/:id', config, async (request, reply) => {
    const { id } = request.params
    const order = await findOrder(world, { transaction: id })
    const payment = order ? undefined : await world.findPayment(id)
    const settled = await findObject(world, 'transactions', id)
    if (order) return toEntry(showTransaction(order, switchesOf(request)))
    if (payment) return toEntry(showPayment(payment, switchesOf(request)))
    return settled ? toEntry(settled.object as unknown as Shown) : sendError(request, reply, world, errors.unknown_id)
  })
}

function toEntry({ type: displayType, ...shown }: Shown) {
  return { ...shown, displayType }
}

/** Read the transactions of the account of the business. The newest one comes first, as the standard wants it. */
async function readTransactions(request: FastifyRequest, reply: FastifyReply, world: GsmaWorld) {
  const account = await findAccount(request, reply, world)
  if (!account) return undefined
  const refuse = (error: (typeof errors)[keyof typeof errors], words?: string) => {
    sendError(request, reply, world, error, words)
    return undefined
  }
  if (!account.is_own) return refuse(errors.unknown_id)
  const { fromDateTime, toDateTime, transactionType, transactionStatus } = request.query as Record<string, string>
  const [from, to] = [fromDateTime, toDateTime].map((text) => (text === undefined ? undefined : new Date(text)))
  if ([from, to].some((date) => date && Number.isNaN(date.getTime())))
    return refuse(errors.format, 'fromDateTime or toDateTime')
  const settled = (await listObjects(world, 'transactions')).map(({ object }) => object as unknown as Shown)
  const shown = settled.filter(({ creationDate }) => {
    const at = new Date(creationDate)
    return (!from || at >= from) && (!to || at < to)
  })
  for await (const chunk of world.statement({ number: ACCOUNT.value, ...(from && { from }), ...(to && { to }) }))
    for (const entry of chunk) shown.push(await showEntry(entry, world, switchesOf(request)))
  return shown
    .toReversed()
    .sort((a, b) => b.creationDate.localeCompare(a.creationDate))
    .filter(
      (one) =>
        (transactionType === undefined || one.type === transactionType) &&
        (transactionStatus === undefined || one.transactionStatus === transactionStatus),
    )
}

async function showEntry(entry: StatementEntry, world: GsmaWorld, switches: GsmaSwitches): Promise<Shown> {
  const { remote_id: id, amount, currency, phonenumber, reversal_of, paid_at: at } = entry
  if (reversal_of !== null) {
    const came_in = amount > 0n
    const size = came_in ? amount : -amount
    const status = switches.completed_word
    const money = { id, type: 'reversal', status, amount: size, currency, phonenumber, came_in, at }
    return { ...showMoney(money, switches), originalTransactionReference: reversal_of } as Shown
  }
  const order = await findOrder(world, { transaction: id })
  if (order) return showTransaction(order, switches)
  return showPayment((await world.findPayment(id))!, switches)
}

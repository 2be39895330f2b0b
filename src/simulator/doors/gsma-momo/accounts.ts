import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { StatementEntry } from '../../world/world.ts'
import { errors } from './codes.ts'
import { sendError, switchesOf } from './gateway.ts'
import { readPhone } from './orders.ts'
import { findOrder, sendNoRoute } from './questions.ts'
import { ACCOUNT, type GsmaSwitches, type GsmaWorld } from './switches.ts'
import { showAmount, showMoney, showPayment, showTransaction } from './wire.ts'

type OfAccount = { Params: { type: string; id: string }; Querystring: Record<string, string> }

/** Adds balances, names, the list of transactions and the heartbeat. */
export function addAccountRoutes(server: FastifyInstance, world: GsmaWorld): void {
  addBalances(server, world)
  addHolders(server, world)
  addTransactions(server, world)
  server.get('/heartbeat', { config: { verb: 'heartbeat' } }, async (request, reply) => {
    const { service_status: serviceStatus } = switchesOf(request)
    if (serviceStatus === 'none') return sendNoRoute(reply)
    return { serviceStatus, ...(serviceStatus === 'degraded' && { delay: 1500 }) }
  })
}

function isOwn({ type, id }: OfAccount['Params']): boolean {
  return type === ACCOUNT.key && id === ACCOUNT.value
}

function addBalances(server: FastifyInstance, world: GsmaWorld): void {
  const show = async (request: FastifyRequest) => {
    const switches = switchesOf(request)
    const { currency } = switches
    const balance = showAmount(await world.balance(ACCOUNT.value, currency), switches)
    const none = showAmount(0n, switches)
    return {
      ...{ accountStatus: 'available', currentBalance: balance, availableBalance: balance },
      ...{ reservedBalance: none, unclearedBalance: none, currency },
    }
  }
  server.get('/accounts/balance', { config: { verb: 'balance' } }, show)
  server.get<OfAccount>('/accounts/:type/:id/balance', { config: { verb: 'balance' } }, async (request, reply) =>
    isOwn(request.params) ? show(request) : sendError(request, reply, world, errors.unknown_id),
  )
}

function addHolders(server: FastifyInstance, world: GsmaWorld): void {
  const find = (request: FastifyRequest, reply: FastifyReply, { type, id }: OfAccount['Params']) => {
    const phone = type === 'msisdn' ? readPhone(id, switchesOf(request)) : undefined
    const found = phone === undefined ? 'not_registered' : world.holder(phone)
    if (found === 'network_down') sendError(request, reply, world, errors.down)
    else if (found === 'not_registered') sendError(request, reply, world, errors.unknown_id)
    else return found
    return undefined
  }
  const name = { config: { verb: 'account holder' } }
  server.get<OfAccount>('/accounts/:type/:id/accountname', name, async (request, reply) => {
    if (!switchesOf(request).holder_names) return sendError(request, reply, world, errors.party)
    const found = find(request, reply, request.params)
    if (!found) return reply
    const [firstName = '', ...rest] = (found.name ?? '').split(' ')
    return { name: found.name === null ? {} : { firstName, lastName: rest.join(' '), fullName: found.name } }
  })
  const status = { config: { verb: 'account holder status' } }
  server.get<OfAccount>('/accounts/:type/:id/status', status, async (request, reply) => {
    const found = isOwn(request.params) || find(request, reply, request.params)
    return found ? { accountStatus: 'available' } : reply
  })
}

const DEFAULT_LINES = 50
const MAX_LINES = 100

/** The newest transaction comes first, as the standard wants it. */
function addTransactions(server: FastifyInstance, world: GsmaWorld): void {
  const config = { config: { verb: 'statement' } }
  server.get<OfAccount>('/accounts/:type/:id/transactions', config, async (request, reply) => {
    if (!isOwn(request.params)) return sendError(request, reply, world, errors.unknown_id)
    const { limit = String(DEFAULT_LINES), offset = '0', fromDateTime, toDateTime } = request.query
    const { transactionType, transactionStatus } = request.query
    const [from, to] = [fromDateTime, toDateTime].map((text) => (text === undefined ? undefined : new Date(text)))
    if ([from, to].some((date) => date && Number.isNaN(date.getTime())))
      return sendError(request, reply, world, errors.format, 'fromDateTime or toDateTime')
    if (![limit, offset].every((text) => /^\d{1,9}$/.test(text))) return sendError(request, reply, world, errors.offset)
    const shown: { type: string; transactionStatus: string }[] = []
    for await (const chunk of world.statement({ number: ACCOUNT.value, ...(from && { from }), ...(to && { to }) }))
      for (const entry of chunk) shown.unshift(await showEntry(entry, world, switchesOf(request)))
    const wanted = shown.filter(
      (one) =>
        (transactionType === undefined || one.type === transactionType) &&
        (transactionStatus === undefined || one.transactionStatus === transactionStatus),
    )
    const page = wanted.slice(Number(offset), Number(offset) + Math.min(MAX_LINES, Number(limit)))
    reply.header('x-records-available-count', wanted.length)
    reply.header('x-records-returned-count', page.length)
    return page
  })
}

async function showEntry(entry: StatementEntry, world: GsmaWorld, switches: GsmaSwitches) {
  const { remote_id: id, amount, currency, phonenumber, reversal_of, paid_at: at } = entry
  if (reversal_of !== null) {
    const came_in = amount > 0n
    const size = came_in ? amount : -amount
    const status = switches.completed_word
    const money = { id, type: 'reversal', status, amount: size, currency, phonenumber, came_in, at }
    return { ...showMoney(money, switches), originalTransactionReference: reversal_of }
  }
  const order = await findOrder(world, { transaction: id })
  if (order) return showTransaction(order, switches)
  return showPayment((await world.findPayment(id))!, switches)
}

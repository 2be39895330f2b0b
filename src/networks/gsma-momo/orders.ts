import { notSentOrder } from '../../drivers/access-tokens.ts'
import type { FailedOutcome, UnknownOutcome } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { countDecimals } from '../../lib/money.ts'
import type { PayoutCheck } from '../contract.ts'
import {
  type ErrorObject,
  noVerdict,
  type Reply,
  readError,
  readLink,
  readRequestState,
  readTransaction,
  unknown,
} from './answers.ts'
import { type Ask, knownId } from './asks.ts'
import { type Client, isClientRefused, isMissing } from './client.ts'
import { meaningOf, type Refusal, toFailure } from './codes.ts'
import { isNotFound, readOutcome } from './outcomes.ts'

/** The states of an order, before they are put in the words of charges or payouts. */
export type OrderState = PayoutCheck

/** The address is not there: the provider does not know this id, or no longer. */
type Gone = { outcome: 'gone' }

/**
 * Send an order. A success only means that the order was taken: only a query about the transaction ends it. After a
 * refusal the order is queried once, if possible, because an earlier call may have placed it.
 */
export async function send(client: Client, ask: Ask): Promise<OrderState> {
  const fault = orderFault(ask)
  if (fault) return { outcome: 'failed', reason: 'rejected', message: fault }
  const { tools, settings } = client
  const callback_url = settings.callbacks ? tools.callbackUrl(ask.reference) : null
  const order = { reference: ask.reference, callback_url, body: ask.body }
  const reply = await client.order({ verb: ask.kind, method: 'POST', path: ask.path, order })
  if (reply.outcome === 'unknown') return reply
  if (reply.outcome === 'not_sent') return notSentOrder(reply)
  return reply.status < 300 ? readTaken(client, ask, reply) : readRefused(client, ask, reply)
}

/** A request state says that the order was taken. A provider that works at once answers with the transaction itself. */
async function readTaken(client: Client, ask: Ask, reply: Reply): Promise<OrderState> {
  const state = readRequestState(reply.body)
  const remote_id = state?.id ?? readTransaction(reply.body)?.remote_id
  if (remote_id === undefined) return noVerdict(reply)
  if (state && state.status !== 'failed') return accepted(remote_id)
  const asked = { ...ask, remote_id }
  const found = state ? await askState(client, asked, remote_id) : await askTransaction(client, asked, remote_id)
  return found.outcome === 'gone' || found.outcome === 'unknown' || found.outcome === 'not_found'
    ? accepted(remote_id)
    : found
}

function accepted(remote_id: string): OrderState {
  return { outcome: 'accepted', remote_id }
}

async function readRefused(client: Client, ask: Ask, reply: Reply): Promise<OrderState> {
  const error = isRefusal(reply) ? readError(reply.body) : undefined
  if (!error) return noVerdict(reply)
  const meaning = meaningOf(error, ask.kind)
  if ('repair' in meaning && meaning.repair) client.tools.alarm(`${meaning.repair} (${error.code})`)
  if (meaning.says === 'uncertain' || isPartyRefused(reply, error)) return noVerdict(reply)
  const failure = () => toFailure(meaning as Refusal, error)
  // The first call has arrived, although nothing may be found that came of it. Our own id stands for the one that was lost.
  const ended = () => (meaning.says === 'refused' ? failure() : accepted(ask.reference))
  if (!client.settings.responses) return ended()
  const found = await askResponse(client, ask)
  if (found.outcome === 'not_found') return ended()
  return found.outcome === 'gone' ? noVerdict(reply) : found
}

/** Statuses with which the standard refuses a request. All others say nothing about the order. */
function isRefusal(reply: Reply): boolean {
  return (reply.status === 400 || reply.status === 401 || reply.status === 404) && !isClientRefused(reply)
}

/** A 401 because of our own credentials leaves the order open: it is sent again when they are right. */
function isPartyRefused({ status }: Reply, { code }: ErrorObject): boolean {
  return status === 401 && code.toLowerCase() !== 'requestdeclined'
}

/** Query an order: by the provider's id if there is one, otherwise by our own. */
export async function askStatus(client: Client, ask: Ask): Promise<OrderState> {
  if (!UUID_V4.test(ask.reference)) return unknown(WRONG_REFERENCE)
  const remote_id = knownId(ask)
  if (remote_id === null) return askLost(client, ask)
  // A provider that works at once gives the transaction id, and has no request state for it.
  const questions = [askState, askTransaction] as const
  const by_id = UUID.test(remote_id) ? questions : questions.toReversed()
  for (const question of by_id) {
    const found = await question(client, ask, remote_id)
    if (found.outcome !== 'gone') return found
  }
  const found: OrderState | Gone = client.settings.responses ? await askResponse(client, ask) : { outcome: 'gone' }
  // The provider took the order, so `not found` proves nothing: it may answer only a limited number of queries.
  if (found.outcome === 'gone' || found.outcome === 'not_found') return unknown(getMessage('gsma.no_longer_answers'))
  return found
}

/** Query an order whose answer was lost. If it was called a duplicate since, it must have arrived. */
async function askLost(client: Client, ask: Ask): Promise<OrderState> {
  if (!client.settings.responses) return unknown(getMessage('gsma.not_answer_no_way'))
  const found = await askResponse(client, ask)
  if (found.outcome === 'gone') return unknown(getMessage('gsma.no_longer_knows'))
  return found.outcome === 'not_found' && ask.remote_id !== null ? unknown(getMessage('gsma.says_order_but')) : found
}

/** Query the state of the request. */
async function askState(client: Client, ask: Ask, id: string, is_linked = false): Promise<OrderState | Gone> {
  const path = `/requeststates/${encodeURIComponent(id)}`
  const reply = await client.call({ verb: `${ask.kind} status`, method: 'GET', path, optional: 'address' })
  if (reply.outcome === 'unknown') return reply
  // A provider may refuse the query after enough answers.
  if (isMissing(reply) || (reply.status === 400 && readError(reply.body))) return { outcome: 'gone' }
  const state = reply.status === 200 ? readRequestState(reply.body) : undefined
  if (!state || state.id.toLowerCase() !== id.toLowerCase()) return noVerdict(reply)
  if (state.status === 'pending') return accepted(knownId(ask) ?? id)
  if (state.status === 'failed') return readFailed(client, ask, state.error, is_linked)
  if (state.status !== 'completed') return noVerdict(reply)
  if (state.object === undefined) return askResponseOfTaken(client, ask, is_linked)
  const found = await askTransaction(client, ask, state.object)
  return found.outcome === 'gone' ? unknown(getMessage('gsma.not_find_transaction')) : found
}

/** The reason of a failed request. Errors that say nothing about the money leave it open. */
async function readFailed(
  client: Client,
  ask: Ask,
  error: ErrorObject | undefined,
  is_linked: boolean,
): Promise<OrderState> {
  if (!error) return { outcome: 'failed', reason: 'rejected', message: getMessage('gsma.failed_order_without') }
  const meaning = meaningOf(error, ask.kind)
  if ('repair' in meaning && meaning.repair) client.tools.alarm(`${meaning.repair} (${error.code})`)
  return meaning.says === 'refused' ? toFailure(meaning, error) : askResponseOfTaken(client, ask, is_linked, error)
}

/** Look for the transaction of a request that was taken, where the state of the request does not name it. */
async function askResponseOfTaken(
  client: Client,
  ask: Ask,
  is_linked: boolean,
  error?: ErrorObject,
): Promise<OrderState> {
  const open = unknown(
    error ? getMessage('gsma.failed_error_says', { code: error.code }) : getMessage('gsma.not_say_transaction'),
  )
  if (is_linked || !client.settings.responses) return open
  const found = await askResponse(client, ask)
  return found.outcome === 'gone' || found.outcome === 'not_found' ? open : found
}

/** Query a request by our own id. Only the standard's error proves that it led to nothing. */
async function askResponse(client: Client, ask: Ask): Promise<OrderState | Gone> {
  const path = `/responses/${ask.reference}`
  const reply = await client.call({ verb: `${ask.kind} status response`, method: 'GET', path })
  if (reply.outcome === 'unknown') return reply
  if (isNotFound(reply)) return { outcome: 'not_found' }
  const target = reply.status === 200 ? readLink(reply.body) : undefined
  if (!target) return noVerdict(reply)
  return target.kind === 'transactions'
    ? askTransaction(client, ask, target.id)
    : askState(client, ask, target.id, true)
}

/** Query a transaction. Its status word is the truth. */
async function askTransaction(client: Client, ask: Ask, id: string): Promise<OrderState | Gone> {
  const path = `/transactions/${encodeURIComponent(id)}`
  const verb = `${ask.kind} status transaction`
  const reply = await client.call({ verb, method: 'GET', path, optional: 'address' })
  if (reply.outcome === 'unknown') return reply
  if (isMissing(reply)) return { outcome: 'gone' }
  const transaction = reply.status === 200 ? readTransaction(reply.body) : undefined
  if (!transaction) return noVerdict(reply)
  if (transaction.remote_id !== id) return unknown(getMessage('gsma.answered_about_another'))
  const { answer, alarm } = readOutcome(transaction, ask, client.settings)
  if (alarm) client.tools.alarm(alarm)
  return answer
}

/** A charge cannot come back while it is open: who sees this sees a payment that went back before we knew of it. */
export function toOrderAnswer<State extends OrderState>(
  state: State,
): Exclude<State, { outcome: 'reversed' }> | UnknownOutcome {
  if (state.outcome === 'reversed') return unknown(getMessage('gsma.given_payment_back'))
  return state as Exclude<State, { outcome: 'reversed' }>
}

/** The outcome of a call that has sent an order: that nothing is found is then no certainty. */
export function toSent<State extends OrderState>(
  state: State,
): Exclude<State, { outcome: 'not_found' }> | UnknownOutcome {
  if (state.outcome === 'not_found') return unknown(getMessage('gsma.not_find_order'))
  return state as Exclude<State, { outcome: 'not_found' }>
}

/** Return a fault that no provider accepts. The values of an order do not change, so it holds for every call. */
function orderFault({ reference, amount }: Ask): FailedOutcome['message'] | undefined {
  if (!UUID_V4.test(reference)) return WRONG_REFERENCE
  return amount <= 0n || countDecimals(amount) > 4 ? getMessage('amounts.above_zero') : undefined
}

const WRONG_REFERENCE = getMessage('drivers.reference_order_not_uuid')
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

import type { Reader, Tx } from '../../db/client.ts'
import type { Order, OrderCheck } from '../../lib/adapter-types.ts'
import type { Amount } from '../../lib/money.ts'
import { receiversOf } from '../ledger/accounts.ts'
import { nextAttemptAt, retrySchedules } from '../retry-schedules.ts'
import { WriteConflict } from '../write-conflict.ts'
import { isOpen, type RequestRow, requestColumns } from './collection-request.ts'
import { type IncomingPaymentReport, ingestIncomingPayments } from './incoming-payments.ts'
import {
  balancesOf,
  beginAttempts,
  lastOrders,
  lockOpenRequests,
  type OrderRow,
  orderReference,
  parseOrderReference,
  type RequestTransition,
  recordAnswers,
  scheduleRequests,
  transitionRequests,
} from './orders.ts'
import { buildInstructions } from './sms.ts'

/** What a network is able to do, as the door that knows the adapters tells it. */
export interface NetworkTraits {
  can_prompt: boolean
  can_register_expected_payment: boolean
  can_check_order: boolean
  /** The network's own words for the SMS that tells how to pay. */
  instructions?: string
}

/** An order to be sent to a network, or asked about, between two transactions. */
export interface OrderAction {
  kind: 'send' | 'check'
  request: RequestRow
  order: Order
}

/** What the network said in one step. */
export interface OrderActionAnswer {
  action: OrderAction
  network: { code: string; name: string; instructions?: string }
  answer: Exclude<OrderCheck, { outcome: 'failed' }> | { outcome: 'failed'; message: string; retryable: boolean }
}

const DEFAULT_RETRY_INTERVAL_MINUTES = 10

/**
 * First half of the work on requests that are due: expires those whose time is over, starts those that wait, begins
 * another attempt where one lapsed, and says which orders are to be sent or asked about.
 */
export async function dispatchDueRequests(
  tx: Tx,
  now: Date,
  ids: readonly number[],
  abilities: ReadonlyMap<string, NetworkTraits>,
): Promise<OrderAction[]> {
  const requests = await lockOpenRequests(tx, ids)
  const [orders, balances, receivers, authors] = await Promise.all([
    lastOrders(tx, requests),
    balancesOf(
      tx,
      requests.map((request) => request.account),
    ),
    receiversOf(
      tx,
      requests.map((request) => request.account),
    ),
    readOrganizations(tx, requests),
  ])
  const moves: RequestTransition[] = []
  const attempts: RequestRow[] = []
  const waits: RequestRow[] = []
  const steps: OrderAction[] = []
  for (const request of requests) {
    const author = authors.get(request.organization)!
    const receiver = receivers.get(`${request.network}:${request.account}`)
    const able = abilities.get(request.network)
    const fault = startError(request, balances.get(request.account), receiver)
    const plan = chooseNextAction(request, orders.get(request.id), able, now)
    if (plan === 'expire') moves.push({ request, to: 'expired', author: author.service_user, due_at: null })
    else if (request.status === 'pending' && fault)
      moves.push({ request, to: 'failed', author: author.service_user, error_message: fault, due_at: null })
    else if (request.status === 'pending')
      moves.push({
        request,
        to: 'processing_started',
        author: author.service_user,
        due_at: plan === 'wait' ? request.expiry_date : 'claimed',
      })
    else if (plan === 'wait') waits.push(request)
    if (fault || plan === 'expire' || plan === 'wait') continue
    if (plan === 'attempt') attempts.push(request)
    const attempt = plan === 'attempt' ? request.attempt + 1 : request.attempt
    steps.push({
      kind: plan === 'attempt' ? 'send' : 'check',
      request: { ...request, attempt },
      order: buildOrder(
        request,
        attempt,
        receiver!,
        request.reason || author.name,
        plan === 'attempt' ? null : orders.get(request.id)!.remote_id,
      ),
    })
  }
  const moved = await transitionRequests(tx, now, moves)
  const told = moved.flatMap((request): RequestTransition[] => {
    const receiver = receivers.get(`${request.network}:${request.account}`)
    return instructBySms(request, abilities.get(request.network), authors.get(request.organization)!, receiver)
  })
  await transitionRequests(tx, now, told)
  await beginAttempts(tx, now, attempts)
  await scheduleRequests(
    tx,
    waits.map((request) => ({ id: request.id, due_at: request.expiry_date, status_queries: request.status_queries })),
  )
  return steps
}

/**
 * Second half: keeps what the networks said, and does what follows from it.
 * @throws Overtaken to be repeated singly, also when two answers are about one request: the second must see what the
 * first has done.
 */
export async function applyOrderAnswers(tx: Tx, now: Date, answers: readonly OrderActionAnswer[]): Promise<void> {
  const ids = answers.map(({ action: step }) => step.request.id)
  if (new Set(ids).size < ids.length) throw new WriteConflict()
  const requests = new Map((await lockOpenRequests(tx, ids)).map((row) => [row.id, row]))
  const authors = await readOrganizations(tx, [...requests.values()])
  await recordAnswers(
    tx,
    now,
    answers.map(({ action: step, answer }) => ({ reference: step.order.reference, ...answer })),
  )
  const moves: RequestTransition[] = []
  const schedule: { id: number; due_at: Date; status_queries: number }[] = []
  for (const { action: step, network, answer } of answers) {
    const request = requests.get(step.request.id)
    // Another transaction has settled it meanwhile, or a newer attempt has begun: this answer changes nothing more.
    if (!request || request.attempt !== step.request.attempt) continue
    const { name: organization, service_user: author } = authors.get(request.organization)!
    const status_queries = request.status_queries + 1
    // Paid is paid: if the money below does not fulfil the request, there is nothing more to ask about this order.
    if (answer.outcome === 'successful') schedule.push({ id: request.id, due_at: request.expiry_date, status_queries })
    else if (answer.outcome === 'failed' && !(answer.retryable && request.attempt <= request.max_attempts))
      moves.push({ request, to: 'failed', author, error_message: answer.message, due_at: null })
    else schedule.push({ id: request.id, due_at: dueAtAfterAnswer(request, answer.outcome, now), status_queries })
    if (answer.outcome === 'accepted' && request.send_instructions && request.status === 'processing_started')
      moves.push({
        request,
        to: 'instructions_sent',
        author,
        instructions: buildInstructions(request, {
          organization,
          receiver: step.order.receiver,
          prompt_sent: true,
          template: network.instructions,
        }),
        due_at: nextCheckAt(request, now),
      })
  }
  await transitionRequests(tx, now, moves)
  await scheduleRequests(tx, schedule)
  await ingestIncomingPayments(tx, now, answers.flatMap(reportPaidOrders(now)))
}

/**
 * The orders that `beginSteps` would now give up, to be asked about a last time. A failed one is followed by another
 * attempt: whoever answered the old prompt late must not be prompted for the same money again. One that is open ends with
 * its request: what was paid since we last asked, and told by a callback that got lost, was paid in time.
 */
export async function listFinalChecks(db: Reader, now: Date, ids: readonly number[]): Promise<OrderAction[]> {
  const named = await db<RequestRow[]>`
    select ${requestColumns()} from collection_requests where id = any(${ids}::bigint[])`
  const requests = named.filter((request) => request.attempt > 0 && isOpen(request))
  if (requests.length === 0) return []
  const [orders, receivers] = await Promise.all([
    lastOrders(db, requests),
    receiversOf(
      db,
      requests.map((request) => request.account),
    ),
  ])
  return requests.flatMap((request): OrderAction[] => {
    const sent = orders.get(request.id)
    const receiver = receivers.get(`${request.network}:${request.account}`)
    if (!sent || receiver === undefined || sent.outcome === 'successful') return []
    const given_up = request.expiry_date <= now ? sent.outcome !== 'failed' : sent.outcome === 'failed'
    if (!given_up) return []
    return [
      { kind: 'check', request, order: buildOrder(request, sent.attempt, receiver, request.reason, sent.remote_id) },
    ]
  })
}

/** The order that a network speaks of, as it was sent, or undefined when the reference is none of ours. */
export async function findOrderActionByReference(db: Reader, reference: string): Promise<OrderAction | undefined> {
  const request_id = parseOrderReference(reference)
  if (request_id === undefined) return undefined
  const [[sent], [request]] = await Promise.all([
    db<OrderRow[]>`select * from collection_orders where reference = ${reference}`,
    db<RequestRow[]>`select ${requestColumns()} from collection_requests where id = ${request_id}`,
  ])
  if (!sent || !request) return undefined
  const receivers = await receiversOf(db, [request.account])
  const receiver = receivers.get(`${sent.network}:${request.account}`)
  if (receiver === undefined) return undefined
  return {
    kind: 'check',
    request: { ...request, attempt: sent.attempt },
    order: buildOrder(request, sent.attempt, receiver, request.reason, sent.remote_id),
  }
}

function buildOrder(
  request: RequestRow,
  attempt: number,
  receiver: string,
  reason: string,
  remote_id: string | null,
): OrderAction['order'] {
  const { phonenumber, amount, currency } = request
  return { reference: orderReference(request.id, attempt), receiver, phonenumber, amount, currency, reason, remote_id }
}

type NextAction = 'expire' | 'attempt' | 'check' | 'wait'

function chooseNextAction(
  request: RequestRow,
  order: OrderRow | undefined,
  able: NetworkTraits | undefined,
  now: Date,
): NextAction {
  if (request.expiry_date <= now) return 'expire'
  if (!able || !(request.send_instructions ? able.can_prompt : able.can_register_expected_payment)) return 'wait'
  // A failed order of an open request is one that may be tried again, and its interval is over.
  if (!order || order.outcome === 'failed') return 'attempt'
  return able.can_check_order ? 'check' : 'wait'
}

/**
 * Why a request cannot start now (the wallet of a later request is looked at when it starts). An inactive
 * wallet has no balance here.
 */
function startError(
  request: RequestRow,
  balance: Amount | undefined,
  receiver: string | undefined,
): string | undefined {
  if (request.status !== 'pending') return undefined
  if (request.start_date !== null && balance === undefined) return 'The account is not active.'
  if (receiver === undefined) return 'The account has no receiver number on the network of this phone.'
  if (request.start_date !== null && balance! <= 0n) return `The ${request.currency} account has no funds.`
  return undefined
}

/** Where the network cannot prompt, an SMS alone tells the customer how to pay. */
function instructBySms(
  request: RequestRow,
  able: NetworkTraits | undefined,
  author: { name: string; service_user: number },
  receiver: string | undefined,
): RequestTransition[] {
  if (request.status !== 'processing_started' || !request.send_instructions) return []
  if (!able || able.can_prompt || receiver === undefined) return []
  const way = { organization: author.name, receiver, prompt_sent: false, template: able.instructions }
  const instructions = buildInstructions(request, way)
  if (instructions === undefined) return []
  const { expiry_date: due_at } = request
  return [{ request, to: 'instructions_sent', author: author.service_user, instructions, due_at }]
}

function dueAtAfterAnswer(request: RequestRow, outcome: string, now: Date): Date {
  if (outcome !== 'failed') return nextCheckAt(request, now)
  const interval_ms = (request.retry_interval_minutes ?? DEFAULT_RETRY_INTERVAL_MINUTES) * 60_000
  return earlier(new Date(now.getTime() + interval_ms), request.expiry_date)
}

function nextCheckAt(request: RequestRow, now: Date): Date {
  const next = nextAttemptAt(now, retrySchedules.order_check, request.status_queries + 1)
  return next === null ? request.expiry_date : earlier(next, request.expiry_date)
}

function earlier(one: Date, other: Date): Date {
  return new Date(Math.min(one.getTime(), other.getTime()))
}

/** An order that the network calls paid is money that carries our reference. */
function reportPaidOrders(now: Date) {
  return ({ action: step, network, answer }: OrderActionAnswer): IncomingPaymentReport[] =>
    answer.outcome !== 'successful'
      ? []
      : [
          {
            network,
            remote_id: answer.remote_id,
            status: 'successful',
            receiver: step.order.receiver,
            phonenumber: step.order.phonenumber,
            amount: answer.amount,
            currency: step.order.currency,
            order_reference: step.order.reference,
            reference: null,
            paid_at: answer.paid_at ?? now,
          },
        ]
}

/** In whose name the service acts, and the company name that stands on a prompt without a reason. */
async function readOrganizations(db: Reader, requests: readonly RequestRow[]) {
  const rows = await db<{ id: number; name: string; service_user: number }[]>`
    select id, name, service_user from organizations where id = any(${[...new Set(requests.map((r) => r.organization))]}::bigint[])`
  return new Map(rows.map((row) => [row.id, row]))
}

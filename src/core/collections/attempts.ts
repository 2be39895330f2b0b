import type { Reader, Tx } from '../../db/client.ts'
import { type Order, type OrderCheck, retryableReasons } from '../../lib/adapter-types.ts'
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

/** What a network can do. The job, which knows the adapters, provides it. */
export interface NetworkTraits {
  can_prompt: boolean
  can_register_expected_payment: boolean
  can_check_order: boolean
  /** The network's template for the SMS that tells the customer how to pay. */
  instructions?: string
}

/** An order to send to a network, or to check, between two transactions. */
export interface OrderAction {
  kind: 'send' | 'check'
  request: RequestRow
  order: Order
}

/** What the network answered to an action. */
export interface OrderActionAnswer {
  action: OrderAction
  network: { slug: string; code: string; name: string; instructions?: string }
  answer: OrderCheck
}

const DEFAULT_RETRY_INTERVAL_MINUTES = 10

/**
 * The first half of the work on due requests: expires requests whose time is over, starts pending ones, and begins another
 * attempt where the last one failed.
 * @returns the orders to send or to check
 */
export async function dispatchDueRequests(
  tx: Tx,
  now: Date,
  ids: readonly number[],
  traits: ReadonlyMap<string, NetworkTraits>,
): Promise<OrderAction[]> {
  const requests = await lockOpenRequests(tx, ids)
  const accounts = requests.map((request) => request.account)
  const [orders, balances, receivers, organizations] = await Promise.all([
    lastOrders(tx, requests),
    balancesOf(tx, accounts),
    receiversOf(tx, accounts),
    readOrganizations(tx, requests),
  ])
  const transitions: RequestTransition[] = []
  const attempts: RequestRow[] = []
  const waiting: RequestRow[] = []
  const actions: OrderAction[] = []
  for (const request of requests) {
    const { name, service_user: author } = organizations.get(request.organization)!
    const receiver = receivers.get(`${request.connection}:${request.account}`)
    const error_message = startError(request, balances.get(request.account), receiver)
    const next = chooseNextAction(request, orders.get(request.id), traits.get(request.connection), now)
    if (next === 'expire') transitions.push({ request, to: 'expired', author, due_at: null })
    else if (request.status === 'pending' && error_message)
      transitions.push({ request, to: 'failed', author, error_message, due_at: null })
    else if (request.status === 'pending') {
      const due_at = next === 'wait' ? request.expiry_date : 'claimed'
      transitions.push({ request, to: 'processing_started', author, due_at })
    } else if (next === 'wait') waiting.push(request)
    if (error_message || next === 'expire' || next === 'wait') continue
    const is_new = next === 'attempt'
    if (is_new) attempts.push(request)
    const attempt = is_new ? request.attempt + 1 : request.attempt
    const remote_id = is_new ? null : orders.get(request.id)!.remote_id
    actions.push({
      kind: is_new ? 'send' : 'check',
      request: { ...request, attempt },
      order: buildOrder(request, attempt, receiver!, request.reason || name, remote_id),
    })
  }
  const changed = await transitionRequests(tx, now, transitions)
  const instructed = changed.flatMap((request): RequestTransition[] => {
    const receiver = receivers.get(`${request.connection}:${request.account}`)
    return instructBySms(request, traits.get(request.connection), organizations.get(request.organization)!, receiver)
  })
  await transitionRequests(tx, now, instructed)
  await beginAttempts(tx, now, attempts)
  await scheduleRequests(
    tx,
    waiting.map((request) => ({ id: request.id, due_at: request.expiry_date, status_queries: request.status_queries })),
  )
  return actions
}

/**
 * The second half: stores what the networks answered, and changes the requests accordingly.
 * @throws WriteConflict when the answers must be applied one by one. This is also the case when two answers are about the
 * same request, because the second one must see the effect of the first.
 */
export async function applyOrderAnswers(tx: Tx, now: Date, answers: readonly OrderActionAnswer[]): Promise<void> {
  const ids = answers.map(({ action }) => action.request.id)
  if (new Set(ids).size < ids.length) throw new WriteConflict()
  const requests = new Map((await lockOpenRequests(tx, ids)).map((row) => [row.id, row]))
  const organizations = await readOrganizations(tx, [...requests.values()])
  await recordAnswers(
    tx,
    now,
    answers.map(({ action, answer }) => ({ reference: action.order.reference, ...answer })),
  )
  const transitions: RequestTransition[] = []
  const schedule: { id: number; due_at: Date; status_queries: number }[] = []
  for (const { action, network, answer } of answers) {
    const request = requests.get(action.request.id)
    // The request has ended in the meantime, or a newer attempt has begun: this answer changes nothing more.
    if (!request || request.attempt !== action.request.attempt) continue
    const { name: organization, service_user: author } = organizations.get(request.organization)!
    const status_queries = request.status_queries + 1
    // The order is paid. Even if the money below does not fulfil the request, there is nothing more to check.
    if (answer.outcome === 'successful') schedule.push({ id: request.id, due_at: request.expiry_date, status_queries })
    else if (
      answer.outcome === 'failed' &&
      !(retryableReasons.has(answer.reason) && request.attempt <= request.max_attempts)
    )
      transitions.push({ request, to: 'failed', author, error_message: answer.message, due_at: null })
    else schedule.push({ id: request.id, due_at: dueAtAfterAnswer(request, answer.outcome, now), status_queries })
    if (answer.outcome === 'accepted' && request.send_instructions && request.status === 'processing_started')
      transitions.push({
        request,
        to: 'instructions_sent',
        author,
        instructions: buildInstructions(request, {
          organization,
          receiver: action.order.receiver,
          prompt_sent: true,
          template: network.instructions,
        }),
        due_at: nextCheckAt(request, now),
      })
  }
  await transitionRequests(tx, now, transitions)
  await scheduleRequests(tx, schedule)
  await ingestIncomingPayments(tx, now, answers.flatMap(reportPaidOrders(now)))
}

/**
 * The orders to check once more before `dispatchDueRequests` gives them up. Another attempt follows a failed order: a
 * customer who approved the old prompt late must not be prompted again for the same money. An open order ends with its
 * request: if it was paid after the last check, and the callback was lost, it was still paid in time.
 */
export async function listFinalChecks(db: Reader, now: Date, ids: readonly number[]): Promise<OrderAction[]> {
  const found = await db<RequestRow[]>`
    select ${requestColumns()} from collection_requests where id = any(${ids}::bigint[]) order by id`
  const requests = found.filter((request) => request.attempt > 0 && isOpen(request))
  if (requests.length === 0) return []
  const [orders, receivers] = await Promise.all([
    lastOrders(db, requests),
    receiversOf(
      db,
      requests.map((request) => request.account),
    ),
  ])
  return requests.flatMap((request): OrderAction[] => {
    const order = orders.get(request.id)
    const receiver = receivers.get(`${request.connection}:${request.account}`)
    if (!order || receiver === undefined || order.outcome === 'successful') return []
    const is_last_check = request.expiry_date <= now ? order.outcome !== 'failed' : order.outcome === 'failed'
    if (!is_last_check) return []
    return [
      { kind: 'check', request, order: buildOrder(request, order.attempt, receiver, request.reason, order.remote_id) },
    ]
  })
}

/** The order with this reference, as it was sent, to check it; undefined when it is not our reference. */
export async function findOrderActionByReference(db: Reader, reference: string): Promise<OrderAction | undefined> {
  const request_id = parseOrderReference(reference)
  if (request_id === undefined) return undefined
  const [[order], [request]] = await Promise.all([
    db<OrderRow[]>`select * from collection_orders where reference = ${reference}`,
    db<RequestRow[]>`select ${requestColumns()} from collection_requests where id = ${request_id}`,
  ])
  if (!order || !request) return undefined
  const receivers = await receiversOf(db, [request.account])
  const receiver = receivers.get(`${order.network}:${request.account}`)
  if (receiver === undefined) return undefined
  return {
    kind: 'check',
    request: { ...request, attempt: order.attempt },
    order: buildOrder(request, order.attempt, receiver, request.reason, order.remote_id),
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
  traits: NetworkTraits | undefined,
  now: Date,
): NextAction {
  if (request.expiry_date <= now) return 'expire'
  if (!traits || !(request.send_instructions ? traits.can_prompt : traits.can_register_expected_payment)) return 'wait'
  // When the order of an open request has failed, another attempt is allowed, and its interval is over.
  if (!order || order.outcome === 'failed') return 'attempt'
  return traits.can_check_order ? 'check' : 'wait'
}

/**
 * Why a pending request cannot start now, or undefined. The wallet of a request with a start date is checked here; the
 * others were checked when they were made. An inactive wallet has no balance here.
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

/** If the network cannot prompt, only an SMS tells the customer how to pay. */
function instructBySms(
  request: RequestRow,
  traits: NetworkTraits | undefined,
  organization: { name: string; service_user: number },
  receiver: string | undefined,
): RequestTransition[] {
  if (request.status !== 'processing_started' || !request.send_instructions) return []
  if (!traits || traits.can_prompt || receiver === undefined) return []
  const details = { organization: organization.name, receiver, prompt_sent: false, template: traits.instructions }
  const instructions = buildInstructions(request, details)
  if (instructions === undefined) return []
  const { expiry_date: due_at } = request
  return [{ request, to: 'instructions_sent', author: organization.service_user, instructions, due_at }]
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

/** Reports a paid order as a payment that carries our reference. */
function reportPaidOrders(now: Date) {
  return ({ action: { order }, network, answer }: OrderActionAnswer): IncomingPaymentReport[] =>
    answer.outcome !== 'successful'
      ? []
      : [
          {
            network,
            remote_id: answer.remote_id ?? order.remote_id ?? order.reference,
            status: 'successful',
            receiver: order.receiver,
            phonenumber: order.phonenumber,
            amount: answer.amount ?? order.amount,
            currency: order.currency,
            order_reference: order.reference,
            reference: null,
            paid_at: answer.paid_at ?? now,
          },
        ]
}

/** The user in whose name the service acts, and the name that a prompt without a reason shows. */
async function readOrganizations(db: Reader, requests: readonly RequestRow[]) {
  const ids = [...new Set(requests.map((request) => request.organization))]
  const organizations = await db<{ id: number; name: string; service_user: number }[]>`
    select id, name, service_user from organizations where id = any(${ids}::bigint[])`
  return new Map(organizations.map((organization) => [organization.id, organization]))
}

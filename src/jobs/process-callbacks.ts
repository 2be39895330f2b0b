import type { App } from '../app.ts'
import type { Connection } from '../connections/connection.ts'
import { noteCallback } from '../connections/late-callbacks.ts'
import { callDriver } from '../connections/tools/call-driver.ts'
import { type CallbackSpan, reportCallback, startCallbackSpan } from '../core/callback-reports.ts'
import {
  type IncomingPaymentReport,
  type IngestResult,
  ingestIncomingPayments,
  isStoredSince,
} from '../core/collections/incoming-payments.ts'
import {
  applyCallbackResults,
  type CallbackResult,
  type CallbackRow,
  claimCallbacks,
  NOT_IN_SERVICE_NOTE,
  nextDueCallback,
  OPEN_CALLBACKS,
} from '../core/connections/callbacks.ts'
import type { LearntOrder, MoneyOrder, OrderAnswer } from '../core/connections/network-orders.ts'
import { NotInService } from '../core/connections/service-state.ts'
import { type ErasureTarget, eraseLateCallbacks } from '../core/contacts/message-erasure.ts'
import { requestsOfPayments } from '../core/facts.ts'
import { nextAttemptAt, retrySchedules } from '../core/retry-schedules.ts'
import { groupOf, type SettlementGroup, settle } from '../core/settlements/settle.ts'
import { begin, beginFrequent, isDataError, isUnavailable, type Tx } from '../db/client.ts'
import { isMoving } from '../db/failures.ts'
import type { NetworkTransaction } from '../lib/adapter-types.ts'
import { WriteConflict } from '../lib/batches/write-conflict.ts'
import { logEvent } from '../lib/log-events.ts'
import type { Job } from '../lib/loop.ts'
import { getMessage } from '../lib/messages/message.ts'
import { formatAmount } from '../lib/money.ts'
import { type ParsedCallback, toStorableTransaction } from '../networks/callbacks.ts'
import { storeBalances } from './check-balances.ts'
import { learntFrom, logSettlement, networkKindRules } from './orders/order-kinds.ts'
import { applyInBatch } from './shared/apply-in-batch.ts'
import { passMoneyOn, passUnknownOn } from './shared/departed-callbacks.ts'
import { openLeaseRenewals } from './shared/lease-renewals.ts'
import { leaseTimes } from './shared/lease-times.ts'
import { findNamedOrders, findOrder, type NamedOrders } from './shared/named-orders.ts'
import { type ReadCallback, readRow, UnreadableCallback } from './shared/stored-callbacks.ts'

/** Maximum number of callbacks in work for a connection: its network may be slow, and others must not wait for it. */
const MAX_IN_WORK = 100

/**
 * Processes callbacks that are stored and not done. For an unverified one it asks the network about the order or
 * transaction, and applies only its answer; it applies the content of a verified one. One that cannot be applied
 * changes nothing for the others, and a network that does not answer delays only its own.
 */
export function processCallbacks(app: App): Job<CallbackRow> {
  /** Numbers of callbacks in work, by connection. */
  const in_work = new Map<string, number>()
  const count = (connection: string, more: number) => in_work.set(connection, (in_work.get(connection) ?? 0) + more)
  const renewals = openLeaseRenewals(app, OPEN_CALLBACKS)
  const busy = () => [...in_work].flatMap(([connection, rows]) => (rows >= MAX_IN_WORK ? [connection] : []))
  return {
    name: 'process-callbacks',
    limit: 50,
    // Each connection has its own limit.
    concurrency: Number.POSITIVE_INFINITY,
    claim: (limit) => beginFrequent(app.db, (tx) => claimCallbacks(tx, leaseTimes(app), limit, busy())),
    nextDue: () => nextDueCallback(app.db.polling, app.clock.real(), busy()),
    next_due_is_complete: true,
    async run(rows, wake) {
      const results = await Promise.allSettled(
        [...Map.groupBy(rows, (row) => row.connection)].map(async ([connection, of_connection]) => {
          count(connection, of_connection.length)
          try {
            // The network may take long to answer, and the callbacks of a killed process must not wait for that.
            await renewals.during(
              of_connection.map(({ id }) => id),
              () => processThese(app, of_connection),
            )
          } finally {
            const was_busy = busy().includes(connection)
            count(connection, -of_connection.length)
            if (was_busy) wake?.()
          }
        }),
      )
      const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
      if (errors.length > 0) throw errors.find(isUnavailable) ?? errors[0]
    },
  }
}

/** Processes callbacks of one connection. */
async function processThese(app: App, rows: readonly CallbackRow[]): Promise<void> {
  const read = rows.map((row) => readRow(app.connections.find(row.connection), row))
  const named = await findNamedOrders(app, read)
  const findings = await Promise.all(read.map((callback) => processCallback(app, callback, named)))
  const applied: CallbackFinding[] = []
  try {
    await applyAll(app, findings, applied)
  } finally {
    const others = findings.filter(({ row, span }) => span && !applied.some((finding) => finding.row === row))
    for (const { span } of others) span!.fail('not_applied')
    for (const { span } of others) span!.end()
  }
  // The changes cause SMS and webhook deliveries.
  app.wake()
  for (const { row, result, order, payment, collection_request = null, span } of applied) {
    const { id: callback, connection } = row
    noteOrder(app, connection, order?.order.reference ?? payment?.order_reference)
    const arrived_ms = arrivedMs(app, row)
    await reportCallback(app, { callback, connection, state: result.state, collection_request, arrived_ms, span })
  }
}

/** Notes which order a callback was about. */
function noteOrder(app: App, slug: string, reference: string | null | undefined): void {
  const connection = app.connections.find(slug)
  if (connection && reference) noteCallback(app, connection, reference)
}

/** Returns the time of arrival of a callback, in real time. */
function arrivedMs({ clock }: App, { received }: CallbackRow): number {
  return clock.real().getTime() - Math.max(0, clock.now().getTime() - received.getTime())
}

/** @param applied gets the findings that were applied, or that have failed for good */
async function applyAll(app: App, findings: readonly CallbackFinding[], applied: CallbackFinding[]): Promise<void> {
  // Payouts, payments and charges have separate transactions: each locks all its rows at once, and then the wallets.
  // A transaction that locked the requests of payments and then those of charges could cause a deadlock.
  applied.push(...(await applyOrders(app, findings, 'payout')))
  const ingested = await applyFindings(
    app,
    findings.filter((finding) => finding.payment),
    (batch) => beginFrequent(app.db, (tx) => ingestFindings(tx, app.clock.now(), batch)),
  )
  applied.push(...ingested)
  for (const { payment, outcome } of ingested) if (outcome === 'unassigned') logUnassigned(app, payment!)
  applied.push(...(await applyOrders(app, findings, 'charge')))
  const others = await applyFindings(
    app,
    findings.filter(({ order, payment }) => !order && !payment),
    (batch) => begin(app.db, (tx) => applyResults(tx, app.clock.now(), batch)),
  )
  applied.push(...others)
}

/** Findings about one callback: at most one of `payment` and `order`. */
interface CallbackFinding {
  row: CallbackRow
  result: CallbackResult
  payment?: IncomingPaymentReport
  order?: LearntOrder
  /** Result for the payment. */
  outcome?: IngestResult
  /** The request that it is about, where that is known. */
  collection_request?: number | null
  span?: CallbackSpan | undefined
}

/** Applies findings in one transaction. @returns the results of their payments, if they have any */
type ApplyFindings = (
  findings: readonly CallbackFinding[],
) => Promise<Pick<CallbackFinding, 'outcome' | 'collection_request'>[] | undefined>

/**
 * Applies findings in one transaction or, where that fails, each in its own. The result of one that cannot be applied is
 * stored with the reason, so that it does not stop the others.
 * @returns the findings with the outcomes of their payments, or with the reason why they cannot be applied
 */
async function applyFindings(
  app: App,
  findings: readonly CallbackFinding[],
  apply: ApplyFindings,
): Promise<CallbackFinding[]> {
  const applied: CallbackFinding[] = []
  const applyBatch = async (batch: readonly CallbackFinding[]) => {
    try {
      const outcomes = await apply(batch)
      applied.push(...batch.map((finding, index) => ({ ...finding, ...outcomes?.[index] })))
    } catch (error) {
      if (batch.length > 1 || error instanceof WriteConflict || isUnavailable(error)) throw error
      const [{ row, payment, collection_request }] = batch as [CallbackFinding]
      const result = isMoving(error)
        ? await passMoneyOn(app, row, payment)
        : failureResult(app, row, error, collection_request)
      await begin(app.db, (tx) => applyCallbackResults(tx, app.clock.now(), [result]))
      applied.push({ ...batch[0]!, result })
    }
  }
  await applyInBatch(findings, applyBatch, app.log)
  return applied
}

/** Applies findings about orders of one group. The result of a callback and the end of its order are one transaction. */
function applyOrders(
  app: App,
  findings: readonly CallbackFinding[],
  group: SettlementGroup,
): Promise<CallbackFinding[]> {
  return applyFindings(
    app,
    findings.filter(({ order }) => order && groupOf(order) === group),
    async (batch) => {
      const settlement = await beginFrequent(app.db, async (tx) => {
        const now = app.clock.now()
        const orders = batch.flatMap(({ order }) => order ?? [])
        // Callbacks are locked before all else.
        const [, settled] = await Promise.all([storeResults(tx, now, batch), settle(tx, now, orders)])
        await eraseLateCallbacks(tx, batch.flatMap(toErasureTargets))
        return settled
      })
      logSettlement(app, settlement)
      return undefined
    },
  )
}

async function ingestFindings(tx: Tx, now: Date, findings: readonly CallbackFinding[]) {
  const payments = findings.flatMap(({ payment }) => payment ?? [])
  const [, outcomes] = await Promise.all([storeResults(tx, now, findings), ingestIncomingPayments(tx, now, payments)])
  await eraseLateCallbacks(tx, findings.flatMap(toErasureTargets))
  const requestOf = requestsOfPayments(tx)
  return findings.map(({ payment }, index) => ({
    outcome: outcomes[index]!,
    collection_request: requestOf(payment!.network.slug, payment!.remote_id),
  }))
}

async function applyResults(tx: Tx, now: Date, findings: readonly CallbackFinding[]): Promise<undefined> {
  await storeResults(tx, now, findings)
  await eraseLateCallbacks(tx, findings.flatMap(toErasureTargets))
}

/** Stores the results, each with the order that the callback is about. */
async function storeResults(tx: Tx, now: Date, findings: readonly CallbackFinding[]): Promise<void> {
  const results = findings.map(({ result, payment, order }) => ({
    ...result,
    order_reference: order?.order.reference ?? payment?.order_reference,
  }))
  await applyCallbackResults(tx, now, results)
}

function toErasureTargets({ result, payment, order }: CallbackFinding): ErasureTarget[] {
  const callback = result.id
  if (payment) return [{ callback, connection: payment.network.slug, remote_id: payment.remote_id }]
  if (order) return [{ callback, connection: order.network.slug, phonenumber: order.order.phonenumber }]
  return []
}

async function processCallback(
  app: App,
  { row, connection, callback }: ReadCallback,
  named: NamedOrders,
): Promise<CallbackFinding> {
  if (!connection || !callback) return ignored(row, getMessage('callbacks.network_no_longer'))
  // The word of a draft connection counts for nothing, and its network is not asked.
  if (connection.state === 'draft') return { row, result: heldResult(app, row) }
  if ('error' in callback) return failed(app, row, callback.error)
  if (callback.subject === 'unrecognized')
    return callback.verified || row.verified
      ? failed(app, row, new UnreadableCallback(callback.message))
      : ignored(row, callback.message)
  if (callback.subject === 'order') {
    const order = await findOrder(app, connection.slug, callback.order, named)
    if (order) return processOrderCallback(app, row, connection, callback, order)
    const passed_on = await passUnknownOn(app, row)
    return passed_on ? { row, result: passed_on } : ignored(row, UNKNOWN_ORDER_NOTE)
  }
  if (callback.subject === 'balance') return processBalances(app, row, callback)
  const { remote_id, verified, receipt, account_number } = callback
  if (verified && receipt) return { ...settled(row, true), payment: toReport(app, connection, receipt) }
  if (!connection.operations.transaction) return ignored(row, UNVERIFIABLE_NOTE)
  if (row.attempts > 1 && (await isInBooks(app, row, { connection: connection.slug, remote_id }))) return settled(row)
  const found = await callDriver(app, connection, 'transaction', { remote_id, account_number })
  if (found.outcome === 'unknown') return retry(app, row, found.message)
  if (found.outcome === 'not_found') return ignored(row, getMessage('callbacks.network_not_know_transaction'))
  return { ...settled(row), payment: toReport(app, connection, found.receipt) }
}

/**
 * True if the money of a callback has come by another way, such as a later callback with the answer of the network. Older
 * money does not count: the callback may say that it went back.
 */
function isInBooks(
  app: App,
  { received }: CallbackRow,
  money: { connection: string; remote_id: string },
): Promise<boolean> {
  return isStoredSince(app.db, money, new Date(received.getTime() - CONFIRMED_WITHIN_MS))
}

/** The money of a prompt may be in the books this long before its confirmation comes. */
const CONFIRMED_WITHIN_MS = 10 * 60 * 1_000

/** Answer to a question for the balance. It is only compared with the books, so storing it twice does no harm. */
async function processBalances(
  app: App,
  row: CallbackRow,
  { verified, balances }: Extract<ParsedCallback, { subject: 'balance' }>,
): Promise<CallbackFinding> {
  if (!verified) return ignored(row, UNVERIFIABLE_NOTE)
  await storeBalances(app, row.connection, 'callback', balances)
  return settled(row, true)
}

const UNKNOWN_ORDER_NOTE = getMessage('callbacks.no_order_ours')
const UNVERIFIABLE_NOTE = getMessage('callbacks.callback_not_signed_network')

function toReport(app: App, network: Connection, transaction: NetworkTransaction): IncomingPaymentReport {
  return { ...toStorableTransaction(transaction, app.clock.now()), network }
}

type OrderCallback = Extract<ParsedCallback, { subject: 'order' }>

/** A callback about an order of ours: a charge, a payout or a refund. */
async function processOrderCallback(
  app: App,
  row: CallbackRow,
  connection: Connection,
  callback: OrderCallback,
  found: MoneyOrder,
): Promise<CallbackFinding> {
  const { collection_request } = found
  const about = { callback: row.id, connection: row.connection, collection_request, arrived_ms: arrivedMs(app, row) }
  const span = await startCallbackSpan(app, about)
  const process = () => processFoundOrder(app, row, connection, callback, found)
  const finding = await (span ? app.traces!.tracing.run(span, process) : process())
  return { ...finding, collection_request, span }
}

async function processFoundOrder(
  app: App,
  row: CallbackRow,
  connection: Connection,
  callback: OrderCallback,
  found: MoneyOrder,
): Promise<CallbackFinding> {
  const order = { ...found, remote_id: found.remote_id ?? callback.order.remote_id ?? null }
  const call = networkKindRules[order.kind].ask(app, connection, order)
  if (!callback.verified && !call) return ignored(row, UNVERIFIABLE_NOTE)
  if (!callback.verified && row.attempts > 1 && hasEndedSince(row, callback, found)) return settled(row)
  const asked_at = app.clock.now()
  const answer: OrderAnswer = callback.verified ? callback.answer : addIds(await call!.make(), callback)
  if (answer.outcome === 'unknown') return retry(app, row, answer.message)
  if (answer.outcome === 'asked') return retry(app, row, getMessage('callbacks.network_answers_later'))
  if (answer.outcome === 'not_found') return ignored(row, getMessage('callbacks.network_not_know'))
  const given = callback.verified ? { source: 'callback' as const } : { source: 'status' as const, asked_at }
  return { ...settled(row, callback.verified), order: learntFrom(app, connection, order, { ...given, answer }) }
}

/** True if an order has ended after this callback about it came, which has no ids to add. */
function hasEndedSince({ received }: CallbackRow, { has_ids }: OrderCallback, { closed }: MoneyOrder): boolean {
  return !has_ids && closed !== null && closed >= received
}

/** Adds the id and the date of the money to the network's answer: only the callback has them. */
function addIds(answer: OrderAnswer, { answer: reported, has_ids }: OrderCallback): OrderAnswer {
  if (!has_ids || answer.outcome !== 'successful' || reported.outcome !== 'successful') return answer
  const { remote_id, paid_at } = reported
  if (answer.remote_id !== undefined || remote_id === undefined) return answer
  return { ...answer, remote_id, ...(paid_at && { paid_at }) }
}

function settled(row: CallbackRow, verified = row.verified): CallbackFinding {
  return { row, result: { id: row.id, state: 'settled', note: null, due_at: null, verified } }
}

function ignored(row: CallbackRow, note: string): CallbackFinding {
  return { row, result: { id: row.id, state: 'ignored', note, due_at: null } }
}

/** The network gave no answer: it is asked again after a while. An open order is checked by its own job anyway. */
function retry(app: App, row: CallbackRow, note: string): CallbackFinding {
  const due_at = nextAttemptAt(app.clock.now(), retrySchedules.callback_check, row.attempts)
  if (!due_at) return ignored(row, `Failed after all attempts: ${note}`)
  return { row, result: { id: row.id, state: 'waiting', note, due_at } }
}

/**
 * Keeps a callback until its connection is in service: that makes it due, and so does each day, should that be missed.
 */
function heldResult(app: App, { id }: CallbackRow): CallbackResult {
  const due_at = new Date(app.clock.now().getTime() + HELD_MS)
  return { id, state: 'waiting', note: NOT_IN_SERVICE_NOTE, due_at }
}

const HELD_MS = 24 * 60 * 60 * 1_000

function failed(app: App, row: CallbackRow, error: unknown): CallbackFinding {
  return { row, result: failureResult(app, row, error) }
}

/** The callback cannot be read or applied: it is tried again if that can help, and otherwise kept for a person. */
function failureResult(
  app: App,
  row: CallbackRow,
  error: unknown,
  collection_request: number | null = null,
): CallbackResult {
  if (error instanceof NotInService) return heldResult(app, row)
  const message = error instanceof Error ? error.message : String(error)
  const may_help = !isDataError(error) && !(error instanceof UnreadableCallback)
  const due_at = may_help ? nextAttemptAt(app.clock.now(), retrySchedules.callback_check, row.attempts) : null
  if (due_at) return { id: row.id, state: 'waiting', note: message, due_at }
  logEvent(app.log, 'callback_failed', { collection_request, callback: row.id, network: row.network, error })
  return { id: row.id, state: 'failed', note: message, due_at: null }
}

function logUnassigned(app: App, { network, remote_id, receiver, currency, amount }: IncomingPaymentReport): void {
  const fields = { connection: network.slug, remote_id, receiver, currency, amount: formatAmount(amount) }
  logEvent(app.log, 'payment_unassigned', fields)
}

import type { App } from '../app.ts'
import { applyOrderAnswers, findOrderActionByReference, type OrderActionAnswer } from '../core/collections/attempts.ts'
import { type IncomingPaymentReport, ingestIncomingPayments } from '../core/collections/incoming-payments.ts'
import {
  applyCallbackResults,
  type CallbackResult,
  type CallbackRow,
  claimCallbacks,
  nextDueCallback,
} from '../core/connections/callbacks.ts'
import { type ErasureTarget, eraseLateCallbacks } from '../core/contacts/message-erasure.ts'
import { findPayoutByReference, type PayoutAnswer } from '../core/payments/payouts.ts'
import { begin, type Tx } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'
import { networkByCode } from '../networks/index.ts'
import { addRetryable, type Network, type ParsedCallback, type PayoutCheck } from '../networks/network.ts'
import { applyInBatch } from './apply-in-batch.ts'
import { applyPayouts } from './apply-payouts.ts'
import { callNetwork } from './call-network.ts'
import { leaseTimes } from './lease-times.ts'

/** Processes unverified callbacks: asks the network about the order or transaction, and applies only its answer. */
export function processCallbacks(app: App): Job<CallbackRow> {
  return {
    name: 'process-callbacks',
    limit: 50,
    concurrency: 2,
    claim: (limit) => begin(app.db, (tx) => claimCallbacks(tx, leaseTimes(app), limit)),
    nextDue: () => nextDueCallback(app.db, app.clock.real()),
    next_due_is_complete: true,
    async run(rows) {
      const findings = await Promise.all(rows.map((row) => processCallback(app, row)))
      // Payouts, payments and orders have transactions of their own: each locks all its rows at once, and then the wallets.
      // A transaction that locked the requests of payments and then those of orders could cause a deadlock.
      await applyInBatch(
        findings.filter((finding) => finding.payout),
        (batch) => applyPayoutFindings(app, batch),
        app.log,
      )
      await applyInBatch(
        findings.filter((finding) => finding.payment),
        (batch) => begin(app.db, (tx) => ingestFindings(tx, app.clock.now(), batch)),
        app.log,
      )
      await applyInBatch(
        findings.filter((finding) => !finding.payout && !finding.payment),
        (batch) => begin(app.db, (tx) => applyOrderFindings(tx, app.clock.now(), batch)),
        app.log,
      )
      // The changes cause SMS and webhook deliveries.
      app.wake()
    },
  }
}

/** What the network said about one callback: at most one of `payment`, `order` and `payout`. */
interface CallbackFinding {
  result: CallbackResult
  payment?: IncomingPaymentReport
  order?: OrderActionAnswer
  payout?: PayoutAnswer
}

function applyPayoutFindings(app: App, findings: readonly CallbackFinding[]): Promise<void> {
  const answers = findings.flatMap(({ payout }) => payout ?? [])
  return applyPayouts(app, answers, (tx) => applyResults(tx, findings))
}

async function ingestFindings(tx: Tx, now: Date, findings: readonly CallbackFinding[]): Promise<void> {
  await ingestIncomingPayments(
    tx,
    now,
    findings.flatMap(({ payment }) => payment ?? []),
  )
  await applyResults(tx, findings)
}

async function applyOrderFindings(tx: Tx, now: Date, findings: readonly CallbackFinding[]): Promise<void> {
  await applyOrderAnswers(
    tx,
    now,
    findings.flatMap(({ order }) => order ?? []),
  )
  await applyResults(tx, findings)
}

async function applyResults(tx: Tx, findings: readonly CallbackFinding[]): Promise<void> {
  await applyCallbackResults(
    tx,
    findings.map(({ result }) => result),
  )
  await eraseLateCallbacks(tx, findings.flatMap(toErasureTargets))
}

function toErasureTargets({ result, payment, order, payout }: CallbackFinding): ErasureTarget[] {
  const callback = result.id
  if (payment) return [{ callback, network: payment.network.code, remote_id: payment.remote_id }]
  if (order) return [{ callback, network: order.network.code, phonenumber: order.action.order.phonenumber }]
  if (payout) return [{ callback, network: payout.action.network, phonenumber: payout.action.payout.phonenumber }]
  return []
}

/** The waits before a network that gave no answer is asked again. An open order is checked by its own job anyway. */
const RETRY_WAITS_S = [5, 30, 300, 1_800, 3_600, 3_600, 3_600]

async function processCallback(app: App, row: CallbackRow): Promise<CallbackFinding> {
  const network = networkByCode(app.networks, row.network)
  if (!network?.readCallback) return { result: ignoredResult(row, 'The network is no longer configured.') }
  const callback = network.readCallback({ headers: row.headers, body: row.body })
  if (callback.subject === 'unrecognized') return { result: ignoredResult(row, callback.message) }
  if (callback.subject === 'transaction') {
    const { remote_id } = callback
    if (!network.findTransaction) return { result: ignoredResult(row, UNVERIFIABLE_NOTE) }
    const about = { call: 'findTransaction', remote_id } as const
    const found = await callNetwork(app, network, about, () => network.findTransaction!(remote_id))
    if (found.outcome === 'unknown') return { result: retryResult(app, row, found.message) }
    if (found.outcome === 'not_found')
      return { result: ignoredResult(row, 'The network does not know this transaction.') }
    return { result: settledResult(row), payment: { ...found.receipt, network } }
  }
  return processOrderCallback(app, row, network, callback)
}

const UNVERIFIABLE_NOTE = 'The callback is not signed, and the network cannot be asked about it.'

/** A callback about an order or a payout of ours; its reference says which. */
async function processOrderCallback(
  app: App,
  row: CallbackRow,
  network: Network,
  callback: Extract<ParsedCallback, { subject: 'order' }>,
): Promise<CallbackFinding> {
  const reference = callback.order_reference
  const [action, payout_action] = await Promise.all([
    findOrderActionByReference(app.db, reference),
    findPayoutByReference(app.db, reference),
  ])
  if (!action && !payout_action) return { result: ignoredResult(row, 'No order of ours has this reference.') }
  const check: (() => Promise<PayoutCheck>) | undefined = action
    ? network.checkOrder && (() => network.checkOrder!(action.order))
    : network.checkPayout && (() => network.checkPayout!(payout_action!.payout))
  if (!callback.verified && !check) return { result: ignoredResult(row, UNVERIFIABLE_NOTE) }
  const about = { call: action ? 'checkOrder' : 'checkPayout', reference } as const
  const answer = callback.verified ? callback.answer : await callNetwork(app, network, about, check!)
  if (answer.outcome === 'unknown') return { result: retryResult(app, row, answer.message) }
  if (answer.outcome === 'not_found') return { result: ignoredResult(row, 'The network does not know this order.') }
  if (payout_action) return { result: settledResult(row), payout: { action: payout_action, answer } }
  if (answer.outcome === 'reversed')
    return {
      result: ignoredResult(row, 'The network reports a reversed collection as a transaction, not as an order.'),
    }
  return { result: settledResult(row), order: { action: action!, network, answer: addRetryable(answer) } }
}

function settledResult(row: CallbackRow): CallbackResult {
  return { id: row.id, state: 'settled', note: null, due_at: null }
}

function ignoredResult(row: CallbackRow, note: string): CallbackResult {
  return { id: row.id, state: 'ignored', note, due_at: null }
}

function retryResult(app: App, row: CallbackRow, note: string): CallbackResult {
  const wait_s = RETRY_WAITS_S[row.attempts - 1]
  if (wait_s === undefined) return ignoredResult(row, `Failed after all attempts: ${note}`)
  return { id: row.id, state: 'waiting', note, due_at: new Date(app.clock.now().getTime() + wait_s * 1_000) }
}

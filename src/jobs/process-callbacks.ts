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
import { applyPayoutAnswers, findPayoutByReference, type PayoutAnswer } from '../core/payments/payouts.ts'
import { begin, type Tx } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'
import { networkByCode } from '../networks/index.ts'
import { addRetryable, type Network, type ParsedCallback } from '../networks/network.ts'
import { applyInBatch } from './apply-in-batch.ts'
import { callNetwork } from './call-network.ts'
import { leaseTimes } from './lease-times.ts'

/** Reads knocks back: the network is asked what is true, and only its answer is believed. */
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
      // Payouts have a transaction of their own: they lock their rows before the money, and so does what comes in.
      await applyInBatch(
        findings.filter((finding) => finding.payout),
        (some) => begin(app.db, (tx) => applyPayoutResults(tx, app.clock.now(), some)),
      )
      await applyInBatch(
        findings.filter((finding) => !finding.payout),
        (some) =>
          begin(app.db, async (tx) => {
            const now = app.clock.now()
            await ingestIncomingPayments(
              tx,
              now,
              some.flatMap((finding) => finding.money ?? []),
            )
            await applyOrderAnswers(
              tx,
              now,
              some.flatMap((finding) => finding.step ?? []),
            )
            await applyCallbackResults(
              tx,
              some.map((finding) => finding.verdict),
            )
            await eraseLateCallbacks(tx, some.flatMap(toErasureTargets))
          }),
      )
      // Whatever has changed is to be told, by SMS and by webhook.
      app.wake()
    },
  }
}

/** What reading one callback back has brought to light. */
interface CallbackFinding {
  verdict: CallbackResult
  money?: IncomingPaymentReport
  step?: OrderActionAnswer
  payout?: PayoutAnswer
}

async function applyPayoutResults(tx: Tx, now: Date, findings: readonly CallbackFinding[]): Promise<void> {
  await applyPayoutAnswers(
    tx,
    now,
    findings.flatMap((finding) => finding.payout ?? []),
  )
  await applyCallbackResults(
    tx,
    findings.map((finding) => finding.verdict),
  )
  await eraseLateCallbacks(tx, findings.flatMap(toErasureTargets))
}

function toErasureTargets({ verdict, money, step, payout }: CallbackFinding): ErasureTarget[] {
  if (money) return [{ callback: verdict.id, network: money.network.code, remote_id: money.remote_id }]
  if (step) return [{ callback: verdict.id, network: step.network.code, phonenumber: step.action.order.phonenumber }]
  if (payout)
    return [{ callback: verdict.id, network: payout.action.network, phonenumber: payout.action.payout.phonenumber }]
  return []
}

/** A network that does not answer is asked again after these waits; later the open order is asked about anyway. */
const RETRY_WAITS_S = [5, 30, 300, 1_800, 3_600, 3_600, 3_600]

async function processCallback(app: App, row: CallbackRow): Promise<CallbackFinding> {
  const network = networkByCode(app.networks, row.network)
  if (!network?.readCallback) return { verdict: ignoredVerdict(row, 'The network is no longer configured.') }
  const knock = network.readCallback({ headers: row.headers, body: row.body })
  if (knock.subject === 'unrecognized') return { verdict: ignoredVerdict(row, knock.message) }
  if (knock.subject === 'transaction') {
    if (!network.findTransaction) return { verdict: ignoredVerdict(row, 'Neither signed nor to be read back.') }
    const found = await callNetwork(app, network, () => network.findTransaction!(knock.remote_id))
    if (found.outcome === 'unknown') return { verdict: retryVerdict(app, row, found.message) }
    if (found.outcome === 'not_found')
      return { verdict: ignoredVerdict(row, 'The network does not know this transaction.') }
    return { verdict: settledVerdict(row), money: { ...found.receipt, network } }
  }
  return processOrderCallback(app, row, network, knock)
}

/** A knock about something that we ordered: money asked for, or money sent. The reference tells which. */
async function processOrderCallback(
  app: App,
  row: CallbackRow,
  network: Network,
  knock: Extract<ParsedCallback, { subject: 'order' }>,
): Promise<CallbackFinding> {
  const [step, payout] = await Promise.all([
    findOrderActionByReference(app.db, knock.order_reference),
    findPayoutByReference(app.db, knock.order_reference),
  ])
  const check = step
    ? network.checkOrder && (() => network.checkOrder!(step.order))
    : payout && network.checkPayout && (() => network.checkPayout!(payout.payout))
  if (!step && !payout) return { verdict: ignoredVerdict(row, 'No order of ours has this reference.') }
  if (!knock.verified && !check) return { verdict: ignoredVerdict(row, 'Neither signed nor to be read back.') }
  const answer = knock.verified ? knock.answer : await callNetwork(app, network, check!)
  if (answer.outcome === 'unknown') return { verdict: retryVerdict(app, row, answer.message) }
  if (answer.outcome === 'not_found') return { verdict: ignoredVerdict(row, 'The network does not know this order.') }
  if (payout) return { verdict: settledVerdict(row), payout: { action: payout, answer } }
  if (answer.outcome === 'reversed')
    return { verdict: ignoredVerdict(row, 'Money that was asked for is taken back as a transaction.') }
  return { verdict: settledVerdict(row), step: { action: step!, network, answer: addRetryable(answer) } }
}

function settledVerdict(row: CallbackRow): CallbackResult {
  return { id: row.id, state: 'settled', note: null, due_at: null }
}

function ignoredVerdict(row: CallbackRow, note: string): CallbackResult {
  return { id: row.id, state: 'ignored', note, due_at: null }
}

function retryVerdict(app: App, row: CallbackRow, note: string): CallbackResult {
  const wait_s = RETRY_WAITS_S[row.attempts - 1]
  if (wait_s === undefined) return ignoredVerdict(row, `Given up: ${note}`)
  return { id: row.id, state: 'waiting', note, due_at: new Date(app.clock.now().getTime() + wait_s * 1_000) }
}

import type { App } from '../app.ts'
import {
  type CallbackRow,
  type CallbackVerdict,
  claimCallbacks,
  closeCallbacks,
  nextDueCallback,
} from '../core/connections/callbacks.ts'
import { type StepAnswer, settleSteps, stepByReference } from '../core/collections/attempts.ts'
import { eraseLate, type Told } from '../core/contacts/message-erasure.ts'
import { type ReceivedMoney, receiveMoney } from '../core/collections/incoming-payments.ts'
import { type PayoutAnswer, payoutByReference, settlePayouts } from '../core/payments/payouts.ts'
import { begin, type Tx } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'
import { networkByCode } from '../networks/index.ts'
import { type Knock, type Network, withRetryable } from '../networks/network.ts'
import { ask } from './call-network.ts'
import { settleTogether } from './apply-in-batch.ts'
import { timesOf } from './lease-times.ts'

/** Reads knocks back: the network is asked what is true, and only its answer is believed. */
export function readCallbacks(app: App): Job<CallbackRow> {
  return {
    name: 'read-callbacks',
    limit: 50,
    lanes: 2,
    claim: (limit) => begin(app.db, (tx) => claimCallbacks(tx, timesOf(app), limit)),
    nextDue: () => nextDueCallback(app.db, app.clock.real()),
    due_tells_all: true,
    async run(rows) {
      const findings = await Promise.all(rows.map((row) => readBack(app, row)))
      // Payouts have a transaction of their own: they lock their rows before the money, and so does what comes in.
      await settleTogether(
        findings.filter((finding) => finding.payout),
        (some) => begin(app.db, (tx) => settlePayoutFindings(tx, app.clock.now(), some)),
      )
      await settleTogether(
        findings.filter((finding) => !finding.payout),
        (some) =>
          begin(app.db, async (tx) => {
            const now = app.clock.now()
            await receiveMoney(
              tx,
              now,
              some.flatMap((finding) => finding.money ?? []),
            )
            await settleSteps(
              tx,
              now,
              some.flatMap((finding) => finding.step ?? []),
            )
            await closeCallbacks(
              tx,
              some.map((finding) => finding.verdict),
            )
            await eraseLate(tx, some.flatMap(toldBy))
          }),
      )
      // Whatever has changed is to be told, by SMS and by webhook.
      app.wake()
    },
  }
}

/** What reading one callback back has brought to light. */
interface Finding {
  verdict: CallbackVerdict
  money?: ReceivedMoney
  step?: StepAnswer
  payout?: PayoutAnswer
}

async function settlePayoutFindings(tx: Tx, now: Date, findings: readonly Finding[]): Promise<void> {
  await settlePayouts(
    tx,
    now,
    findings.flatMap((finding) => finding.payout ?? []),
  )
  await closeCallbacks(
    tx,
    findings.map((finding) => finding.verdict),
  )
  await eraseLate(tx, findings.flatMap(toldBy))
}

function toldBy({ verdict, money, step, payout }: Finding): Told[] {
  if (money) return [{ callback: verdict.id, network: money.network.code, remote_id: money.remote_id }]
  if (step) return [{ callback: verdict.id, network: step.network.code, phonenumber: step.step.order.phonenumber }]
  if (payout)
    return [{ callback: verdict.id, network: payout.step.network, phonenumber: payout.step.payout.phonenumber }]
  return []
}

/** A network that does not answer is asked again after these waits; later the open order is asked about anyway. */
const AGAIN_AFTER_S = [5, 30, 300, 1_800, 3_600, 3_600, 3_600]

async function readBack(app: App, row: CallbackRow): Promise<Finding> {
  const network = networkByCode(app.networks, row.network)
  if (!network?.readCallback) return { verdict: ignore(row, 'The network is no longer configured.') }
  const knock = network.readCallback({ headers: row.headers, body: row.body })
  if (knock.about === 'nothing') return { verdict: ignore(row, knock.message) }
  if (knock.about === 'transaction') {
    if (!network.findTransaction) return { verdict: ignore(row, 'Neither signed nor to be read back.') }
    const found = await ask(app, network, () => network.findTransaction!(knock.remote_id))
    if (found.outcome === 'unknown') return { verdict: again(app, row, found.message) }
    if (found.outcome === 'not_found') return { verdict: ignore(row, 'The network does not know this transaction.') }
    return { verdict: settled(row), money: { ...found.receipt, network } }
  }
  return readOrder(app, row, network, knock)
}

/** A knock about something that we ordered: money asked for, or money sent. The reference tells which. */
async function readOrder(
  app: App,
  row: CallbackRow,
  network: Network,
  knock: Extract<Knock, { about: 'order' }>,
): Promise<Finding> {
  const [step, payout] = await Promise.all([
    stepByReference(app.db, knock.order_reference),
    payoutByReference(app.db, knock.order_reference),
  ])
  const check = step
    ? network.checkOrder && (() => network.checkOrder!(step.order))
    : payout && network.checkPayout && (() => network.checkPayout!(payout.payout))
  if (!step && !payout) return { verdict: ignore(row, 'No order of ours has this reference.') }
  if (!knock.verified && !check) return { verdict: ignore(row, 'Neither signed nor to be read back.') }
  const answer = knock.verified ? knock.answer : await ask(app, network, check!)
  if (answer.outcome === 'unknown') return { verdict: again(app, row, answer.message) }
  if (answer.outcome === 'not_found') return { verdict: ignore(row, 'The network does not know this order.') }
  if (payout) return { verdict: settled(row), payout: { step: payout, answer } }
  if (answer.outcome === 'reversed')
    return { verdict: ignore(row, 'Money that was asked for is taken back as a transaction.') }
  return { verdict: settled(row), step: { step: step!, network, answer: withRetryable(answer) } }
}

function settled(row: CallbackRow): CallbackVerdict {
  return { id: row.id, state: 'settled', note: null, due_at: null }
}

function ignore(row: CallbackRow, note: string): CallbackVerdict {
  return { id: row.id, state: 'ignored', note, due_at: null }
}

function again(app: App, row: CallbackRow, note: string): CallbackVerdict {
  const wait_s = AGAIN_AFTER_S[row.tries - 1]
  if (wait_s === undefined) return ignore(row, `Given up: ${note}`)
  return { id: row.id, state: 'waiting', note, due_at: new Date(app.clock.now().getTime() + wait_s * 1_000) }
}

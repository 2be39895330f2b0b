import type { App } from '../app.ts'
import {
  type IncomingPaymentReport,
  type IngestResult,
  ingestIncomingPayments,
} from '../core/collections/incoming-payments.ts'
import type { Finding } from '../core/ledger/reconciliation.ts'
import { applyPayoutAnswers, findPayout, type PayoutAnswer } from '../core/payments/payouts.ts'
import { begin } from '../db/client.ts'
import { networkByCode } from '../networks/index.ts'
import { applyInBatch } from './apply-in-batch.ts'
import { callNetwork } from './call-network.ts'

/** What became of findings: how many were taken in, and what was not, with the reason. */
export interface ApplyResult {
  recorded: number
  reversed: number
  known: number
  refused: { remote_id: string; why: string }[]
}

/** How many payments a network is asked about at once. */
const MAX_CONCURRENT_CALLS = 20

/**
 * Takes into the books what a statement has and they lack: the network is asked about each payment, and its answer is
 * believed, not the file. What it does not confirm is never credited. Money that was sent is looked at only where the
 * statement says that it was taken back: what the books do not know to have been sent is for people to find out.
 * @param applied is added to
 */
export async function applyFindings(
  app: App,
  code: string,
  findings: readonly Finding[],
  applied: ApplyResult,
): Promise<void> {
  for (const { remote_id } of findings.filter(({ kind, statement }) => kind === 'missing_in_books' && statement?.sent))
    applied.refused.push({ remote_id, why: 'The books know of no such payment that was sent.' })
  await applyReversedPayouts(app, code, findings.filter(isReversedPayout), applied)
  const wanted = findings.filter(isMissingOrReversedCollection)
  for (let from = 0; from < wanted.length; from += MAX_CONCURRENT_CALLS) {
    const some = wanted.slice(from, from + MAX_CONCURRENT_CALLS)
    const answers = await Promise.all(some.map(({ remote_id }) => fetchTransaction(app, code, remote_id)))
    const confirmed = answers.flatMap((answer) => ('money' in answer ? [answer.money] : []))
    applied.refused.push(...answers.flatMap((answer) => ('why' in answer ? [answer] : [])))
    await applyInBatch(confirmed, async (money) => {
      const taken = await begin(app.db, (tx) => ingestIncomingPayments(tx, app.clock.now(), money))
      for (const [index, what] of taken.entries()) countResult(applied, money[index]!.remote_id, what)
    })
  }
}

/** Money that the books do not have, or still have although the network has taken it back. */
function isMissingOrReversedCollection({ kind, statement, books }: Finding): boolean {
  if (kind === 'missing_in_books') return !statement?.sent
  return kind === 'status_differs' && statement?.status === 'reversed' && books?.what === 'collection'
}

/** Money that was sent, and of which the books do not know that the network has taken it back. */
function isReversedPayout({ kind, statement, books }: Finding): boolean {
  return kind === 'status_differs' && statement?.status === 'reversed' && books?.what === 'payment'
}

async function applyReversedPayouts(
  app: App,
  code: string,
  findings: readonly Finding[],
  applied: ApplyResult,
): Promise<void> {
  const network = networkByCode(app.networks, code)!
  for (let from = 0; from < findings.length; from += MAX_CONCURRENT_CALLS) {
    const answers = await Promise.all(
      findings.slice(from, from + MAX_CONCURRENT_CALLS).map(async ({ remote_id, books }): Promise<PayoutAnswer[]> => {
        const step = network.checkPayout && (await findPayout(app.db, books!.id))
        const answer = step && (await callNetwork(app, network, () => network.checkPayout!(step.payout)))
        if (step && answer?.outcome === 'reversed') return [{ action: step, answer }]
        applied.refused.push({ remote_id, why: 'The network does not say that it has taken this money back.' })
        return []
      }),
    )
    await applyInBatch(answers.flat(), (some) => begin(app.db, (tx) => applyPayoutAnswers(tx, app.clock.now(), some)))
    applied.reversed += answers.flat().length
  }
}

async function fetchTransaction(
  app: App,
  code: string,
  remote_id: string,
): Promise<{ money: IncomingPaymentReport } | { remote_id: string; why: string }> {
  const network = networkByCode(app.networks, code)!
  if (!network.findTransaction) return { remote_id, why: 'The network cannot be asked about single payments.' }
  const found = await callNetwork(app, network, () => network.findTransaction!(remote_id))
  if (found.outcome === 'not_found') return { remote_id, why: 'The network does not know this payment.' }
  if (found.outcome === 'unknown') return { remote_id, why: found.message }
  return { money: { ...found.receipt, network } }
}

function countResult(applied: ApplyResult, remote_id: string, what: IngestResult): void {
  if (what === 'no_account') applied.refused.push({ remote_id, why: 'Its receiver belongs to no account.' })
  else applied[what] += 1
}

import type { App } from '../app.ts'
import { type ReceivedMoney, receiveMoney, type Taken } from '../core/collections/incoming-payments.ts'
import { type PayoutAnswer, payoutOf, settlePayouts } from '../core/payments/payouts.ts'
import type { Finding } from '../core/ledger/reconciliation.ts'
import { begin } from '../db/client.ts'
import { networkByCode } from '../networks/index.ts'
import { ask } from './call-network.ts'
import { settleTogether } from './apply-in-batch.ts'

/** What became of findings: how many were taken in, and what was not, with the reason. */
export interface Applied {
  recorded: number
  reversed: number
  known: number
  refused: { remote_id: string; why: string }[]
}

/** How many payments a network is asked about at once. */
const AT_ONCE = 20

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
  applied: Applied,
): Promise<void> {
  for (const { remote_id } of findings.filter(({ kind, statement }) => kind === 'missing_in_books' && statement?.sent))
    applied.refused.push({ remote_id, why: 'The books know of no such payment that was sent.' })
  await applyPayouts(app, code, findings.filter(isBroughtBack), applied)
  const wanted = findings.filter(isLacking)
  for (let from = 0; from < wanted.length; from += AT_ONCE) {
    const some = wanted.slice(from, from + AT_ONCE)
    const answers = await Promise.all(some.map(({ remote_id }) => readBack(app, code, remote_id)))
    const confirmed = answers.flatMap((answer) => ('money' in answer ? [answer.money] : []))
    applied.refused.push(...answers.flatMap((answer) => ('why' in answer ? [answer] : [])))
    await settleTogether(confirmed, async (money) => {
      const taken = await begin(app.db, (tx) => receiveMoney(tx, app.clock.now(), money))
      for (const [index, what] of taken.entries()) count(applied, money[index]!.remote_id, what)
    })
  }
}

/** Money that the books do not have, or still have although the network has taken it back. */
function isLacking({ kind, statement, books }: Finding): boolean {
  if (kind === 'missing_in_books') return !statement?.sent
  return kind === 'status_differs' && statement?.status === 'reversed' && books?.what === 'collection'
}

/** Money that was sent, and of which the books do not know that the network has taken it back. */
function isBroughtBack({ kind, statement, books }: Finding): boolean {
  return kind === 'status_differs' && statement?.status === 'reversed' && books?.what === 'payment'
}

async function applyPayouts(app: App, code: string, findings: readonly Finding[], applied: Applied): Promise<void> {
  const network = networkByCode(app.networks, code)!
  for (let from = 0; from < findings.length; from += AT_ONCE) {
    const answers = await Promise.all(
      findings.slice(from, from + AT_ONCE).map(async ({ remote_id, books }): Promise<PayoutAnswer[]> => {
        const step = network.checkPayout && (await payoutOf(app.db, books!.id))
        const answer = step && (await ask(app, network, () => network.checkPayout!(step.payout)))
        if (step && answer?.outcome === 'reversed') return [{ step, answer }]
        applied.refused.push({ remote_id, why: 'The network does not say that it has taken this money back.' })
        return []
      }),
    )
    await settleTogether(answers.flat(), (some) => begin(app.db, (tx) => settlePayouts(tx, app.clock.now(), some)))
    applied.reversed += answers.flat().length
  }
}

async function readBack(
  app: App,
  code: string,
  remote_id: string,
): Promise<{ money: ReceivedMoney } | { remote_id: string; why: string }> {
  const network = networkByCode(app.networks, code)!
  if (!network.findTransaction) return { remote_id, why: 'The network cannot be asked about single payments.' }
  const found = await ask(app, network, () => network.findTransaction!(remote_id))
  if (found.outcome === 'not_found') return { remote_id, why: 'The network does not know this payment.' }
  if (found.outcome === 'unknown') return { remote_id, why: found.message }
  return { money: { ...found.receipt, network } }
}

function count(applied: Applied, remote_id: string, what: Taken): void {
  if (what === 'no_account') applied.refused.push({ remote_id, why: 'Its receiver belongs to no account.' })
  else applied[what] += 1
}

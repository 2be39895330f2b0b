import type { App } from '../app.ts'
import type { Vend, VendCheck } from '../billers/biller.ts'
import { billerByCode } from '../billers/index.ts'
import type { Purchase } from '../core/bills/purchases.ts'
import { applyVendAnswers, claimVends, nextDueVend, type VendAction, type VendAnswer } from '../core/bills/vends.ts'
import { begin, mayRetry } from '../db/client.ts'
import { createBatcher } from '../lib/batch.ts'
import type { Job } from '../lib/loop.ts'
import { leaseTimes } from './lease-times.ts'

/**
 * A vend leaves within this time after it was marked as sent, or never: a process that was stopped in between must not
 * send what has been given up by another meanwhile.
 */
const MAX_SEND_DELAY_MS = 2_000

/**
 * Buys from billers what organizations have paid for, and asks about it until it is known what became of it. Each answer
 * is settled as it comes, so that a biller who is slow with one purchase holds up no other.
 */
export function vendBills(app: App): Job<VendAction> {
  const settle = createBatcher<VendAnswer, void>({
    flush: async (answers) => {
      const sold_late = await begin(app.db, (tx) => applyVendAnswers(tx, app.clock.now(), answers))
      for (const purchase of sold_late) app.log.error({ purchase }, 'the biller has sold what had been given up')
      return answers.map(() => ({ ok: true, value: undefined }))
    },
    // What was lost with its commit is found by the next question, and settled then.
    mayRetry,
    max_items: 50,
  })

  return {
    name: 'vend-bills',
    limit: 20,
    // Many, because a lane is held by the slowest of its purchases.
    concurrency: 256,
    claim: (limit) => begin(app.db, (tx) => claimVends(tx, leaseTimes(app), limit)),
    nextDue: () => nextDueVend(app.db, app.clock.real()),
    next_due_is_complete: true,
    async run(steps) {
      const ends = await Promise.allSettled(
        steps.map(async (step) => settle({ purchase: step.purchase, answer: await runAction(app, step) })),
      )
      // Whatever has changed is to be told, by webhook.
      app.wake()
      const faults = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
      if (faults.length > 0) throw new AggregateError(faults, `${faults.length} vends could not be settled.`)
    },
  }
}

/** Talks to the biller. A connector that throws has a bug; its answer counts as unknown and is asked for later. */
async function runAction(app: App, { action, purchase }: VendAction): Promise<VendAnswer['answer']> {
  const biller = billerByCode(app.billers, purchase.biller)
  if (!biller) return { outcome: 'unknown', message: `The biller ${purchase.biller} is no longer configured.` }
  const sent_for_ms = app.clock.real().getTime() - purchase.sent!.getTime()
  if (action === 'vend' && sent_for_ms > MAX_SEND_DELAY_MS)
    return { outcome: 'unknown', message: 'This process was too late to send it.' }
  try {
    const order = toVend(purchase)
    const answer: VendCheck = await (action === 'vend' ? biller.vend(order) : biller.checkVend(order))
    if (answer.outcome !== 'not_found') return answer
    return { outcome: 'not_found', final: sent_for_ms > biller.in_flight_ms + MAX_SEND_DELAY_MS }
  } catch (error) {
    app.log.error({ biller: biller.code, purchase: purchase.id, err: error }, 'fault')
    return { outcome: 'unknown', message: 'The connector to this biller failed.' }
  }
}

function toVend(purchase: Purchase): Vend {
  const { reference, kind, service_type, account_number, phone, amount, details } = purchase
  const scenario = purchase.scenario as Vend['scenario']
  return { reference, kind, service_type, account_number, phone, amount, details, scenario }
}

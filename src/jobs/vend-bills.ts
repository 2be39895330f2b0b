import type { App } from '../app.ts'
import type { Vend, VendCheck } from '../billers/biller.ts'
import { billerByCode } from '../billers/index.ts'
import type { Purchase } from '../core/bills/purchases.ts'
import { applyVendAnswers, claimVends, nextDueVend, type VendAction, type VendAnswer } from '../core/bills/vends.ts'
import { begin, mayRetry } from '../db/client.ts'
import { createBatcher } from '../lib/batch.ts'
import { logEvent } from '../lib/log-events.ts'
import type { Job } from '../lib/loop.ts'
import { leaseTimes } from './shared/lease-times.ts'
import { reportFailures, runEach } from './shared/run-each.ts'

/**
 * A vend is sent within this time after it was marked as sent, or never. A process that stood still in between must not
 * send a purchase that another process has already recorded as failed.
 */
const MAX_SEND_DELAY_MS = 2_000

/**
 * Buys the paid purchases from billers, and checks them until the result is known. Each answer is applied as it arrives, so
 * that one slow purchase does not delay the others.
 */
export function vendBills(app: App): Job<VendAction> {
  const apply = createBatcher<VendAnswer, void>({
    flush: async (answers) => {
      const late_successes = await begin(app.db, (tx) => applyVendAnswers(tx, app.clock.now(), answers))
      for (const purchase of late_successes) logEvent(app.log, 'vend_succeeded_late', { purchase })
      return answers.map(() => ({ ok: true, value: undefined }))
    },
    // If the commit was lost, the next check of the purchase gets the same answer.
    mayRetry,
    max_items: 50,
  })

  return {
    name: 'vend-bills',
    limit: 20,
    // High, because each claim runs until its slowest purchase has an answer.
    concurrency: 256,
    claim: (limit) => begin(app.db, (tx) => claimVends(tx, leaseTimes(app), limit)),
    nextDue: () => nextDueVend(app.db, app.clock.real()),
    next_due_is_complete: true,
    async run(actions) {
      const failed = await runEach(actions, async (action) =>
        apply({ purchase: action.purchase, answer: await runAction(app, action) }),
      )
      // The changes cause webhook deliveries.
      app.wake()
      reportFailures(failed, (failures) => {
        for (const { row, error } of failures)
          logEvent(app.log, 'vend_result_failed', { purchase: row.purchase.id, error })
      })
    },
  }
}

/** Calls the biller. Connectors do not throw, so an error is a bug: the answer counts as unknown and is checked later. */
async function runAction(app: App, { action, purchase }: VendAction): Promise<VendAnswer['answer']> {
  const biller = billerByCode(app.billers, purchase.biller)
  if (!biller) return { outcome: 'unknown', message: `The biller ${purchase.biller} is no longer configured.` }
  const sent_for_ms = app.clock.real().getTime() - purchase.sent!.getTime()
  if (action === 'vend' && sent_for_ms > MAX_SEND_DELAY_MS)
    return { outcome: 'unknown', message: 'This process was too late to send it.' }
  const call = action === 'vend' ? 'vend' : 'checkVend'
  const started = performance.now()
  try {
    const answer: VendCheck = await biller[call](toVend(purchase))
    if (answer.outcome !== 'not_found') return answer
    return { outcome: 'not_found', final: sent_for_ms > biller.in_flight_ms + MAX_SEND_DELAY_MS }
  } catch (error) {
    const duration_ms = Math.round(performance.now() - started)
    logEvent(app.log, 'biller_call_failed', { biller: biller.code, purchase: purchase.id, call, duration_ms, error })
    return { outcome: 'unknown', message: 'The connector to this biller failed.' }
  }
}

function toVend(purchase: Purchase): Vend {
  const { reference, kind, service_type, account_number, phone, amount, details } = purchase
  const scenario = purchase.scenario as Vend['scenario']
  return { reference, kind, service_type, account_number, phone, amount, details, scenario }
}

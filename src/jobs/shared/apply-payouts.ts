import type { App } from '../../app.ts'
import { applyPayoutAnswers, type PayoutAnswer } from '../../core/payments/payouts.ts'
import { begin, type Tx } from '../../db/client.ts'
import { logEvent } from '../../lib/log-events.ts'

/**
 * Applies answers of networks about payouts in one transaction, and logs each payout that was sent after the network had
 * reported a failure.
 * @param further what else belongs to the transaction
 */
export async function applyPayouts(
  app: App,
  answers: readonly PayoutAnswer[],
  further?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const late = await begin(app.db, async (tx) => {
    const found = await applyPayoutAnswers(tx, app.clock.now(), answers)
    await further?.(tx)
    return found
  })
  for (const { id: recipient, payment, booked } of late)
    logEvent(app.log, 'payout_succeeded_late', { payment, recipient, booked })
}

import type { App } from '../app.ts'
import { readPlaceOf } from '../core/access/places.ts'
import { choosePeriod } from '../core/books/period.ts'
import type { Period } from '../lib/text/zoned-times.ts'

/**
 * The days that were chosen, in the time zone of the organization; without them this month until today.
 * @throws Invalid when the last day is before the first
 */
export async function readPeriod(
  app: App,
  organization: number,
  days: { from?: string | undefined; to?: string | undefined },
): Promise<Period> {
  const { time_zone } = await readPlaceOf(app.db, organization)
  return choosePeriod(days, { now: app.clock.now(), time_zone })
}

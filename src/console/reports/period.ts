import type { App } from '../../app.ts'
import { readPlaceOf } from '../../core/access/places.ts'
import { Invalid } from '../../core/refusals.ts'
import { dayIn } from '../../lib/text/time-zones.ts'
import { type Period, periodOf } from '../../lib/text/zoned-times.ts'

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
  const to = days.to ?? latest(dayIn(app.clock.now(), time_zone), days.from)
  const from = days.from ?? `${to.slice(0, 7)}-01`
  if (to < from) throw new Invalid({ to: ['It must not be before the first day.'] })
  return periodOf(from, to, time_zone)
}

function latest(today: string, from: string | undefined): string {
  return from !== undefined && from > today ? from : today
}

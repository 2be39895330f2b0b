import { getMessage } from '../../lib/messages/message.ts'
import { dayIn } from '../../lib/text/time-zones.ts'
import { type Period, periodOf } from '../../lib/text/zoned-times.ts'
import { Invalid } from '../refusals.ts'

/**
 * The days that were chosen, in a time zone; without them this month until today.
 * @throws Invalid when the last day is before the first
 */
export function choosePeriod(
  days: { from?: string | undefined; to?: string | undefined },
  { now, time_zone }: { now: Date; time_zone: string },
): Period {
  const to = days.to ?? latest(dayIn(now, time_zone), days.from)
  const from = days.from ?? `${to.slice(0, 7)}-01`
  if (to < from) throw new Invalid({ to: [getMessage('fields.period')] })
  return periodOf(from, to, time_zone)
}

function latest(today: string, from: string | undefined): string {
  return from !== undefined && from > today ? from : today
}

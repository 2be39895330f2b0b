import { z } from 'zod'
import { addView } from '../../actions/lists/views.ts'
import type { App } from '../../app.ts'
import { type Connections, nameOfNetwork } from '../../connections/registry.ts'
import { readPlaceOf } from '../../core/access/places.ts'
import { DayCache } from '../../core/figures/day-cache.ts'
import {
  type DayFigures,
  type DayMoney,
  type DayRequests,
  type DaySpan,
  readDayFigures,
  sumFigures,
} from '../../core/figures/day-figures.ts'
import {
  countDays,
  daysOfPeriod,
  listDays,
  MAX_PERIOD_DAYS,
  type Period,
  type PeriodName,
  periodBefore,
  periods,
} from '../../core/figures/periods.ts'
import { Invalid } from '../../core/refusals.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { dayIn, endOfDayIn, isoDay, startOfDayIn } from '../../lib/text/time-zones.ts'
import { Figures, type Totals } from './views.ts'

/** Reasons beyond these are rare. */
const MAX_REASONS = 8

const query = z.object({
  period: z.enum(periods).default('7_days'),
  from: z.string().optional(),
  to: z.string().optional(),
})

/** The route with the figures of a period and of the one before. */
export function addFigures(server: Server, app: App): void {
  const cache = new DayCache(
    (organization, days) => app.reads.read((db) => readDayFigures(db, organization, days)),
    () => performance.now(),
  )
  addView(server, app, {
    url: '/console/api/home/figures',
    permission: 'view',
    query,
    answer: Figures,
    source: 'statements',
    async read(db, { organization, query, now }) {
      const { time_zone: zone } = await readPlaceOf(db, organization)
      const today = dayIn(now, zone)
      const current = readPeriod(query, today)
      const before = periodBefore(query.period, current)
      // The period before ends where the current one begins, or earlier.
      const [figures, figures_before] = await Promise.all(
        [current, before].map((period) => cache.get(organization, spansOf(period, zone), now)),
      )
      return {
        period: query.period,
        zone,
        today,
        current: toTotals(current, figures!, app.connections),
        before: toTotals(before, figures_before!, app.connections),
        days: listDays(current).map((day, index) => ({
          day,
          money: figures![index]!.money.map(withNet),
          requests: toRate(figures![index]!.requests),
        })),
      }
    },
  })
}

/** @throws Invalid for days that do not exist, are in the wrong order, or are too many */
function readPeriod({ period, from, to }: { period: PeriodName; from?: string; to?: string }, today: string): Period {
  if (period !== 'custom') return daysOfPeriod(period, today)
  const chosen = { from: isoDay(from ?? ''), to: isoDay(to ?? '') }
  for (const name of ['from', 'to'] as const)
    if (chosen[name] === undefined) throw new Invalid({ [name]: [getMessage('home.day')] })
  const days = chosen as Period
  if (days.to < days.from) throw new Invalid({ to: [getMessage('home.last_before_first')] })
  if (countDays(days) > MAX_PERIOD_DAYS)
    throw new Invalid({ to: [getMessage('home.many_days', { max: MAX_PERIOD_DAYS })] })
  return days
}

function spansOf(period: Period, zone: string): DaySpan[] {
  return listDays(period).map((day) => ({ start: startOfDayIn(day, zone), end: endOfDayIn(day, zone) }))
}

function toTotals(period: Period, days: readonly DayFigures[], connections: Connections): Totals {
  const { money, requests, failures } = sumFigures(days)
  return {
    ...period,
    money: money.map(withNet),
    requests: toRate(requests),
    networks: requests.map((one) => ({ ...one, name: nameOfNetwork(connections, one.network) })),
    failures: failures.slice(0, MAX_REASONS),
  }
}

function withNet(money: DayMoney) {
  return { ...money, net: money.gross - money.returned - money.fees }
}

function toRate(requests: readonly DayRequests[]) {
  return {
    ended: requests.reduce((sum, { ended }) => sum + ended, 0),
    successful: requests.reduce((sum, { successful }) => sum + successful, 0),
  }
}

import type { AnyReader } from '../../db/client.ts'
import type { Amount } from '../../lib/money.ts'

/** The money that arrived on a day, in one currency. */
export interface DayMoney {
  currency: string
  count: number
  gross: Amount
  /** Amount that networks reversed and that was refunded, of this money, also later. */
  returned: Amount
  /** Fees charged for it: the operator's, and those of networks to which the organization has its own connections. */
  fees: Amount
}

/** Outcomes of the requests of a day, by network. Open requests are not counted. */
export interface DayRequests {
  network: string
  ended: number
  successful: number
}

/**
 * Reasons why requests of a day brought no money: a code of `failureReasons`, `expired`, or the words of the network.
 */
interface DayFailures {
  reason: string
  count: number
}

export interface DayFigures {
  money: DayMoney[]
  requests: DayRequests[]
  failures: DayFailures[]
}

/** Day in the organization's time zone: from its beginning to the beginning of the next. */
export interface DaySpan {
  start: Date
  end: Date
}

/**
 * Counts consecutive days. It reads all rows of these days, by the indexes of the time of their creation, so callers
 * keep the result (day-cache.ts).
 */
export async function readDayFigures(
  db: AnyReader,
  organization: number,
  days: readonly DaySpan[],
): Promise<DayFigures[]> {
  const [first, last] = [days[0]!, days.at(-1)!]
  const bounds = days.map(({ start }) => start)
  const scope = { organization, from: first.start, to: last.end, bounds }
  const [money, requests, failures] = await Promise.all([
    readMoney(db, scope),
    readRequests(db, scope),
    readFailures(db, scope),
  ])
  const rowsOfDay = <Row extends { day: number }>(rows: readonly Row[], index: number) =>
    rows.filter(({ day }) => day === index + 1).map(({ day: _, ...row }) => row)
  return days.map((_, index) => ({
    money: rowsOfDay(money, index),
    requests: rowsOfDay(requests, index),
    failures: rowsOfDay(failures, index),
  }))
}

interface Scope {
  organization: number
  from: Date
  to: Date
  /** The beginnings of the days. */
  bounds: Date[]
}

async function readMoney(db: AnyReader, { organization, from, to, bounds }: Scope) {
  const collected = await db<({ day: number } & Omit<DayMoney, 'fees'>)[]>`
    select width_bucket(created, ${bounds}::timestamptz[]) as day, currency, count(*) as count, sum(amount) as gross,
      sum(least(amount, case status when 'reversed' then amount else reversed_in_parts end + refunded)) as returned
    from collections
    where organization = ${organization} and created >= ${from} and created < ${to} and status in ('successful', 'reversed')
    group by 1, 2 order by 1, 2`
  const fees = await readFees(db, { organization, from, to, bounds })
  return collected.map((row) => ({ ...row, fees: fees.get(`${row.day} ${row.currency}`) ?? 0n }))
}

/** The fees of the collections of each day and currency. An organization that never paid one has no look-ups. */
async function readFees(db: AnyReader, { organization, from, to, bounds }: Scope): Promise<Map<string, Amount>> {
  const [paid] = await db<{ any: boolean }[]>`
    select exists (
      select from accounts where organization = ${organization} and kind in ('fees', 'network_fees') and balance <> 0) as any`
  if (!paid!.any) return new Map()
  const rows = await db<{ day: number; currency: string; fees: Amount }[]>`
    select width_bucket(c.created, ${bounds}::timestamptz[]) as day, c.currency, sum(t.amount) as fees
    from collections c
    join transfers t on t.reference in ('collection:' || c.id || ':fee', 'network_fee:collection:' || c.id)
    join accounts a on a.organization = ${organization}
      and a.id = case t.kind when 'network_fee' then t.from_account else t.to_account end
    where c.organization = ${organization} and c.created >= ${from} and c.created < ${to}
      and c.status in ('successful', 'reversed')
    group by 1, 2`
  return new Map(rows.map(({ day, currency, fees }) => [`${day} ${currency}`, fees]))
}

async function readRequests(db: AnyReader, { organization, from, to, bounds }: Scope) {
  return db<({ day: number } & DayRequests)[]>`
    select width_bucket(created, ${bounds}::timestamptz[]) as day, network, count(*) as ended,
      count(*) filter (where status = 'successful') as successful
    from collection_requests
    where organization = ${organization} and created >= ${from} and created < ${to}
      and status in ('successful', 'failed', 'expired', 'reversed')
    group by 1, 2 order by 1, 2`
}

/** Reads failures by reason: of the last order, or of the request itself if it failed without an order. */
async function readFailures(db: AnyReader, { organization, from, to, bounds }: Scope) {
  return db<({ day: number } & DayFailures)[]>`
    select width_bucket(r.created, ${bounds}::timestamptz[]) as day,
      case r.status when 'expired' then 'expired' else coalesce(o.failure_reason, r.error_message, 'failed') end as reason,
      count(*) as count
    from collection_requests r
    left join lateral (
      select failure_reason from network_orders
      where r.status = 'failed' and organization = ${organization} and collection_request = r.id
      order by attempt desc limit 1) o on true
    where r.organization = ${organization} and r.created >= ${from} and r.created < ${to} and r.status in ('failed', 'expired')
    group by 1, 2 order by 1, 3 desc, 2`
}

/** Adds the figures of days. */
export function sumFigures(days: readonly DayFigures[]): DayFigures {
  const money = new Map<string, DayMoney>()
  const requests = new Map<string, DayRequests>()
  const failures = new Map<string, number>()
  for (const day of days) {
    for (const row of day.money) money.set(row.currency, addMoney(money.get(row.currency), row))
    for (const { network, ended, successful } of day.requests) {
      const before = requests.get(network)
      requests.set(network, {
        network,
        ended: (before?.ended ?? 0) + ended,
        successful: (before?.successful ?? 0) + successful,
      })
    }
    for (const { reason, count } of day.failures) failures.set(reason, (failures.get(reason) ?? 0) + count)
  }
  return {
    money: [...money.values()].sort((a, b) => b.count - a.count || a.currency.localeCompare(b.currency)),
    requests: [...requests.values()].sort((a, b) => b.ended - a.ended || a.network.localeCompare(b.network)),
    failures: [...failures].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count),
  }
}

function addMoney(before: DayMoney | undefined, row: DayMoney): DayMoney {
  if (!before) return row
  return {
    currency: row.currency,
    count: before.count + row.count,
    gross: before.gross + row.gross,
    returned: before.returned + row.returned,
    fees: before.fees + row.fees,
  }
}

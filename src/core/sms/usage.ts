import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import type { Amount } from '../../lib/money.ts'

/** Monthly limit of an organization, and the SMS that STOP ends. */
const limitTable = table('sms_limits', {
  organization: column.bigint().key(),
  /** Parts of SMS in a calendar month in UTC; null for any number. */
  monthly_parts: column.integer().nullable(),
  /** True if STOP also ends the SMS that confirm payments. */
  stop_covers_receipts: column.boolean().default(false).given(),
})
export type SmsLimit = Row<typeof limitTable>

/**
 * Counts of SMS in a month (`monthOf`). They rise before SMS are sent, and change for those not sent or of other lengths.
 * An SMS that is sent as soon as it is stored counts by its row: a job adds it here (usage-by-rows.ts).
 */
export const monthTable = table('sms_months', {
  organization: column.bigint().key(),
  month: column.date<string>().key(),
  messages: column.integer(),
  parts: column.integer(),
})
export type UsageChange = Row<typeof monthTable>

/** Costs of SMS as providers reported them; an earlier cost of the same SMS is added as a negative one. */
const costTable = table('sms_costs', {
  organization: column.bigint().key(),
  month: column.date<string>().key(),
  connection: column.text().key(),
  currency: column.text().key(),
  messages: column.integer(),
  cost: column.numeric('38,4'),
})
export type CostChange = Row<typeof costTable>

/** Returns the first day of the month in UTC, as PostgreSQL reads a date. */
export function monthOf(date: Date): string {
  return `${date.toISOString().slice(0, 7)}-01`
}

/** Parts of SMS that an organization is about to send. */
export interface WantedParts {
  organization: number
  parts: number
}

/**
 * Counts SMS that are about to be sent, in order, as long as the limits of their organizations allow it. With a limit,
 * the rows of the months are locked before they are read, until the end of the transaction. So no limit is passed,
 * however many processes send.
 * @param limits limits of the organizations
 * @returns for each SMS, true if it may be sent
 */
export async function takeFromLimits(
  tx: Tx,
  now: Date,
  limits: readonly SmsLimit[],
  wanted: readonly WantedParts[],
): Promise<boolean[]> {
  const month = monthOf(now)
  const limit_of = new Map(limits.map(({ organization, monthly_parts }) => [organization, monthly_parts]))
  if (wanted.every(({ organization }) => (limit_of.get(organization) ?? null) === null)) {
    changeUsage(
      tx,
      wanted.map(({ organization, parts }) => ({ organization, month, messages: 1, parts })),
    )
    return wanted.map(() => true)
  }
  const organizations = [...new Set(wanted.map(({ organization }) => organization))].sort((a, b) => a - b)
  tx.send`
    ${insert(monthTable, organizations, { organization: (id) => id, month, messages: 0, parts: 0 })}
    on conflict (organization, month) do update set messages = sms_months.messages`
  const months = await tx<{ organization: number; parts: number }[]>`
    select organization, sum(parts)::bigint as parts from (${usageByMonth}) m
    where organization = any(${organizations}::bigint[]) and month = ${month} group by 1`
  const used = new Map(months.map(({ organization, parts }) => [organization, parts]))
  const added: UsageChange[] = []
  const allowed = wanted.map(({ organization, parts }) => {
    const sum = used.get(organization)! + parts
    const limit = limit_of.get(organization) ?? null
    if (limit !== null && sum > limit) return false
    used.set(organization, sum)
    added.push({ organization, month, messages: 1, parts })
    return true
  })
  changeUsage(tx, added)
  return allowed
}

/** SQL: the counts and the rows that they do not have yet. Their sums are exact for the snapshot of the statement. */
export const usageByMonth = sql`
  select organization, month, messages, parts from sms_months union all select * from count_new_sms()`

/** Changes the counts. */
export function changeUsage(tx: Tx, changes: readonly UsageChange[]): void {
  const sums = Map.groupBy(changes, ({ organization, month }) => `${month} ${String(organization).padStart(15, '0')}`)
  const summed = [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, all]) => ({
      ...all[0]!,
      messages: all.reduce((sum, { messages }) => sum + messages, 0),
      parts: all.reduce((sum, { parts }) => sum + parts, 0),
    }))
    .filter(({ messages, parts }) => messages !== 0 || parts !== 0)
  if (summed.length === 0) return
  tx.send`
    ${insert(monthTable, summed, {})}
    on conflict (organization, month) do update set messages = sms_months.messages + excluded.messages,
      parts = sms_months.parts + excluded.parts`
}

/** Books the costs of SMS, in the month in which they were sent. */
export function bookSmsCosts(tx: Tx, changes: readonly CostChange[]): void {
  if (changes.length === 0) return
  const keyOf = (one: CostChange) =>
    [one.month, String(one.organization).padStart(15, '0'), one.connection, one.currency].join(' ')
  const summed = [...Map.groupBy(changes, keyOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, all]) => ({
      ...all[0]!,
      messages: all.reduce((sum, { messages }) => sum + messages, 0),
      cost: all.reduce((sum, { cost }) => sum + cost, 0n),
    }))
  tx.send`
    ${insert(costTable, summed, {})}
    on conflict (organization, month, connection, currency) do update
      set messages = sms_costs.messages + excluded.messages, cost = sms_costs.cost + excluded.cost`
}

/** SMS of one organization in one month. */
export interface SmsUsage {
  organization: number
  /** `YYYY-MM`. */
  month: string
  /** SMS that were sent or are being sent. One that went over two routes counts twice. */
  messages: number
  parts: number
  monthly_parts: number | null
  costs: { connection: string; currency: string; messages: number; cost: Amount }[]
}

/** Reads the SMS sent by month, newest first: of one organization or of all. */
export async function readSmsUsage(
  db: AnyReader,
  filters: { organization?: number; since: Date },
): Promise<SmsUsage[]> {
  const own = filters.organization === undefined ? sql.always : sql`m.organization = ${filters.organization}`
  const months = await db<Omit<SmsUsage, 'costs'>[]>`
    select m.organization, to_char(m.month, 'YYYY-MM') as month, sum(m.messages)::bigint as messages,
      sum(m.parts)::bigint as parts, l.monthly_parts
    from (${usageByMonth}) m left join sms_limits l on l.organization = m.organization
    where ${own} and m.month >= ${monthOf(filters.since)}::date group by m.organization, m.month, l.monthly_parts
    order by m.month desc, m.organization`
  const costs = await db<(SmsUsage['costs'][number] & { organization: number; month: string })[]>`
    select m.organization, to_char(m.month, 'YYYY-MM') as month, m.connection, m.currency, m.messages, m.cost
    from sms_costs m where ${own} and m.month >= ${monthOf(filters.since)}::date order by m.connection, m.currency`
  const by_month = Map.groupBy(costs, ({ organization, month }) => `${organization} ${month}`)
  return months.map((one) => ({
    ...one,
    costs: (by_month.get(`${one.organization} ${one.month}`) ?? []).map(
      ({ organization: _, month: __, ...cost }) => cost,
    ),
  }))
}

/** The limits of organizations that have one: of these, or of all. */
export async function readSmsLimits(db: Reader, organizations?: readonly number[]): Promise<SmsLimit[]> {
  return db<SmsLimit[]>`
    select ${limitTable.columns} from sms_limits
    where ${organizations ? sql`organization = any(${[...organizations]}::bigint[])` : sql.always} order by organization`
}

/** Sets the limit of an organization. Missing members stay as they are. */
export async function setSmsLimit(
  tx: Tx,
  organization: number,
  change: Partial<Omit<SmsLimit, 'organization'>>,
): Promise<SmsLimit> {
  const [before] = await readSmsLimits(tx, [organization])
  const { monthly_parts = null, stop_covers_receipts = false } = { ...before, ...change }
  const [row] = await tx<SmsLimit[]>`
    ${insert(limitTable, [{ organization, monthly_parts, stop_covers_receipts }], {})}
    ${limitTable.replace(['monthly_parts', 'stop_covers_receipts'])}
    returning *`
  return row!
}

import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, displayAmount, formatAmount } from '../../lib/money.ts'
import { type ClaimTimes, claimDue, findNextDue, releaseLeases } from '../leases.ts'
import { Invalid } from '../refusals.ts'

/*
 * The balances that networks state, beside the floats of the books. See docs/decisions/0032.
 */

/** Expected balance of a connection in one currency, according to the books. */
interface Expectation {
  currency: string
  /** The float, with the money that waits for an account. */
  booked: Amount
  /** Payouts and refunds that a network may have carried out already. */
  going_out: Amount
  /** Charges that customers may have paid already. */
  coming_in: Amount
}

/** Balance that a network states, in one currency. `parts` are its accounts by their names, if it has several. */
interface StatedBalance {
  currency: string
  amount: Amount
  parts: Record<string, Amount>
}

const floatTable = table('connection_floats', {
  connection: column.text().key(),
  currency: column.text().key(),
  /** A balance below this raises a notice. */
  warn_below: column.numeric('38,4').later(),
  /**
   * Balance that the network stated last, the float of the books at that time, and the distance of the balance from the
   * range that the books allow. Null before the first time.
   */
  balance: column.numeric('38,4').later(),
  booked: column.numeric('38,4').later(),
  drift: column.numeric('38,4').later(),
  drifts_in_a_row: column.integer().default(0),
  reported: column.timestamptz().later(),
  /** Time since when both drift apart. Null: they do not, or not twice in a row yet. */
  drift_since: column.timestamptz().later(),
  low_since: column.timestamptz().later(),
  spent_last_day: column.numeric('38,4').later(),
  short_since: column.timestamptz().later(),
  uncounted_last_day: column.integer().later(),
})

/** The state of one connection in one currency. */
export interface FloatState
  extends Omit<
    Row<typeof floatTable>,
    'booked' | 'drifts_in_a_row' | 'spent_last_day' | 'short_since' | 'uncounted_last_day'
  > {
  /** Owner of the merchant account; null for the operator's own. */
  organization: number | null
  /** The float of the books, as it is now. */
  booked: Amount
}

/** A notice that has just been raised. */
export interface FloatNotice extends Pick<FloatState, 'connection' | 'currency'> {
  kind: 'drift' | 'low'
  balance: Amount
  booked: Amount
  drift: Amount
  warn_below: Amount | null
}

/** Number of times a balance must be outside before it counts as a drift: one may have been read while money moved. */
const DRIFTS_BEFORE_NOTICE = 2

/** Reads the balances that the books expect on a connection now, by currency. */
export async function readExpectations(db: Reader, connection: string): Promise<Map<string, Expectation>> {
  const found = await db<Expectation[]>`
    select currency, sum(booked)::numeric(38,4) as booked, sum(going_out)::numeric(38,4) as going_out,
      sum(coming_in)::numeric(38,4) as coming_in
    from (
      select currency, -balance as booked, 0 as going_out, 0 as coming_in from accounts where connection = ${connection}
      union all
      select currency, amount - coalesce((
        select sum(v.amount) from unassigned_payment_reversals v where v.unassigned_payment = u.id), 0), 0, 0
      from unassigned_payments u where connection = ${connection} and state = 'unassigned'
      union all
      select currency, 0, case when kind = 'charge' then 0 else amount end, case when kind = 'charge' then amount else 0 end
      from network_orders
      where connection = ${connection} and kind <> 'vend' and due_at is not null and state in ('sent', 'accepted')
    ) figures
    group by currency`
  return new Map(found.map((one) => [one.currency, one]))
}

/** Adds up the accounts of a network, by currency. */
export function sumBalances(reported: readonly { currency: string; amount: Amount; name?: string }[]): StatedBalance[] {
  return [...Map.groupBy(reported, ({ currency }) => currency)].map(([currency, accounts]) => ({
    currency,
    amount: accounts.reduce((sum, { amount }) => sum + amount, 0n),
    parts: Object.fromEntries(accounts.flatMap(({ name, amount }) => (name === undefined ? [] : [[name, amount]]))),
  }))
}

/** Returns the range that the network may state without a contradiction to the books, before and after the question. */
function allowedRange(
  expected: readonly (Expectation | undefined)[],
  tolerance_percent: number,
): { booked: Amount; lowest: Amount; highest: Amount } {
  const figures = expected.map((one) => one ?? { booked: 0n, going_out: 0n, coming_in: 0n })
  const booked = figures.at(-1)?.booked ?? 0n
  const tolerance = (magnitude(booked) * BigInt(Math.round(tolerance_percent * 1_000))) / 100_000n
  const ascending = (one: Amount, other: Amount) => (one < other ? -1 : 1)
  const lows = figures.map((one) => one.booked - one.going_out - tolerance)
  const highs = figures.map((one) => one.booked + one.coming_in + tolerance)
  return {
    booked,
    lowest: lows.toSorted(ascending)[0] ?? 0n,
    highest: highs.toSorted(ascending).at(-1) ?? 0n,
  }
}

function magnitude(amount: Amount): Amount {
  return amount < 0n ? -amount : amount
}

/**
 * Stores the balances that a network states of a connection, compared with the books.
 * @param report.expected the balances that the books expected before the question and after the answer; only the latter
 *   for a callback. Null if the books have no float of the connection, as for bill providers: then nothing drifts.
 * @returns the notices that this raises: a drift that was there twice in a row, a balance below the threshold
 */
export async function recordBalances(
  tx: Tx,
  now: Date,
  report: {
    connection: string
    source: 'reply' | 'callback'
    balances: readonly StatedBalance[]
    expected: readonly ReadonlyMap<string, Expectation>[] | null
    tolerance_percent: number
  },
): Promise<FloatNotice[]> {
  const { connection, source } = report
  const known = await tx<{ code: string }[]>`select code from currencies`
  const codes = new Set(known.map(({ code }) => code))
  const stated = report.balances.flatMap(({ currency, amount, parts }) => {
    // A network may tell of currencies that are not collected here. Bill providers have accounts in any currency.
    if (report.expected && !codes.has(currency) && !report.expected.some((one) => one.has(currency))) return []
    const range = report.expected
      ? allowedRange(
          report.expected.map((one) => one.get(currency)),
          report.tolerance_percent,
        )
      : { booked: amount, lowest: amount, highest: amount }
    const texts = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, formatAmount(part)]))
    return [{ connection, currency, source, at: now, amount, parts: texts, ...range, drift: driftOf(amount, range) }]
  })
  if (stated.length === 0) return []
  await tx`${insert(balanceTable, stated, {})}`
  await tx`delete from connection_balances where at < ${new Date(now.getTime() - HISTORY_MS)}`
  return updateFloats(tx, now, stated)
}

const balanceTable = table('connection_balances', {
  id: column.id(),
  connection: column.text(),
  currency: column.text(),
  at: column.timestamptz(),
  source: column.text(),
  amount: column.numeric('38,4'),
  parts: column.jsonb<Record<string, string>>(),
  booked: column.numeric('38,4'),
  lowest: column.numeric('38,4'),
  highest: column.numeric('38,4'),
  drift: column.numeric('38,4'),
})

/** Retention of stated balances. */
const HISTORY_MS = 90 * 24 * 3_600_000

type Stated = Pick<FloatNotice, 'connection' | 'currency' | 'booked' | 'drift'> & { amount: Amount }

/** Writes the last balance of each currency, and says which notices are new. */
async function updateFloats(tx: Tx, now: Date, stated: readonly Stated[]): Promise<FloatNotice[]> {
  const updated = await tx<(Omit<FloatNotice, 'kind'> & { new_drift: boolean; new_low: boolean })[]>`
    ${insert(floatTable.as('f'), stated, {
      balance: ({ amount }) => amount,
      booked: ({ booked }) => booked,
      drift: ({ drift }) => drift,
      drifts_in_a_row: ({ drift }) => (drift === 0n ? 0 : 1),
      reported: now,
    })}
    order by connection, currency
    on conflict (connection, currency) do update set
      balance = excluded.balance, booked = excluded.booked, drift = excluded.drift, reported = excluded.reported,
      drifts_in_a_row = case when excluded.drift = 0 then 0 else f.drifts_in_a_row + 1 end,
      drift_since = case when excluded.drift = 0 then null
        when f.drifts_in_a_row + 1 >= ${DRIFTS_BEFORE_NOTICE} then coalesce(f.drift_since, excluded.reported) end,
      low_since = case when excluded.balance < f.warn_below then coalesce(f.low_since, excluded.reported) end
    returning connection, currency, balance, booked, drift, warn_below,
      new.drift_since is not null and old.drift_since is null as new_drift,
      new.low_since is not null and old.low_since is null as new_low`
  return updated.flatMap(({ new_drift, new_low, ...notice }): FloatNotice[] => [
    ...(new_drift ? [{ ...notice, kind: 'drift' as const }] : []),
    ...(new_low ? [{ ...notice, kind: 'low' as const }] : []),
  ])
}

function driftOf(amount: Amount, { lowest, highest }: { lowest: Amount; highest: Amount }): Amount {
  if (amount < lowest) return amount - lowest
  return amount > highest ? amount - highest : 0n
}

const checkTable = table('connection_balance_checks', {
  connection: column.text().key(),
  due_at: column.timestamptz(),
  leased_until: column.timestamptz().later(),
})

/** Plans the first balance check of connections that have none yet. Those without a row are left out. */
export async function planBalanceChecks(tx: Tx, now: Date, connections: readonly string[]): Promise<void> {
  await tx`
    ${insert(checkTable, connections, { connection: (slug) => slug, due_at: now })}
    where exists (select from connections c where c.slug = r.connection)
    on conflict do nothing`
}

/** Claims connections that are to be asked for their balance, under a lease. Returns their slugs. */
export async function claimBalanceChecks(tx: Tx, times: ClaimTimes, limit: number): Promise<string[]> {
  const table = 'connection_balance_checks'
  const claimed = await claimDue<{ connection: string }>(tx, { table, key: 'connection', times, limit })
  return claimed.map(({ connection }) => connection)
}

/** Finds the time when the next unclaimed connection is due, or null. */
export function nextBalanceCheck(db: Reader, real: Date): Promise<Date | null> {
  return findNextDue(db, 'connection_balance_checks', real)
}

/** Says when a connection is asked again. */
export async function finishBalanceCheck(tx: Tx, connection: string, due_at: Date): Promise<void> {
  const result = rows([{ connection, due_at }], { connection: 'text', due_at: 'timestamptz' })
  releaseLeases(tx, 'connection_balance_checks', result, ['connection'])
}

/** The currencies of ISO 4217, in which an account at a bill provider may be. */
const ISO_CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Sets the balance below which a notice is raised; null for none. @throws Invalid for an unknown currency */
export async function setFloatThreshold(
  tx: Tx,
  float: { connection: string; currency: string; warn_below: Amount | null },
): Promise<void> {
  const [known] = await tx`
    select 1 from currencies where code = ${float.currency}
    union all
    select 1 from connections where slug = ${float.connection} and kind = 'bills' and ${ISO_CURRENCIES.has(float.currency)}`
  if (!known)
    throw new Invalid({ currency: [getMessage('fields.no_choice', { value: JSON.stringify(float.currency) })] })
  await tx`
    ${insert(floatTable.as('f'), [float], { warn_below: ({ warn_below }) => warn_below })}
    on conflict (connection, currency) do update set warn_below = excluded.warn_below,
      low_since = case when f.balance < excluded.warn_below then f.low_since end`
}

/**
 * Lists the floats of connections that are not removed, with the latest balances from their networks.
 * @param connection limits the list to this connection
 */
export async function listFloats(db: Reader, connection?: string): Promise<FloatState[]> {
  return db<FloatState[]>`
    with booked as (
      select connection, currency, -sum(balance) as booked from accounts where connection is not null group by 1, 2
    )
    select c.slug as connection, currency, c.organization, coalesce(b.booked, 0)::numeric(38,4) as booked, f.balance, f.drift,
      f.reported, f.drift_since, f.warn_below, f.low_since
    from booked b full join connection_floats f using (connection, currency) join connections c on c.slug = connection
    where c.state <> 'removed' and ${connection === undefined ? sql.always : sql`c.slug = ${connection}`}
    order by c.id, currency`
}

export async function listFloatNotices(db: Reader): Promise<FloatState[]> {
  const floats = await listFloats(db)
  return floats.filter(({ drift_since, low_since }) => drift_since !== null || low_since !== null)
}

/** Describes the problems of a float, in sentences; empty when all is well. */
export function describeFloat(float: FloatState): string[] {
  const { connection, currency, balance, drift, drift_since, low_since, warn_below } = float
  if (balance === null) return []
  const stated = `${currency} ${displayAmount(balance)}`
  const found: string[] = []
  if (drift_since && drift !== null)
    found.push(
      `The network of ${connection} states ${stated}, which is ${currency} ${displayAmount(magnitude(drift))} ${drift < 0n ? 'less' : 'more'} than the books allow. \`npx kusanya reconcile --connection ${connection}\` finds the difference.`,
    )
  if (low_since && warn_below !== null)
    found.push(getMessage('home.low_float', { connection, stated, limit: `${currency} ${displayAmount(warn_below)}` }))
  return found
}

/** Counts the floats that drift away from the books, and the low ones. */
export async function countFloatNotices(db: Reader): Promise<{ drifting: number; low: number }> {
  const [row] = await db<{ drifting: number; low: number }[]>`
    select count(*) filter (where drift_since is not null) as drifting, count(*) filter (where low_since is not null) as low
    from connection_floats f join connections c on c.slug = f.connection where c.state <> 'removed'`
  return row!
}

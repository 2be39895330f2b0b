import type { Reader, Tx } from '../../db/client.ts'
import type { Amount } from '../../lib/money.ts'

/*
 * Our money at bill providers. They report its amount (core/ledger/balances.ts stores it). The purchases there tell how
 * long it will last.
 */

/** The float at one provider in one currency. */
export interface ProviderFloat {
  connection: string
  currency: string
  balance: Amount | null
  reported: Date | null
  /** Cost of the purchases there in the 24 hours before the last report. */
  spent_last_day: Amount | null
  /** The purchases of these 24 hours in other currencies whose cost the provider has not said. `spent_last_day` has none of them. */
  uncounted_last_day: number | null
  /** Hours for which the balance lasts at this pace; null if nothing was sold. */
  hours_left: number | null
  warn_below: Amount | null
  low_since: Date | null
  /** Time since when it would not last long enough. */
  short_since: Date | null
}

/** The floats at these connections. */
export async function listProviderFloats(db: Reader, connections: readonly string[]): Promise<ProviderFloat[]> {
  return db<ProviderFloat[]>`
    select connection, currency, balance, reported, spent_last_day, uncounted_last_day,
      case when spent_last_day > 0 then (24 * balance / spent_last_day)::double precision end as hours_left,
      warn_below, low_since, short_since
    from connection_floats where connection = any(${[...connections]}::text[]) order by connection, currency`
}

/**
 * Forecasts how long the floats at a provider last, once their balances are stored.
 *
 * A purchase counts with the charge that the provider reports, in the currency of the float: an account in dollars
 * sells airtime in shillings. Without a reported charge, a purchase in the currency of the float counts with its cost.
 * One in another currency is only counted: no rate is guessed.
 * @param warn_hours a float that lasts for less is short
 * @returns the floats that have just become short
 */
export async function forecastFloats(
  tx: Tx,
  now: Date,
  connection: string,
  warn_hours: number,
): Promise<{ currency: string; balance: Amount; hours_left: number }[]> {
  const since = new Date(now.getTime() - 24 * 3_600_000)
  const changed = await tx<{ currency: string; balance: Amount; hours_left: number; is_new: boolean }[]>`
    update connection_floats f set spent_last_day = s.spent, uncounted_last_day = s.uncounted,
      short_since = case when s.spent > 0 and f.balance * 24 < s.spent * ${warn_hours} then coalesce(f.short_since, ${now}) end
    from (
      select k.currency, coalesce(sum(case when p.charged_currency = k.currency then p.charged
          when p.charged is null and p.currency = k.currency then coalesce(p.cost, p.amount) end), 0)::numeric(38,4) as spent,
        count(*) filter (where p.charged is null and p.currency <> all(array(
          select o.currency from connection_floats o where o.connection = k.connection))) as uncounted
      from connection_floats k left join network_orders p on p.kind = 'vend' and p.connection = k.connection
        and p.created >= ${since} and p.sent is not null and p.state not in ('failed', 'not_sent')
      where k.connection = ${connection} group by k.currency) s
    where f.connection = ${connection} and f.currency = s.currency and f.balance is not null
    returning f.currency, f.balance, case when s.spent > 0 then (24 * f.balance / s.spent)::double precision else 0 end as hours_left,
      new.short_since is not null and old.short_since is null as is_new`
  return changed.flatMap(({ is_new, ...float }) => (is_new ? [float] : []))
}

/** Counts the short floats at bill providers. */
export async function countShortFloats(db: Reader): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*) from connection_floats where short_since is not null`
  return row!.count
}

import type { Reader } from '../../../src/db/client.ts'
import { type Amount, formatAmount } from '../../../src/lib/money.ts'

/**
 * Find faults of the floats, in sentences. Each must hold the sums received over its connection, less sent sums,
 * reversals, charges, and handovers to the operator.
 */
export async function checkFloats(db: Reader): Promise<string[]> {
  const found = await db<{ connection: string; currency: string; booked: Amount; moved: Amount }[]>`
    with floats as (
      select connection, currency, -sum(balance) as booked from accounts where connection is not null group by 1, 2
    ), moves as (
      select connection, currency, amount - reversed_in_parts as amount from collections where status <> 'reversed'
      union all
      select r.connection, p.currency, r.reversed_in_parts - r.amount
      from payment_recipients r join payments p on p.id = r.payment where r.state = 'complete'
      union all
      select a.connection, t.currency, -t.amount from transfers t join accounts a on a.id = t.to_account
      where t.kind = 'network_fee'
      union all
      select a.connection, t.currency, -t.amount from transfers t join accounts a on a.id = t.to_account
      where t.kind = 'float_settlement'
    ), sums as (
      select connection, currency, sum(amount) as moved from moves group by 1, 2
    )
    select connection, currency, coalesce(booked, 0)::numeric(38,4) as booked, coalesce(moved, 0)::numeric(38,4) as moved
    from floats full join sums using (connection, currency)
    where coalesce(booked, 0) <> coalesce(moved, 0)`
  return found.map(
    ({ connection, currency, booked, moved }) =>
      `The float of ${connection} is ${currency} ${formatAmount(booked)}, and ${formatAmount(moved)} moved over it.`,
  )
}

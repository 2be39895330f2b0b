import type { Reader } from '../../../src/db/client.ts'
import { type Amount, formatAmount } from '../../../src/lib/money.ts'

/**
 * Find money that has left over the operator's connections without backing, in sentences. Backing of an organization is
 * the money that came over them, its funding, and its handovers from its own merchant account. Two things may go beyond
 * it, because a network has done them already (docs/decisions/0074). A late payout counts as backed, and reversed money
 * still counts as received. Charges only lower the limit.
 */
export async function checkMoneyAtOperator(db: Reader): Promise<string[]> {
  const found = await db<{ organization: number; currency: string; came: Amount; went: Amount }[]>`
    with moves as (
      select a.organization, t.currency, t.amount as came, 0 as went
      from transfers t join accounts a on a.id = t.to_account
      where t.kind in ('admin_funds_update', 'float_settlement')
      union all
      select c.organization, c.currency, c.amount, 0
      from collections c join connections o on o.slug = c.connection and o.organization is null
      where c.status in ('successful', 'reversed')
      union all
      select r.organization, p.currency, case when l.booked then r.amount else 0 end, r.amount - r.reversed_in_parts
      from payment_recipients r join payments p on p.id = r.payment
      join connections o on o.slug = r.connection and o.organization is null
      left join late_payouts l on l.recipient = r.id
      where r.state not in ('error', 'aborted')
      union all
      select organization, currency, 0, amount from bill_purchases where status <> 'failed'
    )
    select organization, currency, sum(came)::numeric(38,4) as came, sum(went)::numeric(38,4) as went
    from moves group by organization, currency having sum(went) > sum(came)
    order by organization, currency`
  return found.map(
    ({ organization, currency, came, went }) =>
      `Shop ${organization} has sent ${currency} ${formatAmount(went)} over connections of the operator, which had ${formatAmount(came)} of it.`,
  )
}

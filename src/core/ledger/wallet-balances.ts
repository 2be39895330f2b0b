import type { AnyReader } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { Amount } from '../../lib/money.ts'

/** Maximum number of transactions from the newest one that are added up for running balances. */
const MAX_LATER = 100_000

/**
 * Reads the balance of a wallet after each of these transactions: the present one without all later changes. Pass a
 * snapshot, so that they fit the transactions. Those that are very far from the newest have no balance.
 */
export async function readBalancesAfter(
  db: AnyReader,
  wallet: number,
  transactions: readonly number[],
): Promise<Map<number, Amount>> {
  if (transactions.length === 0) return new Map()
  const oldest = Math.min(...transactions)
  const later = sql`order by id desc limit ${MAX_LATER}`
  const found = await db<{ id: number; balance: Amount }[]>`
    with entries as materialized (
      select id, amount from (
        (select id, amount from transfers where to_account = ${wallet} and id >= ${oldest} ${later})
        union all
        (select id, -amount from transfers
          where from_account = ${wallet} and kind <> 'mobile_collection' and id >= ${oldest} ${later})) e
      ${later})
    select id, balance::numeric(38,4) as balance from (
      select e.id, a.balance - sum(e.amount) over (order by e.id desc) + e.amount as balance
      from entries e cross join accounts a where a.id = ${wallet}) b
    where id = any(${[...transactions]}::bigint[])`
  return new Map(found.map(({ id, balance }) => [id, balance]))
}

/** Reads the money on hold of a wallet, with fees: for payments that are not complete, and for pending bills. */
export async function readHeld(db: AnyReader, organization: number, wallet: number): Promise<Amount> {
  const [row] = await db<{ held: Amount }[]>`
    select coalesce(sum(held), 0)::numeric(38,4) as held from (
      select r.amount + r.fee as held from payment_recipients r join payments p on p.id = r.payment
      where r.organization = ${organization} and r.state not in ('complete', 'error', 'aborted') and p.source = ${wallet}
      union all
      select amount + fee from bill_purchases
      where organization = ${organization} and account = ${wallet} and status = 'pending') open`
  return row!.held
}

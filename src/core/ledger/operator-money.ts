import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import { Invalid } from '../refusals.ts'

/*
 * Several organizations can share an installation. Then the merchant account of one must not back money that leaves
 * over an account of the operator.
 *
 * So the money of an organization at the operator is the sum of its wallets, less the net inflow over its own
 * connections (docs/decisions/0074).
 */

/** Money on hold that leaves over a connection; over none for bills. */
interface LeavingMoney {
  organization: number
  currency: string
  connection: string | null
}

/** The money of an organization that the operator has, in one currency. Below zero, the organization owes it. */
interface OperatorMoney {
  organization: number
  currency: string
  amount: Amount
}

/**
 * Requires that holds over connections of the operator, and for bills, are backed by money that the operator has. Call it
 * after `moveMoney` has locked the accounts for held money, so that two holds cannot both take the last of it.
 * @throws Invalid
 */
export async function requireOperatorMoney(tx: Tx, holds: readonly LeavingMoney[]): Promise<void> {
  const short = await readShort(tx, holds)
  if (short.length === 0) return
  // Payouts under way over own connections have left the wallets, and not the floats yet.
  const under_way = await readOwnPayoutsUnderWay(tx, short)
  for (const { organization, currency, amount } of short) {
    const missing = amount + (under_way.get(`${organization}:${currency}`) ?? 0n)
    if (missing >= 0n) continue
    throw new Invalid({ account: [explain(currency, -missing)] })
  }
}

function explain(currency: string, missing: Amount): string {
  return (
    `The operator's connections lack ${currency} ${displayAmount(missing)} of yours for this. ` +
    getMessage('wallets.came_over_your')
  )
}

/** Finds the organizations with less than nothing at the operator, after the holds over its connections. */
async function readShort(tx: Tx, holds: readonly LeavingMoney[]): Promise<OperatorMoney[]> {
  const organizations = [...new Set(holds.map(({ organization }) => organization))]
  const connections = [...new Set(holds.flatMap(({ connection }) => connection ?? []))]
  const [money, own] = await Promise.all([
    readOperatorMoney(tx, organizations),
    tx<{ slug: string }[]>`
      select slug from connections where slug = any(${connections}::text[]) and organization is not null`,
  ])
  const own_slugs = new Set(own.map(({ slug }) => slug))
  const over_operator = new Set(
    holds.flatMap(({ organization, currency, connection }) =>
      connection !== null && own_slugs.has(connection) ? [] : [`${organization}:${currency}`],
    ),
  )
  return money.filter(
    ({ organization, currency, amount }) => amount < 0n && over_operator.has(`${organization}:${currency}`),
  )
}

/**
 * Reads the money of organizations at the operator, if several share the installation; of all, or of these. Only
 * organizations are listed that have their own connections over which money has moved. Manual changes of a merchant
 * account do not count, because no wallet has that money. Nor do charges of a network, which leave no wallet.
 */
async function readOperatorMoney(db: Reader, organizations?: readonly number[]): Promise<OperatorMoney[]> {
  const among = organizations === undefined ? sql.always : sql`a.organization = any(${organizations}::bigint[])`
  return db<OperatorMoney[]>`
    select organization, currency, sum(amount)::numeric(38,4) as amount from (
      select a.organization, a.currency, a.balance as amount, false as is_own from accounts a
      where a.kind in ('local', 'cross_border') and ${among}
      union all
      select a.organization, a.currency, a.balance, false from accounts a
      where a.kind not in ('local', 'cross_border') and a.kind = 'network_fees' and ${among}
      union all
      select a.organization, a.currency, a.balance + coalesce(by_hand.amount, 0), true from accounts a
      join connections c on c.slug = a.connection and c.organization = a.organization
      left join lateral (
        select sum(amount) as amount from (
          select amount from transfers where from_account = a.id and kind <> 'mobile_collection' and kind = 'float_adjustment'
          union all
          select -amount from transfers where to_account = a.id and kind <> 'mobile_collection' and kind = 'float_adjustment'
        ) entries) by_hand on true
      where a.kind not in ('local', 'cross_border') and a.kind = 'external' and ${among}) money
    where (select count(*) from (select 1 from organizations limit 2) o) > 1 and organization is not null
    group by organization, currency having bool_or(is_own)
    order by organization, currency`
}

async function readOwnPayoutsUnderWay(db: Reader, short: readonly OperatorMoney[]): Promise<Map<string, Amount>> {
  const organizations = short.map(({ organization }) => organization)
  const found = await db<{ organization: number; currency: string; amount: Amount }[]>`
    select r.organization, p.currency, sum(r.amount)::numeric(38,4) as amount
    from payment_recipients r
    join payments p on p.id = r.payment
    join connections c on c.slug = r.connection and c.organization = r.organization
    where r.organization = any(${organizations}::bigint[]) and r.state not in ('complete', 'error', 'aborted')
    group by r.organization, p.currency`
  return new Map(found.map(({ organization, currency, amount }) => [`${organization}:${currency}`, amount]))
}

/**
 * Returns a sentence for each organization that has taken more out over connections of the operator than it had there.
 */
export async function checkOperatorMoney(db: Reader): Promise<string[]> {
  const [money, held] = await Promise.all([
    readOperatorMoney(db),
    db<OperatorMoney[]>`
      select organization, currency, sum(balance)::numeric(38,4) as amount from accounts
      where kind in ('held', 'suspense', 'fees') and organization is not null group by organization, currency`,
  ])
  const further = new Map(held.map(({ organization, currency, amount }) => [`${organization}:${currency}`, amount]))
  return money.flatMap(({ organization, currency, amount }) => {
    const owed = -(amount + (further.get(`${organization}:${currency}`) ?? 0n))
    if (owed <= 0n) return []
    return [
      `Organization ${organization} has taken ${currency} ${displayAmount(owed)} more out over connections of the operator than it had there. \`npx kusanya connections settle\` enters what it hands over.`,
    ]
  })
}

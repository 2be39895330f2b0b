import type { Reader, Tx } from '../../db/client.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { type Amount, parseAmount } from '../../lib/money.ts'
import { isHere } from '../moves.ts'
import { findCounterAccounts, moveMoney } from './transfers.ts'

/** The balance of a test wallet after each nightly refill. */
const REFILL_AMOUNT: Amount = parseAmount('100000')!

const refillTable = table('refills', {
  account: column.bigint().key(),
  target_balance: column.numeric(),
  due_at: column.timestamptz(),
})

const DAY_MS = 24 * 60 * 60 * 1_000

/** Schedules a refill of a test wallet every night, at midnight UTC on the service's clock. */
export async function scheduleRefill(tx: Tx, now: Date, account: number): Promise<void> {
  await tx`${insert(refillTable, [{ account }], { target_balance: REFILL_AMOUNT, due_at: nextMidnight(now) })}`
}

/** Finds the time when the next refill is due, or null. */
export async function findNextRefillTime(db: Reader): Promise<Date | null> {
  const [row] = await db<
    { due_at: Date | null }[]
  >`select min(r.due_at) as due_at from refills r join accounts a on a.id = r.account where ${isHere('a.organization')}`
  return row?.due_at ?? null
}

/**
 * Refills the test wallets that are due, with an ordinary transfer. A wallet with a higher balance keeps it. After several
 * missed nights a wallet is refilled once.
 * @returns the ids of the wallets that were due
 */
export async function refillWallets(tx: Tx, now: Date, limit: number): Promise<number[]> {
  const refills = await tx<Row<typeof refillTable>[]>`
    update refills set due_at = ${nextMidnight(now)} where account = any(array(
      select r.account from refills r join accounts a on a.id = r.account
      where r.due_at <= ${now} and ${isHere('a.organization')} order by r.account limit ${limit} for update of r skip locked))
    returning account, target_balance, old.due_at`
  if (refills.length === 0) return []
  const ids = refills.map((refill) => refill.account)
  const accounts = await tx<TestWallet[]>`
    select a.id, a.organization, a.currency, a.balance, o.service_user
    from accounts a join organizations o on o.id = a.organization where a.id = any(${ids}::bigint[])`
  const wallets = refills.map((refill) => ({ ...refill, ...accounts.find(({ id }) => id === refill.account)! }))
  const externals = await findCounterAccounts(
    tx,
    'external',
    wallets.map((wallet) => wallet.organization),
  )
  await moveMoney(
    tx,
    now,
    wallets
      .filter((wallet) => wallet.balance < wallet.target_balance)
      .map((wallet) => ({
        reference: `refill:${wallet.account}:${wallet.due_at.toISOString()}`,
        kind: 'test_funds_refill' as const,
        from_account: externals.get(`${wallet.organization}:${wallet.currency}`)!,
        to_account: wallet.account,
        currency: wallet.currency,
        amount: wallet.target_balance - wallet.balance,
        description: 'Nightly refill of the test wallet',
        author: wallet.service_user,
      })),
  )
  return ids
}

interface TestWallet {
  id: number
  organization: number
  currency: string
  balance: Amount
  service_user: number
}

function nextMidnight(now: Date): Date {
  return new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS)
}

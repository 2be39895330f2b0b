import type { Reader, Tx } from '../../db/client.ts'
import { breaksConstraint } from '../../db/failures.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type NewRow, table } from '../../db/table.ts'
import { zip } from '../../lib/batches/zip.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, displayAmount, formatAmount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { Invalid } from '../refusals.ts'

/** The kinds of transfers for which money is held until the result is known. */
export type HeldKind = 'mobile_payment' | 'airtime_topup' | 'bill_payment' | 'service_charge'

/**
 * Reasons for moving money. Held money moves twice: `…_hold` takes it from the wallet; then the kind without a suffix
 * spends it, or `…_release` returns it. So a wallet has transfers of holds and releases. It has `…_reversal` if spent
 * money came back, and the kind without a suffix if returned money was spent after all.
 *
 * The database accepts only these kinds, so a new kind needs a migration.
 */
export const transferKinds = [
  'mobile_collection',
  'mobile_collection_suspense',
  'mobile_collection_reversal',
  'admin_funds_update',
  'test_funds_refill',
  'mobile_payment',
  'mobile_payment_hold',
  'mobile_payment_release',
  'mobile_payment_reversal',
  'airtime_topup',
  'airtime_topup_hold',
  'airtime_topup_release',
  'airtime_topup_reversal',
  'bill_payment',
  'bill_payment_hold',
  'bill_payment_release',
  'bill_payment_reversal',
  'service_charge',
  'service_charge_hold',
  'service_charge_release',
  'service_charge_reversal',
  'network_fee',
  'float_adjustment',
  'float_settlement',
] as const
export type TransferKind = (typeof transferKinds)[number]

const transferTable = table('transfers', {
  id: column.id(),
  /** Unique for ever, so that the same reference never moves money twice. */
  reference: column.text(),
  kind: column.text<TransferKind>(),
  from_account: column.bigint(),
  to_account: column.bigint(),
  currency: column.text(),
  amount: column.numeric(),
  description: column.text(),
  created: column.timestamptz(),
  author: column.bigint(),
})

/** Transfer of a positive amount from one account to another of the same currency. */
export interface NewTransfer extends Omit<NewRow<typeof transferTable>, 'created'> {
  /** Several reports may cause it: only the first one moves money, and the others change nothing. */
  once?: boolean
}

/** Options of `moveMoney`. */
export interface MoveOptions {
  /**
   * Allows more than the balance of the wallet. Only for effects that a network has had already: reversals and late
   * payouts.
   */
  overdraw?: boolean
  /**
   * True if no transfer takes money from a wallet. So the caller needs no balance, and the commit need not wait for the
   * writes.
   */
  only_credits?: boolean
  /** The ids of the transfers without `once`, in their order, where the caller has drawn them (`drawTransferIds`). */
  ids?: readonly number[]
  /** Gets those ids before any account is locked. */
  announce?(ids: readonly number[]): Promise<void>
}

/**
 * Moves money. No other code writes balances, so the balances always match the transfers. It inserts the transfers
 * first and locks the accounts last, in id order, and updates all accounts in one statement. Locks wallets last: this
 * keeps hot wallets locked briefly, and two batches cannot deadlock.
 * @throws Invalid if the balance of a wallet would become negative. PostgreSQL decides it (`accounts_balance_check`)
 */
export async function moveMoney(
  tx: Tx,
  now: Date,
  transfers: readonly NewTransfer[],
  options: MoveOptions = {},
): Promise<void> {
  const certain = transfers.filter(({ once }) => !once)
  const repeatable = transfers.filter(({ once }) => once)
  const new_ones = repeatable.length === 0 ? [] : await insertOnce(tx, now, repeatable)
  const moved = [...certain, ...new_ones]
  if (moved.length === 0) return
  if (certain.length > 0) {
    const ids = options.ids ?? (options.announce && (await drawTransferIds(tx, certain.length)))
    insertTransfers(tx, now, certain, ids)
    await options.announce?.(ids!)
  }
  await changeBalances(tx, now, sumByAccount(moved), options)
}

/** Draws the ids of transfers that this transaction will insert, for rows that name them before. */
export async function drawTransferIds(tx: Tx, count: number): Promise<number[]> {
  const drawn = await tx<{ id: number }[]>`select nextval('transfers_id_seq') as id from generate_series(1, ${count})`
  return drawn.map(({ id }) => id)
}

/** Applies changes of balances. @param changes the sum to add to each account, in id order */
async function changeBalances(
  tx: Tx,
  now: Date,
  changes: readonly AccountChange[],
  { overdraw = false, only_credits = false }: MoveOptions,
): Promise<void> {
  const ids = changes.map(({ account }) => account)
  const lock = sql`
    select id, balance from accounts where id = any(${ids}::bigint[]) order by id for no key update`
  // A wallet below zero that is not overdrawn breaks the constraint on balances. One that is overdrawn may get money.
  const update = sql`
    update accounts set balance = balance + change.amount, modified = ${truncateToSecond(now)},
      overdrawn = kind <> all(${negativeKinds}::text[]) and balance + change.amount < 0
        and (${overdraw} or change.amount >= 0)
    from ${rows(changes, { account: 'bigint', amount: 'numeric' }).as('change')}
    where accounts.id = change.account`
  if (only_credits) {
    tx.send`${lock}`
    tx.send`${update}`
    return
  }
  const locked = tx<{ id: number; balance: Amount }[]>`${lock}`
  try {
    await tx`${update}`
  } catch (error) {
    if (!breaksConstraint(error, 'accounts_balance_check')) throw error
    const amounts = new Map(changes.map(({ account, amount }) => [account, amount]))
    const short = (await locked).find(({ id, balance }) => amounts.get(id)! < 0n && balance + amounts.get(id)! < 0n)
    throw new Invalid({
      account: [getMessage('wallets.account_holds_not_enough', { amount: formatAmount(short!.balance) })],
    })
  }
}

/**
 * Accounts of an organization in one currency that are the other side of a wallet's transfers. `external` is the source
 * of the operator's entries. The money at a network has accounts of its own: `floats.ts`.
 */
export type CounterAccountKind = 'external' | 'held' | 'fees' | 'suspense'

/** Kinds of accounts that may be below zero: money outside, and charges of networks. */
const negativeKinds = ['external', 'network_fees']

/** Ids of the counter accounts of one kind, by organization and currency (`7:UGX`). */
export type CounterAccounts = ReadonlyMap<string, number>

/** Finds the counter accounts of one kind. */
export async function findCounterAccounts(
  db: Reader,
  kind: CounterAccountKind,
  organizations: readonly number[],
): Promise<CounterAccounts> {
  const rows = await db<{ id: number; organization: number; currency: string }[]>`
    select id, organization, currency from accounts
    where kind = ${kind} and connection is null and organization = any(${[...new Set(organizations)]}::bigint[])`
  return new Map(rows.map((row) => [`${row.organization}:${row.currency}`, row.id]))
}

/**
 * Lists the errors in the ledger. None if each balance equals its transfers, and the balances of each organization and of the
 * operator sum to zero in each currency.
 */
export async function checkLedger(db: Reader): Promise<string[]> {
  const unequal = await db<{ id: number; balance: Amount; moved: Amount }[]>`
    select a.id, a.balance, coalesce(t.moved, 0)::numeric(38,4) as moved
    from accounts a left join (
      select account, sum(amount) as moved from (
        select to_account as account, amount from transfers
        union all select from_account, -amount from transfers) entries
      group by account) t on t.account = a.id
    where a.balance <> coalesce(t.moved, 0)`
  const sums = await db<{ organization: number | null; currency: string; total: Amount }[]>`
    select organization, currency, sum(balance)::numeric(38,4) as total from accounts
    group by organization, currency having sum(balance) <> 0 order by organization, currency`
  const negative = await db<{ id: number; balance: Amount }[]>`
    select id, balance from accounts where balance < 0 and kind <> all(${negativeKinds}::text[]) and not overdrawn`
  return [
    ...unequal.map(
      (row) => `Account ${row.id} holds ${displayAmount(row.balance)}, its transfers ${displayAmount(row.moved)}.`,
    ),
    ...sums.map(
      ({ organization, currency, total }) =>
        `All ${currency} accounts of ${organization === null ? 'the operator' : `organization ${organization}`} together hold ${displayAmount(total)} instead of zero.`,
    ),
    ...negative.map((row) => `Account ${row.id} is below zero: ${displayAmount(row.balance)}.`),
  ]
}

/** Sum to add to an account. */
interface AccountChange {
  account: number
  amount: Amount
}

/** Sums the changes of each account, in id order. */
function sumByAccount(transfers: readonly NewTransfer[]): AccountChange[] {
  const changes = new Map<number, Amount>()
  for (const transfer of transfers) {
    changes.set(transfer.from_account, (changes.get(transfer.from_account) ?? 0n) - transfer.amount)
    changes.set(transfer.to_account, (changes.get(transfer.to_account) ?? 0n) + transfer.amount)
  }
  return [...changes].map(([account, amount]) => ({ account, amount })).sort((a, b) => a.account - b.account)
}

/**
 * Inserts the transfers whose reference is new, in the order of their references. So two transactions with the same
 * ones do not wait for each other. Returns the inserted ones.
 */
async function insertOnce(tx: Tx, now: Date, transfers: readonly NewTransfer[]): Promise<NewTransfer[]> {
  const sorted = transfers.toSorted((a, b) => (a.reference < b.reference ? -1 : 1))
  const written = await tx<{ reference: string }[]>`
    ${insert(transferTable, sorted, { created: truncateToSecond(now) })}
    on conflict (reference) do nothing returning reference`
  const references = new Set(written.map(({ reference }) => reference))
  return sorted.filter(({ reference }) => references.delete(reference))
}

function insertTransfers(tx: Tx, now: Date, transfers: readonly NewTransfer[], ids?: readonly number[]): void {
  const created = truncateToSecond(now)
  if (ids) {
    const numbered = zip(transfers, ids).map(([transfer, id]) => ({ ...transfer, id }))
    tx.send`${insert(transferTable, numbered, { id: ({ id }) => id, created })}`
  } else tx.send`${insert(transferTable, transfers, { created })}`
}

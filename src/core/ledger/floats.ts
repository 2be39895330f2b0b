import { randomUUID } from 'node:crypto'
import type { Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { insert } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Amount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { Invalid } from '../refusals.ts'
import { accountTable } from './accounts.ts'
import { currencyError } from './currencies.ts'
import { moveMoney } from './transfers.ts'

/*
 * The float of a connection is the money at its network that the books know. In the ledger it is the account `external`
 * of an organization, a currency and the connection; the operator's has no organization.
 *
 * Money comes out of this account when it arrives and goes into it when it is sent. So the float is its balance with
 * the opposite sign.
 */

/**
 * Key of a float: the organization that owns the money (null for the operator's own), the currency, and the connection.
 */
export interface FloatKey {
  organization: number | null
  currency: string
  /** The slug of the connection. */
  connection: string
}

/** Owner and currency of an account. */
type Owner = Omit<FloatKey, 'connection'>

interface AccountKey extends Owner {
  kind: 'external' | 'network_fees'
  connection: string | null
}

/** An account that an organization or the operator may not have yet. */
interface NeededAccount extends AccountKey {
  /** The user who is the author of an account that is opened now. */
  author: number
}

/** Finds the accounts of floats, and opens those that do not exist yet. */
export const findFloats = accountFinder<FloatKey>((float) => ({ ...float, kind: 'external' }))

/** Finds the accounts in which the fees of networks are booked, and opens those that do not exist yet. */
export const findNetworkFeeAccounts = accountFinder<Owner>((owner) => ({
  ...owner,
  kind: 'network_fees',
  connection: null,
}))

/** Finds the accounts of the operator's own entries in its books: the other side of changes of a float by hand. */
const findOperatorEntries = accountFinder<Owner>((owner) => ({ ...owner, kind: 'external', connection: null }))

/** An entry in the float of a connection that changes no wallet. */
interface FloatEntry {
  connection: string
  currency: string
  /** Above zero for money that was put in. */
  amount: Amount
  description: string
}

/**
 * Enters a change of a merchant account by hand, such as its opening balance or a transfer to a bank. No wallet
 * changes.
 * @throws Invalid for an amount of zero or an unknown currency
 */
export function adjustFloat(tx: Tx, now: Date, entry: FloatEntry): Promise<{ float: Amount }> {
  return enterIntoFloat(tx, now, entry, 'float_adjustment')
}

/**
 * Enters money that an organization has handed over to the operator from its own merchant account. No wallet changes: it may
 * leave over the connections of the operator from now on.
 * @throws Invalid for a connection of the operator, an amount of zero or less, or an unknown currency
 */
export async function settleFloat(tx: Tx, now: Date, entry: FloatEntry): Promise<{ float: Amount }> {
  const { connection, amount } = entry
  const [own] = await tx`select 1 from connections where slug = ${connection} and organization is not null`
  if (!own) throw new Invalid({ connection: [getMessage('wallets.no_connection_organization', { connection })] })
  if (amount <= 0n) throw new Invalid({ amount: [getMessage('amounts.above_zero')] })
  return enterIntoFloat(tx, now, { ...entry, amount: -amount }, 'float_settlement')
}

async function enterIntoFloat(
  tx: Tx,
  now: Date,
  entry: FloatEntry,
  kind: 'float_adjustment' | 'float_settlement',
): Promise<{ float: Amount }> {
  const { connection, currency, amount, description } = entry
  if (amount === 0n) throw new Invalid({ amount: [getMessage('fields.not_zero')] })
  const currency_error = await currencyError(tx, currency)
  if (currency_error) throw new Invalid({ currency: [currency_error] })
  const [owner] = await tx<{ organization: number | null; author: number }[]>`
    select c.organization, o.service_user as author
    from connections c join organizations o on o.id = coalesce(c.organization, (select min(id) from organizations))
    where c.slug = ${connection}`
  if (!owner) throw new Invalid({ connection: [getMessage('connections.none', { connection })] })
  const key = { ...owner, currency, connection }
  const float = (await findFloats(tx, now, [key]))(key)
  const entries = (await findOperatorEntries(tx, now, [key]))(key)
  const adds = amount > 0n
  await moveMoney(tx, now, [
    {
      reference: `float:${randomUUID()}`,
      kind,
      from_account: adds ? float : entries,
      to_account: adds ? entries : float,
      currency,
      amount: adds ? amount : -amount,
      description,
      author: owner.author,
    },
  ])
  const [sum] = await tx<{ float: Amount }[]>`
    select -sum(balance) as float from accounts where connection = ${connection} and currency = ${currency}`
  return sum!
}

/**
 * Returns a function that finds or opens accounts, and returns one that gives their ids. It takes one statement when all
 * exist. Two transactions that open the same account get the same one.
 */
function accountFinder<Key extends Owner>(toAccount: (key: Key) => AccountKey) {
  return async (tx: Tx, now: Date, keys: readonly (Key & { author: number })[]): Promise<(key: Key) => number> => {
    const accounts = keys.map((key) => ({ ...toAccount(key), author: key.author }))
    const needed = new Map(accounts.map((account) => [keyOf(account), account]))
    if (needed.size === 0) return () => never()
    const found = await readAccounts(tx, [...needed.values()])
    const missing = [...needed].filter(([key]) => !found.has(key)).sort(([a], [b]) => (a < b ? -1 : 1))
    if (missing.length > 0) {
      await openAccounts(
        tx,
        now,
        missing.map(([, account]) => account),
      )
      for (const [key, id] of await readAccounts(tx, [...needed.values()])) found.set(key, id)
    }
    return (key) => found.get(keyOf(toAccount(key))) ?? never()
  }
}

/** Reads all counter accounts of these kinds and owners, so that an index of the organizations serves it. */
async function readAccounts(tx: Tx, accounts: readonly NeededAccount[]): Promise<Map<string, number>> {
  const organizations = [...new Set(accounts.flatMap(({ organization }) => organization ?? []))]
  const kinds = [...new Set(accounts.map(({ kind }) => kind))]
  const has_operator = accounts.some(({ organization }) => organization === null)
  const found = await tx<(AccountKey & { id: number })[]>`
    select id, organization, currency, kind, connection from accounts
    where kind not in ('local', 'cross_border') and kind = any(${kinds}::text[])
      and (organization = any(${organizations}::bigint[]) ${has_operator ? sql`or organization is null` : sql.empty})`
  return new Map(found.map((account) => [keyOf(account), account.id]))
}

async function openAccounts(tx: Tx, now: Date, accounts: readonly NeededAccount[]): Promise<void> {
  const opened = truncateToSecond(now)
  await tx`
    ${insert(accountTable, accounts, {
      name: ({ kind }) => kind,
      status: 'active',
      connection: ({ connection }) => connection,
      created: opened,
      modified: opened,
    })}
    on conflict (organization, currency, kind, connection) where kind not in ('local', 'cross_border') do nothing`
}

function keyOf({ organization, currency, kind, connection }: AccountKey): string {
  return [organization ?? '', currency, kind, connection ?? ''].join(':')
}

function never(): never {
  throw new Error('This account was not looked up.')
}

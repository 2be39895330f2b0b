import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { groupFor, type Query } from '../../db/unit-of-work.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Amount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { addPlace } from '../connections/places.ts'
import { amountNumber, documented, id, integer, timestamp, updatedBy } from '../fields.ts'
import { buildCondition, type ConditionBuilders, exactText, timestampFilter } from '../filters.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { currencyError } from './currencies.ts'
import { type CounterAccountKind, findCounterAccounts, moveMoney } from './transfers.ts'

/** The field of a body that chooses the wallet for incoming money. */
export const collectingAccount = documented(
  integer({ min: 0 }),
  'The wallet to collect into; needed for a cross-border one.',
  1,
).meta({ id: 'CollectingAccount' })

export type WalletKind = 'local' | 'cross_border'

/** All accounts; an organization sees its wallets. */
export const accountTable = table('accounts', {
  id: column.id(),
  organization: column.bigint().nullable(),
  currency: column.text(),
  kind: column.text<WalletKind | CounterAccountKind | 'network_fees'>(),
  name: column.text(),
  status: column.text<'active' | 'inactive'>(),
  balance: column.numeric('38,4').default(0n),
  created: column.timestamptz(),
  author: column.bigint(),
  modified: column.timestamptz(),
  updated_by: column.bigint().later(),
  overdrawn: column.boolean().default(false),
  connection: column.text().later(),
})

const wallet = accountTable.omit('overdrawn', 'connection')

/** A wallet: an account that receives collections. */
export type Account = Omit<Row<typeof wallet>, 'kind' | 'organization'> & {
  organization: number
  kind: WalletKind
}

/** A wallet as the wider interface shows it. Kusanya adds `name` and `kind`. */
export const Wallet = z
  .object({
    id,
    organization: documented(id, 'Your organization.'),
    name: documented(z.string(), 'What you call it.', 'BXC wallet'),
    kind: documented(z.enum(['local', 'cross_border']), 'Whether it collects from other countries.', 'local'),
    balance: documented(amountNumber, 'Its balance.', 1500.5),
    currency: documented(z.string(), 'Three-letter code.', 'BXC'),
    status: documented(z.enum(['active', 'inactive']), 'Whether it is in use.', 'active'),
    created: timestamp,
    author: documented(id, 'The user who opened it.'),
    modified: timestamp,
    updated_by: documented(updatedBy, 'The user who changed it last.', null, '7'),
  })
  .meta({ id: 'Account' })

/** The filters of the list (the wider interface). */
export const accountFilters = {
  currency: exactText('Currency code.', 'BXC'),
  status: exactText('Status; an unknown status finds nothing.', 'active'),
  created_after: timestampFilter('Created after this time.'),
  created_before: timestampFilter('Created before this time.'),
}
type AccountFilters = z.output<z.ZodObject<typeof accountFilters>>

interface AccountPageOptions {
  field: 'id' | 'created' | 'modified' | 'balance'
  descending: boolean
  limit: number
  offset: number
}

export interface NewAccount {
  organization: number
  currency: string
  kind: WalletKind
  name: string
  author: number
}

const counterKinds: CounterAccountKind[] = ['external', 'held', 'fees', 'suspense']

/** Opens a wallet, and the counter accounts if it is the organization's first wallet in its currency. @throws Invalid */
export async function createAccount(tx: Tx, now: Date, input: NewAccount): Promise<Account> {
  const created = truncateToSecond(now)
  const currency_error = await currencyError(tx, input.currency)
  if (currency_error) throw new Invalid({ currency: [currency_error] })
  await tx`
    ${insert(accountTable, counterKinds, {
      organization: input.organization,
      currency: input.currency,
      kind: (kind) => kind,
      name: (kind) => kind,
      status: 'active',
      created,
      author: input.author,
      modified: created,
    })}
    on conflict (organization, currency, kind, connection) where kind not in ('local', 'cross_border') do nothing`
  const [row] = await tx<Account[]>`
    ${insert(accountTable, [input], { status: 'active', created, modified: created })}
    returning ${wallet.columns}`
  return row!
}

/** The wallets of one organization or of all organizations, oldest first. */
export async function listAccounts(db: AnyReader, organization?: number): Promise<Account[]> {
  const rows = await db<Account[]>`
    select ${wallet.columns} from accounts where kind in ('local', 'cross_border')
      and ${organization === undefined ? sql.always : sql`organization = ${organization}`} order by id`
  return [...rows]
}

/** Lists one page of an organization's wallets that match the filters, with the exact count of all of them. */
export async function findAccounts(
  db: Reader,
  organization: number,
  filters: AccountFilters,
  page: AccountPageOptions,
): Promise<{ rows: Account[]; count: number }> {
  const builders: ConditionBuilders<AccountFilters> = {
    currency: (code) => sql`currency = ${code}`,
    status: (status) => sql`status = ${status}`,
    created_after: (time) => sql`created > ${time}`,
    created_before: (time) => sql`created < ${time}`,
  }
  const where = sql`organization = ${organization} and kind in ('local', 'cross_border')
    and ${buildCondition(builders, filters)}`
  const direction = page.descending ? sql`desc` : sql`asc`
  const [rows, [total]] = await Promise.all([
    db<Account[]>`
      select ${wallet.columns} from accounts where ${where}
      order by ${sql.identifier(page.field)} ${direction}, id ${direction} limit ${page.limit} offset ${page.offset}`,
    db<{ count: number }[]>`select count(*) from accounts where ${where}`,
  ])
  return { rows: [...rows], count: total!.count }
}

/** The wallet with this id, of any organization. The caller distinguishes 403 from 404 by `organization`. */
export async function findAccount(db: Reader, account: number): Promise<Account | undefined> {
  const [row] = await db<Account[]>`
    select ${wallet.columns} from accounts where id = ${account} and kind in ('local', 'cross_border')`
  return row
}

/** The active wallets of these organizations, oldest first, to choose an account for a request. */
export async function listActiveWallets(db: Reader, organizations: readonly number[]): Promise<Account[]> {
  const rows = await db<Account[]>`
    select ${wallet.columns} from accounts where kind in ('local', 'cross_border') and status = 'active'
      and organization = any(${organizations}::bigint[]) order by id`
  return [...rows]
}

/** The active wallets of an organization, oldest first. */
export const activeWallets: Query<number, readonly Account[]> = {
  read: async (tx, organizations) =>
    groupFor(organizations, await listActiveWallets(tx, organizations), ({ organization }) => organization),
}

/** The organizations of those accounts that exist. The caller distinguishes 403 from 400 by them. */
export async function findAccountOwners(db: Reader, accounts: readonly number[]): Promise<Map<number, number>> {
  const rows = await db<{ id: number; organization: number }[]>`
    select id, organization from accounts where id = any(${accounts}::bigint[]) and kind in ('local', 'cross_border')`
  return new Map(rows.map((row) => [row.id, row.organization]))
}

/** The organization of an account. */
export const accountOwners: Query<number, number> = { read: findAccountOwners }

/**
 * Adds money to a wallet as an entry of the operator; a negative amount removes money.
 * @throws NotFound
 * @throws Invalid if the amount is zero or the balance of the wallet would become negative
 */
export async function fundAccount(
  tx: Tx,
  now: Date,
  input: { account: number; amount: Amount; description: string; author: number },
): Promise<Account> {
  const [account] = await tx<Account[]>`
    select ${wallet.columns} from accounts where id = ${input.account} and kind in ('local', 'cross_border')`
  if (!account) throw new NotFound(getMessage('wallets.none', { account: input.account }))
  if (input.amount === 0n) throw new Invalid({ amount: [getMessage('fields.not_zero')] })
  const external = (await findCounterAccounts(tx, 'external', [account.organization])).get(
    `${account.organization}:${account.currency}`,
  )!
  const adds = input.amount > 0n
  await moveMoney(tx, now, [
    {
      reference: `funds:${randomUUID()}`,
      kind: 'admin_funds_update',
      from_account: adds ? external : account.id,
      to_account: adds ? account.id : external,
      currency: account.currency,
      amount: adds ? input.amount : -input.amount,
      description: input.description,
      author: input.author,
    },
  ])
  const [funded] = await tx<Account[]>`select ${wallet.columns} from accounts where id = ${account.id}`
  return funded!
}

/** Give a wallet another name, and return the wallet. The caller has checked that it exists. */
export async function renameAccount(
  tx: Tx,
  now: Date,
  { account, name, author }: { account: number; name: string; author: number },
): Promise<Account> {
  const [renamed] = await tx<Account[]>`
    update accounts set name = ${name}, modified = ${truncateToSecond(now)}, updated_by = ${author}
    where id = ${account} returning ${wallet.columns}`
  return renamed!
}

/** A till or short code on a network. Money that reaches it belongs to this account. */
export interface Receiver {
  /** The slug of the connection. */
  connection: string
  number: string
  account: number
}

/**
 * Assigns a receiver number of a network to an account. A job assigns money that it has received before to the account,
 * too, if the currency matches.
 * @throws Invalid if the number or the account is assigned already
 */
export async function assignReceiver(tx: Tx, receiver: Receiver): Promise<void> {
  await addPlace(tx, receiver)
}

/** The receiver numbers of these accounts, by `connection:account`. */
export async function receiversOf(db: Reader, accounts: readonly number[]): Promise<Map<string, string>> {
  const rows = await db<
    Receiver[]
  >`select connection, number, account from connection_places where account = any(${accounts}::bigint[])`
  return new Map(rows.map((row) => [`${row.connection}:${row.account}`, row.number]))
}

/** Reads the receiver numbers of accounts by connection, by account. */
export async function readReceivers(
  db: Reader,
  accounts: readonly number[],
): Promise<ReadonlyMap<number, ReadonlyMap<string, string>>> {
  const found = await db<Receiver[]>`
    select connection, number, account from connection_places where account = any(${accounts}::bigint[])`
  const by_account = Map.groupBy(found, ({ account }) => account)
  return new Map(
    accounts.map((id) => [id, new Map(by_account.get(id)?.map(({ connection, number }) => [connection, number]))]),
  )
}

/** The receiver numbers of an account, by connection. */
export const receiversByAccount: Query<number, ReadonlyMap<string, string>> = { read: readReceivers }

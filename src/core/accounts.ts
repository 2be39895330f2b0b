import { randomUUID } from 'node:crypto'
import type { Reader, Tx } from '../db/client.ts'
import type { Amount } from '../lib/money.ts'
import { toSecond } from '../lib/time.ts'
import { type CounterKind, counterAccounts, moveMoney } from './ledger.ts'
import { Invalid, NotFound } from './refusals.ts'

export type WalletKind = 'local' | 'cross_border'

/** A wallet: an account that collections are credited to. */
export interface Account {
  id: number
  organization: number
  currency: string
  kind: WalletKind
  name: string
  status: 'active' | 'inactive'
  balance: Amount
  created: Date
  author: number
  modified: Date
  updated_by: number | null
}

export interface NewAccount {
  organization: number
  currency: string
  kind: WalletKind
  name: string
  author: number
}

const counterKinds: CounterKind[] = ['external', 'held', 'fees', 'suspense']

/** Opens a wallet, and the far sides of its currency when it is the organization's first in it. @throws Invalid */
export async function createAccount(tx: Tx, now: Date, input: NewAccount): Promise<Account> {
  const created = toSecond(now)
  const [known] = await tx`select 1 from currencies where code = ${input.currency}`
  if (!known) throw new Invalid({ currency: [`${JSON.stringify(input.currency)} is not a valid choice.`] })
  await tx`
    insert into accounts (organization, currency, kind, name, status, created, author, modified)
    select ${input.organization}, ${input.currency}, kind, kind, 'active', ${created}, ${input.author}, ${created}
    from unnest(${counterKinds}::text[]) as kind
    on conflict (organization, currency, kind) where kind not in ('local', 'cross_border') do nothing`
  const [row] = await tx<Account[]>`
    insert into accounts (organization, currency, kind, name, status, created, author, modified)
    values (${input.organization}, ${input.currency}, ${input.kind}, ${input.name}, 'active', ${created},
      ${input.author}, ${created})
    returning ${columns(tx)}`
  return row!
}

/** The wallets of one organization, or of all, oldest first. */
export async function listAccounts(db: Reader, organization?: number): Promise<Account[]> {
  const rows = await db<Account[]>`
    select ${columns(db)} from accounts where kind in ('local', 'cross_border')
      and ${organization === undefined ? db`true` : db`organization = ${organization}`} order by id`
  return [...rows]
}

/** The active wallets of these organizations, oldest first, as the choice of an account needs them. */
export async function activeWallets(db: Reader, organizations: readonly number[]): Promise<Account[]> {
  const rows = await db<Account[]>`
    select ${columns(db)} from accounts where kind in ('local', 'cross_border') and status = 'active'
      and organization = any(${organizations}::bigint[]) order by id`
  return [...rows]
}

/** Which of these accounts exist, with their owners, to tell 403 from 400. */
export async function accountOwners(db: Reader, accounts: readonly number[]): Promise<Map<number, number>> {
  const rows = await db<{ id: number; organization: number }[]>`
    select id, organization from accounts where id = any(${accounts}::bigint[]) and kind in ('local', 'cross_border')`
  return new Map(rows.map((row) => [row.id, row.organization]))
}

/**
 * Adds money to a wallet (or takes it off, with a negative amount) as the operator's own entry in the books.
 * @throws NotFound, Invalid when the wallet would fall below zero.
 */
export async function fundAccount(
  tx: Tx,
  now: Date,
  input: { account: number; amount: Amount; description: string; author: number },
): Promise<Account> {
  const [account] = await tx<Account[]>`
    select ${columns(tx)} from accounts where id = ${input.account} and kind in ('local', 'cross_border')`
  if (!account) throw new NotFound(`There is no account ${input.account}.`)
  if (input.amount === 0n) throw new Invalid({ amount: ['The amount must not be zero.'] })
  const external = (await counterAccounts(tx, 'external', [account.organization])).get(
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
  const [funded] = await tx<Account[]>`select ${columns(tx)} from accounts where id = ${account.id}`
  return funded!
}

/** A till or short code on a network. Money that reaches it belongs to this account. */
export interface Receiver {
  network: string
  number: string
  account: number
}

/** Says which account a network's receiver number belongs to. @throws Invalid when it belongs to another already. */
export async function assignReceiver(tx: Tx, receiver: Receiver): Promise<void> {
  const rows = await tx`
    insert into receivers (network, number, account) values (${receiver.network}, ${receiver.number}, ${receiver.account})
    on conflict do nothing returning number`
  if (rows.length === 0)
    throw new Invalid({ number: [`${receiver.number} on ${receiver.network}, or the account, is assigned already.`] })
}

/** The receiver numbers of these accounts, by `network:account`. */
export async function receiversOf(db: Reader, accounts: readonly number[]): Promise<Map<string, string>> {
  const rows = await db<Receiver[]>`select * from receivers where account = any(${accounts}::bigint[])`
  return new Map(rows.map((row) => [`${row.network}:${row.account}`, row.number]))
}

function columns(db: Reader) {
  return db`id, organization, currency, kind, name, status, balance, created, author, modified, updated_by`
}

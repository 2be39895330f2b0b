import type { Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { truncateToSecond } from '../../lib/time.ts'

/*
 * The float of a connection is the money at its network that the books know of. In the ledger it is the account `external` of
 * an organization (or of the operator, whose organization is null), a currency and the connection. Money comes out of this
 * account when it arrives and goes into it when it is sent, so the float is its balance with the opposite sign.
 */

/** Whose float: the organization whose money it is (null for the operator's own), the currency, and the connection. */
export interface FloatKey {
  organization: number | null
  currency: string
  /** The slug of the connection. */
  connection: string
}

/** An account that an organization or the operator may not have yet. */
interface NeededAccount {
  organization: number | null
  currency: string
  kind: 'external' | 'network_fees'
  connection: string | null
  /** The user who is the author of an account that is opened now. */
  author: number
}

/**
 * Finds the accounts of floats, and opens those that do not exist yet.
 * @returns a function that gives the id of the account of one of these floats
 */
export async function findFloats(
  tx: Tx,
  now: Date,
  floats: readonly (FloatKey & { author: number })[],
): Promise<(float: FloatKey) => number> {
  const find = await findOrOpenAccounts(
    tx,
    now,
    floats.map(({ organization, currency, connection, author }) => ({
      ...{ organization, currency, connection, author },
      kind: 'external',
    })),
  )
  return (float) => find({ ...float, kind: 'external' })
}

/** Finds the accounts in which the fees of networks are booked, and opens those that do not exist yet. */
export async function findNetworkFeeAccounts(
  tx: Tx,
  now: Date,
  owners: readonly { organization: number | null; currency: string; author: number }[],
): Promise<(owner: Pick<FloatKey, 'organization' | 'currency'>) => number> {
  const find = await findOrOpenAccounts(
    tx,
    now,
    owners.map(({ organization, currency, author }) => ({
      ...{ organization, currency, author },
      kind: 'network_fees',
      connection: null,
    })),
  )
  return (owner) => find({ ...owner, kind: 'network_fees', connection: null })
}

/** Finds the accounts of the operator's own entries in its books: the other side of what is added to a float or taken out of it. */
export async function findOperatorEntries(
  tx: Tx,
  now: Date,
  owners: readonly { organization: number | null; currency: string; author: number }[],
): Promise<(owner: Pick<FloatKey, 'organization' | 'currency'>) => number> {
  const find = await findOrOpenAccounts(
    tx,
    now,
    owners.map(({ organization, currency, author }) => ({
      ...{ organization, currency, author },
      kind: 'external',
      connection: null,
    })),
  )
  return (owner) => find({ ...owner, kind: 'external', connection: null })
}

type AccountKey = Omit<NeededAccount, 'author'>

/** One statement when all accounts exist. Two transactions that open the same account get the same one. */
async function findOrOpenAccounts(
  tx: Tx,
  now: Date,
  accounts: readonly NeededAccount[],
): Promise<(key: AccountKey) => number> {
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
  return (key) => found.get(keyOf(key)) ?? never()
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
  const r = rows(accounts, {
    organization: 'bigint',
    currency: 'text',
    kind: 'text',
    connection: 'text',
    author: 'bigint',
  })
  await tx`
    insert into accounts (${r.columns}, name, status, created, modified)
    select ${r.columns}, kind, 'active', ${opened}, ${opened} from ${r.as('r')}
    on conflict (organization, currency, kind, connection) where kind not in ('local', 'cross_border') do nothing`
}

function keyOf({ organization, currency, kind, connection }: AccountKey): string {
  return [organization ?? '', currency, kind, connection ?? ''].join(':')
}

function never(): never {
  throw new Error('This account was not looked up.')
}

import type { Reader, Tx } from '../../db/client.ts'

/** Key of a token: its connection, its name and the revision of the settings it was fetched with. */
export interface TokenKey {
  connection: string
  /** The driver's name of the token. */
  name: string
  revision: string
}

export interface StoredToken {
  /** Encrypted. */
  sealed: string
  expires: Date
  fetched: Date
}

/** The right to fetch a new token while other processes wait. */
export interface TokenLease {
  by: string
  real: Date
  ends: Date
}

/** The stored token, unless there is none or it belongs to other settings. */
export async function readToken(
  db: Reader,
  { connection, name, revision }: TokenKey,
): Promise<StoredToken | undefined> {
  const [row] = await db<StoredToken[]>`
    select sealed, expires, fetched from network_tokens
    where connection = ${connection} and name = ${name} and revision = ${revision} and sealed is not null`
  return row
}

/** Claims the right to fetch a token. False while another process has it. */
export async function claimToken(tx: Tx, key: TokenKey, lease: TokenLease): Promise<boolean> {
  const claimed = await tx`
    insert into network_tokens as t (connection, name, revision, leased_until, leased_by)
    values (${key.connection}, ${key.name}, ${key.revision}, ${lease.ends}, ${lease.by})
    on conflict (connection, name) do update set leased_until = excluded.leased_until, leased_by = excluded.leased_by
    where t.leased_until is null or t.leased_until <= ${lease.real} or t.leased_by = ${lease.by}
    returning 1`
  return claimed.length > 0
}

/** Gives the right back without a new token. */
export async function releaseToken(tx: Tx, { connection, name }: TokenKey, by: string): Promise<void> {
  await tx`
    update network_tokens set leased_until = null, leased_by = null
    where connection = ${connection} and name = ${name} and leased_by = ${by}`
}

/** Stores a new token and ends the claim. The token that is stored last counts, because it was made last. */
export async function storeToken(tx: Tx, key: TokenKey, token: StoredToken): Promise<void> {
  await tx`
    insert into network_tokens (connection, name, revision, sealed, expires, fetched)
    values (${key.connection}, ${key.name}, ${key.revision}, ${token.sealed}, ${token.expires}, ${token.fetched})
    on conflict (connection, name) do update set revision = excluded.revision, sealed = excluded.sealed,
      expires = excluded.expires, fetched = excluded.fetched, leased_until = null, leased_by = null`
}

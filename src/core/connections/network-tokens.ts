import type { Reader, Tx } from '../../db/client.ts'
import { column, insert, type Row, table } from '../../db/table.ts'

const tokenTable = table('network_tokens', {
  connection: column.text().key(),
  /** The driver's name of the token. */
  name: column.text().key(),
  /** Of the settings it was fetched with. */
  revision: column.text(),
  /** The token, encrypted. Null until it is there. */
  sealed: column.text().later(),
  expires: column.timestamptz().later(),
  fetched: column.timestamptz().later(),
  leased_until: column.timestamptz().later(),
  leased_by: column.text().later(),
})
type TokenRow = Row<typeof tokenTable>

type TokenKey = Pick<TokenRow, 'connection' | 'name' | 'revision'>

type StoredToken = { [Name in 'sealed' | 'expires' | 'fetched']: NonNullable<TokenRow[Name]> }

/** The right to fetch a new token while other processes wait. */
interface TokenLease {
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
    ${insert(tokenTable.as('t'), [key], { leased_until: lease.ends, leased_by: lease.by })}
    ${tokenTable.replace(['leased_until', 'leased_by'])}
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
export async function storeToken(tx: Tx, key: TokenKey, { sealed, expires, fetched }: StoredToken): Promise<void> {
  await tx`
    ${insert(tokenTable, [key], { sealed, expires, fetched })}
    ${tokenTable.replace(['revision', 'sealed', 'expires', 'fetched', 'leased_until', 'leased_by'])}`
}

import { randomBytes } from 'node:crypto'
import type { Database, Reader, Tx } from '../../db/client.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { decrypt, encrypt, type SealingKeys } from '../../lib/secrets.ts'
import { cellOf } from '../../lib/text/cells.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { type Caller, findCallerById } from './api-keys.ts'

/** A user name for signed requests to the bills API. It has the rights of its API key while that key is valid. */
export type SigningUser = Row<typeof shownUser>
const signingUserTable = table('signing_users', {
  id: column.id(),
  username: column.text(),
  api_key: column.bigint(),
  encrypted_secret: column.text(),
  revoked: column.timestamptz().later(),
  created: column.timestamptz(),
})
const shownUser = signingUserTable.omit('encrypted_secret')

/** The purpose of the keys that encrypt the secrets of signing users. */
export const SIGNING_KEY_PURPOSE = 'signing secrets'

/** The minimum length of a secret that a client chooses. */
const MIN_SECRET_LENGTH = 8

/**
 * Creates a signing user for an API key, with a random secret or with the given one. Only this result contains the secret;
 * the database stores it encrypted with `sealing_keys`.
 * @throws Invalid if the name is in use, has other characters than a header allows, or if the secret is too short. NotFound
 * if there is no such key.
 */
export async function createSigningUser(
  tx: Tx,
  now: Date,
  input: { username: string; api_key: number; secret?: string },
  sealing_keys: SealingKeys,
): Promise<{ secret: string; row: SigningUser }> {
  if (!/^[\w.@-]{1,60}$/.test(input.username)) throw new Invalid({ username: [getMessage('keys.signing_name')] })
  if (cellOf(input.username) !== tx.cell)
    throw new Invalid({ username: [getMessage('keys.signing_name_cell', { cell: tx.cell })] })
  const [key] = await tx`select 1 from api_keys where id = ${input.api_key} and revoked is null`
  if (!key) throw new NotFound(getMessage('keys.no_valid_key', { key: input.api_key }))
  const secret = input.secret ?? generateSecret()
  checkSecret(secret)
  const given = { encrypted_secret: encrypt(sealing_keys, secret), created: truncateToSecond(now) }
  const [row] = await tx<SigningUser[]>`
    ${insert(signingUserTable, [input], given)}
    on conflict (username) do nothing returning ${shownUser.columns}`
  if (!row) throw new Invalid({ username: [getMessage('keys.signing_name_taken', { name: input.username })] })
  return { secret, row }
}

/** Replaces the secret of a signing user at once. @throws NotFound if it does not exist or is revoked. */
export async function rotateSigningSecret(
  tx: Tx,
  username: string,
  new_secret: string | undefined,
  sealing_keys: SealingKeys,
): Promise<{ secret: string; row: SigningUser }> {
  const secret = new_secret ?? generateSecret()
  checkSecret(secret)
  const [row] = await tx<SigningUser[]>`
    update signing_users set encrypted_secret = ${encrypt(sealing_keys, secret)}
    where username = ${username} and revoked is null returning ${shownUser.columns}`
  if (!row) throw new NotFound(getMessage('keys.no_signing_user', { name: username }))
  return { secret, row }
}

/** Lists the signing users of an organization's keys, newest first. */
export async function listSigningUsers(db: Reader, organization: number): Promise<SigningUser[]> {
  const rows = await db<SigningUser[]>`
    select ${shownUser.columns} from signing_users
    where api_key in (select id from api_keys where organization = ${organization}) order by id desc`
  return [...rows]
}

/** Finds which of these names belong to signing users, including revoked ones. */
export async function findExistingNames(db: Reader, usernames: string[]): Promise<string[]> {
  const rows = await db<{ username: string }[]>`
    select username from signing_users where username = any(${usernames}::text[])`
  return rows.map(({ username }) => username)
}

/** Revokes a signing user permanently. Its API key stays valid. @throws NotFound */
export async function revokeSigningUser(tx: Tx, now: Date, username: string): Promise<SigningUser> {
  const [row] = await tx<SigningUser[]>`
    update signing_users set revoked = coalesce(revoked, ${truncateToSecond(now)}) where username = ${username}
    returning ${shownUser.columns}`
  if (!row) throw new NotFound(getMessage('keys.no_signing_user', { name: username }))
  return row
}

/** The secret and the caller of a signing user. Undefined if the name or its key is wrong, revoked or expired. */
export async function findSigningUser(
  db: Database,
  now: Date,
  username: string,
  sealing_keys: SealingKeys,
): Promise<{ secret: string; caller: Caller } | undefined> {
  const [row] = await db<{ api_key: number; encrypted_secret: string }[]>`
    select api_key, encrypted_secret from signing_users where username = ${username} and revoked is null`
  const caller = row && (await findCallerById(db, now, row.api_key))
  return caller && { secret: decrypt(sealing_keys, row.encrypted_secret), caller }
}

function generateSecret(): string {
  return randomBytes(32).toString('base64url')
}

function checkSecret(secret: string): void {
  if (secret.length < MIN_SECRET_LENGTH)
    throw new Invalid({ secret: [getMessage('keys.short_secret', { min: MIN_SECRET_LENGTH })] })
}

import { randomBytes } from 'node:crypto'
import type { Database, Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { decrypt, encrypt } from '../../lib/secrets.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { type Caller, findCallerById } from './api-keys.ts'

/** A name under which requests to the bill counter are signed. It acts as its API key does, for as long as that is valid. */
export interface SigningUser {
  id: number
  username: string
  api_key: number
  revoked: Date | null
  created: Date
}

/** What `app.secret` derives the sealing key for. */
export const SIGNING_KEY_PURPOSE = 'signing secrets'

/** A secret that a client brings along must not be shorter. */
const MIN_SECRET_LENGTH = 8

/**
 * Makes a signing user for an API key, with a secret that is drawn, or that a client brings along. It is seen only here,
 * and kept sealed with `sealing_key`.
 * @throws Invalid when the name is taken or not fit for a header or the secret too short, NotFound when there is no such key
 */
export async function createSigningUser(
  tx: Tx,
  now: Date,
  input: { username: string; api_key: number; secret?: string },
  sealing_key: string,
): Promise<{ secret: string; row: SigningUser }> {
  if (!/^[\w.@-]{1,60}$/.test(input.username))
    throw new Invalid({ username: ['Use at most 60 letters, digits, dots, dashes, underscores and @.'] })
  const [key] = await tx`select 1 from api_keys where id = ${input.api_key} and revoked is null`
  if (!key) throw new NotFound(`There is no valid API key ${input.api_key}.`)
  const secret = input.secret ?? generateSecret()
  checkSecret(secret)
  const [row] = await tx<SigningUser[]>`
    insert into signing_users (username, api_key, encrypted_secret, created)
    values (${input.username}, ${input.api_key}, ${encrypt(sealing_key, secret)}, ${truncateToSecond(now)})
    on conflict (username) do nothing returning ${columns()}`
  if (!row) throw new Invalid({ username: [`The name ${input.username} is taken.`] })
  return { secret, row }
}

/** Gives a signing user another secret; the old one ends at once. @throws NotFound when it does not exist or was revoked */
export async function rotateSigningSecret(
  tx: Tx,
  username: string,
  given: string | undefined,
  sealing_key: string,
): Promise<{ secret: string; row: SigningUser }> {
  const secret = given ?? generateSecret()
  checkSecret(secret)
  const [row] = await tx<SigningUser[]>`
    update signing_users set encrypted_secret = ${encrypt(sealing_key, secret)}
    where username = ${username} and revoked is null returning ${columns()}`
  if (!row) throw new NotFound(`There is no signing user ${username}.`)
  return { secret, row }
}

/** The signing users of an organization's keys, newest first. */
export async function listSigningUsers(db: Reader, organization: number): Promise<SigningUser[]> {
  const rows = await db<SigningUser[]>`
    select ${columns()} from signing_users
    where api_key in (select id from api_keys where organization = ${organization}) order by id desc`
  return [...rows]
}

/** Ends a signing user for good; its API key stays. @throws NotFound */
export async function revokeSigningUser(tx: Tx, now: Date, username: string): Promise<SigningUser> {
  const [row] = await tx<SigningUser[]>`
    update signing_users set revoked = coalesce(revoked, ${truncateToSecond(now)}) where username = ${username}
    returning ${columns()}`
  if (!row) throw new NotFound(`There is no signing user ${username}.`)
  return row
}

/** The secret of a signing user, and for whom it acts. Undefined when the name, or its key, is wrong, revoked or expired. */
export async function findSigningUser(
  db: Database,
  now: Date,
  username: string,
  sealing_key: string,
): Promise<{ secret: string; caller: Caller } | undefined> {
  const [row] = await db<{ api_key: number; encrypted_secret: string }[]>`
    select api_key, encrypted_secret from signing_users where username = ${username} and revoked is null`
  const caller = row && (await findCallerById(db, now, row.api_key))
  return caller && { secret: decrypt(sealing_key, row.encrypted_secret), caller }
}

function generateSecret(): string {
  return randomBytes(32).toString('base64url')
}

function checkSecret(secret: string): void {
  if (secret.length < MIN_SECRET_LENGTH)
    throw new Invalid({ secret: [`A secret needs at least ${MIN_SECRET_LENGTH} characters.`] })
}

function columns() {
  return sql`id, username, api_key, revoked, created`
}

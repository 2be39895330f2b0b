import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { hashPassword, verifyPassword } from '../../lib/secrets.ts'
import { errorMessage, fieldMessages } from '../fields.ts'
import { Invalid } from '../refusals.ts'
import type { User } from './organizations.ts'

export const MIN_PASSWORD_LENGTH = 8
const MAX_PASSWORD_LENGTH = 200

/** A new password. Only its length is checked; there are no rules about characters (NIST SP 800-63B). */
export const newPassword = z
  .string({ error: errorMessage(fieldMessages.string) })
  .min(MIN_PASSWORD_LENGTH, `A password needs at least ${MIN_PASSWORD_LENGTH} characters.`)
  .max(MAX_PASSWORD_LENGTH, fieldMessages.too_long(MAX_PASSWORD_LENGTH))

/** A person who has entered the correct password. */
export interface AuthenticatedUser extends User {
  second_factor: boolean
}

/**
 * Finds the person with this e-mail and password. An unknown address takes the same time, so the response time does not
 * reveal which addresses have an account.
 */
export async function findUserByPassword(
  db: Reader,
  email: string,
  password: string,
): Promise<AuthenticatedUser | undefined> {
  const [row] = await db<(AuthenticatedUser & { password_hash: string | null })[]>`
    select id, name, email, created, password_hash, totp_confirmed is not null as second_factor
    from users where email = ${email.trim().toLowerCase()} and kind = 'person'`
  dummyHash ??= hashPassword('the password of an unknown user')
  const is_correct = await verifyPassword(password, row?.password_hash ?? (await dummyHash))
  if (!row?.password_hash || !is_correct) return undefined
  const { password_hash: _, ...user } = row
  return user
}

let dummyHash: Promise<string> | undefined

/** Whether this user has a password. */
export async function hasPassword(db: Reader, user: number): Promise<boolean> {
  const [row] = await db`select 1 from users where id = ${user} and password_hash is not null`
  return row !== undefined
}

/** Checks the password of a user. @throws Invalid on the field `name` if the password is wrong. */
export async function requirePassword(db: Reader, user: number, password: string, name = 'password'): Promise<void> {
  const [row] = await db<{ password_hash: string | null }[]>`select password_hash from users where id = ${user}`
  if (!row?.password_hash || !(await verifyPassword(password, row.password_hash)))
    throw new Invalid({ [name]: ['This is not your password.'] })
}

/** The first five attempts are free. After each further failure the wait doubles, from 15 s to at most 300 s. */
const MAX_FREE_ATTEMPTS = 5
const FIRST_WAIT_S = 15
const MAX_WAIT_S = 300

/**
 * Counts an attempt to sign in (with a password or a code) before the attempt, so that a thousand attempts at the same
 * time do not pass the limit. `resetAttempts` clears the count after a success. A day without attempts also clears it.
 * @param account the name of the account and of what is tried; only its hash is stored.
 * @returns the seconds to wait; 0 if the attempt is permitted.
 */
export async function countAttempt(tx: Tx, now: Date, account: string): Promise<number> {
  const wait = sql`make_interval(secs => case when f.failures < ${MAX_FREE_ATTEMPTS} then 0
    else least(${MAX_WAIT_S}, ${FIRST_WAIT_S} * 2 ^ least(f.failures - ${MAX_FREE_ATTEMPTS}, 10)) end)`
  const [counted] = await tx`
    insert into sign_in_failures as f (email_hash, failures, last_failure)
    values (sha256(convert_to(${account}, 'UTF8')), 1, ${now})
    on conflict (email_hash) do update
      set failures = case when f.last_failure < excluded.last_failure - interval '1 day' then 1 else f.failures + 1 end, last_failure = excluded.last_failure
      where f.last_failure + ${wait} <= excluded.last_failure
    returning failures`
  if (counted) return 0
  const [row] = await tx<{ until: Date }[]>`
    select f.last_failure + ${wait} as until from sign_in_failures f where email_hash = sha256(convert_to(${account}, 'UTF8'))`
  return Math.max(1, Math.ceil(((row?.until.getTime() ?? 0) - now.getTime()) / 1000))
}

/** Clears the attempts of this account after a success. */
export async function resetAttempts(tx: Tx, account: string): Promise<void> {
  await tx`delete from sign_in_failures where email_hash = sha256(convert_to(${account}, 'UTF8'))`
}

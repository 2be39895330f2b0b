import { z } from 'zod'
import type { Reader } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { hashPassword, verifyPassword } from '../../lib/secrets.ts'
import { errorMessage, fieldMessages } from '../fields.ts'
import { Invalid } from '../refusals.ts'
import type { User } from './organizations.ts'
import { secondFactorOf } from './second-factors.ts'

export const MIN_PASSWORD_LENGTH = 8
const MAX_PASSWORD_LENGTH = 200

/** A new password. Only its length is checked; there are no rules about characters (NIST SP 800-63B). */
export const newPassword = z
  .string({ error: errorMessage(fieldMessages.string) })
  .min(MIN_PASSWORD_LENGTH, getMessage('access.short_password', { min: MIN_PASSWORD_LENGTH }))
  .max(MAX_PASSWORD_LENGTH, fieldMessages.too_long(MAX_PASSWORD_LENGTH))

/** A person who has entered the correct password. */
interface AuthenticatedUser extends User {
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
    select u.id, u.name, u.email, u.created, u.password_hash, ${secondFactorOf('u')} as second_factor
    from users u where u.email = ${email.trim().toLowerCase()} and u.kind = 'person'`
  dummyHash ??= hashPassword('the password of an unknown user')
  const is_correct = await verifyPassword(password, row?.password_hash ?? (await dummyHash))
  if (!row?.password_hash || !is_correct) return undefined
  const { password_hash: _, ...user } = row
  return user
}

let dummyHash: Promise<string> | undefined

/** True if this user has a password. */
export async function hasPassword(db: Reader, user: number): Promise<boolean> {
  const [row] = await db`select 1 from users where id = ${user} and password_hash is not null`
  return row !== undefined
}

/** Checks the password of a user. @throws Invalid on the field `name` if the password is wrong. */
export async function requirePassword(db: Reader, user: number, password: string, name = 'password'): Promise<void> {
  const [row] = await db<{ password_hash: string | null }[]>`select password_hash from users where id = ${user}`
  if (!row?.password_hash || !(await verifyPassword(password, row.password_hash)))
    throw new Invalid({ [name]: [getMessage('access.wrong_password')] })
}

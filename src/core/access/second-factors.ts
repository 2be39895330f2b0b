import { createHash, randomBytes } from 'node:crypto'
import { generateSecret, generateURI, verifySync } from 'otplib'
import type { Reader, Tx } from '../../db/client.ts'
import { decrypt, encrypt } from '../../lib/secrets.ts'
import { Invalid } from '../refusals.ts'

/** The purpose of the key that encrypts the secrets of authenticator apps. */
export const SECOND_FACTOR_PURPOSE = 'second factors'

/** The accepted clock difference of a phone: the previous and the next code are valid too (RFC 6238, section 5.2). */
const TOLERANCE_S = 30
const RECOVERY_CODE_COUNT = 10

/**
 * Generates a secret for an authenticator app (TOTP, RFC 6238). It has no effect before `confirmSecondFactor`, so a user
 * who never scanned the QR code is not locked out. @throws Invalid if a second factor is already in use.
 */
export async function startSecondFactorSetup(
  tx: Tx,
  user: { id: number; email: string },
  options: { issuer: string; sealing_key: string },
): Promise<{ secret: string; uri: string }> {
  const secret = generateSecret()
  const [row] = await tx`
    update users set totp_secret = ${encrypt(options.sealing_key, secret)}, totp_step = null
    where id = ${user.id} and totp_confirmed is null returning id`
  if (!row) throw new Invalid({ non_field_errors: ['The second factor is already on.'] })
  return { secret, uri: generateURI({ issuer: options.issuer, label: user.email, secret }) }
}

/** Turns the second factor on if the code is right. @returns the recovery codes, shown only once. @throws Invalid */
export async function confirmSecondFactor(
  tx: Tx,
  now: Date,
  input: { user: number; code: string; sealing_key: string },
): Promise<string[]> {
  if (!(await acceptAppCode(tx, now, input))) throw invalidCode()
  await tx`update users set totp_confirmed = ${now} where id = ${input.user}`
  return replaceRecoveryCodes(tx, input.user)
}

/** Accepts a code of the app or a recovery code. Each code works once. @throws Invalid on `code` */
export async function useCode(
  tx: Tx,
  now: Date,
  input: { user: number; code: string; sealing_key: string },
): Promise<'app' | 'recovery'> {
  if (await acceptAppCode(tx, now, input)) return 'app'
  const [used] = await tx`
    delete from recovery_codes where "user" = ${input.user} and hash = ${hashCode(input.code)} returning hash`
  if (!used) throw invalidCode()
  return 'recovery'
}

/** Generates new recovery codes. The old ones become invalid. */
export async function replaceRecoveryCodes(tx: Tx, user: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, generateRecoveryCode)
  await tx`delete from recovery_codes where "user" = ${user}`
  for (const code of codes) await tx`insert into recovery_codes ("user", hash) values (${user}, ${hashCode(code)})`
  return codes
}

/** Whether this user has a second factor. */
export async function hasSecondFactor(db: Reader, user: number): Promise<boolean> {
  const [row] = await db`select 1 from users where id = ${user} and totp_confirmed is not null`
  return row !== undefined
}

/** Removes the second factor of a user with its secret and recovery codes. */
export async function removeSecondFactor(tx: Tx, user: number): Promise<void> {
  await tx`update users set totp_secret = null, totp_confirmed = null, totp_step = null where id = ${user}`
  await tx`delete from recovery_codes where "user" = ${user}`
}

/** Accepts the current code of the app once. The lock on the row makes a second use of the same code fail. */
async function acceptAppCode(tx: Tx, now: Date, input: { user: number; code: string; sealing_key: string }) {
  const token = input.code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return false
  const [row] = await tx<{ totp_secret: string | null; totp_step: number | null }[]>`
    select totp_secret, totp_step from users where id = ${input.user} for update`
  if (!row?.totp_secret) return false
  const verification = verifySync({
    secret: decrypt(input.sealing_key, row.totp_secret),
    token,
    epoch: Math.floor(now.getTime() / 1000),
    epochTolerance: TOLERANCE_S,
    afterTimeStep: row.totp_step ?? undefined,
  })
  if (!verification.valid || !('timeStep' in verification)) return false
  await tx`update users set totp_step = ${verification.timeStep} where id = ${input.user}`
  return true
}

/** A code of 80 random bits in base32. It is random enough for a fast hash. */
function generateRecoveryCode(): string {
  const letters = [...randomBytes(16)].map((byte) => BASE32_ALPHABET[byte & 31]).join('')
  return letters.replace(/(.{4})(?=.)/g, '$1-')
}

const BASE32_ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

function hashCode(code: string): Buffer {
  const plain = code.toLowerCase().replace(/[^a-z0-9]/g, '')
  return createHash('sha256').update(plain).digest()
}

function invalidCode(): Invalid {
  return new Invalid({ code: ['This code is wrong or was already used.'] })
}

import { createHash, randomBytes } from 'node:crypto'
import { generateSecret, generateURI, verifySync } from 'otplib'
import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { column, insert, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { decrypt, encrypt, type SealingKeys } from '../../lib/secrets.ts'
import { Invalid } from '../refusals.ts'

/*
 * A user signs in with the password and a second factor: a code of an authenticator app, a passkey (passkeys.ts), or a
 * recovery code, which replaces either of them once.
 */

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
  options: { issuer: string; sealing_keys: SealingKeys },
): Promise<{ secret: string; uri: string }> {
  const secret = generateSecret()
  const [row] = await tx`
    update users set totp_secret = ${encrypt(options.sealing_keys, secret)}, totp_step = null
    where id = ${user.id} and totp_confirmed is null returning id`
  if (!row) throw new Invalid({ non_field_errors: [getMessage('access.app_in_use')] })
  return { secret, uri: generateURI({ issuer: options.issuer, label: user.email, secret }) }
}

/** Puts the authenticator app into use if the code is right. @returns the recovery codes, shown only once. @throws Invalid */
export async function confirmSecondFactor(
  tx: Tx,
  now: Date,
  input: { user: number; code: string; sealing_keys: SealingKeys },
): Promise<string[]> {
  if (!(await acceptAppCode(tx, now, input))) throw invalidCode()
  await tx`update users set totp_confirmed = ${now} where id = ${input.user}`
  return replaceRecoveryCodes(tx, input.user)
}

/** Accepts a code of the app or a recovery code. Each code works once. @throws Invalid on `code` */
export async function acceptCode(
  tx: Tx,
  now: Date,
  input: { user: number; code: string; sealing_keys: SealingKeys },
): Promise<'app' | 'recovery'> {
  if (await acceptAppCode(tx, now, input)) return 'app'
  const [used] = await tx`
    delete from recovery_codes where "user" = ${input.user} and hash = ${hashCode(input.code)} returning hash`
  if (!used) throw invalidCode()
  return 'recovery'
}

const codeTable = table('recovery_codes', { user: column.bigint().key(), hash: column.bytea().key() })

/** Generates new recovery codes. The old ones become invalid. */
export async function replaceRecoveryCodes(tx: Tx, user: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, generateRecoveryCode)
  await tx`delete from recovery_codes where "user" = ${user}`
  await tx`${insert(codeTable, codes, { user, hash: hashCode })}`
  return codes
}

/** True if this user has a second factor: an authenticator app or a passkey. */
export async function hasSecondFactor(db: Reader, user: number): Promise<boolean> {
  const [row] = await db`select 1 from users u where u.id = ${user} and ${secondFactorOf('u')}`
  return row !== undefined
}

/** The condition that a row of `users` with this alias has a second factor. */
export function secondFactorOf(alias: string): Fragment {
  const user = sql.identifier(alias)
  return sql`(${user}.totp_confirmed is not null or exists (select 1 from passkeys p where p."user" = ${user}.id))`
}

/** The second factors of a user, with the number of unused recovery codes. */
export const SecondFactors = z.object({ app: z.boolean(), passkeys: z.int(), recovery_codes: z.int() })
export type SecondFactors = z.output<typeof SecondFactors>

export async function countSecondFactors(db: Reader, user: number): Promise<SecondFactors> {
  const [row] = await db<SecondFactors[]>`
    select u.totp_confirmed is not null as app,
      (select count(*) from passkeys p where p."user" = u.id) as passkeys,
      (select count(*) from recovery_codes r where r."user" = u.id) as recovery_codes
    from users u where u.id = ${user}`
  return row ?? { app: false, passkeys: 0, recovery_codes: 0 }
}

/** Names the second factors of a user: others have other names, also where their number is the same. */
export async function nameSecondFactors(db: Reader, user: number): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select 'app ' || extract(epoch from totp_confirmed) as name from users where id = ${user} and totp_confirmed is not null
    union all select 'passkey ' || id from passkeys where "user" = ${user} order by name`
  return rows.map(({ name }) => name)
}

/** Removes the authenticator app of a user. The recovery codes stay as long as there is a passkey. */
export async function removeApp(tx: Tx, user: number): Promise<void> {
  await tx`update users set totp_secret = null, totp_confirmed = null, totp_step = null where id = ${user}`
  await removeUnneededRecoveryCodes(tx, user)
}

/** Deletes the recovery codes of a user who has no second factor left. */
export async function removeUnneededRecoveryCodes(tx: Tx, user: number): Promise<void> {
  if (!(await hasSecondFactor(tx, user))) await tx`delete from recovery_codes where "user" = ${user}`
}

/** Removes all second factors of a user: the authenticator app, the passkeys and the recovery codes. */
export async function removeSecondFactor(tx: Tx, user: number): Promise<void> {
  await tx`delete from passkeys where "user" = ${user}`
  await removeApp(tx, user)
}

/** Accepts the current code of the app once. The lock on the row makes a second use of the same code fail. */
async function acceptAppCode(tx: Tx, now: Date, input: { user: number; code: string; sealing_keys: SealingKeys }) {
  const token = input.code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return false
  const [row] = await tx<{ totp_secret: string | null; totp_step: number | null }[]>`
    select totp_secret, totp_step from users where id = ${input.user} for update`
  if (!row?.totp_secret) return false
  const verification = verifySync({
    secret: decrypt(input.sealing_keys, row.totp_secret),
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
  return new Invalid({ code: [getMessage('access.wrong_code')] })
}

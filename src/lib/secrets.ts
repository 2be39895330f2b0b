import { argon2, createCipheriv, createDecipheriv, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/**
 * Hashes a password with argon2id for keeping, in the PHC string format
 * (`$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`), so that the cost can be raised later and old hashes still be read.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await deriveHash(password, { salt, length: 32, ...ARGON2_COST })
  return `$argon2id$v=19$m=${ARGON2_COST.memory},t=${ARGON2_COST.passes},p=${ARGON2_COST.parallelism}$${unpaddedBase64(salt)}$${unpaddedBase64(hash)}`
}

/** Whether this is the password that `hashPassword` was given. False, too, for a hash that it did not write. */
export async function verifyPassword(password: string, password_hash: string): Promise<boolean> {
  const parts = PHC.exec(password_hash)
  if (!parts) return false
  const [memory, passes, parallelism] = parts.slice(1, 4).map(Number) as [number, number, number]
  const salt = Buffer.from(parts[4]!, 'base64')
  const hash = Buffer.from(parts[5]!, 'base64')
  return timingSafeEqual(
    hash,
    await deriveHash(password, { salt, length: hash.length, memory, passes, parallelism: parallelism }),
  )
}

/**
 * Encrypts a text for keeping, with AES-256-GCM: what is changed on the way does not open. The same text is sealed
 * differently each time. `key_hex` is 32 bytes in hex, as `app.secret(purpose)` gives them.
 */
export function encrypt(key_hex: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key_hex, 'hex'), nonce)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
}

/** Reads what `seal` wrote. @throws WrongKey when it was sealed with another key, or changed since. */
export function decrypt(key_hex: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  try {
    const nonce = bytes.subarray(0, NONCE_BYTES)
    const opener = createDecipheriv('aes-256-gcm', Buffer.from(key_hex, 'hex'), nonce, { authTagLength: TAG_BYTES })
    opener.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
    return Buffer.concat([opener.update(body), opener.final()]).toString('utf8')
  } catch (cause) {
    throw new WrongKey('A secret does not open: was SECRET_KEY changed?', { cause })
  }
}

/** What was sealed cannot be read with the key that we have. */
export class WrongKey extends Error {
  override name = 'WrongKey'
}

/** The cost that OWASP recommends for argon2id: 19 MiB, two passes, one lane. About a tenth of a second. */
const ARGON2_COST = { memory: 19_456, passes: 2, parallelism: 1 }

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,})\$([A-Za-z0-9+/]{22,})$/
const NONCE_BYTES = 12
const TAG_BYTES = 16

const runArgon2 = promisify(argon2)

interface HashOptions {
  salt: Buffer
  length: number
  memory: number
  passes: number
  parallelism: number
}

/** The text is normalised first: the same password typed on another machine may come in another composition. */
function deriveHash(password: string, { salt, length, memory, passes, parallelism }: HashOptions): Promise<Buffer> {
  const message = password.normalize('NFKC')
  return runArgon2('argon2id', { message, nonce: salt, tagLength: length, memory, passes, parallelism: parallelism })
}

/** The PHC format wants base64 without its padding. */
function unpaddedBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

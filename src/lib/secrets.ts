import { argon2, createCipheriv, createDecipheriv, createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { withoutTrailing } from './text/trailing.ts'

/**
 * Hashes a password with argon2id for storage, in the PHC string format
 * (`$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`). The format has the cost in it, so old hashes stay valid when a
 * later version raises the cost.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await deriveHash(password, { salt, length: 32, ...ARGON2_COST })
  return `$argon2id$v=19$m=${ARGON2_COST.memory},t=${ARGON2_COST.passes},p=${ARGON2_COST.parallelism}$${unpaddedBase64(salt)}$${unpaddedBase64(hash)}`
}

/** Returns true if the hash belongs to this password. False also for a hash that `hashPassword` did not write. */
export async function verifyPassword(password: string, password_hash: string): Promise<boolean> {
  const parts = PHC.exec(password_hash)
  if (!parts) return false
  const [memory, passes, parallelism] = parts.slice(1, 4).map(Number) as [number, number, number]
  const salt = Buffer.from(parts[4]!, 'base64')
  const hash = Buffer.from(parts[5]!, 'base64')
  return timingSafeEqual(hash, await deriveHash(password, { salt, length: hash.length, memory, passes, parallelism }))
}

/**
 * Keys of stored secrets, each 32 bytes in hex: the one that encrypts, and after it those that only decrypt, while one key
 * replaces another. A single key does both. `app.sealingKeys(purpose)` returns them.
 */
export type SealingKeys = string | readonly [string, ...string[]]

/** The key that encrypts. */
export function sealingKey(keys: SealingKeys): string {
  return typeof keys === 'string' ? keys : keys[0]
}

/**
 * Encrypts a text for storage, with AES-256-GCM: a changed result cannot be decrypted. The result is different each
 * time. It begins with the id of its key and a dot, so that a wrong key can be told from a changed text.
 */
export function encrypt(keys: SealingKeys, text: string): string {
  const key_hex = sealingKey(keys)
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key_hex, 'hex'), nonce)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `${keyId(key_hex)}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
}

/**
 * Decrypts the result of `encrypt`.
 * @throws WrongKey when none is the key of the text, or when the text was changed
 */
export function decrypt(keys: SealingKeys, encrypted: string): string {
  const [id, body = ''] = encrypted.split('.', 2)
  const key = [keys].flat().find((one) => keyId(one) === id)
  if (key === undefined)
    throw new WrongKey(`A stored secret was encrypted with another key (its id is ${id}): was SECRET_KEY changed?`)
  const text = decryptWith(key, body)
  if (text === undefined) throw new WrongKey('A stored secret cannot be decrypted: was SECRET_KEY changed?')
  return text
}

/** The id of a key: the first four bytes of a digest, in hex. It says nothing about the key. */
export function keyId(key_hex: string): string {
  return createHash('sha256').update('id of ').update(key_hex, 'hex').digest('hex').slice(0, 8)
}

/** Undefined when the key is different or the text was changed. */
function decryptWith(key_hex: string, body: string): string | undefined {
  const bytes = Buffer.from(body, 'base64url')
  try {
    const nonce = bytes.subarray(0, NONCE_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key_hex, 'hex'), nonce, { authTagLength: TAG_BYTES })
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const text = bytes.subarray(NONCE_BYTES + TAG_BYTES)
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/** The present key cannot decrypt a stored secret. */
export class WrongKey extends Error {
  override name = 'WrongKey'
}

/** The cost that OWASP recommends for argon2id: 19 MiB, two passes, no parallelism. About a tenth of a second. */
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

/** Normalizes the password first: another machine may send the same characters in another Unicode composition. */
function deriveHash(password: string, { salt, length, memory, passes, parallelism }: HashOptions): Promise<Buffer> {
  const message = password.normalize('NFKC')
  return runArgon2('argon2id', { message, nonce: salt, tagLength: length, memory, passes, parallelism })
}

/** The PHC format uses base64 without padding. */
function unpaddedBase64(bytes: Buffer): string {
  return withoutTrailing(bytes.toString('base64'), '=')
}

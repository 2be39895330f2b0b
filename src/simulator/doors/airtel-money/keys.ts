import {
  constants,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  privateDecrypt,
} from 'node:crypto'
import { promisify } from 'node:util'
import type { World } from '../../world/world.ts'

const KEY = 'encryption key'
const generate = promisify(generateKeyPair)

/** The key pair of the network, which is made at its first use and is the same for all processes. */
export async function keyOf(world: Pick<World, 'recall' | 'remember'>): Promise<KeyObject> {
  const kept = await world.recall(KEY)
  if (typeof kept === 'string') return parseKey(kept)
  const { privateKey } = await generate('rsa', { modulusLength: 1024 })
  await world.remember(KEY, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return privateKey
}

let parsed: { text: string; key: KeyObject } | undefined

/** Parsing takes longer than all else that a call needs, so the last key is kept. */
function parseKey(text: string): KeyObject {
  if (parsed?.text !== text) parsed = { text, key: createPrivateKey(text) }
  return parsed.key
}

/** The public key as the network hands it out. */
export function publicKeyText(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')
}

/** Decrypt with PKCS#1 1.5 padding. Return undefined for anything else, such as OAEP. */
export function decrypt(key: KeyObject, text: string): string | undefined {
  try {
    const plain = privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, Buffer.from(text, 'base64'))
    const end = plain.indexOf(0, 2)
    const is_padded = plain[0] === 0 && plain[1] === 2 && end >= 10
    return is_padded ? plain.subarray(end + 1).toString() : undefined
  } catch {
    return undefined
  }
}

/** Return true if both headers of a signed request match exactly this body. */
export function isSigned(key: KeyObject, body: string, headers: Record<string, unknown>): boolean {
  const [aes, iv] = decrypt(key, String(headers['x-key'] ?? ''))?.split(':') ?? []
  try {
    const decipher = createDecipheriv('aes-256-cbc', Buffer.from(aes ?? '', 'base64'), Buffer.from(iv ?? '', 'base64'))
    const signed = decipher.update(String(headers['x-signature'] ?? ''), 'base64', 'utf8') + decipher.final('utf8')
    return signed === body
  } catch {
    return false
  }
}

import { constants, createCipheriv, createPublicKey, type KeyObject, publicEncrypt, randomBytes } from 'node:crypto'

/** The headers that sign a request. */
export interface Signature {
  'x-signature': string
  'x-key': string
}

/**
 * Read the public key of Airtel: base64 of a DER SubjectPublicKeyInfo, with or without PEM lines around it. Undefined
 * for anything else, and for a key that is too short to encrypt a signature.
 */
export function readPublicKey(text: string): KeyObject | undefined {
  try {
    const der = Buffer.from(text.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
    return key.asymmetricKeyType === 'rsa' && bits >= MIN_KEY_BITS ? key : undefined
  } catch {
    return undefined
  }
}

const MIN_KEY_BITS = 1024

/** Encrypt a short text, such as the PIN. Airtel takes only the padding of PKCS#1 1.5. @returns base64 */
export function encrypt(key: KeyObject, text: string): string {
  return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(text)).toString('base64')
}

/**
 * Sign a body: it is encrypted with a new AES key, and the AES key with Airtel's public key. Airtel does the same with
 * the body that it receives and compares, so the text that is signed must be the text that is sent.
 */
export function sign(public_key: KeyObject, body: string): Signature {
  const [key, iv] = [randomBytes(32), randomBytes(16)]
  const cipher = createCipheriv('aes-256-cbc', key, iv)
  return {
    'x-signature': Buffer.concat([cipher.update(body, 'utf8'), cipher.final()]).toString('base64'),
    'x-key': encrypt(public_key, `${key.toString('base64')}:${iv.toString('base64')}`),
  }
}

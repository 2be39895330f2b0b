import { constants, createPublicKey, type KeyObject, publicEncrypt, X509Certificate } from 'node:crypto'

/**
 * Read the public RSA key of a certificate or of a key in PEM. Certificates of networks are often expired, and only
 * carry the key, so their dates do not matter. Undefined for anything else.
 */
export function readRsaPublicKey(pem: string): KeyObject | undefined {
  const text = pem.trim()
  try {
    const key = text.includes('CERTIFICATE') ? new X509Certificate(text).publicKey : createPublicKey(text)
    return key.asymmetricKeyType === 'rsa' ? key : undefined
  } catch {
    return undefined
  }
}

/**
 * Encrypt a short text, such as a PIN, with RSA and PKCS #1 v1.5 padding, and return it in base64. The same text never
 * gives the same result twice. Undefined when the text is too long for the key.
 */
export function encryptWithRsa(key: KeyObject, text: string): string | undefined {
  const bytes = Buffer.from(text)
  const key_bytes = (key.asymmetricKeyDetails?.modulusLength ?? 0) / 8
  if (bytes.length > key_bytes - PADDING_BYTES) return undefined
  return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, bytes).toString('base64')
}

/** PKCS #1 v1.5 adds at least this much. */
const PADDING_BYTES = 11

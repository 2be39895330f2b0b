import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { encryptWithRsa, readRsaPublicKey } from '../../../src/networks/shared/rsa.ts'
import { certificate } from '../../../src/simulator/doors/daraja/keys.ts'
import { decryptCredential, publicKeyPem } from '../daraja/recorded-network.ts'

describe('RSA for PINs', () => {
  it('encrypts what the owner of the key can read, differently each time', () => {
    const key = readRsaPublicKey(`\n${publicKeyPem}\n`)!
    const [one, two] = [encryptWithRsa(key, 'p#ss')!, encryptWithRsa(key, 'p#ss')!]
    expect(one).not.toBe(two)
    expect([decryptCredential(one), decryptCredential(two)]).toEqual(['p#ss', 'p#ss'])
    expect(Buffer.from(one, 'base64')).toHaveLength(256)
  })

  it('takes the key out of a certificate, although it has expired', () => {
    expect(readRsaPublicKey(certificate)?.asymmetricKeyDetails).toMatchObject({ modulusLength: 2048 })
  })

  it('refuses what is no RSA key, and a text that is too long', () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    for (const text of ['', 'no key', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', pem])
      expect(readRsaPublicKey(text)).toBeUndefined()
    expect(encryptWithRsa(readRsaPublicKey(publicKeyPem)!, 'x'.repeat(245))).toHaveLength(344)
    expect(encryptWithRsa(readRsaPublicKey(publicKeyPem)!, 'x'.repeat(246))).toBeUndefined()
  })
})

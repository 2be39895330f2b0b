import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decrypt, encrypt, hashPassword, keyId, verifyPassword, WrongKey } from '../../src/lib/secrets.ts'

const key = randomBytes(32).toString('hex')

describe('a password', () => {
  it('matches its hash, and no other password does', async () => {
    const hash = await hashPassword('correct horse')
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$=]+\$[^$=]+$/)
    expect(await verifyPassword('correct horse', hash)).toBe(true)
    expect(await verifyPassword('correct horsf', hash)).toBe(false)
    expect(await verifyPassword('', hash)).toBe(false)
  })

  it('has another hash each time', async () => {
    expect(await hashPassword('same')).not.toBe(await hashPassword('same'))
  })

  it('matches in every Unicode composition', async () => {
    expect(await verifyPassword('caf\u0065\u0301', await hashPassword('caf\u00e9'))).toBe(true)
  })

  it.each(['', 'plain text', '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$aGFzaA'])(
    'never matches the hash %j',
    async (hash) => {
      expect(await verifyPassword('plain text', hash)).toBe(false)
    },
  )
})

describe('an encrypted text', () => {
  // A slow machine needs a while to generate texts of all characters.
  it('is decrypted to the original', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => decrypt(key, encrypt(key, text)) === text))
  })

  it('is different each time', () => {
    expect(encrypt(key, 'whsec')).not.toBe(encrypt(key, 'whsec'))
  })

  it('cannot be decrypted with another key', () => {
    expect(() => decrypt(randomBytes(32).toString('hex'), encrypt(key, 'whsec'))).toThrow(WrongKey)
  })

  it('names its key, and is decrypted with that one of several', () => {
    const other = randomBytes(32).toString('hex')
    expect(encrypt(key, 'whsec')).toMatch(new RegExp(`^${keyId(key)}\\.[\\w-]+$`))
    expect(decrypt([other, key], encrypt(key, 'whsec'))).toBe('whsec')
    expect(() => decrypt(other, encrypt(key, 'whsec'))).toThrow(`another key (its id is ${keyId(key)})`)
  })

  it('cannot be decrypted without the id of its key', () => {
    const [, body] = encrypt(key, 'whsec').split('.')
    expect(() => decrypt(key, body!)).toThrow(WrongKey)
  })

  it('cannot be decrypted after a change of any byte, or when its end is missing', () => {
    const [id, body] = encrypt(key, 'whsec').split('.')
    const encrypted = Buffer.from(body!, 'base64url')
    for (let index = 0; index < encrypted.length; index += 1) {
      const changed = Buffer.from(encrypted)
      changed[index]! ^= 1
      expect(() => decrypt(key, `${id}.${changed.toString('base64url')}`)).toThrow(WrongKey)
      expect(() => decrypt(key, `${id}.${encrypted.subarray(0, index).toString('base64url')}`)).toThrow(WrongKey)
    }
  })
})

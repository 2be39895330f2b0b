import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decrypt, encrypt, hashPassword, verifyPassword, WrongKey } from '../../src/lib/secrets.ts'

const key = randomBytes(32).toString('hex')

describe('a password', () => {
  it('is known again by its hash, and no other is', async () => {
    const hash = await hashPassword('correct horse')
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$=]+\$[^$=]+$/)
    expect(await verifyPassword('correct horse', hash)).toBe(true)
    expect(await verifyPassword('correct horsf', hash)).toBe(false)
    expect(await verifyPassword('', hash)).toBe(false)
  })

  it('has another hash each time', async () => {
    expect(await hashPassword('same')).not.toBe(await hashPassword('same'))
  })

  it('is the same password however its letters are composed', async () => {
    expect(await verifyPassword('caf\u0065\u0301', await hashPassword('caf\u00e9'))).toBe(true)
  })

  it.each(['', 'plain text', '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$aGFzaA'])(
    'never matches the hash %j',
    async (hash) => {
      expect(await verifyPassword('plain text', hash)).toBe(false)
    },
  )
})

describe('a sealed text', () => {
  // Texts of all characters that there are take a slow machine a while to make.
  it('opens to what it was', { timeout: 120_000 }, () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => decrypt(key, encrypt(key, text)) === text))
  })

  it('is sealed differently each time', () => {
    expect(encrypt(key, 'whsec')).not.toBe(encrypt(key, 'whsec'))
  })

  it('does not open with another key', () => {
    expect(() => decrypt(randomBytes(32).toString('hex'), encrypt(key, 'whsec'))).toThrow(WrongKey)
  })

  it('does not open after any byte of it was changed, or when it is cut short', () => {
    const sealed = Buffer.from(encrypt(key, 'whsec'), 'base64url')
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed)
      changed[index]! ^= 1
      expect(() => decrypt(key, changed.toString('base64url'))).toThrow(WrongKey)
      expect(() => decrypt(key, sealed.subarray(0, index).toString('base64url'))).toThrow(WrongKey)
    }
  })
})

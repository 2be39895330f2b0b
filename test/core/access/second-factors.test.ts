import { generateSync } from 'otplib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createUser } from '../../../src/core/access/organizations.ts'
import {
  acceptCode,
  confirmSecondFactor,
  hasSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
  SECOND_FACTOR_PURPOSE,
  startSecondFactorSetup,
} from '../../../src/core/access/second-factors.ts'
import { Invalid } from '../../../src/core/refusals.ts'
import { begin } from '../../../src/db/client.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

const STEP_S = 30
const now = new Date('2030-01-15T12:00:00Z')

let house: TestApp
let sealing_keys: string
let user: number
let people = 0

beforeAll(async () => {
  house = await buildTestApp()
  sealing_keys = house.app.deriveSecret(SECOND_FACTOR_PURPOSE)
})
afterAll(() => house.close())
beforeEach(async () => {
  people += 1
  const email = `person${people}@shop.example`
  user = (await begin(house.db, (tx) => createUser(tx, now, { name: 'Ann', email }))).id
})

describe('a second factor', () => {
  it('is in use from the first right code on, not from the QR code on', async () => {
    const { secret, uri } = await offer()
    expect(uri).toContain('otpauth://totp/')
    expect(uri).toContain(secret)
    expect(await hasSecondFactor(house.db, user)).toBe(false)
    await expect(confirm('000000', 0)).rejects.toThrow(Invalid)
    expect(await hasSecondFactor(house.db, user)).toBe(false)
    expect(await confirm(codeAt(secret, 0), 0)).toHaveLength(10)
    expect(await hasSecondFactor(house.db, user)).toBe(true)
    await expect(offer()).rejects.toThrow('The authenticator app is already in use.')
  })

  it('is stored encrypted', async () => {
    const { secret } = await offer()
    const [row] = await house.db`select totp_secret from users where id = ${user}`
    expect(row!.totp_secret).not.toContain(secret)
  })

  it('accepts each code once, even if it is used twice at the same time', async () => {
    const { secret } = await turnOn()
    const code = codeAt(secret, 2 * STEP_S)
    const tries = await Promise.allSettled([spend(code, 2 * STEP_S), spend(code, 2 * STEP_S)])
    expect(tries.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await spend(codeAt(secret, 3 * STEP_S), 3 * STEP_S)).toBe('app')
  })

  it('accepts a clock difference of half a minute, and no more', async () => {
    const { secret } = await turnOn()
    await expect(spend(codeAt(secret, 10 * STEP_S), 12 * STEP_S)).rejects.toThrow(Invalid)
    expect(await spend(codeAt(secret, 11 * STEP_S), 12 * STEP_S)).toBe('app')
    expect(await spend(codeAt(secret, 13 * STEP_S), 12 * STEP_S)).toBe('app')
  })

  it('can be replaced by recovery codes, each once, in any spelling', async () => {
    const { codes } = await turnOn()
    expect(await spend(` ${codes[0]!.toUpperCase().replaceAll('-', ' ')} `)).toBe('recovery')
    await expect(spend(codes[0]!)).rejects.toThrow('This code is wrong or was already used.')
    expect(await spend(codes[1]!)).toBe('recovery')
  })

  it('makes old recovery codes invalid when new ones are generated', async () => {
    const { codes } = await turnOn()
    const fresh = await begin(house.db, (tx) => replaceRecoveryCodes(tx, user))
    expect(new Set([...codes, ...fresh]).size).toBe(20)
    await expect(spend(codes[0]!)).rejects.toThrow(Invalid)
    expect(await spend(fresh[0]!)).toBe('recovery')
  })

  it('is removed with its secret and its recovery codes', async () => {
    const { secret, codes } = await turnOn()
    await begin(house.db, (tx) => removeSecondFactor(tx, user))
    expect(await hasSecondFactor(house.db, user)).toBe(false)
    await expect(spend(codes[0]!)).rejects.toThrow(Invalid)
    await expect(spend(codeAt(secret, 2 * STEP_S), 2 * STEP_S)).rejects.toThrow(Invalid)
    await offer()
  })
})

function offer() {
  return begin(house.db, (tx) =>
    startSecondFactorSetup(tx, { id: user, email: 'ann@shop.example' }, { issuer: 'Kusanya', sealing_keys }),
  )
}

function confirm(code: string, after_s: number) {
  return begin(house.db, (tx) => confirmSecondFactor(tx, later(after_s), { user, code, sealing_keys }))
}

async function turnOn(): Promise<{ secret: string; codes: string[] }> {
  const { secret } = await offer()
  return { secret, codes: await confirm(codeAt(secret, 0), 0) }
}

function spend(code: string, after_s = 0) {
  return begin(house.db, (tx) => acceptCode(tx, later(after_s), { user, code, sealing_keys }))
}

/** The code of an app at this number of seconds after noon. */
function codeAt(secret: string, after_s: number): string {
  return generateSync({ secret, epoch: later(after_s).getTime() / 1_000 })
}

function later(after_s: number): Date {
  return new Date(now.getTime() + after_s * 1_000)
}

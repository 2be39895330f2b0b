import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser, setPassword } from '../../../src/core/access/organizations.ts'
import {
  countAttempt,
  findUserByPassword,
  hasPassword,
  newPassword,
  requirePassword,
  resetAttempts,
} from '../../../src/core/access/passwords.ts'
import { begin } from '../../../src/db/client.ts'
import { hashPassword } from '../../../src/lib/secrets.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

const PASSWORD = 'correct horse battery'
const now = new Date('2030-01-15T12:00:00Z')

let house: TestApp
let user: number

beforeAll(async () => {
  house = await buildTestApp()
  const password_hash = await hashPassword(PASSWORD)
  user = await begin(house.db, async (tx) => {
    const { id } = await createUser(tx, now, { name: 'Ann', email: 'ann@shop.example' })
    await setPassword(tx, id, password_hash)
    return id
  })
})
afterAll(() => house.close())

describe('a password', () => {
  it('finds its user, with the address in upper or lower case', async () => {
    expect(await findUserByPassword(house.db, ' ANN@shop.example ', PASSWORD)).toEqual({
      id: user,
      name: 'Ann',
      email: 'ann@shop.example',
      created: now,
      second_factor: false,
    })
  })

  it('finds no user if it is wrong, or if the user has no password', async () => {
    expect(await findUserByPassword(house.db, 'ann@shop.example', 'Correct horse battery')).toBeUndefined()
    expect(await findUserByPassword(house.db, 'nobody@shop.example', PASSWORD)).toBeUndefined()
    const email = 'invited@shop.example'
    const invited = await begin(house.db, (tx) => createUser(tx, now, { name: 'Ida', email }))
    expect(await hasPassword(house.db, invited.id)).toBe(false)
    expect(await findUserByPassword(house.db, email, '')).toBeUndefined()
  })

  it('can be checked again before an important action', async () => {
    expect(await hasPassword(house.db, user)).toBe(true)
    await requirePassword(house.db, user, PASSWORD)
    await expect(requirePassword(house.db, user, 'wrong', 'current_password')).rejects.toMatchObject({
      fields: { current_password: ['This is not your password.'] },
    })
  })

  it('needs at least eight characters of any kind, and may be long', () => {
    expect(newPassword.safeParse('sieben7').success).toBe(false)
    expect(newPassword.safeParse('        ').success).toBe(true)
    expect(newPassword.safeParse('ä'.repeat(200)).success).toBe(true)
    expect(newPassword.safeParse('a'.repeat(201)).success).toBe(false)
  })
})

describe('trying a password', () => {
  it('is free five times, then the wait doubles up to five minutes', async () => {
    const account = 'password slow@shop.example'
    for (let count = 1; count <= 5; count += 1) expect(await attempt(account, 0)).toBe(0)
    let at_s = 0
    for (const wait_s of [15, 30, 60, 120, 240, 300, 300]) {
      expect(await attempt(account, at_s)).toBe(wait_s)
      expect(await attempt(account, at_s + wait_s - 1)).toBe(1)
      at_s += wait_s
      expect(await attempt(account, at_s)).toBe(0)
    }
  })

  it('permits five of a hundred attempts at the same time', async () => {
    const tries = await Promise.all(Array.from({ length: 100 }, () => attempt('password flood@shop.example', 0)))
    expect(tries.filter((wait_s) => wait_s === 0)).toHaveLength(5)
  })

  it('starts again after a success, and after a day', async () => {
    const account = 'password happy@shop.example'
    for (let count = 1; count <= 6; count += 1) await attempt(account, 0)
    expect(await attempt(account, 1)).toBeGreaterThan(0)
    await begin(house.db, (tx) => resetAttempts(tx, account))
    for (let count = 1; count <= 5; count += 1) expect(await attempt(account, 1)).toBe(0)
    for (let count = 1; count <= 5; count += 1) expect(await attempt(account, 86_402)).toBe(0)
    expect(await attempt(account, 86_402)).toBe(15)
  })

  it('at one account does not block another account', async () => {
    for (let count = 1; count <= 6; count += 1) await attempt('password one@shop.example', 0)
    expect(await attempt('password other@shop.example', 0)).toBe(0)
  })
})

/** @returns the seconds to wait; 0 if the attempt is permitted. */
function attempt(account: string, after_s: number): Promise<number> {
  return begin(house.db, (tx) => countAttempt(tx, new Date(now.getTime() + after_s * 1_000), account))
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser, setPassword } from '../../../src/core/access/organizations.ts'
import { findUserByPassword, hasPassword, newPassword, requirePassword } from '../../../src/core/access/passwords.ts'
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

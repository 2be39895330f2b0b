import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allPermissions } from '../../../src/core/access/api-keys.ts'
import {
  createOrganization,
  createUser,
  findUser,
  getOrganization,
  listMembers,
  listOrganizations,
  requireOwned,
  setMembership,
} from '../../../src/core/access/organizations.ts'
import { Forbidden, Invalid, NotFound } from '../../../src/core/refusals.ts'
import { begin } from '../../../src/db/client.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

let house: TestApp

beforeAll(async () => {
  house = await buildTestApp()
})
afterAll(() => house.close())

describe('an organization', () => {
  it('has its own system user, who has all permissions and is not a person', async () => {
    const made = await create('Kampala Books')
    expect(await getOrganization(house.db, made.id)).toEqual(made)
    const [system] = await house.db`select * from users where id = ${made.service_user}`
    expect(system).toMatchObject({ kind: 'system', name: 'Kampala Books (system)', email: null, password_hash: null })
    expect(await listMembers(house.db, made.id)).toEqual([])
    expect((await listOrganizations(house.db)).map((one) => one.name)).toEqual(['Demo Shop', 'Kampala Books'])
  })

  it('needs a name', async () => {
    await expect(create('  ')).rejects.toThrow(Invalid)
    await expect(getOrganization(house.db, 999_999)).rejects.toThrow(NotFound)
  })

  it('has members with exactly the last permissions that were set', async () => {
    const made = await create('Members')
    const user = await newUser('grace@example.com')
    const set = (permissions: typeof allPermissions) =>
      begin(house.db, (tx) =>
        setMembership(tx, house.clock.now(), { organization: made.id, user: user.id, permissions }),
      )
    await set(allPermissions)
    await set(['view'])
    expect(await listMembers(house.db, made.id)).toEqual([
      { ...user, organization: made.id, permissions: ['view'], approves_from: null, last_sign_in: null },
    ])
  })
})

describe('a person', () => {
  it('is found by e-mail address in upper or lower case', async () => {
    const user = await newUser(' Amina@Example.com ')
    expect(user.email).toBe('amina@example.com')
    expect(await findUser(house.db, 'AMINA@example.com')).toEqual(user)
    expect(await findUser(house.db, 'nobody@example.com')).toBeUndefined()
  })

  it('needs a valid e-mail address that no other person has', async () => {
    await newUser('taken@example.com')
    await expect(newUser('Taken@example.com')).rejects.toThrow('There is already a user with this e-mail.')
    for (const wrong of ['', 'x', 'x@y', '@example.com', 'a b@example.com'])
      await expect(newUser(wrong)).rejects.toThrow('Enter a valid email address.')
  })
})

describe('the owner of an object', () => {
  it('is checked: a missing object gives 404, an object of another organization gives 403', () => {
    const object = { organization: 1 }
    expect(requireOwned(1, object)).toBe(object)
    expect(() => requireOwned(2, object)).toThrow(Forbidden)
    expect(() => requireOwned(1, undefined)).toThrow(NotFound)
  })
})

function create(name: string) {
  return begin(house.db, (tx) => createOrganization(tx, house.clock.now(), name))
}

function newUser(email: string) {
  return begin(house.db, (tx) => createUser(tx, house.clock.now(), { name: 'Somebody', email }))
}

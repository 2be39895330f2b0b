import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  allPermissions,
  createKey,
  findCaller,
  hashKey,
  keyExists,
  listKeys,
  type NewApiKey,
  type Permission,
  requirePermission,
  revokeKey,
} from '../../../src/core/access/api-keys.ts'
import { createOrganization, createUser, setMembership } from '../../../src/core/access/organizations.ts'
import { Forbidden, Invalid, NotFound } from '../../../src/core/refusals.ts'
import { begin } from '../../../src/db/client.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

let testApp: TestApp
let user: number

beforeAll(async () => {
  testApp = await buildTestApp()
  user = await begin(testApp.db, async (tx) => {
    const made = await createUser(tx, testApp.clock.now(), { name: 'Cashier', email: 'cashier@demo.example' })
    const permissions: Permission[] = ['view', 'initiate_collections']
    await setMembership(tx, testApp.clock.now(), { organization: testApp.organization, user: made.id, permissions })
    return made.id
  })
})
afterAll(() => testApp.close())

describe('the number of keys', () => {
  it('has a limit for those of one organization that are active, also when they are made at once', async () => {
    const now = testApp.clock.now()
    const organization = await begin(testApp.db, async (tx) => {
      const made = await createOrganization(tx, now, 'Two Keys')
      await setMembership(tx, now, { organization: made.id, user, permissions: ['view'] })
      return made.id
    })
    const create = () =>
      begin(testApp.db, (tx) => createKey(tx, now, { organization, user, name: 'till', max_keys: 2 }))
    const results = await Promise.allSettled([create(), create(), create(), create()])
    const made = results.flatMap((result) => (result.status === 'fulfilled' ? result.value.row : []))
    expect(made).toHaveLength(2)
    await expect(create()).rejects.toEqual(
      new Invalid({ non_field_errors: ['An organization may have at most 2 active API keys. Revoke one first.'] }),
    )
    await begin(testApp.db, (tx) => revokeKey(tx, now, made[0]!.id))
    expect((await create()).row.name).toBe('till')
  })
})

describe('an API key', () => {
  it('is shown once, and cannot be recovered from what is stored', async () => {
    const { key, row } = await make()
    expect(key).toMatch(/^ksy_[A-Za-z0-9_-]{32}$/)
    expect(row).toMatchObject({
      prefix: key.slice(0, 8),
      last_four: key.slice(-4),
      revoked: null,
      created: testApp.clock.now(),
    })
    const [stored] = await testApp.db`select * from api_keys where id = ${row.id}`
    expect(stored!.hash).toEqual(hashKey(key))
    expect(JSON.stringify(stored)).not.toContain(key.slice(8, -4))
  })

  it('has the permissions of its user', async () => {
    const { key, row } = await make()
    expect(await findCaller(testApp.db, testApp.clock.now(), key)).toEqual({
      key: row.id,
      organization: testApp.organization,
      time_zone: 'Africa/Kampala',
      user,
      permissions: new Set(['view', 'initiate_collections']),
      read_only: false,
      reads_per_minute: null,
      writes_per_minute: null,
      expires: null,
    })
  })

  it('can have fewer permissions than its user, never more', async () => {
    const { key } = await make({ permissions: ['view', 'pay_bills'] })
    expect((await find(key))!.permissions).toEqual(new Set(['view']))
  })

  it('loses a permission at the same time as its user', async () => {
    const { key } = await make()
    const change = (permissions: readonly Permission[]) =>
      begin(testApp.db, (tx) =>
        setMembership(tx, testApp.clock.now(), { organization: testApp.organization, user, permissions }),
      )
    await change(['view'])
    expect((await find(key))!.permissions).toEqual(new Set(['view']))
    await change(['view', 'initiate_collections'])
  })

  it('can be read-only and have its own rate limits', async () => {
    const { key } = await make({ read_only: true, reads_per_minute: 600, writes_per_minute: 1 })
    expect(await find(key)).toMatchObject({ read_only: true, reads_per_minute: 600, writes_per_minute: 1 })
  })

  it('ends when it expires', async () => {
    const expires = new Date(testApp.clock.now().getTime() + 60_000)
    const { key } = await make({ expires })
    expect(await find(key)).toBeDefined()
    expect(await findCaller(testApp.db, expires, key)).toBeUndefined()
    await expect(make({ expires: testApp.clock.now() })).rejects.toThrow(Invalid)
  })

  it('ends permanently when it is revoked, and keeps the time of the revocation', async () => {
    const { key, row } = await make()
    const revoke = () => begin(testApp.db, (tx) => revokeKey(tx, testApp.clock.now(), row.id))
    const { revoked } = await revoke()
    expect(revoked).toEqual(testApp.clock.now())
    expect(await find(key)).toBeUndefined()
    testApp.clock.advance(60)
    expect((await revoke()).revoked).toEqual(revoked)
    expect(await keyExists(testApp.db, key)).toBe(true)
    await expect(begin(testApp.db, (tx) => revokeKey(tx, testApp.clock.now(), 999_999))).rejects.toThrow(NotFound)
  })

  it('is refused for a user who is not a member', async () => {
    const stranger = await begin(testApp.db, (tx) =>
      createUser(tx, testApp.clock.now(), { name: 'Stranger', email: 'stranger@example.com' }),
    )
    await expect(make({ user: stranger.id })).rejects.toThrow('This user is not a member of the organization.')
    const other = await begin(testApp.db, (tx) => createOrganization(tx, testApp.clock.now(), 'Other'))
    await expect(make({ organization: other.id })).rejects.toThrow(Invalid)
  })

  it('is found only by the exact key', async () => {
    const { key } = await make()
    for (const wrong of ['', key.slice(0, -1), `${key} `, key.toUpperCase(), "' or true --"])
      expect(await find(wrong)).toBeUndefined()
  })

  it('appears in the list of its organization, newest first', async () => {
    const { row } = await make({ name: 'newest' })
    const keys = await listKeys(testApp.db, testApp.organization)
    expect(keys[0]).toEqual(row)
    expect(keys.map((one) => one.id)).toEqual(keys.map((one) => one.id).sort((a, b) => b - a))
  })
})

describe('a permission', () => {
  it('is checked by its code', async () => {
    const caller = (await find((await make()).key))!
    expect(() => requirePermission(caller, 'view')).not.toThrow()
    for (const missing of allPermissions.filter((one) => !caller.permissions.has(one)))
      expect(() => requirePermission(caller, missing)).toThrow(Forbidden)
  })
})

function make(changes: Partial<NewApiKey> = {}) {
  return begin(testApp.db, (tx) =>
    createKey(tx, testApp.clock.now(), { organization: testApp.organization, user, name: 'test', ...changes }),
  )
}

function find(key: string) {
  return findCaller(testApp.db, testApp.clock.now(), key)
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { standardRoles } from '../../src/core/access/roles.ts'
import { PASSWORD } from '../password.ts'
import { createApiClient, eventually } from '../test-app.ts'
import { openBrowser } from './browser.ts'
import { addPerson, openShop, type Shop } from './shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.testApp.close())

const find = async (id: number) =>
  (await shop.owner.get('/keys?limit=100')).body.results.find((key: { id: number }) => key.id === id)

describe('an API key', () => {
  it('is shown once, works, and is refused once it is revoked', async () => {
    const created = await shop.owner.post('/keys', { password: PASSWORD, name: 'webshop' })
    expect(created.status).toBe(201)
    const { id, key } = created.body
    expect(await find(id)).toMatchObject({ name: 'webshop', state: 'active', last_used: null, user_name: 'Demo Owner' })
    expect(JSON.stringify(await find(id))).not.toContain(key)
    const api = createApiClient(shop.url, key)
    expect((await api.get('/api/collectionrequests')).status).toBe(200)
    await eventually('last_used to be set', async () => (await find(id)).last_used ?? undefined)
    expect((await shop.owner.post(`/keys/${id}/revoke`)).status).toBe(204)
    expect((await find(id)).state).toBe('revoked')
    await eventually('the key to be refused', async () =>
      (await api.get('/api/currencies')).status === 401 ? true : undefined,
    )
    expect(await shop.audit()).toEqual(['create key', 'revoke key'])
  })

  it('can be limited to reading, to permissions, in time and in requests per minute', async () => {
    const input = {
      name: 'reports',
      read_only: true,
      permissions: ['view', 'initiate_collections'],
      expires: '2030-02-01',
      reads_per_minute: '30',
    }
    const { id, key } = (await shop.owner.post('/keys', { password: PASSWORD, ...input })).body
    expect(await find(id)).toMatchObject({
      read_only: true,
      permissions: ['view', 'initiate_collections'],
      expires: '2030-01-31T21:00:00Z',
      reads_per_minute: 30,
      writes_per_minute: null,
    })
    const request = { phonenumber: '+80000000003', amount: '5', currency: 'BXC' }
    expect((await createApiClient(shop.url, key).post('/api/collectionrequests', request)).status).toBe(403)
    expect((await createApiClient(shop.url, key).get('/api/webhooks')).status).toBe(403)
  })

  it("has no limit above its organization's, which only the operator can raise", async () => {
    const { READS_PER_MINUTE, WRITES_PER_MINUTE } = shop.testApp.app.config
    shop.testApp.app.config.READS_PER_MINUTE = 30
    shop.testApp.app.config.WRITES_PER_MINUTE = 3000
    const refused = await shop.owner.post('/keys', {
      password: PASSWORD,
      name: 'all',
      reads_per_minute: 301,
      writes_per_minute: 30_001,
    })
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        reads_per_minute: ['Ensure this value is less than or equal to 300.'],
        writes_per_minute: ['Ensure this value is less than or equal to 30000.'],
      },
    ])
    expect((await shop.owner.post('/keys', { password: PASSWORD, name: 'all', reads_per_minute: 300 })).status).toBe(
      201,
    )
    Object.assign(shop.testApp.app.config, { READS_PER_MINUTE, WRITES_PER_MINUTE })
  })

  it('reports errors at their fields', async () => {
    expect(
      (await shop.owner.post('/keys', { password: PASSWORD, name: ' ', expires: 'soon', reads_per_minute: '0' })).body,
    ).toEqual({
      name: ['This field may not be blank.'],
      expires: [expect.stringContaining('date/time')],
      reads_per_minute: ['Ensure this value is greater than or equal to 1.'],
    })
    expect((await shop.owner.post('/keys', { password: PASSWORD, name: 'late', expires: '2029-01-01' })).body).toEqual({
      expires: ['The expiry must be in the future.'],
    })
  })

  it('is created only for a user who confirms who that is', async () => {
    const { count } = (await shop.owner.get('/keys')).body
    for (const confirmation of [
      { password: undefined },
      { password: PASSWORD, code: '123456' },
      { password: 'wrong' },
      { code: '123456' },
    ]) {
      const refused = await shop.owner.post('/keys', { name: 'of a thief', ...confirmation })
      expect(refused.status, JSON.stringify(confirmation)).toBe(400)
    }
    expect((await shop.owner.get('/keys')).body.count).toBe(count)
  })

  it('cannot have more permissions than its user', async () => {
    const { testApp } = shop
    const permissions = ['view', 'manage_organization'] as const
    await addPerson(testApp, { email: 'clerk@shop.example', organization: testApp.organization, permissions })
    const clerk = openBrowser(shop.url)
    await clerk.signIn('clerk@shop.example', PASSWORD)
    expect(
      (await clerk.post('/keys', { password: PASSWORD, name: 'till', permissions: ['initiate_payments'] })).status,
    ).toBe(400)
    const { key } = (await clerk.post('/keys', { password: PASSWORD, name: 'till' })).body
    const payment = { phonenumber: '+80000000003', amount: '5', currency: 'BXC', description: 'Wages' }
    expect((await createApiClient(shop.url, key).post('/api/payments', payment)).status).toBe(403)
  })

  it('is created and revoked by a developer, who manages webhooks but no users, settings and keys of others', async () => {
    const { testApp } = shop
    const email = 'dev@shop.example'
    await addPerson(testApp, { email, organization: testApp.organization, permissions: standardRoles.developer })
    const developer = openBrowser(shop.url)
    await developer.signIn(email, PASSWORD)
    const { id } = (await developer.post('/keys', { password: PASSWORD, name: 'integration' })).body
    const others = (await shop.owner.post('/keys', { password: PASSWORD, name: 'ours' })).body
    expect((await developer.post(`/keys/${others.id}/revoke`)).status).toBe(403)
    expect((await developer.post(`/keys/${id}/revoke`)).status).toBe(204)
    for (const path of ['/keys', '/webhooks/deliveries']) expect((await developer.get(path)).status).toBe(200)
    for (const path of ['/users', '/roles', '/settings', '/audit']) expect((await developer.get(path)).status).toBe(403)
  })

  it('needs the permission, and belongs to its organization', async () => {
    const { id } = (await shop.owner.post('/keys', { password: PASSWORD, name: 'ours' })).body
    expect((await shop.viewer.get('/keys')).status).toBe(403)
    expect((await shop.viewer.post('/keys', { password: PASSWORD, name: 'mine' })).status).toBe(403)
    expect((await shop.viewer.post(`/keys/${id}/revoke`)).status).toBe(403)
    expect((await shop.otherOwner.get('/keys')).body.count).toBe(0)
    expect((await shop.otherOwner.post(`/keys/${id}/revoke`)).status).toBe(403)
    expect((await shop.owner.post('/keys/999999/revoke')).status).toBe(404)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { revokeKey } from '../../src/core/access/api-keys.ts'
import { begin } from '../../src/db/client.ts'
import { createApiClient, eventually } from '../test-app.ts'
import { callRaw, openTestService, REQUIRED_FIELDS, type TestService } from './test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ jobs: false })
})
afterAll(() => service.close())

const get = (authorization: string | undefined, path = '/api/currencies') =>
  callRaw(service.url, 'GET', path, { headers: authorization === undefined ? {} : { authorization } })

describe('interface 5: authentication', () => {
  it('1. "Core requests carry the header Authorization: Token <API_KEY>"', async () => {
    for (const scheme of ['Token', 'token', 'TOKEN', 'Bearer', 'bearer'])
      expect((await get(`${scheme} ${service.key}`)).status).toBe(200)
  })

  it('1. "A wrong token yields 401", and so does an invalid header', async () => {
    for (const wrong of [
      'Token wrong',
      `Token ${service.key}x`,
      `Token ${service.key.slice(0, -1)}`,
      'Bearer wrong',
      `Bearer ${service.key}x`,
      `Bearer Token ${service.key}`,
      `Token Bearer ${service.key}`,
      `Bearer${service.key}`,
      'Bearer',
      service.key,
      'Token',
      'Basic eDp5',
      `Token ${service.key} x`,
    ]) {
      const { status, body, headers } = await get(wrong)
      expect([wrong, status, body]).toEqual([wrong, 401, { detail: 'Invalid token.' }])
      expect(headers['www-authenticate']).toBe('Token')
    }
  })

  it('the key may be a bearer token, also for streams and writes', async () => {
    const headers = { authorization: `Bearer ${service.key}` }
    const write = await callRaw(service.url, 'POST', '/api/collectionrequests', {
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(REQUIRED_FIELDS),
    })
    expect(write.status).toBe(201)
    const bill = await get(headers.authorization, '/api/gateway/superagent/account/balance')
    expect([bill.status, bill.body]).toMatchObject([200, { status: 'success' }])
    const stream = await fetch(`${service.url}/api/events/stream`, { headers })
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    await stream.body!.cancel()
    expect((await get('Bearer wrong', '/api/events/stream')).status).toBe(401)
  })

  it('names missing credentials in the response', async () => {
    for (const none of [undefined, '', '  ']) {
      const { status, body, headers } = await get(none)
      expect([status, body]).toEqual([401, { detail: 'Authentication credentials were not provided.' }])
      expect(headers['www-authenticate']).toBe('Token')
    }
  })

  it('refuses a revoked or expired key as a wrong one', async () => {
    const key = await service.newKey({ expires: new Date(service.testApp.clock.now().getTime() + 60_000) })
    const api = createApiClient(service.url, key)
    expect((await api.get('/api/currencies')).status).toBe(200)
    service.testApp.clock.advance(60)
    expect(await api.get('/api/currencies')).toMatchObject({ status: 401, body: { detail: 'Invalid token.' } })

    const other = await service.newKey()
    expect((await createApiClient(service.url, other).get('/api/currencies')).status).toBe(200)
    const [row] = await service.testApp.db<{ id: number }[]>`select max(id) as id from api_keys`
    await begin(service.testApp.db, (tx) => revokeKey(tx, service.testApp.clock.now(), row!.id))
    await eventually('the key to be refused', async () =>
      (await createApiClient(service.url, other).get('/api/currencies')).status === 401 ? true : undefined,
    )
  })

  it('4. a key has at most the permissions of its user', async () => {
    const viewer = createApiClient(service.url, await service.newKey({ permissions: ['view'] }))
    expect((await viewer.get('/api/collectionrequests')).status).toBe(200)
    const refused = await viewer.post('/api/collectionrequests', REQUIRED_FIELDS)
    expect([refused.status, refused.body]).toEqual([
      403,
      { detail: 'You do not have permission to perform this action.' },
    ])
    const maker = createApiClient(service.url, await service.newKey({ permissions: ['initiate_collections'] }))
    expect((await maker.post('/api/collectionrequests', REQUIRED_FIELDS)).status).toBe(201)
    expect((await maker.get('/api/collectionrequests')).status).toBe(403)
  })

  it('4. a read-only key can read and cannot write', async () => {
    const reader = createApiClient(service.url, await service.newKey({ read_only: true }))
    expect((await reader.get('/api/events')).status).toBe(200)
    expect((await reader.post('/api/collectionrequests', REQUIRED_FIELDS)).status).toBe(403)
  })

  it('5. "A resource belonging to another user or organization yields 403"', async () => {
    const { id } = await service.createRequest()
    const { status, body } = await service.otherShop.get(`/api/collectionrequests/${id}`)
    expect([status, body]).toEqual([403, { detail: 'You do not have permission to perform this action.' }])
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { App } from '../../src/app.ts'
import { buildServer } from '../../src/cli/service/serve.ts'
import { allPermissions, createKey } from '../../src/core/access/api-keys.ts'
import { createOrganization, createUser, setMembership } from '../../src/core/access/organizations.ts'
import { begin } from '../../src/db/client.ts'
import { buildTestApp, createApiClient, type TestApp } from '../test-app.ts'

const TARGET = 'https://shop.example/notifications'

let testApp: TestApp
let url: string
let api: ReturnType<typeof createApiClient>

beforeAll(async () => {
  testApp = await buildTestApp()
  url = (await testApp.startService({ jobs: false })).url
  api = createApiClient(url, testApp.api_key)
})
beforeEach(async () => {
  await testApp.db`delete from webhook_types`
  await testApp.db`delete from webhooks`
})
afterAll(() => testApp.close())

/** Create a user with an API key, in the demo organization or in a new one. */
async function createMember(options: { permissions?: typeof allPermissions; in_other_organization?: boolean } = {}) {
  const now = testApp.clock.now()
  return begin(testApp.db, async (tx) => {
    const organization = options.in_other_organization
      ? (await createOrganization(tx, now, 'Other Shop')).id
      : testApp.organization
    const user = await createUser(tx, now, { name: 'Ann', email: `ann-${Math.random()}@shop.example` })
    const permissions = options.permissions ?? allPermissions
    await setMembership(tx, now, { organization, user: user.id, permissions })
    const { key } = await createKey(tx, now, { organization, user: user.id, name: 'test' })
    return { user: user.id, api: createApiClient(url, key) }
  })
}

describe('creating a webhook', () => {
  it('answers 201 with every field of the interface and no other', async () => {
    const response = await api.post('/api/webhooks', { event: 'collection.received', target: TARGET })
    expect(response.status).toBe(201)
    expect(response.body).toEqual({
      id: expect.any(Number),
      user: expect.any(Number),
      event: 'collection.received',
      created: '2030-01-15T12:00:00Z',
      updated: '2030-01-15T12:00:00Z',
      target: TARGET,
    })
    expect((await api.get(`/api/webhooks/${response.body.id}`)).body).toEqual(response.body)
  })

  it.each(['payment.status.changed', 'collection.received', 'contact.created', 'collectionrequest.status.changed'])(
    'is possible for %s',
    async (event) => {
      expect((await api.post('/api/webhooks', { event, target: TARGET })).status).toBe(201)
    },
  )

  it('accepts a form body', async () => {
    const form = new URLSearchParams({ event: 'contact.created', target: `${TARGET}?a=1&b=2` })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const response = await api.post('/api/webhooks', form.toString(), headers)
    expect(response).toMatchObject({ status: 201, body: { event: 'contact.created', target: `${TARGET}?a=1&b=2` } })
  })

  it.each([
    'https://site.example?ipn=1',
    'https://site.example',
    'https://127.0.0.1:8443/x',
    'HTTPS://SITE.example/',
    'https://localhost:8443/?skip-cert-verify',
  ])('keeps the target unchanged: %s', async (target) => {
    const response = await api.post('/api/webhooks', { event: 'contact.created', target })
    expect(response).toMatchObject({ status: 201, body: { target } })
  })

  it('is possible twice for the same event and target', async () => {
    for (let count = 0; count < 2; count += 1)
      expect((await api.post('/api/webhooks', { event: 'contact.created', target: TARGET })).status).toBe(201)
    expect((await api.get('/api/webhooks')).body.count).toBe(2)
  })

  it.each([
    'http://shop.example/',
    'ftp://shop.example/',
    'shop.example',
    'https://',
    'https:shop.example',
    'https://ann:secret@shop.example/',
    'https://ann@shop.example/',
    'https://shop.example/a b',
    `https://shop.example/${'x'.repeat(2_000)}`,
  ])('is refused for the target %s', async (target) => {
    const { status, body } = await api.post('/api/webhooks', { event: 'contact.created', target })
    expect({ status, body }).toEqual({ status: 400, body: { target: [expect.stringMatching(/\.$/)] } })
  })

  it('names all invalid fields', async () => {
    expect((await api.post('/api/webhooks', {})).body).toEqual({
      event: ['This field is required.'],
      target: ['This field is required.'],
    })
    expect((await api.post('/api/webhooks', { event: '', target: '' })).body).toEqual({
      event: ['This field may not be blank.'],
      target: ['This field may not be blank.'],
    })
    expect((await api.post('/api/webhooks', { event: null, target: null })).body).toEqual({
      event: ['This field may not be null.'],
      target: ['This field may not be null.'],
    })
  })

  it.each(['x', 'billpayment.status.changed', '*'])('is refused for the event %s', async (event) => {
    const { status, body } = await api.post('/api/webhooks', { event, target: TARGET })
    expect({ status, body }).toEqual({
      status: 400,
      body: { event: [expect.stringContaining(`"${event}" is not a valid choice.`)] },
    })
  })

  it('is refused with a used Duplicate-Check-Key, and the response names the first webhook', async () => {
    const send = () =>
      api.post('/api/webhooks', { event: 'contact.created', target: TARGET }, { 'duplicate-check-key': 'one' })
    const refused = await api.post('/api/webhooks', { event: 'contact.created' }, { 'duplicate-check-key': 'one' })
    expect(refused.status).toBe(400)
    const answers = await Promise.all(Array.from({ length: 5 }, send))
    const accepted = answers.filter((answer) => answer.status === 201)
    expect(accepted).toHaveLength(1)
    for (const { status, body } of answers.filter((answer) => answer !== accepted[0])) {
      expect(status).toBe(409)
      expect(body).toMatchObject({ type: 'webhook', id: accepted[0]!.body.id })
      expect(body.detail).toContain('Duplicate Request Detected!')
    }
    testApp.clock.advance(24 * 60 * 60)
    expect((await send()).status).toBe(201)
  })
})

describe('the list of webhooks', () => {
  it('is newest first, in pages, and can be sorted the other way', async () => {
    const ids: number[] = []
    for (const path of ['a', 'b', 'c'])
      ids.push((await api.post('/api/webhooks', { event: 'contact.created', target: `${TARGET}/${path}` })).body.id)
    const { body } = await api.get('/api/webhooks?limit=2')
    expect(body).toMatchObject({ count: 3, previous: null })
    expect(body.results.map((one: { id: number }) => one.id)).toEqual([ids[2], ids[1]])
    expect(body.next).toBe(`${url}/api/webhooks?limit=2&offset=2`)
    const turned = await api.get('/api/webhooks?ordering=modified')
    expect(turned.body.results.map((one: { id: number }) => one.id)).toEqual(ids)
    expect((await api.get('/api/webhooks?ordering=target')).status).toBe(400)
  })

  it('has exact filters by user and event', async () => {
    const other = await createMember()
    await other.api.post('/api/webhooks', { event: 'contact.created', target: TARGET })
    const mine = (await api.post('/api/webhooks', { event: 'collection.received', target: TARGET })).body
    const found = async (query: string) =>
      (await api.get(`/api/webhooks?${query}`)).body.results.map((one: { user: number }) => one.user)
    expect(await found('')).toEqual([mine.user, other.user])
    expect(await found(`user=${other.user}`)).toEqual([other.user])
    expect(await found('event=collection.received')).toEqual([mine.user])
    expect(await found(`event=contact.created&user=${mine.user}`)).toEqual([])
    expect(await found('event=collection')).toEqual([])
    expect(await found('user=999999')).toEqual([])
    const { status, body } = await api.get('/api/webhooks?user=ann')
    expect({ status, body }).toEqual({ status: 400, body: { user: ['A valid integer is required.'] } })
  })

  it('does not contain webhooks of other organizations, which answer 403', async () => {
    const outsider = await createMember({ in_other_organization: true })
    const other_webhook = (await outsider.api.post('/api/webhooks', { event: 'contact.created', target: TARGET })).body
    expect((await api.get('/api/webhooks')).body.count).toBe(0)
    expect(await api.get(`/api/webhooks/${other_webhook.id}`)).toMatchObject({
      status: 403,
      body: { detail: 'You do not have permission to perform this action.' },
    })
    expect(await api.get('/api/webhooks/999999999')).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
  })

  it('does not contain deleted webhooks', async () => {
    const { id } = (await api.post('/api/webhooks', { event: 'contact.created', target: TARGET })).body
    await testApp.db`update webhooks set deleted = now()`
    expect((await api.get('/api/webhooks')).body.count).toBe(0)
    expect((await api.get(`/api/webhooks/${id}`)).status).toBe(404)
  })
})

describe('permissions of webhooks:', () => {
  it('a caller without "Manage Users and Organization Settings" gets 403 everywhere', async () => {
    const permissions = allPermissions.filter((one) => one !== 'manage_organization')
    const clerk = await createMember({ permissions })
    const answers = [
      await clerk.api.get('/api/webhooks'),
      await clerk.api.get('/api/webhooks/1'),
      await clerk.api.post('/api/webhooks', { event: 'contact.created', target: TARGET }),
    ]
    for (const { status, body } of answers)
      expect({ status, body }).toEqual({
        status: 403,
        body: { detail: 'You do not have permission to perform this action.' },
      })
  })

  it('no caller can change or delete one here', async () => {
    const { id } = (await api.post('/api/webhooks', { event: 'contact.created', target: TARGET })).body
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const answer = await api.send(method, `/api/webhooks/${id}`)
      expect(answer).toMatchObject({ status: 405, body: { detail: `Method "${method}" not allowed.` } })
      expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
      expect((await api.send(method, '/api/webhooks')).headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS')
    }
    expect((await api.get(`/api/webhooks/${id}`)).status).toBe(200)
  })
})

describe('other settings:', () => {
  /** A service on the same database with other settings. */
  async function under(settings: Partial<App['config']>, target: string, event = 'contact.created') {
    const server = await buildServer({ ...testApp.app, config: { ...testApp.app.config, ...settings } })
    const answer = await server.inject({
      method: 'POST',
      url: '/api/webhooks',
      headers: { authorization: `Token ${testApp.api_key}` },
      payload: { event, target },
    })
    await server.close()
    return { status: answer.statusCode, body: answer.json() }
  }

  it('live mode accepts only public addresses and the allowed networks', async () => {
    const live = { MODE: 'live' as const, WEBHOOK_ALLOWED_NETWORKS: '10.1.0.0/16' }
    for (const host of ['127.0.0.1', '10.2.0.1', '169.254.169.254', '[::1]', 'localhost'])
      expect(await under(live, `https://${host}/`)).toEqual({
        status: 400,
        body: { target: ['The host of this URL must have a public address.'] },
      })
    for (const host of ['8.8.8.8', '10.1.2.3']) expect((await under(live, `https://${host}/`)).status).toBe(201)
  })

  it('EXTRA_EVENT_TYPES adds the type for bill payments', async () => {
    expect((await under({ EXTRA_EVENT_TYPES: true }, TARGET, 'billpayment.status.changed')).status).toBe(201)
  })
})

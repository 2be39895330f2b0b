import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RawCallback } from '../../src/drivers/raw-callback.ts'
import { type FakeNetwork, fakeConnection } from '../connections/fake-connection.ts'
import { callRaw } from '../interface/test-service.ts'
import { buildTestApp, type TestApp } from '../test-app.ts'

/*
 * A network that signs nothing reports at an address that only it knows. What arrives there is unverified all the same.
 */

const SECRET = 'a1'.repeat(16)
const REFERENCE = '7d444840-9dc0-41d1-b245-5ffdce74fad2'

let testApp: TestApp
let url: string
/** Callbacks that the driver received. */
let received: RawCallback[]
let keys: 'fetched' | 'missing' | 'slow'

const unsigned: FakeNetwork = {
  code: 'unsigned',
  name: 'Unsigned Network',
  limits: { decimals: 0, min: 10_000n, max: 10n ** 12n },
  traits: { callbacks: 'unsigned' },
  connection: { callback_secret: SECRET },
  charge: async () => ({ outcome: 'accepted', remote_id: 'P1' }),
  readCallback(callback) {
    received.push(callback)
    if (callback.body === 'signed') return { subject: 'unrecognized', message: 'known', verified: keys === 'fetched' }
    const reference = callback.path.split('/')[1] ?? ''
    return { subject: 'order', order: { reference }, verified: false, answer: { outcome: 'unknown', message: '' } }
  },
  callbackReply: (callback) => ({ status: 202, content_type: 'application/json', body: `{"echo":"${callback.path}"}` }),
  prepareCallback: ({ body }) =>
    body === 'signed' && keys !== 'slow'
      ? Promise.resolve().then(() => {
          keys = 'fetched'
        })
      : undefined,
  readValidation: ({ path, body }) =>
    path === '/validation' ? { ...JSON.parse(body), amount: 70_000n, currency: 'BXC' } : undefined,
  answerValidation: (verdict) => ({ status: 200, content_type: 'application/json', body: `{"verdict":"${verdict}"}` }),
}

beforeAll(async () => {
  const driver_fields = { secret_fields: ['pin', 'x-token'] }
  const connection = fakeConnection(unsigned)
  const signed = fakeConnection({ ...unsigned, code: 'signed', traits: { callbacks: 'signed' } })
  testApp = await buildTestApp({
    overrides: { connections: [{ ...connection, driver: { ...connection.driver, ...driver_fields } }, signed] },
  })
  url = (await testApp.startService({ jobs: false })).url
})
beforeEach(async () => {
  received = []
  keys = 'missing'
  await testApp.db`delete from callbacks`
})
afterAll(() => testApp.close())

const send = (path: string, options: { method?: string; body?: string; headers?: Record<string, string> } = {}) => {
  const { method = 'POST', body = '{}', headers = {} } = options
  return callRaw(url, method, path, { body, headers: { 'content-type': 'application/json', ...headers } })
}
const stored = () => testApp.db<Record<string, unknown>[]>`select * from callbacks order by id`

describe('the callback address of a network that signs nothing', () => {
  it('needs the secret: with another or with none there is nothing', async () => {
    for (const path of ['unsigned', `unsigned/${'b2'.repeat(16)}`, `unsigned/${'b2'.repeat(16)}/x`, `other/${SECRET}`])
      expect((await send(`/api/callbacks/${path}`)).status).toBe(404)
    expect(received).toEqual([])
    expect(await stored()).toEqual([])
  })

  it('gives the driver the request as it came, and answers as the driver says', async () => {
    const path = `/${REFERENCE}/result`
    const answer = await send(`/api/callbacks/unsigned/${SECRET}${path}?attempt=2`, { method: 'PUT', body: '{"a":1}' })
    expect([answer.status, answer.body]).toEqual([202, { echo: path }])
    expect(received).toMatchObject([{ method: 'PUT', path, query: 'attempt=2', body: '{"a":1}', address: '127.0.0.1' }])
    expect(await stored()).toMatchObject([
      {
        connection: 'unsigned',
        network: 'unsigned',
        method: 'PUT',
        path,
        query: 'attempt=2',
        verified: false,
        state: 'waiting',
        subject: 'order',
        reference: REFERENCE,
      },
    ])
  })

  it('stores no value that the driver names as secret', async () => {
    await send(`/api/callbacks/unsigned/${SECRET}/x?PIN=1234&a=b`, {
      body: '{"data":{"pin":"1234","amount":"5"}}',
      headers: { 'x-token': 'token-1234' },
    })
    const [row] = await stored()
    expect(JSON.stringify(row)).not.toContain('1234')
    expect(row).toMatchObject({ query: 'PIN=%5Bredacted%5D&a=b', body: '{"data":{"pin":"[redacted]","amount":"5"}}' })
  })

  it('is not part of what is stored or logged about a callback', async () => {
    await send(`/api/callbacks/unsigned/${SECRET}/x`)
    expect(JSON.stringify(await stored())).not.toContain(SECRET)
  })

  it('has no budget that strangers could use up', async () => {
    await send(`/api/callbacks/unsigned/${SECRET}/x`)
    expect(await testApp.db`select from unverified_callback_counts`).toEqual([])
  })

  it('takes validation requests, too', async () => {
    const body = JSON.stringify({ remote_id: 'V1', receiver: 'nobody', phonenumber: '+80000000003', reference: null })
    const answer = await send(`/api/callbacks/unsigned/${SECRET}/validation`, { body })
    expect([answer.status, answer.body]).toEqual([200, { verdict: 'reject' }])
  })
})

describe('a callback whose verification needs keys of the network', () => {
  it('is read after they were fetched', async () => {
    await send('/api/callbacks/signed', { body: 'signed' })
    expect(await stored()).toMatchObject([{ verified: true }])
  })

  it('is stored as unverified when they cannot be fetched', async () => {
    keys = 'slow'
    await send('/api/callbacks/signed', { body: 'signed' })
    expect(await stored()).toMatchObject([{ verified: false }])
  })
})

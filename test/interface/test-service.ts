import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { expect } from 'vitest'
import { allPermissions, createKey, type NewApiKey } from '../../src/core/access/api-keys.ts'
import { createOrganization, createUser, setMembership } from '../../src/core/access/organizations.ts'
import { findLastCommittedEventId, readFeedPosition } from '../../src/core/events/events.ts'
import { createAccount, fundAccount } from '../../src/core/ledger/accounts.ts'
import { begin } from '../../src/db/client.ts'
import { parseAmount } from '../../src/lib/money.ts'
import { buildTestApp, createApiClient, eventually, type TestApp, type TestAppOptions } from '../test-app.ts'

export type Client = ReturnType<typeof createApiClient>

/** What an answer's JSON holds; the tests look into it field by field. */
export type Json = Record<string, unknown> & { id: number }

/** A running service with two organizations on it, met as a client meets it: by address and key. */
export interface TestService {
  testApp: TestApp
  url: string
  key: string
  /** The demo shop, with a key that may do everything. */
  shop: Client
  /** The user and the organization of that key. */
  user: number
  organization: number
  /** Another organization, with a funded BXC wallet of its own. */
  otherShop: Client & { key: string; organization: number; user: number; account: number }
  /** One more key of the demo shop. */
  newKey(options?: Partial<NewApiKey>): Promise<string>
  /** A collection request that is accepted, with these fields besides or instead. */
  createRequest(fields?: Record<string, unknown>): Promise<Json>
  /** Lets time pass for the service, and for the simulated world. */
  advance(seconds: number): void
  /** Lets time pass until a request has this status. It may pass over others, and a customer may act before the network's answer is kept. */
  advanceUntilStatus(id: number, status: string): Promise<Json>
  /** Waits until a request has this status while time stands still, so that nobody acts meanwhile and nothing expires. */
  waitForStatus(id: number, status: string): Promise<Json>
  /** Waits until the networks have said who all contacts are: their answers would come between two readings of one. */
  waitForContactLookups(): Promise<void>
  /** Waits until the feed tells of all that has happened: it holds an event back while an earlier one is being written. */
  waitForFeed(): Promise<void>
  close(): Promise<void>
}

/** The fields that a collection request must have, and no others. */
export const REQUIRED_FIELDS = { phonenumber: '+80000000003', amount: '1500', currency: 'BXC' }

export async function openTestService(options?: TestAppOptions & { jobs?: boolean }): Promise<TestService> {
  const testApp = await buildTestApp(options)
  const service = await testApp.startService({ jobs: options?.jobs ?? true })
  const shop = createApiClient(service.url, testApp.api_key)
  const [owner] = await testApp.db<{ id: number }[]>`select id from users where kind = 'person'`
  const user = owner!.id
  const pass = (seconds: number) => {
    testApp.clock.advance(seconds)
    testApp.app.wake()
  }
  return {
    testApp: testApp,
    url: service.url,
    key: testApp.api_key,
    shop,
    user,
    organization: testApp.organization,
    otherShop: await createOtherOrganization(testApp, service.url),
    newKey: async (changes = {}) => {
      const input = { organization: testApp.organization, user, name: 'another', ...changes }
      return (await begin(testApp.db, (tx) => createKey(tx, testApp.clock.now(), input))).key
    },
    async createRequest(fields = {}) {
      const { status, body } = await shop.post('/api/collectionrequests', { ...REQUIRED_FIELDS, ...fields })
      expect(body).toEqual(expect.objectContaining({ id: expect.any(Number) }))
      expect(status).toBe(201)
      return body
    },
    advance: pass,
    advanceUntilStatus: (id, status) => pollForStatus(shop, id, status, () => pass(1)),
    waitForStatus: (id, status) => pollForStatus(shop, id, status, () => {}),
    async waitForContactLookups() {
      await eventually('all contacts to be looked up', async () => {
        const due = await testApp.db`select 1 from contacts where due_at is not null`
        return due.length === 0 || undefined
      })
    },
    async waitForFeed() {
      const { newest } = await readFeedPosition(testApp.db)
      await eventually(
        'the feed to settle',
        async () => (await findLastCommittedEventId(testApp.db)) >= newest || undefined,
      )
    },
    close: () => testApp.close(),
  }
}

function pollForStatus(shop: Client, id: number, status: string, meanwhile: () => void): Promise<Json> {
  return eventually(`request ${id} to be ${status}`, async () => {
    const { body } = await shop.get(`/api/collectionrequests/${id}`)
    if (body.status === status) return body
    meanwhile()
  })
}

/** A second organization, so that there is somebody whom things do not belong to. */
async function createOtherOrganization(testApp: TestApp, url: string): Promise<TestService['otherShop']> {
  return begin(testApp.db, async (tx) => {
    const now = testApp.clock.now()
    const { id: organization } = await createOrganization(tx, now, 'Neighbour')
    const { id: user } = await createUser(tx, now, { name: 'Neighbour', email: 'owner@neighbour.example' })
    await setMembership(tx, now, { organization, user, permissions: allPermissions })
    const wallet = { organization, currency: 'BXC', kind: 'local' as const, name: 'wallet', author: user }
    const { id: account } = await createAccount(tx, now, wallet)
    await fundAccount(tx, now, { account, amount: parseAmount('1000')!, description: 'Funds', author: user })
    const { key } = await createKey(tx, now, { organization, user, name: 'neighbour' })
    return { ...createApiClient(url, key), key, organization, user, account }
  })
}

/** The types of an object's fields by name, to be compared as a whole, so that no field is missing or too much. */
export function fieldTypes(object: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value,
    ]),
  )
}

/** Longer than the bill counter waits for a biller. */
const RESPONSE_TIMEOUT_MS = 30_000

export interface RawResponse {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** The text as JSON; undefined where there is none. */
  body: Json
}

/**
 * Sends exactly these headers and bytes: nothing is added but Host and, unless they go in chunks, Content-Length; no
 * redirect is followed. A stream of events never ends by itself: the answer is what it says first, and then we leave.
 */
export function callRaw(
  url: string,
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: string } = {},
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const body = options.body ?? ''
    const in_chunks = options.headers?.['transfer-encoding'] !== undefined
    const length: Record<string, string> =
      body === '' || in_chunks ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const request = httpRequest({ hostname, port, method, path, headers: { ...length, ...options.headers } })
    request.on('error', reject).on('response', (response) => {
      const is_stream = response.headers['content-type'] === 'text/event-stream'
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
        if (is_stream) response.destroy()
      })
      response.on(is_stream ? 'close' : 'end', () => {
        const is_json = /json/.test(response.headers['content-type'] ?? '') && text !== ''
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          text,
          body: is_json ? JSON.parse(text) : undefined,
        })
      })
    })
    request.setTimeout(RESPONSE_TIMEOUT_MS, () => request.destroy(new Error(`${method} ${path} was not answered.`)))
    request.end(body)
  })
}

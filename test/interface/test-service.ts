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

/** The JSON of a response; the tests read its fields. */
export type Json = Record<string, unknown> & { id: number }

/** A running service with two organizations, used as a client uses it: by URL and API key. */
export interface TestService {
  testApp: TestApp
  url: string
  key: string
  /** A client of the demo organization, with a key that has all permissions. */
  shop: Client
  /** The user and the organization of that key. */
  user: number
  organization: number
  /** A client of a second organization, which has its own funded BXC wallet. */
  otherShop: Client & { key: string; organization: number; user: number; account: number }
  /** Create another key of the demo organization. */
  newKey(options?: Partial<NewApiKey>): Promise<string>
  /** Create a collection request with these additional or changed fields. */
  createRequest(fields?: Record<string, unknown>): Promise<Json>
  /** Advance the clock of the service and of the simulator. */
  advance(seconds: number): void
  /**
   * Advance the clock until a request has this status. Other statuses may come between, and a customer may act before
   * the answer of the network is stored.
   */
  advanceUntilStatus(id: number, status: string): Promise<Json>
  /**
   * Wait until a request has this status while the clock stands still, so that no customer acts and nothing expires.
   */
  waitForStatus(id: number, status: string): Promise<Json>
  /** Wait until all contacts are looked up at their networks. A look-up would change a contact between two reads. */
  waitForContactLookups(): Promise<void>
  /** Wait until the feed contains all events: it holds an event back while an earlier one is not committed. */
  waitForFeed(): Promise<void>
  close(): Promise<void>
}

/** The required fields of a collection request. */
export const REQUIRED_FIELDS = { phonenumber: '+80000000003', amount: '1500', currency: 'BXC' }

/** Start a service on a new database, with the demo organization and a second one. */
export async function openTestService(options?: TestAppOptions & { jobs?: boolean }): Promise<TestService> {
  const testApp = await buildTestApp(options)
  const service = await testApp.startService({ jobs: options?.jobs ?? true })
  const shop = createApiClient(service.url, testApp.api_key)
  const [owner] = await testApp.db<{ id: number }[]>`select id from users where kind = 'person'`
  const user = owner!.id
  const advance = (seconds: number) => {
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
    advance,
    advanceUntilStatus: (id, status) => pollForStatus(shop, id, status, () => advance(1)),
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

function pollForStatus(shop: Client, id: number, status: string, betweenReads: () => void): Promise<Json> {
  return eventually(`request ${id} to be ${status}`, async () => {
    const { body } = await shop.get(`/api/collectionrequests/${id}`)
    if (body.status === status) return body
    betweenReads()
  })
}

/** Create a second organization, for tests of access to objects of others. */
async function createOtherOrganization(testApp: TestApp, url: string): Promise<TestService['otherShop']> {
  return begin(testApp.db, async (tx) => {
    const now = testApp.clock.now()
    const { id: organization } = await createOrganization(tx, now, 'Second Shop')
    const { id: user } = await createUser(tx, now, { name: 'Second Shop', email: 'owner@second.example' })
    await setMembership(tx, now, { organization, user, permissions: allPermissions })
    const wallet = { organization, currency: 'BXC', kind: 'local' as const, name: 'wallet', author: user }
    const { id: account } = await createAccount(tx, now, wallet)
    await fundAccount(tx, now, { account, amount: parseAmount('1000')!, description: 'Funds', author: user })
    const { key } = await createKey(tx, now, { organization, user, name: 'second' })
    return { ...createApiClient(url, key), key, organization, user, account }
  })
}

/** The types of an object's fields by name. Tests compare the whole, so that no field is missing and none is added. */
export function fieldTypes(object: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value,
    ]),
  )
}

/** Longer than the bill-payment API waits for a biller. */
const RESPONSE_TIMEOUT_MS = 30_000

export interface RawResponse {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** The parsed JSON; undefined when the response has none. */
  body: Json
}

/**
 * Send exactly these headers and bytes. It adds only Host and, without chunks, Content-Length, and follows no redirect.
 * An event stream does not end by itself: the result is its first chunk, and then the connection closes.
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

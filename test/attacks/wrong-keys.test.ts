import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createKey } from '../../src/core/access/api-keys.ts'
import { createSigningUser, SIGNING_KEY_PURPOSE } from '../../src/core/access/signing-users.ts'
import { begin } from '../../src/db/client.ts'
import { signRequest } from '../../src/lib/http/signed-requests.ts'
import { callRaw } from '../interface/test-service.ts'
import { buildTestApp, createApiClient, type TestApp } from '../test-app.ts'
import { printFigure } from './figures.ts'

/*
 * A stranger tries two thousand API keys, each only once, and as many names of signing users. Customers work behind the same
 * address: one whose key the service has seen, and one whose key it has not.
 */

const GUESSES = 2_000
const BALANCE = '/api/gateway/superagent/account/balance'
const SECRET = 'a secret of both sides'

let testApp: TestApp
let url: string
/** The statements that the service has sent to its database. */
let statements: string[] = []

beforeAll(async () => {
  testApp = await buildTestApp()
  testApp.app.db = new Proxy(testApp.app.db, {
    apply(target, self, parts: [readonly string[]]) {
      statements.push(parts[0].join('…'))
      return Reflect.apply(target, self, parts)
    },
  })
  url = (await testApp.startService({ jobs: false })).url
})
afterAll(() => testApp.close())
beforeEach(() => {
  statements = []
})

/** Return the number of statements that read a table. */
function countReads(table: 'api_keys' | 'signing_users'): number {
  return statements.filter((statement) => statement.includes(`from ${table}`)).length
}

async function newKey(): Promise<string> {
  const [user] = await testApp.db<{ id: number }[]>`select id from users where kind = 'person'`
  const input = { organization: testApp.organization, user: user!.id, name: 'another' }
  return (await begin(testApp.db, (tx) => createKey(tx, testApp.clock.now(), input))).key
}

/** Send all guesses, fifty at a time, and count the answers by status. */
async function guess(send: (index: number) => Promise<{ status: number }>): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  for (let start = 0; start < GUESSES; start += 50)
    for (const { status } of await Promise.all(Array.from({ length: 50 }, (_, index) => send(start + index))))
      statuses[status] = (statuses[status] ?? 0) + 1
  return statuses
}

function signed(username: string, secret: string) {
  const date = new Date()
  const timestamp = Math.floor(date.getTime() / 1_000)
  const signature = signRequest(secret, { method: 'GET', path: BALANCE, timestamp, body: Buffer.from('') })
  return callRaw(url, 'GET', BALANCE, {
    headers: { authorization: `Baxi ${username}:${signature}`, 'baxi-date': date.toUTCString() },
  })
}

describe('a stranger who guesses', () => {
  it('API keys does not keep the database busy, and right keys behind the same address pass', async () => {
    const unseen = await newKey()
    expect((await createApiClient(url, testApp.api_key).get('/api/currencies')).status).toBe(200)
    const statuses = await guess((index) =>
      callRaw(url, 'GET', '/api/currencies', { headers: { authorization: `Token guess-${index}` } }),
    )
    const reads = countReads('api_keys')
    printFigure('wrong-keys', `${GUESSES} wrong keys read the table of keys ${reads} times`)
    expect(statuses).toEqual({ 401: GUESSES })
    expect(reads).toBeLessThan(GUESSES / 5)
    const created_now = await newKey()
    const customers = [testApp.api_key, unseen, created_now].map((key) => createApiClient(url, key))
    const answers = await Promise.all(customers.map((api) => api.get('/api/currencies')))
    printFigure('wrong-keys', `${answers.filter(({ status }) => status !== 200).length} of 3 right keys refused`)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('the same key again and again asks for it once', async () => {
    const send = () => callRaw(url, 'GET', BALANCE, { headers: { 'x-api-key': 'one-wrong-key' } })
    expect((await send()).body).toMatchObject({ code: 'BX0015' })
    expect(await guess(send)).toEqual({ 401: GUESSES })
    const reads = countReads('api_keys')
    printFigure('wrong-keys', `one wrong key ${GUESSES} times read the table of keys ${reads} times`)
    expect(reads).toBeLessThan(10)
  })

  it('names of signing users does not keep the database busy, and a new name passes', async () => {
    expect(await guess((index) => signed(`stranger-${index}`, SECRET))).toEqual({ 401: GUESSES })
    const reads = countReads('signing_users')
    printFigure('wrong-keys', `${GUESSES} wrong names read the table of names ${reads} times`)
    expect(reads).toBeLessThan(GUESSES / 5)
    await createSigner('integrator')
    expect((await signed('integrator', SECRET)).status).toBe(200)
  })
})

async function createSigner(username: string): Promise<void> {
  const { app, db, clock } = testApp
  const [key] = await db<{ id: number }[]>`select id from api_keys where organization = ${testApp.organization} limit 1`
  const input = { username, api_key: key!.id, secret: SECRET }
  await begin(db, (tx) => createSigningUser(tx, clock.now(), input, app.deriveSecret(SIGNING_KEY_PURPOSE)))
}

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Connection } from '../../src/connections/connection.ts'
import { createAccount } from '../../src/core/ledger/accounts.ts'
import { begin } from '../../src/db/client.ts'
import { type FakeNetwork, fakeConnection } from '../connections/fake-connection.ts'
import { amount } from '../core/shop.ts'
import { buildTestApp, createApiClient, type TestApp } from '../test-app.ts'

const PHONE = '+256772000001'
/** The connections of the service, which each test sets. */
const connections: Connection[] = []

let testApp: TestApp
let api: ReturnType<typeof createApiClient>
let account: number
let second: number

beforeAll(async () => {
  testApp = await buildTestApp({ overrides: { connections } })
  const { url } = await testApp.startService({ jobs: false })
  api = createApiClient(url, testApp.api_key)
  const [wallet] = await testApp.db<{ id: number; author: number }[]>`
    select id, author from accounts where currency = 'UGX' and kind = 'local'`
  account = wallet!.id
  const { organization } = testApp
  const input = { organization, currency: 'UGX', kind: 'local' as const, name: 'Second', author: wallet!.author }
  second = (await begin(testApp.db, (tx) => createAccount(tx, testApp.clock.now(), input))).id
  await testApp.db`update accounts set balance = 0 where id = ${second}`
})
beforeEach(() => {
  connections.length = 0
})
afterAll(() => testApp.close())

function network(slug: string, accounts: number[], changes: Partial<FakeNetwork> = {}): Connection {
  const places = accounts.map((id) => ({
    organization: testApp.organization,
    account: id,
    currency: 'UGX',
    country: null,
    collects: true,
    pays_out: true,
  }))
  return fakeConnection({
    code: slug,
    name: slug,
    limits: { decimals: 0, min: amount('500'), max: amount('4000000') },
    phones: /^\+25677/,
    charge: async () => ({ outcome: 'accepted', remote_id: '1' }),
    payout: async () => ({ outcome: 'accepted', remote_id: '1' }),
    ...changes,
    connection: { places },
  })
}

const ask = (changes: object = {}) =>
  api.post('/api/collectionrequests', { phonenumber: PHONE, amount: '1500', currency: 'UGX', ...changes })
const pay = (changes: object = {}) =>
  api.post('/api/payments', { phonenumber: PHONE, amount: '1500', currency: 'UGX', description: 'Wages', ...changes })
const stored = async () => {
  const [counts] = await testApp.db<{ rows: number }[]>`
    select (select count(*) from collection_requests) + (select count(*) from payments) + (select count(*) from contacts)
      + (select count(*) from idempotency_keys) + (select count(*) from transfers where kind <> 'admin_funds_update') as rows`
  return counts!.rows
}

describe('an order that no connection carries', () => {
  const cases: [why: string, list: () => Connection[], changes: object, errors: object][] = [
    ['nothing is connected', () => [], {}, { phonenumber: [expect.stringMatching(/^No network is connected yet/)] }],
    [
      'no account may use the network',
      () => [network('MTN', [])],
      {},
      {
        phonenumber: [
          expect.stringMatching(
            /^MTN serves this number, but (none of your accounts in UGX may collect|the account may not pay out) there/,
          ),
        ],
      },
    ],
    [
      'the amount has decimals',
      () => [network('MTN', [account])],
      { amount: '1500.50' },
      { amount: ['This amount has more decimals than UGX has.'] },
    ],
    [
      'the amount is too large for all networks of the phone',
      () => [network('MTN', [account]), network('Airtel', [account])],
      { amount: '5000000' },
      { amount: [expect.stringMatching(/^No network of this number carries this amount: MTN takes .* Airtel takes/)] },
    ],
  ]

  it.each(cases)('is 400 and leaves nothing behind: %s', async (_, list, changes, errors) => {
    connections.push(...list())
    const before = await stored()
    const headers = { 'duplicate-check-key': 'again' }
    const body = { phonenumber: PHONE, amount: '1500', currency: 'UGX', description: 'Wages', ...changes }
    for (const path of ['/api/collectionrequests', '/api/payments'])
      expect(await api.post(path, body, headers)).toMatchObject({ status: 400, body: errors })
    expect(await stored()).toBe(before)
  })

  it('is refused in the rows of a payment to many', async () => {
    connections.push(network('MTN', [account]))
    const rows = [
      { phonenumber: PHONE, amount: '1500' },
      { phonenumber: '+256702000001', amount: '1500' },
    ]
    expect(await pay({ phonenumber: undefined, amount: undefined, recipient_data: rows })).toMatchObject({
      status: 400,
      body: {
        recipient_data: ['recipient_data[1].phonenumber: No network serves this number in UGX. In UGX there are: MTN.'],
      },
    })
  })
})

describe('a request without an account', () => {
  it('goes to the oldest wallet that may use the connection', async () => {
    connections.push(network('MTN', [second]))
    expect((await ask()).body).toEqual({ currency: ['Your UGX account has no funds. Add funds before you collect.'] })
    connections[0] = network('MTN', [second, account])
    const { status, body } = await ask()
    expect(status).toBe(201)
    const [row] = await testApp.db`select account, connection from collection_requests where id = ${body.id}`
    expect(row).toEqual({ account, connection: 'MTN' })
  })

  it('that names one goes over a connection of this one', async () => {
    connections.push(network('MTN', [second]), network('Airtel', [account]))
    const { body } = await ask({ account })
    const [row] = await testApp.db`select connection from collection_requests where id = ${body.id}`
    expect(row).toEqual({ connection: 'Airtel' })
  })
})

it('a ported number goes to the network that knows it', async () => {
  connections.push(network('MTN', [account]), network('Airtel', [account], { phones: /^\+25670/ }))
  const places = (one: Connection) => one.driver.places.map((place) => ({ ...place, country: 'UG' }))
  for (const [index, one] of connections.entries())
    connections[index] = { ...one, driver: { ...one.driver, places: places(one) } }
  const connectionOf = async ({ body }: { body: { id: number } }) =>
    (await testApp.db<{ connection: string }[]>`select connection from collection_requests where id = ${body.id}`)[0]!
      .connection
  expect(await connectionOf(await ask())).toBe('MTN')
  await testApp.db`
    update contacts set network_name = 'Airtel', phone_is_mm_registered = 'yes' where phone_number = ${PHONE}`
  expect(await connectionOf(await ask())).toBe('Airtel')
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findPurchase } from '../../../src/core/bills/purchases.ts'
import { fundAccount } from '../../../src/core/ledger/accounts.ts'
import { begin } from '../../../src/db/client.ts'
import { type Amount, parseAmount } from '../../../src/lib/money.ts'
import { buildTestApp, createApiClient, endlessLeases, type TestApp } from '../../test-app.ts'
import { airtimeOrder, createBuyer, electricityOrder } from './buyer.ts'

const AIRTIME = '/services/airtime/request'
const DAY_S = 24 * 60 * 60

let testApp: TestApp
let url: string
let buyer: ReturnType<typeof createBuyer>
let keys = 0

function nextKey(): Record<string, string> {
  keys += 1
  return { 'duplicate-check-key': `key ${keys}` }
}

const buy = (body: object, headers: Record<string, string>) => buyer.post(AIRTIME, body, headers)

/** The purchase with this reference, or undefined. */
function purchaseOf({ agentReference: agent_reference }: { agentReference: string }) {
  return findPurchase(testApp.db, testApp.organization, { agent_reference })
}

/** Add money to the wallet that pays for bills, or take it off. */
async function fund(amount: Amount): Promise<void> {
  const [wallet] = await testApp.db<{ id: number; author: number }[]>`
    select id, author from accounts where organization = ${testApp.organization} and kind = 'local' and currency = 'NGN'`
  const { id: account, author } = wallet!
  await begin(testApp.db, (tx) =>
    fundAccount(tx, testApp.clock.now(), { account, amount, description: 'Funds', author }),
  )
}

/** The answer to a duplicate of this purchase. */
function refusal(id: number) {
  const message = expect.stringContaining('Duplicate Request Detected!')
  return [409, { status: 'error', message, code: 'BX0023', errors: [], type: 'billpayment', id }]
}

/** Purchases must be the same with and without batches. */
const batching: [string, Record<string, string>][] = [
  ['together', {}],
  ['one by one', { BATCH_MOST: '1' }],
]

function openServiceFor(settings: Record<string, string>): void {
  beforeAll(async () => {
    testApp = await buildTestApp({ settings, clock: endlessLeases() })
    url = (await testApp.startService()).url
    buyer = createBuyer(testApp, url)
  })
  afterAll(() => testApp.close())
}

describe.each(batching)('the Duplicate-Check-Key of a bill purchase, with writes %s', (_name, settings) => {
  openServiceFor(settings)

  it('refuses a second purchase, and names the first one', async () => {
    const headers = nextKey()
    const order = airtimeOrder()
    const first = await buy(order, headers)
    expect(first.status).toBe(200)
    const id = first.body.data.transactionReference
    const before = await buyer.wallet()
    const again = await buy(order, headers)
    expect([again.status, again.body]).toEqual(refusal(id))
    const other = await buyer.post('/services/electricity/request', electricityOrder(), headers)
    expect([other.status, other.body]).toEqual(refusal(id))
    expect(await buyer.wallet()).toBe(before)
    const requery = await buyer.get(`/superagent/transaction/requery?transactionReference=${id}`)
    expect(requery.body.data.transactionReference).toBe(id)
  })

  it.each([
    ['with references of their own', () => airtimeOrder()],
    ['of one purchase', (order: object) => order],
  ])('lets exactly one of several simultaneous purchases %s succeed', async (_what, orderLike) => {
    const headers = nextKey()
    const order = airtimeOrder()
    const before = await buyer.wallet()
    const answers = await Promise.all(Array.from({ length: 12 }, () => buy(orderLike(order), headers)))
    const [accepted, ...others] = answers.filter(({ status }) => status === 200)
    expect(others).toEqual([])
    const refused = answers.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body])
    expect(refused).toEqual(Array.from({ length: 11 }, () => refusal(accepted!.body.data.transactionReference)))
    expect(before - (await buyer.wallet())).toBe(parseAmount('100'))
  })

  it('is shared by all addresses of an organization, including the core interface', async () => {
    const headers = nextKey()
    const core = createApiClient(url, testApp.api_key)
    const request = { phonenumber: '+80000000003', amount: '1', currency: 'BXC' }
    const created = await core.post('/api/collectionrequests', request, headers)
    expect(created.status).toBe(201)
    expect((await buy(airtimeOrder(), headers)).body).toMatchObject({ type: 'collectionrequest', id: created.body.id })
  })
})

describe.each(batching)(
  'the Duplicate-Check-Key of a refused or old bill purchase, with writes %s',
  (_name, settings) => {
    openServiceFor(settings)

    it('is not used up by a purchase that is refused', async () => {
      const headers = nextKey()
      const order = airtimeOrder()
      expect((await buy({ ...order, amount: 1 }, headers)).body.code).toBe('BX0003')
      const balance = await buyer.wallet()
      await fund(-balance)
      expect((await buy(order, headers)).body.code).toBe('EXC00102')
      await fund(balance)
      expect((await buy(order, nextKey())).status).toBe(200)
      const repeated = await Promise.all(Array.from({ length: 4 }, () => buy(order, headers)))
      expect(repeated.map(({ status, body }) => [status, body.code])).toEqual(repeated.map(() => [400, 'BX0023']))
      expect((await buy(airtimeOrder(), headers)).status).toBe(200)
    })

    it('survives simultaneous purchases that lose their reference to another one', async () => {
      const order = airtimeOrder()
      const all_headers = Array.from({ length: 8 }, nextKey)
      const answers = await Promise.all(all_headers.map((headers) => buy(order, headers)))
      expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([
        200,
        ...Array.from({ length: 7 }, () => 'BX0023'),
      ])
      for (const [index, { status }] of answers.entries())
        expect((await buy(airtimeOrder(), all_headers[index]!)).status).toBe(status === 200 ? 409 : 200)
      expect(await purchaseOf(order)).toMatchObject({ status: 'success' })
    })

    it('is free again after 24 hours', async () => {
      const headers = nextKey()
      const order = airtimeOrder()
      expect((await buy(order, headers)).status).toBe(200)
      testApp.clock.advance(DAY_S - 1)
      expect((await buy(order, headers)).status).toBe(409)
      testApp.clock.advance(1)
      // The reference is used for ever.
      expect((await buy(order, headers)).body.code).toBe('BX0023')
      expect((await buy(airtimeOrder(), headers)).status).toBe(200)
      expect(await buyer.ledgerErrors()).toEqual([])
    })
  },
)

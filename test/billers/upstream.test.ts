import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Biller, Vend } from '../../src/billers/biller.ts'
import { upstream } from '../../src/billers/upstream/index.ts'
import { openBound } from '../drivers/bound.ts'
import { createRecordingTools } from '../networks/conformance/tools.ts'
import { withServer } from '../networks/contract.ts'
import { buildTestApp, type TestApp } from '../test-app.ts'
import { defineBillerTests } from './contract.ts'
import { buildVend } from './orders.ts'

/** The other host is another start of this service. */
let testApp: TestApp
let url: string
beforeAll(async () => {
  testApp = await buildTestApp()
  url = `${(await testApp.startService()).url}/api/gateway`
})
afterAll(() => testApp.close())

/** The driver at a host, in the form in which all billers are tested. */
function billerAt(base: string, timeout_ms = 20_000, key = testApp?.api_key ?? 'a-key'): Biller {
  const tools = createRecordingTools({
    now: () => new Date(),
    callback_base: () => 'http://127.0.0.1:2',
    timeout_s: timeout_ms / 1_000,
  })
  const connection = { slug: 'upstream', environment: 'production', hosts: { api: base } }
  const operations = openBound(upstream, { ...connection, settings: upstream.settings.parse({ key }) } as never, tools)
  const asOrder = (order: Vend) => ({
    ...order,
    country: 'NG',
    currency: 'NGN',
    created: new Date(),
    remote_id: null,
    offer: { remote_service: order.service_type, remote_product: null },
  })
  return {
    code: upstream.code,
    name: upstream.name,
    in_flight_ms: upstream.traits.in_flight_s * 1_000,
    vend: (order) => operations.vend(asOrder(order)),
    checkVend: (order) => operations.vendStatus(asOrder(order)),
    lookUpAccountHolder: ({ service_type, account_number, product_code }) =>
      operations.accountHolder!({
        kind: product_code === null ? 'electricity' : 'exampin',
        country: 'NG',
        account_number,
        prepaid: null,
        offer: { remote_service: service_type, remote_product: product_code },
      }),
  }
}

defineBillerTests({
  biller: billerAt,
  order: () => buildVend(),
  refused: () => buildVend({ scenario: 'decline' }),
  open: async () => ({
    url,
    async sold(reference) {
      const [row] = await testApp.db<{ count: number }[]>`
        select count(*) from simulator_vends v join network_orders o on o.reference = v.reference
        join bill_purchases p on p.id = o.bill_purchase
        where p.agent_reference = ${reference} and v.state = 'vended'`
      return row!.count
    },
    close: async () => {},
  }),
})

describe('the upstream biller', () => {
  const kinds: [string, Partial<Vend>][] = [
    ['airtime', { service_type: 'mtn', account_number: '08031234567', details: { plan: 'prepaid' } }],
    [
      'databundle',
      { service_type: 'mtn', account_number: '08031234567', amount: 10_000_000n, details: { datacode: '1000' } },
    ],
    ['cabletv', { service_type: 'dstv', account_number: '4131953321', details: { product_code: '0', months: 1 } }],
    [
      'epin',
      { service_type: 'glo', account_number: '', amount: 1_000_000n, details: { pin_value: 500_000n, pins: 2 } },
    ],
  ]

  it.each(kinds)('buys %s from another installation', async (kind, changes) => {
    const order = buildVend({ ...changes, kind: kind as Vend['kind'] })
    const sold = await billerAt(url).vend(order)
    expect(sold).toMatchObject({ outcome: 'successful', vended: { token: null } })
    if (sold.outcome === 'successful') expect(sold.vended.pins).toHaveLength(kind === 'epin' ? 2 : 0)
    expect(await billerAt(url).checkVend(order)).toMatchObject({ outcome: 'successful' })
  })

  it('buys exam pins for the phone that the account look-up returns', async () => {
    const candidate = { service_type: 'jamb', account_number: '9678528352', product_code: 'DE' }
    const found = await billerAt(url).lookUpAccountHolder(candidate)
    if (found.outcome !== 'found') throw new Error('The candidate is known.')
    const { service_type, account_number, product_code } = candidate
    const phone = String(found.holder.raw_output.gsmNo)
    const details = { product_code }
    const order = buildVend({ kind: 'exampin', service_type, account_number, phone, amount: 40_000_000n, details })
    expect(await billerAt(url).vend(order)).toMatchObject({
      outcome: 'successful',
      vended: { more: { token_pin: expect.stringMatching(/^\d{16}$/) } },
    })
  })

  it('reports an open purchase as accepted', async () => {
    const order = buildVend({ scenario: 'pending-success' })
    expect(await billerAt(url).vend(order)).toMatchObject({ outcome: 'accepted' })
    expect(await billerAt(url).checkVend(order)).toMatchObject({ outcome: 'accepted' })
  })

  it('reports a refusal before the purchase as failed', async () => {
    expect(await billerAt(url).vend(buildVend({ service_type: 'missing' }))).toMatchObject({
      outcome: 'failed',
      reason: 'service_inactive',
    })
    expect(await billerAt(url).vend(buildVend({ amount: 1n }))).toMatchObject({ outcome: 'failed', reason: 'rejected' })
    const expensive = buildVend({ amount: 999_999_990_000n })
    expect(await billerAt(url).vend(expensive)).toMatchObject({ outcome: 'failed', reason: 'amount_refused' })
  })

  it('returns the reason and the message of a purchase that has failed there', async () => {
    const data = { transactionStatus: 'failed', transactionReference: 7 }
    const body = JSON.stringify({ status: 'error', message: 'Sold nothing.', code: 'BX0024', errors: [], data })
    await withServer(
      (_, response) => response.writeHead(503).end(body),
      async (base) => {
        const failed = { outcome: 'failed', reason: 'no_answer', message: 'Sold nothing.' }
        expect(await billerAt(base).vend(buildVend())).toEqual(failed)
        expect(await billerAt(base).checkVend(buildVend())).toEqual(failed)
      },
    )
  })

  it('sells nothing when its key is refused', async () => {
    const refused = await billerAt(url, 20_000, 'a-wrong-key').vend(buildVend())
    expect(refused).toMatchObject({ outcome: 'failed', reason: 'no_answer' })
  })

  it.each(['BX0021', 'BX0023', 'EXC00109', 'EXC00114', 'UNK0001'])(
    'is unknown after the error %s alone',
    async (code) => {
      const body = JSON.stringify({ status: 'error', message: 'Something', code, errors: [] })
      await withServer(
        (_, response) => response.writeHead(503).end(body),
        async (base) => {
          expect(await billerAt(base).vend(buildVend())).toMatchObject({ outcome: 'unknown' })
          expect(await billerAt(base).checkVend(buildVend())).toMatchObject({ outcome: 'unknown' })
        },
      )
    },
  )

  it('reads the token of another vendor in another form, with raw data under another name', async () => {
    const data = {
      transactionStatus: 'success',
      baxiReference: '1552846',
      tokenCode: '1234-5678-9012-3456-7890',
      amountOfPower: '16.4KWH',
      rawData: { receiptNumber: 'R1' },
    }
    const body = JSON.stringify({ status: 'success', message: 'Successful', code: 200, data })
    await withServer(
      (_, response) => response.writeHead(200).end(body),
      async (base) =>
        expect(await billerAt(base).checkVend(buildVend())).toMatchObject({
          outcome: 'successful',
          remote_id: '1552846',
          vended: { token: '12345678901234567890', amount_of_power: '16.4KWH', raw_output: { receiptNumber: 'R1' } },
        }),
    )
  })
})

import { describe, expect, it } from 'vitest'
import { mtnMomo } from '../../../src/networks/mtn-momo/index.ts'
import { provision } from '../../../src/networks/mtn-momo/provision.ts'
import {
  COLLECTION_USER,
  DEPOSIT_STATUS,
  DISBURSEMENT_USER,
  notFound,
  openDriver,
  order,
  payout,
  REFERENCE,
  refund,
  state,
  testTools,
  withMtn,
} from './mtn-test.ts'

/*
 * Requests of the driver, exactly. MTN refuses a token call with a body, a reference in another form and messages with
 * other characters.
 */

const collection = {
  authorization: 'Bearer token-1',
  'ocp-apim-subscription-key': 'marked-collection-subscription',
  'x-target-environment': 'mtnuganda',
}
const disbursement = { ...collection, 'ocp-apim-subscription-key': 'marked-disbursement-subscription' }
const accepted = { status: 202 }

function posted(headers: Record<string, string>, body: string) {
  return {
    ...headers,
    'x-reference-id': REFERENCE,
    'x-callback-url': `https://pay.example.com/api/callbacks/mtn-ug/00ff/${REFERENCE}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  }
}

describe('the driver sends', () => {
  it('the token call without any body, and with its length', async () => {
    await withMtn({ '*': accepted }, async ({ url, seen }) => {
      await openDriver(url).charge!(order)
      expect(seen[0]).toEqual({
        line: 'POST /collection/token/',
        headers: {
          authorization: `Basic ${Buffer.from(`${COLLECTION_USER}:marked-collection-key`).toString('base64')}`,
          'ocp-apim-subscription-key': 'marked-collection-subscription',
          'content-length': '0',
        },
        body: '',
      })
    })
  })

  it('a charge', async () => {
    const body = `{"amount":"1500","currency":"UGX","externalId":"${REFERENCE}","payer":{"partyIdType":"MSISDN","partyId":"256772000001"},"payerMessage":"Mamas cafe, order 12","payeeNote":"${REFERENCE}"}`
    await withMtn({ '*': accepted }, async ({ url, calls }) => {
      expect(await openDriver(url).charge!(order)).toEqual({ outcome: 'accepted', remote_id: REFERENCE })
      expect(calls()).toEqual([{ line: 'POST /collection/v1_0/requesttopay', headers: posted(collection, body), body }])
    })
  })

  it('a question about a charge', async () => {
    await withMtn({ '*': state({ status: 'PENDING' }) }, async ({ url, calls }) => {
      await openDriver(url).chargeStatus!(order)
      expect(calls()).toEqual([
        { line: `GET /collection/v1_0/requesttopay/${REFERENCE}`, headers: collection, body: '' },
      ])
    })
  })

  it('no second slash if the host ends with one', async () => {
    await withMtn({ '*': accepted }, async ({ url, seen }) => {
      await openDriver(`${url}/`).charge!(order)
      expect(seen.map(({ line }) => line)).toEqual(['POST /collection/token/', 'POST /collection/v1_0/requesttopay'])
    })
  })

  it('no callback address where callbacks are switched off', async () => {
    await withMtn({ '*': accepted }, async ({ url, calls }) => {
      await openDriver(url, { callbacks: false }).charge!(order)
      expect(calls()[0]!.headers).not.toHaveProperty('x-callback-url')
    })
  })

  it('the message after a payment, once', async () => {
    const settings = { delivery_message: "Thank you for shopping at Mama's!" }
    await withMtn({ '*': state({ status: 'SUCCESSFUL' }) }, async ({ url, calls }) => {
      const driver = openDriver(url, settings)
      await driver.chargeStatus!(order)
      await driver.chargeStatus!(order)
      const body = '{"notificationMessage":"Thank you for shopping at Mamas"}'
      expect(calls().filter(({ line }) => line.startsWith('POST'))).toEqual([
        {
          line: `POST /collection/v1_0/requesttopay/${REFERENCE}/deliverynotification`,
          headers: {
            ...collection,
            notificationmessage: 'Thank you for shopping at Mamas',
            'content-type': 'application/json',
            'content-length': String(body.length),
          },
          body,
        },
      ])
    })
  })

  it.each([{ status: 409 }, { status: 500 }, { status: 200, text: 'garbage' }])(
    'the message after a payment without an effect on the answer: %j',
    async (answer) => {
      const notification = `POST /collection/v1_0/requesttopay/${REFERENCE}/deliverynotification`
      const answers = { '*': state({ status: 'SUCCESSFUL' }), [notification]: answer }
      await withMtn(answers, async ({ url }) => {
        const driver = openDriver(url, { delivery_message: 'Thanks' })
        expect(await driver.chargeStatus!(order)).toEqual({ outcome: 'successful', amount: order.amount })
      })
    },
  )

  it.each(['transfer', 'deposit'] as const)('a payout as a %s', async (payout_operation) => {
    const body = `{"amount":"2500","currency":"UGX","externalId":"${REFERENCE}","payee":{"partyIdType":"MSISDN","partyId":"256772000001"},"payerMessage":"Wages","payeeNote":"${REFERENCE}"}`
    await withMtn({ '*': accepted }, async ({ url, seen, calls }) => {
      const driver = openDriver(url, { payout_operation })
      expect(await driver.payout!(payout)).toEqual({ outcome: 'accepted', remote_id: REFERENCE })
      expect(seen[0]!.headers.authorization).toBe(
        `Basic ${Buffer.from(`${DISBURSEMENT_USER}:marked-disbursement-key`).toString('base64')}`,
      )
      expect(calls()).toEqual([
        { line: `POST /disbursement/v1_0/${payout_operation}`, headers: posted(disbursement, body), body },
      ])
    })
  })

  it('a question about a payout to both operations before it is not found', async () => {
    await withMtn({ '*': notFound }, async ({ url, calls }) => {
      expect(await openDriver(url).payoutStatus!(payout)).toEqual({ outcome: 'not_found' })
      expect(calls().map(({ line }) => line)).toEqual([
        `GET /disbursement/v1_0/transfer/${REFERENCE}`,
        `GET /disbursement/v1_0/deposit/${REFERENCE}`,
      ])
    })
    await withMtn({ '*': notFound, [DEPOSIT_STATUS]: state({ status: 'PENDING' }) }, async ({ url }) => {
      expect(await openDriver(url).payoutStatus!(payout)).toEqual({ outcome: 'accepted', remote_id: REFERENCE })
    })
  })

  it.each([
    ['is not allowed', { status: 500, body: { code: 'NOT_ALLOWED' } }],
    ['is not there', { status: 404, body: { statusCode: 404, message: 'Resource not found' } }],
  ])('a status query for a payout to an operation that %s, and does not find it there', async (_what, answer) => {
    await withMtn({ '*': notFound, [DEPOSIT_STATUS]: answer }, async ({ url }) => {
      const driver = openDriver(url)
      expect(await driver.payoutStatus!(payout)).toEqual({ outcome: 'not_found' })
      expect(driver.alarms).toEqual([])
      const deposits = openDriver(url, { payout_operation: 'deposit' })
      expect(await deposits.payoutStatus!(payout)).toMatchObject({ outcome: 'unknown' })
    })
  })

  it('a refund, and a question about it', async () => {
    const body = `{"amount":"500","currency":"UGX","externalId":"${REFERENCE}","payerMessage":"Out of stock","payeeNote":"${REFERENCE}","referenceIdToRefund":"9b1f6c1e-0a2b-4c3d-8e4f-5a6b7c8d9e0f"}`
    await withMtn({ '*': accepted }, async ({ url, calls }) => {
      const driver = openDriver(url)
      expect(await driver.refund!(refund)).toEqual({ outcome: 'accepted', remote_id: REFERENCE })
      await driver.refundStatus!(refund)
      expect(calls()).toEqual([
        { line: 'POST /disbursement/v1_0/refund', headers: posted(disbursement, body), body },
        { line: `GET /disbursement/v1_0/refund/${REFERENCE}`, headers: disbursement, body: '' },
      ])
    })
  })

  it('questions about an account holder and the balances', async () => {
    const answers = {
      'GET /collection/v1_0/accountholder/msisdn/256772000001/active': { status: 200, body: { result: true } },
      'GET /collection/v1_0/accountholder/msisdn/256772000001/basicuserinfo': { status: 200, body: { name: 'Grace' } },
      'GET /collection/v1_0/account/balance': { status: 200, body: { availableBalance: '12345', currency: 'UGX' } },
      'GET /disbursement/v1_0/account/balance': { status: 200, body: { availableBalance: '0', currency: 'UGX' } },
    }
    await withMtn(answers, async ({ url, calls }) => {
      const driver = openDriver(url)
      await driver.accountHolder!('+256772000001')
      await driver.balance!()
      expect(calls()).toEqual(
        Object.keys(answers).map((line) => {
          const headers = line.includes('/disbursement/') ? disbursement : collection
          return { line, headers, body: '' }
        }),
      )
    })
  })

  it.each([
    ['UGX', 'mtnuganda', 15_000_000n, '1500'],
    ['GHS', 'mtnghana', 15_005_000n, '1500.5'],
    ['GHS', 'mtnghana', 100n, '0.01'],
    ['EUR', 'sandbox', 12_345_670_000n, '1234567'],
    ['USD', 'mtnliberia', 10_000n, '1'],
  ] as const)('amounts in %s (%s) exactly: %s as %s', async (currency, target_environment, amount, text) => {
    await withMtn({ '*': accepted }, async ({ url, calls }) => {
      await openDriver(url, { target_environment }).charge!({ ...order, currency, amount })
      expect(JSON.parse(calls()[0]!.body)).toMatchObject({ amount: text, currency })
    })
  })

  it.each([
    ['a fraction of a shilling', { amount: 15_005_000n }],
    ['nothing', { amount: 0n }],
    ['less than nothing', { amount: -10_000n }],
    ['another currency than that of the country', { currency: 'GHS' }],
    ['a reference in capitals', { reference: REFERENCE.toUpperCase() }],
    ['a reference that is a UUID of another version', { reference: '3f0c2a4e-8a53-1f0e-9d57-6c1b2a7e9f10' }],
    ['a reference that is no UUID', { reference: 'KR12-1' }],
  ])('nothing, but refuses %s', async (_what, wrong) => {
    await withMtn({ '*': accepted }, async ({ url, seen }) => {
      const failed = { outcome: 'failed', reason: 'rejected', message: expect.any(String) }
      expect(await openDriver(url).charge!({ ...order, ...wrong })).toEqual(failed)
      expect(await openDriver(url).payout!({ ...payout, ...wrong })).toEqual(failed)
      expect(await openDriver(url).refund!({ ...refund, ...wrong })).toEqual(failed)
      expect(seen).toEqual([])
    })
  })

  it('nothing about an order with another reference', async () => {
    await withMtn({ '*': accepted }, async ({ url, seen }) => {
      const answer = await openDriver(url).chargeStatus!({ ...order, reference: '../account/balance' })
      expect(answer).toMatchObject({ outcome: 'unknown' })
      expect(seen).toEqual([])
    })
  })

  it('no order in a currency of another country, and alerts the operator', async () => {
    await withMtn({ '*': accepted }, async ({ url }) => {
      const driver = openDriver(url)
      await driver.charge!({ ...order, currency: 'GHS' })
      expect(driver.alarms).toEqual([expect.stringContaining('target_environment')])
    })
  })

  it('nothing, but refuses airtime', async () => {
    await withMtn({ '*': accepted }, async ({ url, seen }) => {
      const answer = await openDriver(url).payout!({ ...payout, kind: 'airtime' })
      expect(answer).toMatchObject({ outcome: 'failed', reason: 'not_allowed' })
      expect(seen).toEqual([])
    })
  })
})

describe('provision', () => {
  const given = (api: string) => ({ api, subscription_key: 'marked-key', callback_host: 'pay.example.com' })
  const KEY = expect.stringMatching(/^POST \/v1_0\/apiuser\/[0-9a-f-]{36}\/apikey$/)

  it('makes an API user and its key', async () => {
    const answers = { 'POST /v1_0/apiuser': { status: 201 }, '*': { status: 201, body: { apiKey: 'f'.repeat(32) } } }
    await withMtn(answers, async ({ url, seen }) => {
      const made = await provision(given(url), testTools())
      expect(made).toEqual({ outcome: 'provisioned', api_user: expect.any(String), api_key: 'f'.repeat(32) })
      const user = seen[0]!.headers['x-reference-id']!
      expect(user).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(made).toMatchObject({ api_user: user })
      expect(seen).toEqual([
        {
          line: 'POST /v1_0/apiuser',
          headers: {
            'ocp-apim-subscription-key': 'marked-key',
            'x-reference-id': user,
            'content-type': 'application/json',
            'content-length': '42',
          },
          body: '{"providerCallbackHost":"pay.example.com"}',
        },
        {
          line: `POST /v1_0/apiuser/${user}/apikey`,
          headers: { 'ocp-apim-subscription-key': 'marked-key', 'content-length': '0' },
          body: '',
        },
      ])
      expect(seen[1]!.line).toEqual(KEY)
    })
  })

  it.each([
    ['a wrong key', { status: 401, body: { statusCode: 401, message: 'Access denied' } }, 'failed', /subscription key/],
    ['a wrong host', { status: 400 }, 'failed', /callback host/],
    ['an outage', { status: 503 }, 'unknown', /not available/],
    ['a page', { status: 201, text: '<html>' }, 'failed', /API key/],
  ])('reports the fault: %s', async (_what, answer, outcome, words) => {
    await withMtn({ '*': answer }, async ({ url }) => {
      const made = await provision(given(url), testTools())
      expect(made).toEqual({ outcome, message: expect.stringMatching(words) })
      expect(JSON.stringify(made)).not.toContain('marked-key')
    })
  })

  it('gives a connection the credentials that it lacks', async () => {
    const answers = { 'POST /v1_0/apiuser': { status: 201 }, '*': { status: 201, body: { apiKey: 'f'.repeat(32) } } }
    await withMtn(answers, async ({ url, seen }) => {
      const make = (environment: string, settings: object) =>
        mtnMomo.provision!({ slug: 'mtn', environment, hosts: { api: url }, settings: { ...settings } }, testTools())
      const [collects, pays] = [
        await make('sandbox', { collection_subscription_key: 'marked-key' }),
        await make('sandbox', { disbursement_subscription_key: 'marked-key' }),
      ]
      const user = expect.stringMatching(/^[0-9a-f-]{36}$/)
      expect(collects).toMatchObject({ settings: { collection_api_user: user, collection_api_key: 'f'.repeat(32) } })
      expect(pays).toMatchObject({ settings: { disbursement_api_user: user, disbursement_api_key: 'f'.repeat(32) } })
      expect(seen).toHaveLength(4)
      expect(await make('sandbox', {})).toMatchObject({ outcome: 'failed', message: expect.stringMatching(/first/) })
      expect(await make('production', {})).toMatchObject({ outcome: 'failed' })
    })
  })
})

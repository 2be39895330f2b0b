import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Refund } from '../../../../src/lib/adapter-types.ts'
import { openDatabase } from '../../simulator-test.ts'
import { charge, credentials, type MtnTest, openMtnTest, payoutTo } from './mtn-momo-test.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
let mtn: MtnTest

beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  mtn = await openMtnTest(database.db)
})
afterEach(() => mtn.close())

const accepted = { outcome: 'accepted', remote_id: expect.any(String) }
const successful = { outcome: 'successful', remote_id: expect.stringMatching(/^\d{11}$/), amount: 15_000_000n }

/** End of a number's order: the reason of the failure, or the outcome. */
type End = string

const charges: [ending: string, end: End][] = [
  ['50', 'rejected'],
  ['51', 'cancelled'],
  ['52', 'prompt_expired'],
  ['53', 'accepted'],
  ['54', 'accepted'],
  ['55', 'payer_not_found'],
  ['56', 'not_allowed'],
  ['57', 'not_allowed'],
  ['58', 'not_allowed'],
  ['59', 'rejected'],
  ['60', 'rejected'],
  ['61', 'rejected'],
  ['62', 'unreachable'],
  ['63', 'prompt_expired'],
  ['64', 'not_allowed'],
  ['65', 'successful'],
]
const transfers = new Map<string, End>([
  ...charges,
  ['55', 'insufficient_funds'],
  ['56', 'limit_reached'],
  ['57', 'payee_not_found'],
  ['58', 'not_allowed'],
  ['59', 'not_allowed'],
  ['60', 'rejected'],
  ['61', 'rejected'],
  ['62', 'rejected'],
  ['63', 'unreachable'],
])

describe('the driver at the simulated MTN', () => {
  it('charges the test numbers', async () => {
    const driver = mtn.driver()
    const orders = charges.map(([ending]) => charge(`+467331234${ending}`))
    for (const order of orders) expect(await driver.charge!(order)).toEqual({ ...accepted, remote_id: order.reference })
    await mtn.clock.advance(5)
    const ends = await Promise.all(orders.map((order) => driver.chargeStatus!(order)))
    expect(ends.map(endOf)).toEqual(charges.map(([, end]) => end))
    await mtn.clock.advance(25)
    expect(await driver.chargeStatus!(orders[3]!)).toEqual(accepted)
    expect(await driver.chargeStatus!(orders[4]!)).toEqual(successful)
  })

  it.each(['transfer', 'deposit'] as const)('pays out to the test numbers by %s', async (payout_operation) => {
    const driver = mtn.driver({ payout_operation })
    const payouts = charges.map(([ending]) => payoutTo(`+467331234${ending}`))
    for (const payout of payouts)
      expect(await driver.payout!(payout)).toEqual({ ...accepted, remote_id: payout.reference })
    await mtn.clock.advance(5)
    const ends = await Promise.all(payouts.map((payout) => driver.payoutStatus!(payout)))
    const expected = charges.map(([ending, end]) => (payout_operation === 'transfer' ? transfers.get(ending) : end))
    expect(ends.map(endOf)).toEqual(expected)
  })

  it('reads both forms of a reason', async () => {
    const order = charge('+46733123455')
    await mtn.driver().charge!(order)
    await mtn.clock.advance(1)
    const failed = {
      outcome: 'failed',
      reason: 'payer_not_found',
      code: 'PAYER_NOT_FOUND',
      message: expect.any(String),
    }
    for (const reason of ['word', 'object']) {
      await mtn.simulator.setSwitches('mtn-momo', { reason })
      expect(await mtn.driver().chargeStatus!(order)).toEqual(failed)
    }
  })

  it.each([
    ['57', 'failed not_allowed'],
    ['58', 'failed not_allowed'],
    ['59', 'failed not_allowed'],
    ['60', 'failed not_allowed'],
    ['61', 'unknown'],
    ['62', 'unknown'],
  ])('takes a refusal of the call for a failure only when it is certain: …%s is %s', async (ending, end) => {
    await mtn.simulator.setSwitches('mtn-momo', { refusals: 'call' })
    const answer = await mtn.driver().charge!(charge(`+467331234${ending}`))
    expect(answer.outcome === 'failed' ? `failed ${answer.reason}` : answer.outcome).toBe(end)
  })

  it.each(['RESOURCE_NOT_FOUND', 'RESOURCE NOT FOUND'])(
    'does not find what never arrived: %s',
    async (not_found_code) => {
      await mtn.simulator.setSwitches('mtn-momo', { not_found_code })
      const driver = mtn.driver()
      expect(await driver.chargeStatus!(charge('+46733123499'))).toEqual({ outcome: 'not_found' })
      expect(await driver.payoutStatus!(payoutTo('+46733123499'))).toEqual({ outcome: 'not_found' })
    },
  )

  it('gives the state of the order to the second call under one reference', async () => {
    const driver = mtn.driver()
    const order = charge('+46733123499')
    expect(await driver.charge!(order)).toEqual(accepted)
    expect(await driver.charge!(order)).toEqual(accepted)
    await mtn.clock.advance(2)
    expect(await driver.charge!(order)).toEqual(successful)
    expect(await driver.charge!({ ...order, amount: 1n * 10_000n })).toMatchObject({ amount: 15_000_000n })
  })

  it('finds a deposit after the connection was changed to transfers, and sends nothing twice', async () => {
    const payout = payoutTo('+46733123453')
    await mtn.driver({ payout_operation: 'deposit' }).payout!(payout)
    const changed = mtn.driver({ payout_operation: 'transfer' })
    expect(await changed.payoutStatus!(payout)).toEqual(accepted)
    expect(await changed.payout!(payout)).toEqual(accepted)
    expect(await database.db`select reference from simulator_payouts`).toHaveLength(1)
  })

  it('charges in a country, where numbers have the meaning that they have at every network', async () => {
    const driver = mtn.driver({ target_environment: 'mtnuganda' })
    const ends: Record<string, string> = {
      '+256772000001': 'successful',
      '+256770000101': 'insufficient_funds',
      '+256770000102': 'cancelled',
      '+256770000107': 'successful',
      '+256770000109': 'accepted',
    }
    const orders = Object.keys(ends).map((phone) => charge(phone, { currency: 'UGX' }))
    for (const order of orders) expect(await driver.charge!(order)).toEqual(accepted)
    await mtn.clock.advance(5)
    const found = await Promise.all(orders.map((order) => driver.chargeStatus!(order)))
    expect(found.map(endOf)).toEqual(Object.values(ends))
    expect(found[3]).toMatchObject({ amount: 14_990_000n })
    await mtn.clock.advance(300)
    expect(endOf(await driver.chargeStatus!(orders[4]!))).toBe('prompt_expired')
  })

  it('refunds a charge, a part at a time, and not more than was paid', async () => {
    const driver = mtn.driver()
    const paid = charge('+46733123499')
    await driver.charge!(paid)
    await mtn.clock.advance(2)
    const refund = (amount: bigint, reference = paid.reference): Refund => {
      const { kind: _, ...rest } = payoutTo(paid.phonenumber, { amount })
      return { ...rest, charge: { reference, remote_id: reference, transaction: 'x', amount: paid.amount } }
    }
    const refunds = [refund(10_000_000n), refund(5_000_000n), refund(10_000n), refund(10_000n, crypto.randomUUID())]
    for (const one of refunds) expect(await driver.refund!(one)).toEqual(accepted)
    await mtn.clock.advance(2)
    const ends = await Promise.all(refunds.map((one) => driver.refundStatus!(one)))
    expect(ends.map(endOf)).toEqual(['successful', 'successful', 'rejected', 'rejected'])
    expect(ends[0]).toMatchObject({ amount: 10_000_000n })
  })

  it('refunds the test references', async () => {
    const driver = mtn.driver()
    const ends = [
      'rejected',
      'rejected',
      'cancelled',
      'prompt_expired',
      'accepted',
      'accepted',
      'not_allowed',
      'not_allowed',
    ]
    const all = [...ends, 'rejected', 'rejected', 'rejected', 'unreachable', 'prompt_expired']
    const refunds = all.map((_, index): Refund => {
      const { kind: __, ...rest } = payoutTo('+46733123499')
      return {
        ...rest,
        charge: { reference: String(index + 1), remote_id: null, transaction: 'x', amount: rest.amount },
      }
    })
    for (const one of refunds) expect(await driver.refund!(one)).toEqual(accepted)
    await mtn.clock.advance(2)
    expect((await Promise.all(refunds.map((one) => driver.refundStatus!(one)))).map(endOf)).toEqual(all)
  })

  it('sends the message after a payment, which the network takes once', async () => {
    const driver = mtn.driver({ delivery_message: 'Thank you' })
    const order = charge('+46733123499')
    await driver.charge!(order)
    await mtn.clock.advance(2)
    expect(await driver.chargeStatus!(order)).toEqual(successful)
    expect(await driver.chargeStatus!(order)).toEqual(successful)
    expect(mtn.simulator.calls('mtn-momo').get('delivery message')).toBe(1)
  })

  it('uses one token of each product for everything', async () => {
    const driver = mtn.driver()
    for (const order of Array.from({ length: 5 }, () => charge('+46733123499'))) await driver.charge!(order)
    await driver.payout!(payoutTo('+46733123499'))
    await driver.balance!()
    expect(mtn.simulator.calls('mtn-momo').get('token')).toBe(2)
  })

  /** Return the balances of the wallets of Collections and Disbursements in Rwanda. */
  async function balances(): Promise<number[]> {
    const products = ['collection', 'disbursement'] as const
    return Promise.all(
      products.map(async (product) => {
        const { collection_api_user: user, collection_api_key: key } = credentials
        const subscription = { 'ocp-apim-subscription-key': `simulated-${product}-subscription-key` }
        const authorization = `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`
        const token = await fetch(`${mtn.mtn_url}/${product}/token/`, {
          method: 'POST',
          headers: { authorization, ...subscription },
        })
        const { access_token } = (await token.json()) as { access_token: string }
        const answer = await fetch(`${mtn.mtn_url}/${product}/v1_0/account/balance`, {
          headers: {
            authorization: `Bearer ${access_token}`,
            'x-target-environment': 'mtnrwanda',
            ...subscription,
          },
        })
        return Number(((await answer.json()) as { availableBalance: string }).availableBalance)
      }),
    )
  }

  it.each([
    ['one', [3_000, 3_000]],
    ['separate', [5_000, -2_000]],
  ])('pays from the wallet of its product, where there is %s', async (wallets, changes) => {
    await mtn.simulator.setSwitches('mtn-momo', { wallets })
    const before = await balances()
    const driver = mtn.driver({ target_environment: 'mtnrwanda' })
    await driver.charge!(charge('+250788000002', { currency: 'RWF', amount: 50_000_000n }))
    await driver.payout!(payoutTo('+250788000002', { currency: 'RWF', amount: 20_000_000n }))
    await mtn.clock.advance(2)
    expect((await balances()).map((balance, index) => balance - before[index]!)).toEqual(changes)
    await mtn.simulator.setSwitches('mtn-momo', { wallets: 'one' })
  })
})

describe('callbacks of the simulated MTN', () => {
  async function chargeOf(phone: string, driver = mtn.driver()) {
    const order = charge(phone)
    await driver.charge!(order)
    await mtn.clock.advance(2)
    return order
  }
  const read = (index: number) => {
    const { method, path, headers, body } = mtn.sent[index]!
    return mtn.driver().readCallback!({
      method,
      path: path.slice('/00ff'.length),
      query: '',
      headers,
      body,
      address: '127.0.0.1',
    })
  }
  const knock = (reference: string) => ({
    subject: 'order',
    order: { reference },
    verified: false,
    answer: { outcome: 'unknown', message: expect.any(String) },
  })

  it('come once when the order ends, at the address of the call', async () => {
    const order = await chargeOf('+46733123451')
    expect(mtn.sent).toEqual([
      {
        method: 'POST',
        path: `/00ff/${order.reference}`,
        headers: expect.objectContaining({ 'content-type': 'application/json; charset=utf-8' }),
        body: `{"externalId":"${order.reference}","amount":"1500","currency":"EUR","payer":{"partyIdType":"MSISDN","partyId":"46733123451"},"payerMessage":"Order 12","payeeNote":"${order.reference}","status":"FAILED","reason":"APPROVAL_REJECTED"}`,
      },
    ])
    expect(read(0)).toEqual(knock(order.reference))
  })

  it('and status questions name the same money', async () => {
    const order = await chargeOf('+46733123499')
    const answer = await mtn.driver().chargeStatus!(order)
    expect(JSON.parse(mtn.sent[0]!.body)).toMatchObject({
      status: 'SUCCESSFUL',
      financialTransactionId: (answer as { remote_id: string }).remote_id,
    })
  })

  it('come by PUT, with the reference, and twice if the switches say so', async () => {
    await mtn.simulator.setSwitches('mtn-momo', {
      callback_method: 'PUT',
      callback_names_reference: true,
      callback_repeats: true,
    })
    const order = await chargeOf('+46733123499')
    await mtn.clock.advance(180)
    expect(mtn.sent.map(({ method }) => method)).toEqual(['PUT', 'PUT'])
    expect(mtn.sent[0]!.body).toBe(mtn.sent[1]!.body)
    expect(JSON.parse(mtn.sent[0]!.body)).toMatchObject({ referenceId: order.reference })
    expect(read(1)).toEqual(knock(order.reference))
  })

  it('do not come without an address, from an order that stays open, or when switched off', async () => {
    await chargeOf('+46733123499', mtn.driver({ callbacks: false }))
    await chargeOf('+46733123453')
    await mtn.simulator.setSwitches('mtn-momo', { callbacks: false })
    await chargeOf('+46733123499')
    expect(mtn.sent).toEqual([])
  })

  it('of payouts and refunds come, too', async () => {
    const driver = mtn.driver()
    const order = await chargeOf('+46733123499', driver)
    const payout = payoutTo('+46733123455')
    await driver.payout!(payout)
    const { kind: _, ...rest } = payoutTo(order.phonenumber)
    const refund = {
      ...rest,
      charge: { reference: order.reference, remote_id: null, transaction: 'x', amount: order.amount },
    }
    await driver.refund!(refund)
    await mtn.clock.advance(2)
    expect(
      mtn.sent
        .slice(1)
        .map(({ path }) => path)
        .sort(),
    ).toEqual([`/00ff/${payout.reference}`, `/00ff/${refund.reference}`].sort())
  })

  it('to another host than the registered one are refused before anything happens', async () => {
    await mtn.simulator.setSwitches('mtn-momo', { callback_host: 'pay.example.com' })
    const order = charge('+46733123499')
    expect(await mtn.driver().charge!(order)).toMatchObject({ outcome: 'failed', code: 'INVALID_CALLBACK_URL_HOST' })
    expect(await mtn.driver().chargeStatus!(order)).toEqual({ outcome: 'not_found' })
    expect(await mtn.driver({ callbacks: false }).charge!(order)).toEqual(accepted)
  })
})

function endOf(answer: { outcome: string; reason?: string }): string {
  return answer.outcome === 'failed' ? answer.reason! : answer.outcome
}

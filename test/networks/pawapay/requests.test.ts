import { createPublicKey } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { customerMessage } from '../../../src/networks/pawapay/orders.ts'
import { isSigned, readSignatureInput } from '../../../src/networks/pawapay/signatures.ts'
import {
  failureReason,
  ID,
  newKeys,
  OTHER_ID,
  openRecorder,
  order,
  payout,
  type Recorder,
  refund,
  state,
  TOKEN,
} from './pawapay-test.ts'

/*
 * Requests of the driver, byte for byte.
 */

let recorder: Recorder
afterEach(() => recorder?.close())

const accepted = (id: object) => ({ body: { ...id, status: 'ACCEPTED', created: '2026-11-22T08:00:00Z' } })
const taken = {
  'POST /v2/deposits': accepted({ depositId: ID }),
  'POST /v2/payouts': accepted({ payoutId: ID }),
  'POST /v2/refunds': accepted({ refundId: ID }),
}
const headers = {
  authorization: `Bearer ${TOKEN}`,
  accept: 'application/json',
  'content-type': 'application/json',
}

describe('an order', () => {
  it('is a deposit: the provider is looked up first, and the reason is cut to fit', async () => {
    recorder = await openRecorder(taken)
    expect(await recorder.operations.charge(order)).toEqual({ outcome: 'accepted', remote_id: ID })
    expect(recorder.requests).toMatchObject([
      { method: 'POST', path: '/v2/predict-provider', headers, body: '{"phoneNumber":"+256783456789"}' },
      { method: 'GET', path: '/v2/availability', headers: { authorization: `Bearer ${TOKEN}` }, body: '' },
      {
        method: 'POST',
        path: '/v2/deposits',
        headers,
        body:
          `{"depositId":"${ID}","amount":"5000","currency":"UGX",` +
          '"payer":{"type":"MMO","accountDetails":{"phoneNumber":"256783456789","provider":"MTN_MOMO_UGA"}},' +
          '"customerMessage":"Mamas cafe rent for Ma"}',
      },
    ])
    expect(recorder.requests.at(-1)!.headers.signature).toBe(undefined)
  })

  it('is a payout', async () => {
    recorder = await openRecorder(taken)
    const wages = { ...payout, amount: 105_000n, currency: 'ZMW', reason: 'Wages' }
    expect(await recorder.operations.payout(wages)).toEqual({ outcome: 'accepted', remote_id: ID })
    expect(recorder.to('/v2/payouts')).toMatchObject([
      {
        headers,
        body:
          `{"payoutId":"${ID}","amount":"10.5","currency":"ZMW",` +
          '"recipient":{"type":"MMO","accountDetails":{"phoneNumber":"256783456789","provider":"MTN_MOMO_UGA"}},' +
          '"customerMessage":"Wages"}',
      },
    ])
  })

  it('is a refund of a deposit or a part of it, even if the provider of the phone is unknown', async () => {
    recorder = await openRecorder({ ...taken, 'POST /v2/predict-provider': { status: 500 } })
    expect(await recorder.operations.refund(refund)).toEqual({ outcome: 'accepted', remote_id: ID })
    const body = `{"refundId":"${ID}","depositId":"${OTHER_ID}","amount":"2000","currency":"UGX"}`
    expect(recorder.to('/v2/refunds')).toMatchObject([{ headers, body }])
  })

  it('looks up the provider of a phone once an hour, and closed providers every half minute', async () => {
    recorder = await openRecorder(taken)
    const send = () => recorder.operations.charge(order)
    await Promise.all([send(), send()])
    await send()
    expect(recorder.to('/v2/predict-provider').length).toBeLessThanOrEqual(2)
    expect(recorder.to('/v2/availability')).toHaveLength(1)
    const before = recorder.to('/v2/predict-provider').length
    recorder.clock.ms += 31_000
    await send()
    expect(recorder.to('/v2/availability')).toHaveLength(2)
    expect(recorder.to('/v2/predict-provider')).toHaveLength(before)
    recorder.clock.ms += 3_600_000
    await send()
    expect(recorder.to('/v2/predict-provider')).toHaveLength(before + 1)
  })

  it('is not sent with an amount or a reference that pawaPay never takes', async () => {
    recorder = await openRecorder(taken)
    const wrong = [{ amount: 5_000n }, { amount: 0n }, { amount: 15_001n, currency: 'ZMW' }, { reference: 'KR12-1' }]
    for (const part of wrong)
      expect(await recorder.operations.charge({ ...order, ...part })).toMatchObject({
        outcome: 'failed',
        reason: 'rejected',
      })
    expect(await recorder.operations.chargeStatus({ ...order, reference: '../x' })).toMatchObject({
      outcome: 'unknown',
    })
    expect(await recorder.operations.payout({ ...payout, kind: 'airtime' })).toMatchObject({ reason: 'not_allowed' })
    expect(recorder.requests).toEqual([])
  })

  it('has a message of 4 to 22 letters, digits and blanks', () => {
    const reasons = { Rent: 'Rent', No: 'Payment No', '': 'Payment', '—': 'Payment', 'A/B-C_D': 'A B C D' }
    for (const [reason, message] of Object.entries(reasons)) expect(customerMessage(reason)).toBe(message)
    for (const reason of ['ab', 'é'.repeat(40), 'x y '.repeat(20)])
      expect(customerMessage(reason)).toMatch(/^[A-Za-z0-9 ]{4,22}$/)
  })
})

describe('a question', () => {
  it('names the order by our reference, with its kind in the path', async () => {
    recorder = await openRecorder()
    await recorder.operations.chargeStatus(order)
    await recorder.operations.payoutStatus(payout)
    await recorder.operations.refundStatus(refund)
    expect(recorder.paths()).toEqual([`GET /v2/deposits/${ID}`, `GET /v2/payouts/${ID}`, `GET /v2/refunds/${ID}`])
    for (const { headers: sent } of recorder.requests) expect(sent['content-type']).toBe(undefined)
  })
})

describe('a key for requests', () => {
  it('signs only calls that move money', async () => {
    const keys = newKeys()
    const given = { signing_key: keys.private_pem, signing_key_id: 'KUSANYA_1' }
    recorder = await openRecorder({ ...taken, [`GET /v2/deposits/${ID}`]: { body: state('ACCEPTED') } }, given)
    await recorder.operations.charge(order)
    await recorder.operations.payout(payout)
    await recorder.operations.refund(refund)
    await recorder.operations.chargeStatus(order)
    const signed = recorder.requests.filter((request) => request.headers.signature !== undefined)
    expect(signed.map(({ path }) => path)).toEqual(['/v2/deposits', '/v2/payouts', '/v2/refunds'])
    for (const { method, path, headers: sent, body } of signed) {
      const input = readSignatureInput(sent['signature-input'] as string)!
      expect(input.key_id).toBe('KUSANYA_1')
      const message = { method, url: recorder.url + path, headers: sent as never, body: Buffer.from(body) }
      expect(isSigned(message, input, createPublicKey(keys.public_pem), new Date(recorder.clock.ms))).toBe(true)
    }
  })

  it('that pawaPay refuses is an alarm, and the order may still be sent', async () => {
    const refused = {
      status: 403,
      body: { depositId: ID, status: 'REJECTED', ...failureReason('HTTP_SIGNATURE_ERROR') },
    }
    recorder = await openRecorder({ 'POST /v2/deposits': refused })
    expect(await recorder.operations.charge(order)).toMatchObject({ outcome: 'unknown' })
    expect(recorder.alarms).toEqual([expect.stringContaining('signing_key')])
  })
})

import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callbackOf, failureReason, ID, newKeys, openRecorder, type Recorder, state } from './pawapay-test.ts'

const keys = newKeys()
const listed = [{ id: 'KEY:1', key: keys.public_pem }]
let recorder: Recorder
beforeEach(async () => {
  recorder = await openRecorder({ 'GET /v2/public-key/http': { body: listed } })
})
afterEach(() => recorder.close())

const now = () => new Date(recorder.clock.ms)
const signing = () => ({ key: keys.privateKey, at: now() })

/** Read a callback with the driver, as the service does. */
async function read(callback: ReturnType<typeof callbackOf>) {
  await recorder.operations.prepareCallback(callback)
  return recorder.operations.readCallback(callback)
}
const question = { outcome: 'unknown', message: expect.any(String) }
const hint = { subject: 'order', order: { reference: ID }, verified: false, answer: question }

describe('a signed callback', () => {
  it('that reports an end counts at once, for each kind of orders', async () => {
    expect(await read(callbackOf(state('COMPLETED'), signing()))).toEqual({
      subject: 'order',
      order: { reference: ID },
      verified: true,
      answer: { outcome: 'successful', amount: 50_000_000n, remote_id: '12356789' },
    })
    const failed = state('FAILED', failureReason('RECIPIENT_NOT_FOUND'), { payoutId: ID })
    expect(await read(callbackOf(failed, signing(), '/payouts'))).toMatchObject({
      order: { reference: ID },
      verified: true,
      answer: { outcome: 'failed', reason: 'payee_not_found' },
    })
    const refunded = state('COMPLETED', {}, { refundId: ID })
    expect(await read(callbackOf(refunded, signing(), '/refunds'))).toMatchObject({ verified: true })
    expect(recorder.alarms).toEqual([])
  })

  it.each(['ACCEPTED', 'PROCESSING', 'ENQUEUED', 'IN_RECONCILIATION', 'POSTPONED'])(
    'with %s is no end: it causes a question',
    async (status) => {
      expect(await read(callbackOf(state(status), signing()))).toEqual(hint)
    },
  )

  it('without an amount causes a question', async () => {
    expect(await read(callbackOf(state('COMPLETED', { amount: undefined }), signing()))).toEqual(hint)
  })

  it('that names no order is kept for a person', async () => {
    const unread = callbackOf(state('COMPLETED', { depositId: undefined }), signing())
    expect(await read(unread)).toMatchObject({ subject: 'unrecognized', verified: true })
    expect(await read({ ...unread, headers: {} })).toMatchObject({ subject: 'unrecognized', verified: false })
  })

  it('is read again later without a signature of that time: it causes a question', async () => {
    const callback = callbackOf(state('COMPLETED'), signing())
    recorder.clock.ms += 3_600_000
    expect(await read(callback)).toEqual(hint)
  })

  it('is rejected if its signature covers different bytes', async () => {
    const callback = callbackOf(state('COMPLETED'), signing())
    const body = callback.body.replace('5000.00', '9000.00')
    expect(await read({ ...callback, body })).toEqual(hint)
    expect(recorder.alarms).toEqual([expect.stringContaining('PUBLIC_URL')])
  })

  it('is rejected if it was signed for another address, even if it names that host itself', async () => {
    const elsewhere = [
      'https://evil.example.com/api/callbacks/pawapay/00ff/deposits',
      'https://pay.example.com/api/callbacks/pawapay/ffff/deposits',
      'https://pay.example.com/api/callbacks/pawapay/00ff/payouts',
    ]
    for (const url of elsewhere) {
      const callback = callbackOf(state('COMPLETED'), { ...signing(), url })
      const headers = { ...callback.headers, host: new URL(url).host, 'x-forwarded-host': new URL(url).host }
      expect(await read({ ...callback, headers }), url).toEqual(hint)
    }
  })

  it('is rejected with another method, or another key of the same name', async () => {
    const callback = callbackOf(state('COMPLETED'), signing())
    expect(await read({ ...callback, method: 'PUT' })).toEqual(hint)
    const forged = callbackOf(state('COMPLETED'), { ...signing(), key: newKeys().privateKey })
    expect(await read(forged)).toEqual(hint)
  })
})

describe('the keys', () => {
  it('are fetched once for all callbacks, and once more for a new key', async () => {
    const callback = () => callbackOf(state('COMPLETED'), signing())
    const all = await Promise.all(Array.from({ length: 5 }, () => read(callback())))
    expect(all.map((parsed) => parsed.verified)).toEqual(Array(5).fill(true))
    expect(recorder.paths()).toEqual(['GET /v2/public-key/http'])
    const next = newKeys()
    recorder.answer('GET /v2/public-key/http', { body: [...listed, { id: 'KEY:2', key: next.public_pem }] })
    const renewed = () => callbackOf(state('COMPLETED'), { key: next.privateKey, key_id: 'KEY:2', at: now() })
    expect((await read(renewed())).verified).toBe(false)
    recorder.clock.ms += 61_000
    expect((await read(renewed())).verified).toBe(true)
    expect(recorder.paths()).toHaveLength(2)
  })

  it('are asked for at most once a minute, whatever callbacks name', async () => {
    for (let index = 0; index < 20; index += 1)
      await read(callbackOf(state('COMPLETED'), { ...signing(), key_id: `NONE:${index}` }))
    expect(recorder.paths()).toHaveLength(1)
  })

  it.each<[string, unknown]>([
    ['a single key', { id: 'KEY:1', key: keys.public_pem }],
    ['base64 without a frame', [{ id: 'KEY:1', key: keys.public_pem.split('\n').slice(1, -2).join('') }]],
    ['other entries beside it', [null, { id: 'X' }, { id: 'RSA', key: 'no key' }, ...listed]],
  ])('may come as %s', async (_name, body) => {
    recorder.answer('GET /v2/public-key/http', { body: JSON.stringify(body) })
    expect((await read(callbackOf(state('COMPLETED'), signing()))).verified).toBe(true)
  })

  it.each<[string, { status?: number; body?: string }]>([
    ['500', { status: 500 }],
    ['a page', { body: '<html></html>' }],
    ['an empty list', { body: '[]' }],
    ['a private key', { body: JSON.stringify([{ id: 'KEY:1', key: keys.private_pem }]) }],
  ])('that cannot be had leave a callback unverified: %s', async (_name, answer) => {
    recorder.answer('GET /v2/public-key/http', answer)
    expect(await read(callbackOf(state('COMPLETED'), signing()))).toEqual(hint)
  })

  it('may be set by hand, and then nothing is fetched', async () => {
    await recorder.close()
    recorder = await openRecorder({}, { callback_public_key: keys.public_pem })
    expect((await read(callbackOf(state('COMPLETED'), signing()))).verified).toBe(true)
    expect(recorder.requests).toEqual([])
  })
})

describe('an unsigned callback', () => {
  it('causes a question, and no key is fetched', async () => {
    expect(await read(callbackOf(state('COMPLETED')))).toEqual(hint)
    expect(recorder.requests).toEqual([])
    expect(recorder.alarms).toEqual([])
  })

  it('names an order or nothing, and its answer is an empty 200', async () => {
    const nothing = [
      {},
      [],
      null,
      'x',
      { status: 'COMPLETED' },
      state('COMPLETED', { payoutId: ID }),
      { depositId: 'x' },
    ]
    for (const body of nothing)
      expect(await read(callbackOf(JSON.stringify(body)))).toMatchObject({ subject: 'unrecognized' })
    expect(recorder.operations.callbackReply(callbackOf('{}'))).toMatchObject({ status: 200 })
  })

  it('is never verified and never makes the driver throw, whatever it is', () => {
    const genuine = callbackOf(state('COMPLETED'), signing())
    const headers = fc.dictionary(fc.constantFrom(...Object.keys(genuine.headers)), fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(headers, fc.oneof(fc.json(), fc.string({ unit: 'binary' })), (extra, body) => {
        const parsed = recorder.operations.readCallback({ ...genuine, headers: { ...genuine.headers, ...extra }, body })
        expect(parsed.subject === 'unrecognized' || !parsed.verified).toBe(true)
      }),
      { numRuns: 150 },
    )
  })
})

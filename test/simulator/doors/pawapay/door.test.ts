import { createPublicKey, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isSigned, readSignatureInput, signRequest } from '../../../../src/networks/pawapay/signatures.ts'
import { newKeys } from '../../../networks/pawapay/pawapay-test.ts'
import { openDatabase } from '../../simulator-test.ts'
import { deposit, openPawapay, type PawapayTest, payout } from './pawapay-door-test.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
let pawapay: PawapayTest
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  pawapay = await openPawapay(database.db)
})
afterEach(async () => {
  await pawapay.close()
  expect(pawapay.errors).toEqual([])
})

const codeOf = ({ body }: { body: { failureReason?: { failureCode: string } } }) => body.failureReason?.failureCode

describe('who calls', () => {
  it('needs the token', async () => {
    const none = await fetch(`${pawapay.url}/v2/wallet-balances`)
    expect([none.status, await none.json()]).toMatchObject([
      401,
      { failureReason: { failureCode: 'NO_AUTHENTICATION' } },
    ])
    const other = await pawapay.call('/v2/wallet-balances', undefined, { authorization: 'Bearer other' })
    expect([other.status, codeOf(other)]).toEqual([403, 'AUTHENTICATION_ERROR'])
    expect((await pawapay.call('/v3/deposits', deposit())).status).toBe(404)
  })

  it('needs a right signature if the account requires one', async () => {
    const keys = newKeys()
    await pawapay.set({ signed_requests_only: true, request_public_key: keys.public_pem })
    expect(codeOf(await pawapay.call('/v2/deposits', deposit()))).toBe('HTTP_SIGNATURE_ERROR')
    const body = JSON.stringify(deposit())
    const message = { method: 'POST', url: `${pawapay.url}/v2/deposits`, content_type: 'application/json', body }
    const now = pawapay.clock.now()
    const sign = (key = keys.privateKey, key_id = 'KUSANYA_1') => signRequest(message, { key, key_id }, now)
    for (const wrong of [sign(newKeys().privateKey), sign(keys.privateKey, 'OTHER')])
      expect(codeOf(await pawapay.call('/v2/deposits', body, wrong))).toBe('HTTP_SIGNATURE_ERROR')
    expect(codeOf(await pawapay.call('/v2/deposits', body.replace('5000', '6000'), sign()))).toBe(
      'HTTP_SIGNATURE_ERROR',
    )
    expect((await pawapay.call('/v2/deposits', body, sign())).body.status).toBe('ACCEPTED')
  })
})

describe('a deposit', () => {
  it('is taken, paid and reported, and a second one under its id is ignored', async () => {
    const wanted = deposit({
      customerMessage: 'Rent for March',
      clientReferenceId: 'INV-1',
      metadata: [{ orderId: 'ORD-1' }, { email: 'a@example.com', isPII: true }],
    })
    const created = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    const { depositId } = wanted
    const answer = { depositId, status: 'ACCEPTED', nextStep: 'FINAL_STATUS', created }
    expect(await pawapay.call('/v2/deposits', wanted)).toEqual({ status: 200, body: answer })
    expect((await pawapay.call(`/v2/deposits/${depositId}`)).body).toMatchObject({
      status: 'FOUND',
      data: { depositId, status: 'PROCESSING', amount: '5000.00', country: 'UGA' },
    })
    expect((await pawapay.call('/v2/deposits', { ...wanted, amount: '9000' })).body.status).toBe('DUPLICATE_IGNORED')
    await pawapay.clock.advance(2)
    const { data } = (await pawapay.call(`/v2/deposits/${depositId.toUpperCase()}`)).body
    expect(data).toEqual({
      depositId,
      status: 'COMPLETED',
      amount: '5000.00',
      currency: 'UGX',
      country: 'UGA',
      created,
      payer: wanted.payer,
      customerMessage: 'Rent for March',
      clientReferenceId: 'INV-1',
      metadata: { orderId: 'ORD-1', email: 'a@example.com' },
      providerTransactionId: expect.stringMatching(/^\d+$/),
    })
    expect(pawapay.sent).toMatchObject([{ method: 'POST', path: '/deposits' }])
    expect(JSON.parse(pawapay.sent[0]!.body)).toEqual(data)
    expect(pawapay.sent[0]!.headers.signature).toBe(undefined)
  })

  it('is unknown before it was sent', async () => {
    expect(await pawapay.call(`/v2/deposits/${randomUUID()}`)).toEqual({ status: 200, body: { status: 'NOT_FOUND' } })
  })

  it('of a wrong form is refused with 400, and leaves nothing behind', async () => {
    const wrong: [object | string, string][] = [
      ['no JSON', 'INVALID_INPUT'],
      [deposit({ amount: undefined }), 'MISSING_PARAMETER'],
      [deposit({ amount: '5000.00' }), 'INVALID_PARAMETER'],
      [deposit({ amount: '0' }), 'INVALID_PARAMETER'],
      [deposit({ amount: 5000 }), 'INVALID_PARAMETER'],
      [deposit({ depositId: 'KR12-1' }), 'INVALID_PARAMETER'],
      [deposit({}, '+256783456789'), 'INVALID_PARAMETER'],
      [deposit({ customerMessage: 'abc' }), 'INVALID_PARAMETER'],
      [deposit({ customerMessage: 'Rent, March' }), 'INVALID_PARAMETER'],
      [deposit({ correspondent: 'MTN_MOMO_UGA' }), 'UNSUPPORTED_PARAMETER'],
      [deposit({ metadata: [{ a: 1 }, { a: 2 }] }), 'DUPLICATE_METADATA_FIELD'],
    ]
    for (const [body, code] of wrong) {
      const answer = await pawapay.call('/v2/deposits', body)
      expect([answer.status, codeOf(answer), answer.body.status]).toEqual([400, code, 'REJECTED'])
    }
    expect(await pawapay.simulator.prompts()).toEqual([])
  })

  it('that the provider does not take is REJECTED with 200', async () => {
    const wrong: [object, string][] = [
      [deposit({}, '256783456789', 'PLUM_UGA'), 'INVALID_PROVIDER'],
      [deposit({ currency: 'KES' }), 'INVALID_CURRENCY'],
      [deposit({}, '254703456789'), 'INVALID_PHONE_NUMBER'],
      [deposit({ amount: '5000.5' }), 'INVALID_AMOUNT'],
      [deposit({ amount: '99' }), 'AMOUNT_OUT_OF_BOUNDS'],
      [deposit({ amount: '5000001' }), 'AMOUNT_OUT_OF_BOUNDS'],
    ]
    for (const [body, code] of wrong) {
      const answer = await pawapay.call('/v2/deposits', body)
      expect([answer.status, answer.body.status, codeOf(answer)]).toEqual([200, 'REJECTED', code])
    }
    // A number that was ported to another provider of its country is taken.
    expect((await pawapay.call('/v2/deposits', deposit({}, '256753456789'))).body.status).toBe('ACCEPTED')
  })

  it('is refused if the provider or the operation is closed', async () => {
    await pawapay.set({ deposits_status: 'CLOSED', status_of: 'MTN_MOMO_UGA' })
    expect(codeOf(await pawapay.call('/v2/deposits', deposit()))).toBe('PROVIDER_TEMPORARILY_UNAVAILABLE')
    const airtel = deposit({}, '256753456789', 'AIRTEL_OAPI_UGA')
    expect((await pawapay.call('/v2/deposits', airtel)).body.status).toBe('ACCEPTED')
    const { body } = await pawapay.call('/v2/availability?country=UGA&operationType=DEPOSIT')
    expect(body).toEqual([
      {
        country: 'UGA',
        providers: [
          { provider: 'MTN_MOMO_UGA', operationTypes: [{ operationType: 'DEPOSIT', status: 'CLOSED' }] },
          { provider: 'AIRTEL_OAPI_UGA', operationTypes: [{ operationType: 'DEPOSIT', status: 'OPERATIONAL' }] },
        ],
      },
    ])
    await pawapay.set({ deposits_allowed: false })
    const refused = await pawapay.call('/v2/deposits', airtel)
    expect([refused.status, codeOf(refused)]).toEqual([403, 'DEPOSITS_NOT_ALLOWED'])
  })
})

describe('a payout', () => {
  it('is sent and leaves the wallet of its country', async () => {
    const wanted = payout({}, '260763456789', 'MTN_MOMO_ZMB')
    const body = { ...wanted, amount: '10.5', currency: 'ZMW' }
    expect((await pawapay.call('/v2/payouts', body)).body).toMatchObject({
      payoutId: wanted.payoutId,
      status: 'ACCEPTED',
    })
    await pawapay.clock.advance(2)
    const { data } = (await pawapay.call(`/v2/payouts/${wanted.payoutId}`)).body
    expect(data).toMatchObject({ status: 'COMPLETED', amount: '10.50', recipient: wanted.recipient })
    expect(pawapay.sent.map(({ path }) => path)).toEqual(['/payouts'])
    const { balances } = (await pawapay.call('/v2/wallet-balances?country=ZMB')).body
    expect(balances).toEqual([{ country: 'ZMB', balance: '9999989.50', currency: 'ZMW', provider: '' }])
  })

  it('waits in the queue while its provider is down', async () => {
    await pawapay.set({ payouts_status: 'DELAYED' })
    const wanted = payout()
    expect((await pawapay.call('/v2/payouts', wanted)).body.status).toBe('ACCEPTED')
    const status = async () => (await pawapay.call(`/v2/payouts/${wanted.payoutId}`)).body.data.status
    await pawapay.clock.advance(300)
    expect(await status()).toBe('ENQUEUED')
    await pawapay.clock.advance(301)
    expect(await status()).toBe('COMPLETED')
  })

  it('is taken from the queue once, and fails', async () => {
    await pawapay.set({ payouts_status: 'DELAYED' })
    const { payoutId } = (await pawapay.call('/v2/payouts', payout())).body
    const cancel = (id: string) => pawapay.call(`/v2/payouts/fail-enqueued/${id}`, '')
    expect((await cancel(payoutId)).body).toEqual({ payoutId, status: 'ACCEPTED' })
    await pawapay.clock.advance(1)
    expect(JSON.parse(pawapay.sent[0]!.body)).toMatchObject({
      payoutId,
      status: 'FAILED',
      failureReason: { failureCode: 'MANUALLY_CANCELLED' },
    })
    for (const [id, code] of [
      [payoutId, 'INVALID_STATE'],
      [randomUUID(), 'NOT_FOUND'],
    ] as const)
      expect(codeOf(await cancel(id))).toBe(code)
    await pawapay.clock.advance(700)
    expect(pawapay.sent).toHaveLength(1)
  })

  it('cannot be taken from the queue if it is not there', async () => {
    const { payoutId } = (await pawapay.call('/v2/payouts', payout())).body
    expect(codeOf(await pawapay.call(`/v2/payouts/fail-enqueued/${payoutId}`, ''))).toBe('INVALID_STATE')
    await pawapay.clock.advance(2)
    expect((await pawapay.call(`/v2/payouts/${payoutId}`)).body.data.status).toBe('COMPLETED')
  })

  it('may come with others in one call, each with its own answer', async () => {
    const [first, second] = [payout(), payout({ amount: '1' })]
    const { body } = await pawapay.call('/v2/payouts/bulk', [first, second, first])
    expect(body.map((one: { status: string }) => one.status)).toEqual(['ACCEPTED', 'REJECTED', 'DUPLICATE_IGNORED'])
  })
})

describe('a refund', () => {
  const refund = (depositId: string, more: object = {}) => ({ refundId: randomUUID(), depositId, ...more })

  it('gives a part back, and then the rest', async () => {
    const { depositId } = (await pawapay.call('/v2/deposits', deposit())).body
    expect(codeOf(await pawapay.call('/v2/refunds', refund(depositId)))).toBe('INVALID_STATE')
    await pawapay.clock.advance(2)
    const part = refund(depositId, { amount: '2000', currency: 'UGX' })
    expect((await pawapay.call('/v2/refunds', part)).body).toMatchObject({
      refundId: part.refundId,
      status: 'ACCEPTED',
    })
    expect(codeOf(await pawapay.call('/v2/refunds', refund(depositId, { amount: '3001' })))).toBe('AMOUNT_TOO_LARGE')
    expect(codeOf(await pawapay.call('/v2/refunds', refund(depositId, { currency: 'KES' })))).toBe('INVALID_CURRENCY')
    const rest = refund(depositId)
    expect((await pawapay.call('/v2/refunds', rest)).body.status).toBe('ACCEPTED')
    expect((await pawapay.call('/v2/refunds', rest)).body.status).toBe('DUPLICATE_IGNORED')
    expect(codeOf(await pawapay.call('/v2/refunds', refund(depositId)))).toBe('DEPOSIT_ALREADY_REFUNDED')
    expect(codeOf(await pawapay.call('/v2/refunds', refund(randomUUID())))).toBe('NOT_FOUND')
    await pawapay.clock.advance(2)
    const { data } = (await pawapay.call(`/v2/refunds/${rest.refundId}`)).body
    expect(data).toMatchObject({ status: 'COMPLETED', amount: '3000.00', recipient: { type: 'MMO' } })
    expect(pawapay.sent.map(({ path }) => path)).toEqual(['/deposits', '/refunds', '/refunds'])
  })
})

describe('a callback', () => {
  const readKey = async () => createPublicKey((await pawapay.call('/v2/public-key/http')).body[0].key)
  const isRight = async ({ method, path, headers, body }: PawapayTest['sent'][number]) => {
    const input = readSignatureInput(headers['signature-input'])!
    expect(input.key_id).toBe('HTTP_EC_P256_KEY:1')
    const message = { method, url: pawapay.business + path, headers, body: Buffer.from(body) }
    return isSigned(message, input, await readKey(), pawapay.clock.now())
  }

  it.each(['der', 'ieee-p1363'] as const)('is signed if the account requires that, with %s', async (form) => {
    await pawapay.set({ signed_callbacks: true, signature_form: form })
    await pawapay.call('/v2/deposits', deposit({}, '256783456039'))
    await pawapay.clock.advance(2)
    expect(JSON.parse(pawapay.sent[0]!.body)).toMatchObject({
      status: 'FAILED',
      failureReason: { failureCode: 'PAYMENT_NOT_APPROVED' },
    })
    expect(await isRight(pawapay.sent[0]!)).toBe(true)
  })

  it('is sent again with a new signature until it is answered', async () => {
    await pawapay.set({ signed_callbacks: true })
    pawapay.refuse(7)
    await pawapay.call('/v2/deposits', deposit())
    await pawapay.clock.advance(900)
    expect(pawapay.sent).toHaveLength(8)
    expect(new Set(pawapay.sent.map(({ headers }) => headers.signature)).size).toBe(8)
    expect(new Set(pawapay.sent.map(({ body }) => body)).size).toBe(1)
  })

  it('comes again when it is asked for, once the order has ended', async () => {
    const { depositId } = (await pawapay.call('/v2/deposits', deposit())).body
    const resend = (id: string) => pawapay.call(`/v2/deposits/resend-callback/${id}`, '')
    expect(codeOf(await resend(depositId))).toBe('INVALID_STATE')
    expect(codeOf(await resend(randomUUID()))).toBe('NOT_FOUND')
    await pawapay.clock.advance(2)
    expect((await resend(depositId)).body).toEqual({ depositId, status: 'ACCEPTED' })
    await pawapay.clock.advance(1)
    expect(pawapay.sent.map(({ body }) => JSON.parse(body).depositId)).toEqual([depositId, depositId])
  })
})

describe('the toolkit', () => {
  it('predicts the provider of a number as people write it', async () => {
    const predict = async (phoneNumber: string) => (await pawapay.call('/v2/predict-provider', { phoneNumber })).body
    expect(await predict('+256 783 456-789')).toEqual({
      country: 'UGA',
      provider: 'MTN_MOMO_UGA',
      phoneNumber: '256783456789',
    })
    const others = { '260973456789': 'AIRTEL_OAPI_ZMB', '22951345789': 'MTN_MOMO_BEN', '254703456789': 'MPESA_KEN' }
    for (const [number, provider] of Object.entries(others)) expect(await predict(number)).toMatchObject({ provider })
    expect(codeOf({ body: await predict('256411000001') })).toBe('INVALID_PHONE_NUMBER')
  })

  it('shows the configuration of the account in both documented forms', async () => {
    await pawapay.set({ payouts_status: 'DELAYED' })
    const path = '/v2/active-conf?country=ZMB'
    const read = async () => (await pawapay.call(path)).body.countries[0].providers[0].currencies[0].operationTypes
    expect(await read()).toMatchObject({
      DEPOSIT: { authType: 'PROVIDER_AUTH', minAmount: '1', decimalsInAmount: 'TWO_PLACES', status: 'OPERATIONAL' },
      PAYOUT: { status: 'DELAYED', callbackUrl: `${pawapay.business}/payouts` },
    })
    await pawapay.set({ configuration_form: 'list' })
    expect(await read()).toMatchObject([{ operationType: 'DEPOSIT', minTransactionLimit: '1' }, {}, {}])
  })
})

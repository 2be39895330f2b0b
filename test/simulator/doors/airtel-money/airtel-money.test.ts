import { constants, createPublicKey, publicEncrypt } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Refund } from '../../../../src/lib/adapter-types.ts'
import type { StatementLine } from '../../../../src/lib/statements/statement-line.ts'
import { openDatabase } from '../../simulator-test.ts'
import { type AirtelTest, chargeBody, openAirtel, orderFor, payoutFor } from './airtel-door-test.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
let test: AirtelTest

beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  test = await openAirtel(database.db)
})
afterEach(async () => {
  expect(test.errors).toEqual([])
  await test.close()
})

describe('a payment', () => {
  it('is taken, and paid when the customer has typed the PIN; callback and enquiry name the same money', async () => {
    const order = orderFor('000002')
    expect(await test.airtel.charge(order)).toEqual({ outcome: 'accepted', remote_id: order.reference })
    expect(await test.airtel.chargeStatus(order)).toEqual({ outcome: 'accepted', remote_id: order.reference })
    await test.advance(1)
    const paid = await test.airtel.chargeStatus(order)
    expect(paid).toEqual({ outcome: 'successful', remote_id: expect.stringMatching(/^MP\d{6}\.\d{4}\.[A-Z]\d+$/) })
    expect(test.callbacks()).toEqual([
      { subject: 'order', order: { reference: order.reference }, verified: true, answer: paid },
    ])
  })

  it.each([
    ['008002', 'wrong_pin'],
    ['008003', 'limit_reached'],
    ['008004', 'limit_reached'],
    ['008005', 'prompt_expired'],
    ['008007', 'insufficient_funds'],
    ['008008', 'cancelled'],
    ['008009', 'rejected'],
    ['008010', 'not_allowed'],
    ['008026', 'not_allowed'],
    ['008029', 'prompt_expired'],
    ['000101', 'insufficient_funds'],
    ['000102', 'wrong_pin'],
  ])('of the phone …%s fails with %s', async (digits, reason) => {
    const order = orderFor(digits)
    expect(await test.airtel.charge(order)).toMatchObject({ outcome: 'accepted' })
    await test.advance(1)
    expect(await test.airtel.chargeStatus(order)).toMatchObject({ outcome: 'failed', reason })
    expect(test.callbacks()).toMatchObject([{ verified: false, answer: { outcome: 'unknown' } }])
  })

  it.each(['008000', '008006', '008024'])('of the phone …%s stays open for a day', async (digits) => {
    const order = orderFor(digits)
    await test.airtel.charge(order)
    await test.advance(86_400)
    expect(await test.airtel.chargeStatus(order)).toMatchObject({ outcome: 'accepted' })
  })

  it('of the phone …008025 is never found', async () => {
    const order = orderFor('008025')
    expect(await test.airtel.charge(order)).toMatchObject({ outcome: 'accepted' })
    expect(await test.airtel.chargeStatus(order)).toEqual({ outcome: 'not_found' })
    expect(await test.airtel.charge(order)).toMatchObject({ outcome: 'unknown' })
  })

  it.each([
    ['008102', 'wrong_pin'],
    ['008110', 'not_allowed'],
    ['008126', 'not_allowed'],
  ])('of the phone …%s is refused at once with %s', async (digits, reason) => {
    const order = orderFor(digits)
    expect(await test.airtel.charge(order)).toMatchObject({ outcome: 'failed', reason })
    expect(await test.airtel.chargeStatus(order)).toEqual({ outcome: 'not_found' })
  })

  it('may be reported as failed and succeed afterwards', async () => {
    const order = orderFor('008099')
    await test.airtel.charge(order)
    await test.advance(1)
    expect(await test.airtel.chargeStatus(order)).toMatchObject({ outcome: 'accepted' })
    await test.advance(10)
    expect(await test.airtel.chargeStatus(order)).toMatchObject({ outcome: 'successful' })
    expect(test.callbacks()).toMatchObject([{ verified: false }, { verified: true, answer: { outcome: 'successful' } }])
  })

  it('is one payment, however often it is sent', async () => {
    const order = orderFor('000002')
    const answers = await Promise.all(Array.from({ length: 5 }, () => test.airtel.charge(order)))
    expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['accepted']))
    await test.advance(1)
    expect(await test.airtel.charge(order)).toMatchObject({ outcome: 'successful' })
    expect(test.callbacks()).toHaveLength(1)
  })

  it('is unknown when the call is not answered, and found by its reference', async () => {
    const quick = { ...test.open({ collection_version: 'v1' }) }
    test.simulator.faults.add({ door: 'airtel-money', verb: 'charge', kind: 'hang_up_after' })
    const order = orderFor('000002')
    expect(await quick.charge(order)).toMatchObject({ outcome: 'unknown' })
    await test.advance(1)
    expect(await quick.chargeStatus(order)).toMatchObject({ outcome: 'successful' })
  })

  it.each(['success', 'id-false', 'ts'])(
    'was only taken, also where the answer is of the kind %s',
    async (charge_answer) => {
      await test.set({ charge_answer, enquiry_code: 'in-process' })
      const order = orderFor('000002')
      expect(await test.airtel.charge(order)).toEqual({ outcome: 'accepted', remote_id: order.reference })
      await test.advance(1)
      expect(await test.airtel.chargeStatus(order)).toMatchObject({ outcome: 'successful' })
    },
  )

  it('is not found before the network wants to be asked', async () => {
    await test.set({ enquiry_after_s: 180 })
    const order = orderFor('000002')
    await test.airtel.charge(order)
    await test.advance(179)
    expect(await test.airtel.chargeStatus(order)).toEqual({ outcome: 'not_found' })
    await test.advance(1)
    expect(await test.airtel.chargeStatus(order)).toMatchObject({ outcome: 'successful' })
  })

  it('answers as documented', async () => {
    expect((await test.call('POST', '/merchant/v1/payments/', chargeBody())).body).toEqual({
      data: { transaction: { id: false, status: 'SUCCESS' } },
      status: {
        code: '200',
        message: 'SUCCESS',
        result_code: 'ESB000010',
        response_code: 'DP00800001006',
        success: true,
      },
    })
    const again = await test.call('POST', '/merchant/v1/payments/', chargeBody())
    expect(again).toMatchObject({
      status: 200,
      body: {
        status: {
          response_code: 'DP00800001000',
          code: '500',
          success: false,
          result_code: 'ESB000041',
          message: 'External Transaction ID already exists.',
        },
      },
    })
  })

  it('with a dash in its id passes, and the enquiry denies it', async () => {
    const taken = await test.call('POST', '/merchant/v1/payments/', chargeBody({ id: 'KR1-1' }))
    expect(taken.body).toMatchObject({ status: { success: true } })
    const asked = await test.call('GET', '/standard/v1/payments/KR1-1')
    expect(asked.body).toMatchObject({
      status: { response_code: 'DP00800001005', message: 'Transaction ID is invalid' },
    })
  })

  it('with a dash in its id is found if the network accepts such ids', async () => {
    await test.set({ id_dashes: 'accepted' })
    const id = '3f0c1a52-7a0e-4f43-9a54-5d0f5c1f8a11'
    await test.call('POST', '/merchant/v1/payments/', chargeBody({ id }))
    await test.advance(2)
    const asked = await test.call('GET', `/standard/v1/payments/${id}`)
    expect(asked.body).toMatchObject({ data: { transaction: { id, status: 'TS' } } })
  })

  it.each<[string, object, string]>([
    ['the calling code', chargeBody({}, '256752000002'), 'ESB000033'],
    ['a zero', chargeBody({}, '0752000002'), 'ESB000036'],
    ['too few digits', chargeBody({}, '7520'), 'ESB000033'],
    ['an amount as a text', chargeBody({}, '752000002', '1500'), 'ESB000008'],
    ['decimals', chargeBody({}, '752000002', 1500.5), 'ESB000008'],
    ['another currency', chargeBody({ currency: 'KES' }), 'ESB000035'],
    ['no id', chargeBody({ id: undefined }), 'ESB000008'],
    ['nothing', {}, 'ESB000008'],
  ])('is refused with %s', async (_, body, result_code) => {
    expect((await test.call('POST', '/merchant/v1/payments/', body)).body).toMatchObject({ status: { result_code } })
  })
})

describe('a refund', () => {
  async function paidRefund(): Promise<Refund> {
    const order = orderFor('000002')
    await test.airtel.charge(order)
    await test.advance(1)
    const paid = await test.airtel.chargeStatus(order)
    const transaction = (paid as { remote_id: string }).remote_id
    const { reference, amount } = order
    return { ...payoutFor('000002'), amount, charge: { reference, remote_id: reference, transaction, amount } }
  }

  it('gives back the whole payment once', async () => {
    const refund = await paidRefund()
    const given = await test.airtel.refund(refund)
    expect(given).toMatchObject({ outcome: 'successful' })
    expect(await test.airtel.refundStatus(refund)).toMatchObject({ outcome: 'unknown' })
    await test.advance(1)
    expect(await test.airtel.refundStatus(refund)).toEqual({ outcome: 'successful' })
    expect(await test.airtel.refund(refund)).toMatchObject({ outcome: 'failed', reason: 'rejected' })
    const lines = await statement()
    expect(lines.find(({ sent }) => sent)).toMatchObject({
      remote_id: (given as { remote_id: string }).remote_id,
      amount: refund.amount,
    })
  })

  it('of an unknown payment fails', async () => {
    const refund = await paidRefund()
    const unknown = { ...refund, charge: { ...refund.charge, transaction: 'MP1' } }
    expect(await test.airtel.refund(unknown)).toMatchObject({ outcome: 'failed', code: 'ESB000045' })
  })
})

describe('a payout', () => {
  it('is taken, and arrives', async () => {
    const payout = payoutFor('000002')
    expect(await test.airtel.payout(payout)).toEqual({ outcome: 'accepted', remote_id: payout.reference })
    expect(await test.airtel.payoutStatus(payout)).toMatchObject({ outcome: 'accepted' })
    await test.advance(1)
    expect(await test.airtel.payoutStatus(payout)).toEqual({ outcome: 'successful' })
    expect(await test.airtel.payout(payout)).toMatchObject({ outcome: 'successful' })
    expect(test.callbacks()).toEqual([])
  })

  it.each([
    ['009003', 'limit_reached'],
    ['009005', 'rejected'],
    ['009007', 'insufficient_funds'],
    ['009009', 'payee_not_found'],
    ['009010', 'not_allowed'],
    ['009012', 'payee_not_found'],
    ['009013', 'rejected'],
    ['000101', 'insufficient_funds'],
  ])('to the phone …%s fails with %s', async (digits, reason) => {
    const payout = payoutFor(digits)
    await test.airtel.payout(payout)
    await test.advance(1)
    expect(await test.airtel.payoutStatus(payout)).toMatchObject({ outcome: 'failed', reason })
  })

  it.each([
    ['009107', { outcome: 'failed', reason: 'insufficient_funds' }],
    ['009111', { outcome: 'unknown' }],
    ['009114', { outcome: 'unknown' }],
    ['009116', { outcome: 'failed', reason: 'not_allowed' }],
  ])('to the phone …%s is answered at once', async (digits, outcome) => {
    const payout = payoutFor(digits)
    expect(await test.airtel.payout(payout)).toMatchObject(outcome)
    expect(await test.airtel.payoutStatus(payout)).toEqual({ outcome: 'not_found' })
  })

  it.each(['009000', '009006', '009014'])('to the phone …%s stays open', async (digits) => {
    const payout = payoutFor(digits)
    await test.airtel.payout(payout)
    await test.advance(100_000)
    expect(await test.airtel.payoutStatus(payout)).toMatchObject({ outcome: 'accepted' })
  })

  it('is refused with a wrong PIN, and the operator is alerted', async () => {
    const wrong = test.open({ pin: '1111' })
    expect(await wrong.payout(payoutFor('000002'))).toMatchObject({
      outcome: 'failed',
      reason: 'not_allowed',
      code: 'ROUTER115',
    })
    expect(test.alarms.join()).toMatch(/setting pin/)
  })

  it('is refused with a PIN that has the padding OAEP', async () => {
    const { body } = await test.call('GET', '/v1/rsa/encryption-keys')
    const { key } = (body as { data: { key: string } }).data
    const public_key = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
    const padding = constants.RSA_PKCS1_OAEP_PADDING
    const pin = publicEncrypt({ key: public_key, padding }, Buffer.from('4321')).toString('base64')
    const payout = { payee: { msisdn: '752000002' }, reference: 'KP1', pin, transaction: { amount: 1000, id: 'KP1' } }
    expect(await test.call('POST', '/standard/v1/disbursements/', payout)).toMatchObject({
      status: 400,
      body: { status_code: 'ROUTER116' },
    })
  })

  it('that came back is reversed', async () => {
    const payout = payoutFor('000108')
    await test.airtel.payout(payout)
    await test.advance(11)
    expect(await test.airtel.payoutStatus(payout)).toMatchObject({ outcome: 'reversed' })
  })
})

async function statement(): Promise<StatementLine[]> {
  const lines: StatementLine[] = []
  const now_ms = test.world.now().getTime()
  const period = { from: new Date(now_ms - 3_600_000), to: new Date(now_ms + 3_600_000) }
  for await (const line of test.airtel.statement(period)) lines.push(line)
  return lines
}

describe('an account', () => {
  it('has a holder, who may be hidden or unknown', async () => {
    const holderOf = (digits: string) => test.airtel.accountHolder(`+256752${digits}`)
    expect(await holderOf('000002')).toEqual({ outcome: 'found', name: 'Sandbox Customer' })
    expect(await holderOf('000402')).toEqual({ outcome: 'found', name: 'AKELLO, Grâce Namukasa' })
    expect(await holderOf('000403')).toEqual({ outcome: 'found', name: null })
    expect(await holderOf('000401')).toEqual({ outcome: 'not_found' })
    expect(await holderOf('000404')).toMatchObject({ outcome: 'unknown' })
  })

  it('has a balance and a statement that agree', async () => {
    await test.set({ wallets: 'separate' })
    for (const digits of ['000002', '000003']) await test.airtel.charge(orderFor(digits))
    await test.airtel.payout(payoutFor('000002'))
    await test.advance(2)
    const lines = await statement()
    const sum = lines.reduce((sum, { amount, sent }) => (sent ? sum - amount : sum + amount), 0n)
    expect(lines.map(({ sent, status }) => [sent, status])).toHaveLength(3)
    const opening = 100_000_000_000n
    expect(await test.airtel.balance()).toEqual({
      outcome: 'found',
      balances: [{ currency: 'UGX', amount: opening + sum }],
    })
    expect(await test.open({ wallets: 'separate' }).balance()).toEqual({
      outcome: 'found',
      balances: [
        { currency: 'UGX', amount: opening + 30_000_000n, name: 'collection' },
        { currency: 'UGX', amount: opening - 15_000_000n, name: 'disbursement' },
      ],
    })
  })

  it('has a statement of many pages', async () => {
    const many = Array.from({ length: 105 }, () => test.airtel.charge(orderFor('000002')))
    await Promise.all(many)
    await test.advance(1)
    const lines = await statement()
    expect(new Set(lines.map(({ remote_id }) => remote_id)).size).toBe(105)
    expect(test.calls()).toMatchObject({ token: 1, 'encryption key': 1, statement: 2 })
  })
})

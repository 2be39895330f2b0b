import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ProviderVend } from '../../../src/billers/contract.ts'
import { vtpass } from '../../../src/billers/vtpass/index.ts'
import { openRecorder, providerVend, type Recorder } from '../recorder.ts'

const settings = { api_key: 'our-api-key', public_key: 'PK_ours', secret_key: 'SK_ours' }
let recorder: Recorder
beforeEach(async () => {
  recorder = await openRecorder(vtpass, settings, { hosts: (url) => ({ api: url }) })
})
afterEach(() => recorder.close())

async function vended(order: Partial<ProviderVend>, goods: object | string) {
  const body = { code: '000', content: { transactions: { status: 'delivered', transactionId: 17 } } }
  const text = typeof goods === 'string' ? goods : JSON.stringify({ ...body, ...goods })
  recorder.answer('POST /pay', { body: text })
  const answer = await recorder.operations.vend(providerVend(order))
  if (answer.outcome !== 'successful') throw new Error(JSON.stringify(answer))
  return { ...answer.vended, remote_id: answer.remote_id }
}

const light = { kind: 'electricity', account_number: '1', details: { prepaid: true } } as const
const TOKEN = '26362054405982757802'

describe('the goods of the customer', () => {
  it.each([
    ['mainToken', { mainToken: TOKEN, mainTokenUnits: 79.9 }, '79.9KWH'],
    ['a token in groups', { mainToken: '2636-2054-4059-8275-7802', mainTokenUnits: '79.9 kWh' }, '79.9KWH'],
    ['Token', { Token: TOKEN, Units: '12.0' }, '12.0KWH'],
    ['token', { token: `Token: ${TOKEN}`, units: '79.9 kWh' }, '79.9KWH'],
    ['purchased_code alone', { purchased_code: `Token : ${TOKEN}`, mainToken: null, token: 'N/A' }, null],
  ])('light with %s', async (_, goods, amount_of_power) => {
    expect(await vended(light, goods)).toMatchObject({ token: TOKEN, amount_of_power, remote_id: '17' })
  })

  it('light without a token yet, which is no sale yet for the service', async () => {
    expect(await vended(light, { purchased_code: '' })).toMatchObject({ token: null, amount_of_power: null })
  })

  it('light of a postpaid meter, which has no token', async () => {
    const postpaid = { ...light, details: { prepaid: false } }
    expect(await vended(postpaid, { purchased_code: TOKEN })).toMatchObject({ token: null })
  })

  it('tokens for a meter that needs new keys, and a bonus', async () => {
    const [reset, configure] = ['1'.repeat(20), '2'.repeat(20)]
    const goods = { mainToken: TOKEN, kct1: reset, kct2: configure, resetToken: '', bonusToken: '3'.repeat(20) }
    const { more } = await vended(light, goods)
    expect(more).toEqual({ resetToken: reset, configureToken: configure, bonusToken: '3'.repeat(20) })
    expect((await vended(light, { mainToken: TOKEN, kct1: 'N/A', kct2: 'N/A' })).more).toEqual({})
  })

  it("the biller's own data, without what is about our account", async () => {
    const { raw_output } = await vended(light, { mainToken: TOKEN, tariff: '209.5', debtAmount: 1.1, amount: 5 })
    expect(raw_output).toEqual({ mainToken: TOKEN, tariff: '209.5', debtAmount: '1.1' })
    expect((await vended({}, {})).raw_output).toBeNull()
  })

  it('the charge of the sale to the wallet, if VTpass states it', async () => {
    const sale = (transaction: object) => ({
      body: { code: '000', content: { transactions: { status: 'delivered', transactionId: 17, ...transaction } } },
    })
    recorder.answer('POST /pay', sale({ amount: '1000', commission: '15.5', total_amount: 984.5 }))
    expect(await recorder.operations.vend(providerVend({}))).toMatchObject({
      charged: { amount: 9_845_000n, currency: 'NGN' },
    })
    recorder.answer('POST /pay', sale({ total_amount: null }))
    expect(await recorder.operations.vend(providerVend({}))).not.toHaveProperty('charged')
  })

  it('numbers as they were written', async () => {
    const text = `{"code":"000","content":{"transactions":{"status":"delivered","transactionId":17325000000000000001}},"tax":0.1000}`
    expect(await vended({}, text)).toMatchObject({ remote_id: '17325000000000000001', raw_output: { tax: '0.1000' } })
  })

  it('pins as cards, or in a text', async () => {
    const order = { kind: 'epin', details: { pins: 2 } } as const
    const card = (serial_number: string, pin: string) => ({ serial_number, pin, instructions: '', expires_on: '' })
    const cards = [
      { Serial: 'WRN1', Pin: '111111' },
      { Serial: 'WRN2', Pin: '222222' },
    ]
    const expected = [card('WRN1', '111111'), card('WRN2', '222222')]
    expect((await vended(order, { cards })).pins).toEqual(expected)
    const purchased_code = 'Serial No:WRN1, pin: 111111||Serial No:WRN2, pin: 222222'
    expect((await vended(order, { purchased_code })).pins).toEqual(expected)
  })

  it.each([
    ['Pin', { Pin: 'Pin : 3678251321392432' }],
    ['tokens', { tokens: ['3678251321392432'] }],
    ['purchased_code', { purchased_code: 'Pin : 3678251321392432' }],
  ])('the pin of a candidate in %s', async (_, goods) => {
    expect((await vended({ kind: 'exampin' }, goods)).more).toEqual({ token_pin: '3678251321392432' })
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPurchaseWaiter } from '../../../src/api/bills/purchase-waiter.ts'
import { SETTLED_CHANNEL } from '../../../src/core/bills/vends/settle.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { buildTestApp, endlessLeases, eventually, type TestApp } from '../../test-app.ts'
import { airtimeOrder, createBuyer, electricityOrder, freshReference } from './buyer.ts'

let testApp: TestApp
let buyer: ReturnType<typeof createBuyer>

beforeAll(async () => {
  // A purchase is not sent after the lease of its call, and two hundred at once take longer.
  testApp = await buildTestApp({ clock: endlessLeases() })
  const { url } = await testApp.startService()
  buyer = createBuyer(testApp, url)
})
afterAll(() => testApp.close())

/** The amount that a purchase takes from the wallet. */
async function costOf<T>(buy: () => Promise<T>): Promise<{ cost: bigint; answer: T }> {
  const before = await buyer.wallet()
  const answer = await buy()
  return { cost: before - (await buyer.wallet()), answer }
}

const naira = (text: string) => parseAmount(text)!
const ELECTRICITY = '/services/electricity/request'

describe('electricity', () => {
  it('returns a token of 20 digits and the power for the amount after tax for a prepaid meter', async () => {
    const { cost, answer } = await costOf(() => buyer.post(ELECTRICITY, electricityOrder({ amount: '5000' })))
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      status: 'success',
      message: 'Successful',
      code: 200,
      data: {
        statusCode: '0',
        transactionStatus: 'success',
        transactionReference: expect.any(Number),
        transactionMessage: 'Payment Successful',
        tokenCode: expect.stringMatching(/^\d{20}$/),
        tokenAmount: 5000,
        rawOutput: { standardTokenDescription: 'Sandbox Sale' },
      },
    })
    // 5000 / 1.075 / 66.9 naira a kWh is 69.52…, and units are rounded down to 0.1 kWh.
    expect(answer.body.data.amountOfPower).toBe('69.5KWH')
    expect(BigInt(answer.body.data.tokenCode)).toBeLessThan(2n ** 66n)
    expect(answer.body.data.creditToken).toBe(answer.body.data.tokenCode)
    expect(cost).toBe(naira('5000'))
  })

  it('returns the same result, with the token, on every requery', async () => {
    const body = electricityOrder()
    const first = await buyer.post(ELECTRICITY, body)
    for (let count = 0; count < 2; count += 1) {
      const again = await buyer.requery(body.agentReference)
      expect(again.status).toBe(200)
      expect(again.body.data).toMatchObject({
        ...first.body.data,
        baxiReference: String(first.body.data.baxiReference),
        pins: [],
      })
    }
    const by_id = await buyer.get(
      `/superagent/transaction/requery?transactionReference=${first.body.data.transactionReference}`,
    )
    expect(by_id.body.data.tokenCode).toBe(first.body.data.tokenCode)
  })

  it('ignores spaces around a reference', async () => {
    const body = electricityOrder()
    const padded = ` ${body.agentReference}\n`
    const first = await buyer.post(ELECTRICITY, { ...body, agentReference: padded })
    expect((await buyer.post(ELECTRICITY, body)).body.code).toBe('BX0023')
    for (const reference of [body.agentReference, encodeURIComponent(padded)])
      expect((await buyer.requery(reference)).body.data.tokenCode).toBe(first.body.data.tokenCode)
  })

  it('returns no token for a postpaid account', async () => {
    const body = electricityOrder({ service_type: 'ikeja_electric_postpaid', account_number: '04042404139' })
    const answer = await buyer.post(ELECTRICITY, body)
    expect(answer.body.data.transactionStatus).toBe('success')
    expect(answer.body.data).not.toHaveProperty('tokenCode')
    expect(answer.body.data).not.toHaveProperty('amountOfPower')
    expect((await buyer.requery(body.agentReference)).body.data).not.toHaveProperty('tokenCode')
  })

  it('returns new meter keys once for a meter that needs them', async () => {
    const old_meter = { account_number: '04223568280' }
    const first = await buyer.post(ELECTRICITY, electricityOrder(old_meter))
    const keys = [first.body.data.resetToken, first.body.data.configureToken, first.body.data.tokenCode]
    for (const token of keys) expect(token).toMatch(/^\d{20}$/)
    expect(new Set(keys).size).toBe(3)
    expect((await buyer.post(ELECTRICITY, electricityOrder(old_meter))).body.data).not.toHaveProperty('resetToken')
  })

  it.each([
    ['a meter whose check digit is wrong', { account_number: '04042404049' }, 'account_number'],
    ['an invalid phone', { phone: '1234' }, 'phone'],
    ['less than the minimum', { amount: '10' }, 'amount'],
    ['no reference', { agentReference: undefined }, 'agentReference'],
  ])('refuses %s and stores nothing', async (_what, changes, field) => {
    const { cost, answer } = await costOf(() => buyer.post(ELECTRICITY, electricityOrder(changes)))
    expect([answer.status, answer.body.code]).toEqual([400, 'BX0003'])
    expect(answer.body).toMatchObject({ status: 'error', errors: { [field]: { message: expect.any(String) } } })
    expect(cost).toBe(0n)
  })

  it('names all invalid fields of a purchase', async () => {
    const wrong = { account_number: '04042404049', phone: '1234', amount: '10' }
    const answer = await buyer.post(ELECTRICITY, electricityOrder(wrong))
    expect(answer.body.code).toBe('BX0003')
    expect(Object.keys(answer.body.errors).sort()).toEqual(Object.keys(wrong).sort())
    const too_much = await buyer.post(ELECTRICITY, electricityOrder({ ...wrong, amount: '300001' }))
    expect(too_much.body.code).toBe('BX0003')
    expect(Object.keys(too_much.body.errors).sort()).toEqual(['account_number', 'phone'])
  })
})

describe('airtime and data', () => {
  it('sells airtime with the messages that existing clients know', async () => {
    const { cost, answer } = await costOf(() => buyer.post('/services/airtime/request', airtimeOrder({ amount: 250 })))
    expect(answer.body).toMatchObject({
      status: 'success',
      data: { transactionMessage: 'Airtime Topup successful on 08031234567', provider_message: 'SendOk' },
    })
    expect(cost).toBe(naira('250'))
  })

  it('sells data only at the price of the catalogue', async () => {
    const { amount: _, plan: __, ...body } = airtimeOrder({ datacode: '1000', amount: 1, plan: '' })
    const { cost, answer } = await costOf(() => buyer.post('/services/databundle/request', body))
    expect(answer.body.data).toMatchObject({
      transactionMessage: 'Data bundle successful on 08031234567',
      extraData: { status: 'ACCEPTED', exchangeReference: expect.any(String) },
    })
    expect(cost).toBe(naira('1000'))
    const cheaper = await buyer.post('/services/databundle/request', {
      ...body,
      agentReference: freshReference(),
      amount: 1,
    })
    expect(cheaper.body).toMatchObject({ code: 'BX0003', errors: { amount: { message: 'The price is 1000.' } } })
  })

  it('sells data to an account for providers with accounts', async () => {
    const body = airtimeOrder({
      service_type: 'spectranet',
      datacode: '43456',
      amount: '5000',
      account_number: '210001245',
      package: 'CHANGE_IMMEDIATE',
    })
    const answer = await buyer.post('/services/databundle/request', body)
    expect([answer.status, answer.body.status]).toEqual([200, 'success'])
  })

  it('accepts the fields as a form, in the query of a POST, and under the other prefix', async () => {
    const form = new URLSearchParams(
      Object.entries(airtimeOrder()).map(([name, value]): [string, string] => [name, String(value)]),
    )
    const as_form = await buyer.send('POST', '/services/airtime/request', form.toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(as_form.body.status).toBe('success')
    form.set('agentReference', freshReference())
    const as_query = await buyer.send('POST', `/services/airtime/request?${form}`)
    expect(as_query.body.status).toBe('success')
    const reference = form.get('agentReference')
    expect(
      (await buyer.get(`/../baxipay/superagent/transaction/requery?agentReference=${reference}`)).body.status,
    ).toBe('success')
  })
})

describe('cable TV', () => {
  const subscription = (changes: object) => ({
    agentReference: freshReference(),
    agentId: 207,
    service_type: 'dstv',
    smartcard_number: 4131953321,
    product_monthsPaidFor: '1',
    ...changes,
  })

  it('renews for any amount', async () => {
    const body = subscription({ product_code: '0', total_amount: '9000' })
    const { cost, answer } = await costOf(() => buyer.post('/services/multichoice/request', body))
    expect(answer.body.data).toMatchObject({
      transactionMessage: 'Cable TV Subcription successful',
      rawOutput: { details: { done: true } },
    })
    expect(cost).toBe(naira('9000'))
  })

  it('changes the plan for the price of bouquet and add-on together', async () => {
    const { body: bouquets } = await buyer.post('/services/cabletv/list', { service_type: 'dstv' })
    const { body: addons } = await buyer.post('/services/cabletv/addons', {
      service_type: 'dstv',
      product_code: 'COMPE36',
    })
    const compact = bouquets.data.find((one: { code: string }) => one.code === 'COMPE36')
    const [addon] = addons.data
    const total_amount = compact.availablePricingOptions[0].price + addon.availablePricingOptions[0].price
    const change = { product_code: 'COMPE36', addon_code: addon.code, addon_monthsPaidFor: 1 }
    const body = subscription({ ...change, total_amount })
    const { cost, answer } = await costOf(() => buyer.post('/services/cabletv/request', body))
    expect(answer.body.status).toBe('success')
    expect(cost).toBe(naira(String(total_amount)))
    const wrong = await buyer.post('/services/cabletv/request', subscription({ ...change, total_amount: 1 }))
    expect(wrong.body).toMatchObject({ code: 'BX0003', errors: { total_amount: {} } })
  })
})

describe('pins', () => {
  const pins = (changes: object = {}) => ({
    agentReference: freshReference(),
    agentId: 207,
    service_type: 'glo',
    pinValue: 50,
    numberOfPins: 3,
    amount: 150,
    ...changes,
  })
  const available = async (value = 50) => {
    const { body } = await buyer.post('/services/epin/bundles', { service_type: 'glo' })
    return body.data.find((one: { amount: number }) => one.amount === value).available as number
  }

  it('are unique and reduce the stock', async () => {
    const before = await available()
    const { cost, answer } = await costOf(() => buyer.post('/services/epin/request', pins()))
    expect(answer.body.data.transactionMessage).toBe('Successful pin purchase')
    const numbers = answer.body.data.pins.map((one: { pin: string }) => one.pin)
    expect(new Set(numbers).size).toBe(3)
    expect(answer.body.data.pins[0]).toEqual({
      instructions: expect.stringContaining('Dial'),
      serialNumber: expect.stringMatching(/^\d{13}$/),
      pin: expect.stringMatching(/^\d{15}$/),
      expiresOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    })
    expect(cost).toBe(naira('150'))
    expect(await available()).toBe(before - 3)
  })

  it('return to the stock when the purchase fails', async () => {
    const before = await available()
    const answer = await buyer.post('/services/epin/request', pins(), { 'x-sandbox-scenario': 'decline' })
    expect(answer.body.code).toBe('EXC00107')
    expect(await available()).toBe(before)
  })

  it('are never sold twice under simultaneous purchases', async () => {
    await testApp.db`update catalogue_products set available = 5 where kind = 'pin' and code = '100'`
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        buyer.post('/services/epin/request', pins({ pinValue: 100, numberOfPins: 1, amount: 100 })),
      ),
    )
    expect(answers.filter(({ body }) => body.status === 'success')).toHaveLength(5)
    for (const { body } of answers.filter(({ status }) => status !== 200))
      expect(body).toMatchObject({ code: 'BX0003', errors: { numberOfPins: {} } })
    expect(await available(100)).toBe(0)
    expect(await buyer.held()).toBe(0n)
  })
})

describe('exam pins', () => {
  const candidate = { service_type: 'jamb', account_number: '9678528352', product_code: 'DE' }
  const exam = (changes: object = {}) => ({ ...candidate, agentReference: freshReference(), amount: 4000, ...changes })

  it('are sold only to the phone of the name look-up', async () => {
    const unknown = await buyer.post('/services/exampin/request', exam({ phone: '08031234567' }))
    expect(unknown.body.code).toBe('BX0025')
    const found = await buyer.post('/services/namefinder/query', candidate)
    const { gsmNo: phone } = found.body.data.user.rawOutput
    const other = await buyer.post('/services/exampin/request', exam({ phone: '08099999999' }))
    expect(other.body).toMatchObject({ code: 'BX0003', errors: { phone: {} } })
    const { cost, answer } = await costOf(() => buyer.post('/services/exampin/request', exam({ phone })))
    expect(answer.body.data).toMatchObject({
      token_pin: expect.stringMatching(/^\d{16}$/),
      provider_status: expect.any(String),
      provider_data: { pin: answer.body.data.token_pin },
    })
    expect(cost).toBe(naira('4000'))
  })
})

describe('refusals before the hold', () => {
  it('refuse a purchase without enough money', async () => {
    const body = airtimeOrder({ service_type: 'mtn', amount: 50_000 })
    const balance = await buyer.wallet()
    await testApp.db`update catalogue_services set maximum_amount = 900000000 where category = 'airtime'`
    const answer = await buyer.post('/services/airtime/request', { ...body, amount: '100000000' })
    expect([answer.status, answer.body.code]).toEqual([400, 'EXC00102'])
    expect(await buyer.wallet()).toBe(balance)
    expect(await buyer.sold(body.agentReference)).toBe(0)
    // There was no hold, so the reference can be used again.
    expect((await buyer.post('/services/airtime/request', body)).body.status).toBe('success')
  })

  it('refuse an unknown service, and a requery without a purchase', async () => {
    expect((await buyer.post('/services/airtime/request', airtimeOrder({ service_type: 'unknown' }))).body.code).toBe(
      'BX0026',
    )
    const answer = await buyer.requery('unknown-reference')
    expect([answer.status, answer.body.code, answer.body.errors]).toEqual([404, 'BX0002', []])
    expect((await buyer.get('/superagent/transaction/requery')).body.code).toBe('BX0003')
  })
})

describe('the wait for a result', () => {
  it('ends at once if the result came before it began', async () => {
    const { body } = await buyer.post(ELECTRICITY, electricityOrder())
    const { transactionReference: id } = body.data as { transactionReference: number }
    const waiter = createPurchaseWaiter(testApp.app)
    try {
      // The first one subscribes, and reads the purchase itself.
      expect(await waiter.wait(id, 20_000)).toMatchObject({ id, status: 'success' })
      await eventually('the notification', async () => {
        await testApp.db.notify(SETTLED_CHANNEL, String(id))
        const started_ms = performance.now()
        await waiter.wait(id, 20_000)
        return performance.now() - started_ms < 500 || undefined
      })
      // It has been used up, so the poll finds the result.
      const started_ms = performance.now()
      expect(await waiter.wait(id, 20_000)).toMatchObject({ id, status: 'success' })
      expect(performance.now() - started_ms).toBeLessThan(5_000)
      expect(await waiter.wait(id, 0)).toMatchObject({ id, status: 'success' })
    } finally {
      await waiter.close()
    }
  })
})

describe('simultaneous purchases', () => {
  it('of different services each get their own result', async () => {
    const orders: [string, object, object][] = [
      [ELECTRICITY, electricityOrder(), { transactionStatus: 'success', tokenAmount: 5000 }],
      ['/services/airtime/request', airtimeOrder({ service_type: 'MTN ' }), { transactionStatus: 'success' }],
      ['/services/airtime/request', airtimeOrder({ service_type: '9mobile' }), { transactionStatus: 'success' }],
      ['/services/airtime/request', airtimeOrder({ service_type: 'dstv' }), { code: 'BX0026' }],
      [ELECTRICITY, electricityOrder({ amount: '100000000' }), { code: 'EXC00127' }],
      [ELECTRICITY, electricityOrder({ phone: '08031000202' }), { code: 'EXC00107' }],
    ]
    const answers = await Promise.all(orders.map(([url, body]) => buyer.post(url, body)))
    expect(answers.map(({ status, body }) => (status === 200 ? body.data : body))).toMatchObject(
      orders.map(([, , expected]) => expected),
    )
  })

  it('with one reference buy once; all others are refused with BX0023', async () => {
    const body = electricityOrder({ amount: '1000' })
    const { cost, answer: answers } = await costOf(() =>
      Promise.all(Array.from({ length: 200 }, () => buyer.post(ELECTRICITY, body))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const others = answers.filter(({ status }) => status !== 200)
    expect(new Set(others.map(({ status, body: { code } }) => `${status} ${code}`))).toEqual(new Set(['400 BX0023']))
    expect(cost).toBe(naira('1000'))
    expect(await buyer.sold(body.agentReference)).toBe(1)
    expect(await buyer.held()).toBe(0n)
  })

  it('for twice the balance succeed by half', async () => {
    const wallet = await buyer.wallet()
    const share = wallet / 5n
    const amount = String(share / 10_000n)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => buyer.post('/services/airtime/request', airtimeOrder({ amount }))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(await buyer.wallet()).toBe(wallet - 5n * (share - (share % 10_000n)))
    for (const { body } of answers.filter(({ status }) => status !== 200)) expect(body.code).toBe('EXC00102')
    expect(await buyer.held()).toBe(0n)
    expect(await buyer.ledgerErrors()).toEqual([])
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAmount } from '../../../src/lib/money.ts'
import { buildTestApp, type TestApp, testClock } from '../../test-app.ts'
import { airtimeOrder, createBuyer, electricityOrder, freshReference } from './buyer.ts'

let testApp: TestApp
let shop: ReturnType<typeof createBuyer>

beforeAll(async () => {
  // What is not sent to the biller within two seconds never is, and with two hundred buyers at once they may soon be over.
  const real = new Date()
  testApp = await buildTestApp({ clock: testClock(undefined, () => real) })
  const { url } = await testApp.startService()
  shop = createBuyer(testApp, url)
})
afterAll(() => testApp.close())

/** The naira that a purchase takes from the wallet. */
async function costOf<T>(buy: () => Promise<T>): Promise<{ cost: bigint; answer: T }> {
  const before = await shop.wallet()
  const answer = await buy()
  return { cost: before - (await shop.wallet()), answer }
}

const naira = (text: string) => parseAmount(text)!
const ELECTRICITY = '/services/electricity/request'

describe('electricity', () => {
  it('gives a prepaid meter a token of 20 digits and the power that the amount buys after tax', async () => {
    const { cost, answer } = await costOf(() => shop.post(ELECTRICITY, electricityOrder({ amount: '5000' })))
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
    // 5000 / 1.075 / 66.9 naira a kWh is 69.52…, and 0.1 kWh is the smallest piece.
    expect(answer.body.data.amountOfPower).toBe('69.5KWH')
    expect(BigInt(answer.body.data.tokenCode)).toBeLessThan(2n ** 66n)
    expect(answer.body.data.creditToken).toBe(answer.body.data.tokenCode)
    expect(cost).toBe(naira('5000'))
  })

  it('gives the same result on every requery, token included', async () => {
    const body = electricityOrder()
    const first = await shop.post(ELECTRICITY, body)
    for (let time = 0; time < 2; time += 1) {
      const again = await shop.requery(body.agentReference)
      expect(again.status).toBe(200)
      expect(again.body.data).toMatchObject({
        ...first.body.data,
        baxiReference: String(first.body.data.baxiReference),
        pins: [],
      })
    }
    const by_number = await shop.get(
      `/superagent/transaction/requery?transactionReference=${first.body.data.transactionReference}`,
    )
    expect(by_number.body.data.tokenCode).toBe(first.body.data.tokenCode)
  })

  it('knows a reference with blanks around it', async () => {
    const body = electricityOrder()
    const padded = ` ${body.agentReference}\n`
    const first = await shop.post(ELECTRICITY, { ...body, agentReference: padded })
    expect((await shop.post(ELECTRICITY, body)).body.code).toBe('BX0023')
    for (const reference of [body.agentReference, encodeURIComponent(padded)])
      expect((await shop.requery(reference)).body.data.tokenCode).toBe(first.body.data.tokenCode)
  })

  it('gives a postpaid account no token', async () => {
    const body = electricityOrder({ service_type: 'ikeja_electric_postpaid', account_number: '04042404139' })
    const answer = await shop.post(ELECTRICITY, body)
    expect(answer.body.data.transactionStatus).toBe('success')
    expect(answer.body.data).not.toHaveProperty('tokenCode')
    expect(answer.body.data).not.toHaveProperty('amountOfPower')
    expect((await shop.requery(body.agentReference)).body.data).not.toHaveProperty('tokenCode')
  })

  it('brings new keys along, once, for a meter that needs them', async () => {
    const old = { account_number: '04223568280' }
    const first = await shop.post(ELECTRICITY, electricityOrder(old))
    const keys = [first.body.data.resetToken, first.body.data.configureToken, first.body.data.tokenCode]
    for (const token of keys) expect(token).toMatch(/^\d{20}$/)
    expect(new Set(keys).size).toBe(3)
    expect((await shop.post(ELECTRICITY, electricityOrder(old))).body.data).not.toHaveProperty('resetToken')
  })

  it.each([
    ['a meter whose check digit is wrong', { account_number: '04042404049' }, 'account_number'],
    ['a phone that is none', { phone: '1234' }, 'phone'],
    ['less than the least', { amount: '10' }, 'amount'],
    ['no reference', { agentReference: undefined }, 'agentReference'],
  ])('refuses %s and leaves nothing', async (_what, more, field) => {
    const { cost, answer } = await costOf(() => shop.post(ELECTRICITY, electricityOrder(more)))
    expect([answer.status, answer.body.code]).toEqual([400, 'BX0003'])
    expect(answer.body).toMatchObject({ status: 'error', errors: { [field]: { message: expect.any(String) } } })
    expect(cost).toBe(0n)
  })

  it('names everything that is wrong with a purchase at once', async () => {
    const wrong = { account_number: '04042404049', phone: '1234', amount: '10' }
    const answer = await shop.post(ELECTRICITY, electricityOrder(wrong))
    expect(answer.body.code).toBe('BX0003')
    expect(Object.keys(answer.body.errors).sort()).toEqual(Object.keys(wrong).sort())
    const too_much = await shop.post(ELECTRICITY, electricityOrder({ ...wrong, amount: '300001' }))
    expect(too_much.body.code).toBe('BX0003')
    expect(Object.keys(too_much.body.errors).sort()).toEqual(['account_number', 'phone'])
  })
})

describe('airtime and data', () => {
  it('sells airtime in the words that clients know', async () => {
    const { cost, answer } = await costOf(() => shop.post('/services/airtime/request', airtimeOrder({ amount: 250 })))
    expect(answer.body).toMatchObject({
      status: 'success',
      data: { transactionMessage: 'Airtime Topup successful on 08031234567', provider_message: 'SendOk' },
    })
    expect(cost).toBe(naira('250'))
  })

  it('sells data at the price of the catalogue, and to nobody at another', async () => {
    const { amount: _, plan: __, ...body } = airtimeOrder({ datacode: '1000', amount: 1, plan: '' })
    const { cost, answer } = await costOf(() => shop.post('/services/databundle/request', body))
    expect(answer.body.data).toMatchObject({
      transactionMessage: 'Data bundle successful on 08031234567',
      extraData: { status: 'ACCEPTED', exchangeReference: expect.any(String) },
    })
    expect(cost).toBe(naira('1000'))
    const cheaper = await shop.post('/services/databundle/request', {
      ...body,
      agentReference: freshReference(),
      amount: 1,
    })
    expect(cheaper.body).toMatchObject({ code: 'BX0003', errors: { amount: { message: 'The price is 1000.' } } })
  })

  it('sells data to an account where the provider has accounts', async () => {
    const body = airtimeOrder({
      service_type: 'spectranet',
      datacode: '43456',
      amount: '5000',
      account_number: '210001245',
      package: 'CHANGE_IMMEDIATE',
    })
    const answer = await shop.post('/services/databundle/request', body)
    expect([answer.status, answer.body.status]).toEqual([200, 'success'])
  })

  it('takes the body as a form, in the query of a POST, and under the other prefix', async () => {
    const form = new URLSearchParams(
      Object.entries(airtimeOrder()).map(([name, value]): [string, string] => [name, String(value)]),
    )
    const as_form = await shop.send('POST', '/services/airtime/request', form.toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(as_form.body.status).toBe('success')
    form.set('agentReference', freshReference())
    const as_query = await shop.send('POST', `/services/airtime/request?${form}`)
    expect(as_query.body.status).toBe('success')
    const reference = form.get('agentReference')
    expect((await shop.get(`/../baxipay/superagent/transaction/requery?agentReference=${reference}`)).body.status).toBe(
      'success',
    )
  })
})

describe('cable TV', () => {
  const subscription = (more: object) => ({
    agentReference: freshReference(),
    agentId: 207,
    service_type: 'dstv',
    smartcard_number: 4131953321,
    product_monthsPaidFor: '1',
    ...more,
  })

  it('renews for any amount', async () => {
    const body = subscription({ product_code: '0', total_amount: '9000' })
    const { cost, answer } = await costOf(() => shop.post('/services/multichoice/request', body))
    expect(answer.body.data).toMatchObject({
      transactionMessage: 'Cable TV Subcription successful',
      rawOutput: { details: { done: true } },
    })
    expect(cost).toBe(naira('9000'))
  })

  it('changes the plan for the price of bouquet and add-on together', async () => {
    const { body: bouquets } = await shop.post('/services/cabletv/list', { service_type: 'dstv' })
    const { body: addons } = await shop.post('/services/cabletv/addons', {
      service_type: 'dstv',
      product_code: 'COMPE36',
    })
    const compact = bouquets.data.find((one: { code: string }) => one.code === 'COMPE36')
    const [addon] = addons.data
    const total_amount = compact.availablePricingOptions[0].price + addon.availablePricingOptions[0].price
    const change = { product_code: 'COMPE36', addon_code: addon.code, addon_monthsPaidFor: 1 }
    const body = subscription({ ...change, total_amount })
    const { cost, answer } = await costOf(() => shop.post('/services/cabletv/request', body))
    expect(answer.body.status).toBe('success')
    expect(cost).toBe(naira(String(total_amount)))
    const wrong = await shop.post('/services/cabletv/request', subscription({ ...change, total_amount: 1 }))
    expect(wrong.body).toMatchObject({ code: 'BX0003', errors: { total_amount: {} } })
  })
})

describe('pins', () => {
  const pins = (more: object = {}) => ({
    agentReference: freshReference(),
    agentId: 207,
    service_type: 'glo',
    pinValue: 50,
    numberOfPins: 3,
    amount: 150,
    ...more,
  })
  const available = async (value = 50) => {
    const { body } = await shop.post('/services/epin/bundles', { service_type: 'glo' })
    return body.data.find((one: { amount: number }) => one.amount === value).available as number
  }

  it('are unique, and taken off the stock', async () => {
    const before = await available()
    const { cost, answer } = await costOf(() => shop.post('/services/epin/request', pins()))
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

  it('go back to the stock when the purchase fails', async () => {
    const before = await available()
    const answer = await shop.post('/services/epin/request', pins(), { 'x-sandbox-scenario': 'decline' })
    expect(answer.body.code).toBe('EXC00107')
    expect(await available()).toBe(before)
  })

  it('are never sold twice, however many buy at once', async () => {
    await testApp.db`update catalogue_products set available = 5 where kind = 'pin' and code = '100'`
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        shop.post('/services/epin/request', pins({ pinValue: 100, numberOfPins: 1, amount: 100 })),
      ),
    )
    expect(answers.filter(({ body }) => body.status === 'success')).toHaveLength(5)
    for (const { body } of answers.filter(({ status }) => status !== 200))
      expect(body).toMatchObject({ code: 'BX0003', errors: { numberOfPins: {} } })
    expect(await available(100)).toBe(0)
    expect(await shop.held()).toBe(0n)
  })
})

describe('exam pins', () => {
  const candidate = { service_type: 'jamb', account_number: '9678528352', product_code: 'DE' }
  const exam = (more: object = {}) => ({ ...candidate, agentReference: freshReference(), amount: 4000, ...more })

  it('are sold to the phone that the name finder gave, and to no other', async () => {
    const unknown = await shop.post('/services/exampin/request', exam({ phone: '08031234567' }))
    expect(unknown.body.code).toBe('BX0025')
    const found = await shop.post('/services/namefinder/query', candidate)
    const { gsmNo: phone } = found.body.data.user.rawOutput
    const other = await shop.post('/services/exampin/request', exam({ phone: '08099999999' }))
    expect(other.body).toMatchObject({ code: 'BX0003', errors: { phone: {} } })
    const { cost, answer } = await costOf(() => shop.post('/services/exampin/request', exam({ phone })))
    expect(answer.body.data).toMatchObject({
      token_pin: expect.stringMatching(/^\d{16}$/),
      provider_status: expect.any(String),
      provider_data: { pin: answer.body.data.token_pin },
    })
    expect(cost).toBe(naira('4000'))
  })
})

describe('what is refused before anything is held', () => {
  it('a purchase for which there is not enough money', async () => {
    const body = airtimeOrder({ service_type: 'mtn', amount: 50_000 })
    const rest = await shop.wallet()
    await testApp.db`update catalogue_services set maximum_amount = 900000000 where category = 'airtime'`
    const answer = await shop.post('/services/airtime/request', { ...body, amount: '100000000' })
    expect([answer.status, answer.body.code]).toEqual([400, 'EXC00102'])
    expect(await shop.wallet()).toBe(rest)
    expect(await shop.sold(body.agentReference)).toBe(0)
    // Nothing was held, so the reference is not burned.
    expect((await shop.post('/services/airtime/request', body)).body.status).toBe('success')
  })

  it('an unknown service, and a requery for what nobody bought', async () => {
    expect((await shop.post('/services/airtime/request', airtimeOrder({ service_type: 'nobody' }))).body.code).toBe(
      'BX0026',
    )
    const answer = await shop.requery('nobody-bought-this')
    expect([answer.status, answer.body.code, answer.body.errors]).toEqual([404, 'BX0002', []])
    expect((await shop.get('/superagent/transaction/requery')).body.code).toBe('BX0003')
  })
})

describe('two hundred simultaneous twins', () => {
  it('buy once; the others are told that the reference was used', async () => {
    const body = electricityOrder({ amount: '1000' })
    const { cost, answer: answers } = await costOf(() =>
      Promise.all(Array.from({ length: 200 }, () => shop.post(ELECTRICITY, body))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const others = answers.filter(({ status }) => status !== 200)
    expect(new Set(others.map(({ status, body: { code } }) => `${status} ${code}`))).toEqual(new Set(['400 BX0023']))
    expect(cost).toBe(naira('1000'))
    expect(await shop.sold(body.agentReference)).toBe(1)
    expect(await shop.held()).toBe(0n)
  }, 60_000)

  it('of as many purchases as there is money for half of, half succeed', async () => {
    const wallet = await shop.wallet()
    const share = wallet / 5n
    const amount = String(share / 10_000n)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => shop.post('/services/airtime/request', airtimeOrder({ amount }))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    for (const { body } of answers.filter(({ status }) => status !== 200)) expect(body.code).toBe('EXC00102')
    expect(await shop.held()).toBe(0n)
    expect(await shop.faults()).toEqual([])
  })
})

import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { reloadlyDoor } from '../../../../src/simulator/doors/reloadly/index.ts'
import { CLIENT_ID, CLIENT_SECRET, WEBHOOK_SECRET } from '../../../../src/simulator/doors/reloadly/switches.ts'
import { literal, money, toDollars, toJson } from '../../../../src/simulator/doors/reloadly/wire.ts'
import { openDoor } from '../../../billers/conformance/rig.ts'

const QUICK = { race_milliseconds: 1, slow_seconds: 0.05 }
let far: Awaited<ReturnType<typeof openDoor>>
beforeAll(async () => {
  far = await openDoor(reloadlyDoor, { switches: QUICK, float: { name: 'wallet', full: 1_000 }, sold: async () => 0 })
})
afterAll(() => far.close())
const set = (values: Record<string, string | number | boolean>) => far.simulator.setSwitches('reloadly', values)
afterEach(() => set({ ...reloadlyDoor.hooks.default_switches, ...QUICK, callback_url: far.callback_base() }))

type Product = 'topups' | 'utilities'

function askToken(change: object = {}, product: Product = 'topups') {
  const audience = `https://${product}-sandbox.reloadly.com`
  const keys = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET, grant_type: 'client_credentials', audience }
  const body = JSON.stringify({ ...keys, ...change })
  return fetch(`${far.hosts.auth}/oauth/token`, { method: 'POST', body })
}

async function call(product: Product, path: string, body?: object, headers: Record<string, string> = {}) {
  const { access_token } = (await (await askToken({}, product)).json()) as { access_token: string }
  const response = await fetch(far.hosts[product] + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${access_token}`,
      accept: `application/com.reloadly.${product}-v1+json`,
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text) }
}

let made = 0
const topup = (change: object = {}) => {
  made += 1
  const recipientPhone = { countryCode: 'KE', number: '254712345678' }
  return {
    operatorId: 265,
    amount: '100',
    useLocalAmount: true,
    customIdentifier: `T-${made}`,
    recipientPhone,
    ...change,
  }
}
const to = (number: string) => ({ recipientPhone: { countryCode: 'KE', number } })
const bill = (change: object = {}) => {
  made += 1
  const subscriberAccountNumber = '04042404048'
  return {
    subscriberAccountNumber,
    amount: 2000,
    billerId: 2,
    useLocalAmount: true,
    referenceId: `B-${made}`,
    ...change,
  }
}
const sell = (order: object) => call('topups', '/topups', order)
const payBill = (order: object) => call('utilities', '/pay', order)
const find = async (id: string) =>
  (await call('topups', `/topups/reports/transactions?customIdentifier=${encodeURIComponent(id)}`)).body.content

describe('a token of the simulated Reloadly', () => {
  it('is for one audience', async () => {
    const { access_token } = (await (await askToken()).json()) as { access_token: string }
    const authorization = `Bearer ${access_token}`
    expect(await call('topups', '/accounts/balance', undefined, { authorization })).toMatchObject({ status: 200 })
    expect(await call('utilities', '/accounts/balance', undefined, { authorization })).toMatchObject({
      status: 401,
      body: { errorCode: 'INVALID_TOKEN' },
    })
  })

  it.each([
    [{ client_secret: 'another' }, 401, 'INVALID_CREDENTIALS'],
    [{ audience: 'https://topups.reloadly.com' }, 401, 'INVALID_CREDENTIALS'],
    [{ audience: 'https://example.com' }, 400, 'INVALID_AUDIENCE'],
    [{ grant_type: 'password' }, 401, 'INVALID_CREDENTIALS'],
  ])('is not given for %j', async (change, status, errorCode) => {
    const response = await askToken(change)
    expect([response.status, await response.json()]).toEqual([status, expect.objectContaining({ errorCode })])
  })

  it('of the live service needs its audience', async () => {
    await set({ host: 'live' })
    expect((await askToken({ audience: 'https://topups.reloadly.com' })).status).toBe(200)
    expect((await askToken()).status).toBe(401)
  })

  it('is needed, and so is the version', async () => {
    const missing = await call('topups', '/accounts/balance', undefined, { authorization: '' })
    expect(missing).toMatchObject({ status: 401, body: { errorCode: 'MISSING_TOKEN' } })
    expect((await call('topups', '/accounts/balance', undefined, { accept: 'application/json' })).status).toBe(406)
  })
})

describe('a top-up', () => {
  it('is final at once, and is found by its id and by the identifier in any case', async () => {
    const order = topup({ customIdentifier: 'Order-1 / é' })
    const { body } = await sell(order)
    expect(body).toMatchObject({ status: 'SUCCESSFUL', customIdentifier: 'Order-1 / é', operatorId: 265 })
    expect(await find('order-1 / É')).toEqual([body])
    const status = await call('topups', `/topups/${body.transactionId}/status`)
    expect(status.body).toMatchObject({ status: 'SUCCESSFUL', transaction: body })
    expect((await call('topups', '/topups/1/status')).body).toMatchObject({ errorCode: 'TRANSACTION_NOT_FOUND' })
  })

  it('under a used identifier is refused, and under one in another case is sold', async () => {
    const order = topup({ customIdentifier: 'case-A' })
    await sell(order)
    expect(await sell(order)).toMatchObject({ status: 400, body: { errorCode: 'CUSTOM_IDENTIFIER_ALREADY_USED' } })
    expect(await sell({ ...order, customIdentifier: 'CASE-a' })).toMatchObject({ status: 200 })
    expect(await find('case-a')).toHaveLength(2)
  })

  it('that is sent five times at once is sold five times', async () => {
    await set({ race_milliseconds: 400 })
    const order = topup()
    const answers = await Promise.all(Array.from({ length: 5 }, () => sell(order)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await find(order.customIdentifier)).toHaveLength(5)
  })

  it('that is refused does not use the identifier up', async () => {
    const order = topup()
    expect(await sell({ ...order, amount: '1' })).toMatchObject({ status: 400 })
    expect(await sell(order)).toMatchObject({ status: 200 })
  })

  it('of the slow operator fails after its time, and leaves no record', async () => {
    const order = topup({ operatorId: 1213, recipientPhone: { countryCode: 'NG', number: '2348031234567' } })
    const began = performance.now()
    expect(await sell(order)).toMatchObject({
      status: 400,
      body: { errorCode: 'TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT' },
    })
    expect(performance.now() - began).toBeGreaterThan(45)
    expect(await find(order.customIdentifier)).toEqual([])
  })

  it('that is asynchronous is open for some seconds', async () => {
    const { body } = await call('topups', '/topups-async', topup())
    const ask = async () => (await call('topups', `/topups/${body.transactionId}/status`)).body
    expect(await ask()).toMatchObject({ status: 'PROCESSING', transaction: null })
    await far.advance(9)
    expect(await ask()).toMatchObject({ status: 'SUCCESSFUL', transaction: { transactionId: body.transactionId } })
  })

  it.each([
    [{ operatorId: 999 }, 503, 'OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE'],
    [{ amount: 'x' }, 400, 'INVALID_INPUT_PROVIDED'],
    [{ customIdentifier: 'x'.repeat(151) }, 400, 'INVALID_INPUT_PROVIDED'],
    [{ amount: '9' }, 400, 'INVALID_LOCAL_AMOUNT_FOR_OPERATOR'],
    [{ operatorId: 894, amount: '100' }, 400, 'INVALID_LOCAL_AMOUNT_FOR_OPERATOR'],
    [
      { operatorId: 139, recipientPhone: { countryCode: 'ET', number: '251911234567' } },
      400,
      'LOCAL_AMOUNTS_NOT_SUPPORTED_BY_OPERATOR',
    ],
    [{ recipientPhone: { countryCode: 'UG', number: '256772000001' } }, 400, 'INVALID_RECIPIENT_PHONE'],
    [to('12'), 400, 'INVALID_RECIPIENT_PHONE'],
    [to('254712900004'), 400, 'INVALID_RECIPIENT_PHONE'],
    [to('254712900005'), 400, 'OPERATOR_AND_RECIPIENT_PHONE_MISMATCH'],
    [to('254712900006'), 500, 'TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT'],
    [to('254712900008'), 503, 'OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE'],
  ])('with %j is refused', async (change, status, errorCode) => {
    const order = topup(change)
    expect(await sell(order)).toMatchObject({ status, body: { errorCode } })
    expect(await find(order.customIdentifier)).toEqual([])
  })

  it.each([
    ['254712900001', 'FAILED'],
    ['254712900002', 'REFUNDED'],
    ['254712900003', 'PROCESSING'],
    ['254712900009', 'SUCCESSFUL'],
  ])('to %s is %s', async (number, status) => {
    const { body } = await sell(topup(to(number)))
    expect(body).toMatchObject({ status })
    expect(body.pinDetail !== null).toBe(number.endsWith('9'))
  })

  it('to 254712900007 has an empty answer, and is sold', async () => {
    const order = topup(to('254712900007'))
    expect(await sell(order)).toMatchObject({ status: 500 })
    expect(await find(order.customIdentifier)).toMatchObject([{ status: 'SUCCESSFUL' }])
  })
})

describe('a bill', () => {
  const ask = async (id: unknown) => (await call('utilities', `/transactions/${id}`)).body

  it('is processed at first, and has a token then', async () => {
    const order = bill()
    const { body } = await payBill(order)
    expect(body).toMatchObject({
      status: 'PROCESSING',
      referenceId: order.referenceId,
      code: 'PAYMENT_PROCESSING_IN_PROGRESS',
    })
    await far.advance(2)
    const token = expect.stringMatching(/^\d{20}$/)
    const report = await ask(body.id)
    expect(report).toMatchObject({ transaction: { status: 'SUCCESSFUL', billDetails: { pinDetails: { token } } } })
    const list = await call('utilities', `/transactions?referenceId=${order.referenceId}`)
    expect(list.body.content).toEqual([report])
    await set({ lists: 'lists' })
    expect((await call('utilities', `/transactions?referenceId=${order.referenceId}`)).body).toEqual([report])
  })

  it('under a used reference is refused, and of several at once one runs', async () => {
    const order = bill()
    await payBill(order)
    expect(await payBill(order)).toMatchObject({ status: 400, body: { errorCode: 'REFERENCE_ID_ALREADY_USED' } })
    const another = bill()
    const answers = await Promise.all([1, 2, 3].map(() => payBill(another)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400 || status === 500)).toHaveLength(2)
  })

  it('of Nigeria is refunded where that is asked for, as in the sandbox of Reloadly', async () => {
    await set({ nigerian_bills: 'refunded' })
    const { body } = await payBill(bill())
    await far.advance(2)
    expect((await ask(body.id)).transaction.status).toBe('REFUNDED')
    const senegal = await payBill(bill({ billerId: 21 }))
    await far.advance(2)
    expect((await ask(senegal.body.id)).transaction.status).toBe('SUCCESSFUL')
  })

  it.each([
    [{ billerId: 99 }, 'INVALID_BILLER_ID'],
    [{ amount: 1 }, 'INVALID_AMOUNT'],
    [{ subscriberAccountNumber: '' }, 'INVALID_INPUT_PROVIDED'],
    [{ billerId: 25, amount: 4000 }, 'MISSING_REQUIRED_AMOUNT_ID'],
    [{ billerId: 25, amount: 4000, amountId: 9 }, 'AMOUNT_ID_NOT_FOUND'],
  ])('with %j is refused', async (change, errorCode) => {
    expect(await payBill(bill(change))).toMatchObject({ status: 400, body: { errorCode } })
  })
})

describe('the account', () => {
  it('pays for sales in dollars, and refuses when it is empty', async () => {
    const balance = async () => (await call('topups', '/accounts/balance')).body.balance as number
    const before = await balance()
    await sell(topup({ amount: '127.5603' }))
    await far.advance(1)
    expect(before - (await balance())).toBeCloseTo(1, 3)
    await sell(topup({ amount: '1', useLocalAmount: false }))
    await far.advance(1)
    expect(before - (await balance())).toBeCloseTo(1.96, 3)
    await set({ wallet: 0 })
    expect(await sell(topup())).toMatchObject({ status: 400, body: { errorCode: 'INSUFFICIENT_BALANCE' } })
    expect(await payBill(bill())).toMatchObject({ status: 409, body: { errorCode: 'INSUFFICIENT_WALLET_BALANCE' } })
  })

  it('is written with many decimals, or with an exponent', async () => {
    expect((await call('topups', '/accounts/balance')).text).toMatch(/"balance":-?\d+\.\d{5},/)
    expect((await call('utilities', '/billers')).text).toContain('"internationalTransactionFee":3.8E-5')
    expect([1n, 38n, 10n, 10_000n, 0n].map((amount) => toJson(money(amount)))).toEqual([
      '1E-4',
      '0.00380',
      '0.00100',
      '1.00000',
      '0.00000',
    ])
    expect(toJson({ a: literal('5'), b: 'x"\u0001' })).toBe('{"a":5,"b":"x\\"\\u0001"}')
    expect(toDollars(1_275_603n, '127.5603')).toBe(10_000n)
  })
})

describe('the lists', () => {
  it('have operators of twenty countries, in pages from 1', async () => {
    for (const country of 'UG KE NG GH TZ SN RW ZM CI CM CD BJ BF MW ML MZ NE TG MG ET'.split(' '))
      expect((await call('topups', `/operators/countries/${country}`)).body.length).toBeGreaterThan(0)
    expect((await call('topups', '/operators/countries/XX')).status).toBe(404)
    const pages = await Promise.all([0, 1, 2].map((page) => call('utilities', `/billers?page=${page}&size=3`)))
    expect(pages[0]!.body).toEqual(pages[1]!.body)
    expect(pages[2]!.body.content[0].id).not.toBe(pages[1]!.body.content[0].id)
    const prepaid = await call(
      'utilities',
      '/billers?countryISOCode=NG&type=ELECTRICITY_BILL_PAYMENT&serviceType=PREPAID',
    )
    expect(prepaid.body.content.map(({ id }: { id: number }) => id)).toEqual([2, 5])
  })

  it('have all operators in pages, and each one', async () => {
    const [first, second, all] = await Promise.all(
      ['page=1&size=10', 'page=2&size=10', ''].map(async (query) => (await call('topups', `/operators?${query}`)).body),
    )
    expect(first).toMatchObject({ totalElements: all.content.length, last: false, number: 1, size: 10 })
    expect([...first.content, ...second.content]).toEqual(all.content.slice(0, 20))
    expect((await call('topups', '/operators/341')).body).toEqual(
      all.content.find(({ id }: { id: number }) => id === 341),
    )
    expect(await call('topups', '/operators/999')).toMatchObject({
      status: 404,
      body: { errorCode: expect.any(String) },
    })
  })

  it.each([
    ['NG', '2348031234567', 341],
    ['NG', '+2348021234567', 342],
    ['NG', '08051234567', 344],
    ['NG', '8091234567', 340],
    ['KE', '254712345678', 265],
    ['KE', '254733123456', 266],
    ['ug', '256772000001', 482],
    ['UG', '256752000001', 483],
    ['GH', '233201234567', 155],
    ['TZ', '255754123456', 461],
    ['SN', '221761234567', 396],
    ['ZM', '260971234567', 519],
  ])('find the operator of a phone: %s %s', async (country, phone, id) => {
    const path = `/operators/auto-detect/phone/${encodeURIComponent(phone)}/countries/${country}`
    expect(await call('topups', path)).toMatchObject({ status: 200, body: { id, operatorId: id } })
  })

  it.each([
    ['KE', '256772000001'],
    ['KE', '12'],
    ['XX', '254712345678'],
    ['DE', '4915112345678'],
  ])('find no operator: %s %s', async (country, phone) => {
    const found = await call('topups', `/operators/auto-detect/phone/${phone}/countries/${country}`)
    expect(found).toMatchObject({ status: 404, body: { errorCode: 'COULD_NOT_AUTO_DETECT_OPERATOR' } })
  })
})

describe('a webhook', () => {
  it('is signed with the secret of the webhook, and wrongly where that is asked for', async () => {
    const receive = async () => {
      const before = far.callbacks.length
      await sell(topup())
      await far.advance(2)
      const { headers, body } = far.callbacks[before]!
      const time = headers['x-reloadly-request-timestamp']
      const expected = createHmac('sha256', WEBHOOK_SECRET).update(`${body}:${time}`).digest('hex')
      return { body: JSON.parse(body), right: headers['x-reloadly-signature'] === expected }
    }
    expect(await receive()).toMatchObject({ right: true, body: { data: { customIdentifier: `T-${made}` } } })
    far.simulator.faults.add({ door: 'reloadly', kind: 'forged' })
    expect((await receive()).right).toBe(false)
    await set({ signatures: 'none' })
    expect((await receive()).right).toBe(false)
  })
})

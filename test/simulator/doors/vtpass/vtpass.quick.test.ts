import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { vtpassDoor } from '../../../../src/simulator/doors/vtpass/index.ts'
import { KEYS } from '../../../../src/simulator/doors/vtpass/switches.ts'
import { openDoor } from '../../../billers/conformance/rig.ts'

let far: Awaited<ReturnType<typeof openDoor>>
beforeAll(async () => {
  const float = { name: 'wallet', full: 1_000_000 }
  far = await openDoor(vtpassDoor, { float, sold: async () => 0 })
})
afterAll(() => far.close())
const set = (values: Record<string, string | number | boolean>) => far.simulator.setSwitches('vtpass', values)
afterEach(() => set({ ...vtpassDoor.hooks.default_switches, callback_url: far.callback_base() }))

const { api_key, public_key, secret_key } = KEYS.sandbox
const purchase_keys = { 'api-key': api_key, 'secret-key': secret_key }

async function post(path: string, body: object, headers: Record<string, string> = purchase_keys, timeout_ms = 10_000) {
  const response = await fetch(far.hosts.api + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeout_ms),
  })
  const text = await response.text()
  return text === '' ? { text } : JSON.parse(text)
}

async function get(path: string, headers: Record<string, string> = { 'api-key': api_key, 'public-key': public_key }) {
  const response = await fetch(far.hosts.api + path, { headers })
  return JSON.parse(await response.text())
}

let made = 0
/** A new request id of today in Lagos. */
function newId(): string {
  made += 1
  const lagos = new Date(far.now().getTime() + 3_600_000).toISOString()
  return `${lagos.slice(0, 16).replace(/\D/g, '')}T${made}`
}
const newPhone = () => `0803${String(5_000_000 + made).padStart(7, '0')}`
const airtime = (changes: object = {}) => ({
  request_id: newId(),
  serviceID: 'mtn',
  amount: 100,
  phone: newPhone(),
  ...changes,
})
const light = (changes: object = {}) =>
  airtime({ serviceID: 'ikeja-electric', variation_code: 'prepaid', billersCode: newPhone(), amount: 2000, ...changes })
const pay = (order: object) => post('/pay', order)
const requery = (request_id: string) => post('/requery', { request_id })
const statusOf = (answer: { content: { transactions: { status: string } } }) => answer.content.transactions.status

describe('a purchase at the simulated VTpass', () => {
  it('is delivered, and a question returns the same transaction', async () => {
    const order = light()
    const sold = await pay(order)
    expect(sold).toMatchObject({
      code: '000',
      requestId: order.request_id,
      mainToken: expect.stringMatching(/^\d{20}$/),
    })
    expect(statusOf(sold)).toBe('delivered')
    expect(await requery(order.request_id)).toEqual(sold)
  })

  it('is read from a form, too', async () => {
    const body = new URLSearchParams({ ...airtime(), amount: '100' } as never)
    const response = await fetch(`${far.hosts.api}/pay`, { method: 'POST', headers: purchase_keys, body })
    expect(await response.json()).toMatchObject({ code: '000' })
  })

  it('is sold once under its request id, despite repeated calls', async () => {
    const order = airtime()
    const codes = (await Promise.all(Array.from({ length: 6 }, () => pay(order)))).map(({ code }) => code)
    expect(codes.filter((code) => code === '000')).toHaveLength(1)
    expect(codes.filter((code) => code === '014')).toHaveLength(5)
  })

  it.each(['', '17', 'KB17KB17KB17', '20261122091', '202611220915-1', 202611220915])(
    'with the request id %j is improper (085)',
    async (request_id) => expect(await pay(airtime({ request_id }))).toMatchObject({ code: '085' }),
  )

  it('with a request id of another day in Lagos is improper (085)', async () => {
    for (const days of [-1, 1]) {
      const other = new Date(far.now().getTime() + 3_600_000 + days * 86_400_000).toISOString()
      const request_id = `${other.slice(0, 16).replace(/\D/g, '')}x`
      expect(await pay(airtime({ request_id }))).toMatchObject({ code: '085' })
    }
  })

  it('for the same account is a likely duplicate for 30 seconds (019)', async () => {
    const billersCode = newPhone()
    expect(await pay(light({ billersCode }))).toMatchObject({ code: '000' })
    const refused = light({ billersCode })
    expect(await pay(refused)).toMatchObject({ code: '019' })
    expect(await requery(refused.request_id)).toMatchObject({ code: '015' })
    expect(await pay(light({ billersCode, serviceID: 'eko-electric' }))).toMatchObject({ code: '000' })
    await far.advance(31)
    expect(await pay(light({ billersCode }))).toMatchObject({ code: '000' })
  })

  it.each([
    ['a service that does not exist', { serviceID: 'nothing' }, '012'],
    ['a variation that does not exist', { serviceID: 'dstv', variation_code: 'gone', billersCode: '1' }, '010'],
    ['no phone', { phone: undefined }, '011'],
    ['no account', { serviceID: 'ikeja-electric', variation_code: 'prepaid' }, '011'],
    ['no amount', { amount: 'a lot' }, '011'],
    ['too little', { amount: 1 }, '013'],
    ['too much', { amount: 100_001 }, '017'],
    ['too few pieces', { serviceID: 'waec', variation_code: 'waecdirect', quantity: 0 }, '031'],
    ['too many pieces', { serviceID: 'waec', variation_code: 'waecdirect', quantity: 13 }, '032'],
  ])('of %s is refused', async (_, changes, code) => {
    const order = airtime(changes)
    expect(await pay(order)).toMatchObject({ code })
    expect(await requery(order.request_id)).toMatchObject({ code: '015' })
  })
})

describe('a number with an effect', () => {
  it.each([
    '010',
    '011',
    '012',
    '013',
    '014',
    '015',
    '017',
    '018',
    '019',
    '021',
    '022',
    '023',
    '024',
    '025',
    '026',
    '027',
    '028',
    '030',
    '031',
    '032',
    '034',
    '035',
    '083',
    '085',
    '087',
  ])('08000000%s is refused with its code, and nothing is sold', async (code) => {
    const order = airtime({ phone: `08000000${code}` })
    expect(await pay(order)).toMatchObject({ code })
    expect(await requery(order.request_id)).toMatchObject({ code: '015' })
  })

  it.each([
    ['016', 'failed', '016'],
    ['040', 'reversed', '040'],
    ['044', 'resolved', '044'],
    ['091', 'failed', '091'],
  ])('08000000%s is %s', async (ending, status, code) => {
    const order = airtime({ phone: `08000000${ending}` })
    for (const answer of [await pay(order), await requery(order.request_id)]) {
      expect(answer.code).toBe(code)
      expect(statusOf(answer)).toBe(status)
    }
  })

  it.each([
    ['08000000099', '099'],
    ['08000000089', '089'],
    ['201000000000', '099'],
  ])('%s is pending (%s), is delivered later, and only then is reported', async (billersCode, code) => {
    await far.advance(31)
    const order = light({ billersCode })
    expect(await pay(order)).toMatchObject({ code })
    const before = far.callbacks.length
    await far.advance(11)
    expect(statusOf(await requery(order.request_id))).toBe('delivered')
    const [callback] = far.callbacks.slice(before)
    const body = JSON.parse(callback!.body)
    expect(body).toMatchObject({ type: 'transaction-update', data: { code: '000', requestId: order.request_id } })
  })

  it('500000000000 has an unexpected answer, 400000000000 an empty one, and both are sold', async () => {
    const [odd, empty] = [light({ billersCode: '500000000000' }), light({ billersCode: '400000000000' })]
    expect(await pay(odd)).toEqual({ response_description: 'UNEXPECTED RESPONSE', content: [] })
    expect(await pay(empty)).toEqual({ text: '' })
    for (const { request_id } of [odd, empty]) expect(statusOf(await requery(request_id))).toBe('delivered')
  })

  it('300000000000 has no answer, and is sold', async () => {
    const order = light({ billersCode: '300000000000' })
    const called = post('/pay', order, purchase_keys, 2_000)
    await expect(called).rejects.toThrow()
    expect(statusOf(await requery(order.request_id))).toBe('delivered')
  })

  it('with the documented numbers only, others fail', async () => {
    await set({ numbers: 'documented' })
    await far.advance(31)
    expect(await pay(airtime())).toMatchObject({ code: '016' })
    expect(await pay(airtime({ phone: '08011111111' }))).toMatchObject({ code: '000' })
    expect(await pay(light({ billersCode: '1111111111111' }))).toMatchObject({ code: '000' })
  })
})

describe('the wallet', () => {
  const balance = async () => Number((await get('/balance')).contents.balance)

  it('goes down with a sale, less the commission, and not with a failure', async () => {
    await far.advance(60)
    const before = await balance()
    await pay(airtime({ amount: 1000 }))
    await far.advance(1)
    expect(before - (await balance())).toBeCloseTo(970)
    await pay(airtime({ phone: '08000000016' }))
    await far.advance(1)
    expect(before - (await balance())).toBeCloseTo(970)
  })

  it('refuses when it is empty (018), and a payment into it tops it up', async () => {
    await set({ wallet: 0 })
    expect(await pay(airtime())).toMatchObject({ code: '018' })
    const owed = 5_000 - (await balance())
    const amount = BigInt(Math.ceil(owed)) * 10_000n
    const bank = { door: 'vtpass', phonenumber: '+2348031234567', currency: 'NGN', receiver: 'vtpass-wallet' }
    await far.simulator.pay({ ...bank, amount })
    await far.advance(2)
    expect(await pay(airtime())).toMatchObject({ code: '000' })
  })
})

describe('the keys', () => {
  const wrong = { code: '087', response_description: 'INVALID CREDENTIALS' }

  it('are the public one for questions, and the secret one for purchases', async () => {
    expect(await get('/balance', purchase_keys)).toMatchObject(wrong)
    expect(await post('/pay', airtime(), { 'api-key': api_key, 'public-key': public_key })).toMatchObject(wrong)
    expect(await get('/balance', {})).toMatchObject(wrong)
  })

  it('of one host are wrong at the other', async () => {
    await set({ host: 'live' })
    expect(await pay(airtime())).toMatchObject(wrong)
    const live = { 'api-key': KEYS.live.api_key, 'secret-key': KEYS.live.secret_key }
    expect(await post('/pay', airtime(), live)).toMatchObject({ code: '000' })
    await set({ host: 'sandbox' })
    expect(await post('/pay', airtime(), live)).toMatchObject(wrong)
  })
})

describe('the forms that differ', () => {
  it('amounts are texts or numbers', async () => {
    expect((await pay(airtime())).content.transactions.amount).toBe('100.00')
    await set({ amounts: 'number' })
    expect((await pay(airtime())).content.transactions.amount).toBe(100)
  })

  it('a date is an object or a text', async () => {
    expect((await pay(airtime())).transaction_date).toMatchObject({ timezone: 'Africa/Lagos' })
    await set({ transaction_date: 'text' })
    expect((await pay(airtime())).transaction_date).toMatch(/^\d{4}-\d\d-\d\dT/)
  })

  it.each([
    ['both', ['variations', 'varations']],
    ['variations', ['variations']],
    ['varations', ['varations']],
  ])('lists of variations: %s', async (variations, names) => {
    await set({ variations })
    const { content } = await get('/service-variations?serviceID=dstv')
    expect(Object.keys(content).filter((name) => /var/.test(name))).toEqual(names)
    expect(content[names[0]!][0]).toMatchObject({ variation_amount: '4400.00', fixedPrice: 'Yes' })
  })

  it.each([
    ['ikeja-electric', /mainToken/],
    ['eko-electric', /"mainToken":"\d{4}-\d{4}-/],
    ['kano-electric', /"Token"/],
    ['portharcourt-electric', /"kct1"/],
    ['enugu-electric', /"purchased_code":"Token : \d{20}","receiptNumber"/],
  ])('the token of %s', async (serviceID, form) => {
    expect(JSON.stringify(await pay(light({ serviceID })))).toMatch(form)
  })

  it('a wrong number is code 000 with an error', async () => {
    const verify = (billersCode: string) =>
      post('/merchant-verify', { serviceID: 'ikeja-electric', billersCode, type: 'prepaid' })
    expect(await verify('00012345674')).toMatchObject({ code: '000', content: { error: expect.any(String) } })
    expect(await verify('1111111111111')).toMatchObject({ code: '000', content: { Customer_Name: expect.any(String) } })
    expect(await post('/merchant-verify', { serviceID: 'ikeja-electric', billersCode: '1' })).toMatchObject({
      code: '011',
    })
  })
})

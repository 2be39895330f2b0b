import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { provision } from '../../../../src/networks/mtn-momo/provision.ts'
import { testTools } from '../../../networks/mtn-momo/mtn-test.ts'
import { openDatabase } from '../../simulator-test.ts'
import { credentials, type MtnTest, openMtnTest } from './mtn-momo-test.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
let mtn: MtnTest
let token: string

beforeAll(async () => {
  database = await openDatabase()
  mtn = await openMtnTest(database.db)
  token = await newToken('collection')
})
afterAll(async () => {
  await mtn.close()
  await database.drop()
})

const KEYS = {
  collection: credentials.collection_subscription_key,
  disbursement: credentials.disbursement_subscription_key,
}
const basic = (user: string, key: string) => `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`
const body = {
  amount: '5.0',
  currency: 'EUR',
  externalId: 'KR12-1',
  payer: { partyIdType: 'MSISDN', partyId: '46733123499' },
  payerMessage: 'Order 12',
  payeeNote: 'KR12-1',
}

async function call(method: string, path: string, headers: Record<string, string>, text?: string) {
  const answer = await fetch(mtn.mtn_url + path, { method, headers, ...(text !== undefined && { body: text }) })
  const content = await answer.text()
  return {
    status: answer.status,
    body: content.startsWith('{') ? JSON.parse(content) : content,
    headers: answer.headers,
  }
}

async function newToken(product: 'collection' | 'disbursement'): Promise<string> {
  const authorization = basic(credentials.collection_api_user, credentials.collection_api_key)
  const headers = { authorization, 'ocp-apim-subscription-key': KEYS[product] }
  const answer = await call('POST', `/${product}/token/`, headers)
  expect(answer).toMatchObject({ status: 200, body: { token_type: 'access_token', expires_in: 3600 } })
  return answer.body.access_token
}

const headersOf = (more: Record<string, string> = {}) => ({
  authorization: `Bearer ${token}`,
  'ocp-apim-subscription-key': KEYS.collection,
  'x-target-environment': 'sandbox',
  'x-reference-id': randomUUID(),
  'content-type': 'application/json',
  ...more,
})
const charge = (more: object = {}, headers: Record<string, string> = {}) =>
  call('POST', '/collection/v1_0/requesttopay', headersOf(headers), JSON.stringify({ ...body, ...more }))

describe('the gateway of the simulated MTN', () => {
  it.each([
    ['a missing key', {}, /missing subscription key/],
    ['a wrong key', { 'ocp-apim-subscription-key': 'guessed' }, /invalid subscription key/],
    ['the key of another product', { 'ocp-apim-subscription-key': KEYS.disbursement }, /invalid subscription key/],
  ])('refuses %s in its own form, before anything else', async (_what, headers, message) => {
    for (const path of ['/collection/token/', '/collection/v1_0/requesttopay'])
      expect(await call('POST', path, headers as Record<string, string>)).toMatchObject({
        status: 401,
        body: { statusCode: 401, message: expect.stringMatching(message) },
      })
  })

  it('refuses a POST without a length with a page', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { 'ocp-apim-subscription-key': KEYS.collection, 'transfer-encoding': 'chunked' }
      request(`${mtn.mtn_url}/collection/token/`, { method: 'POST', headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
        .on('error', reject)
        .end()
    })
    expect(status).toBe(411)
  })

  it('knows no other addresses', async () => {
    const answer = await call('GET', '/collection/v9_0/requesttopay', headersOf())
    expect(answer).toMatchObject({ status: 404, body: { statusCode: 404 } })
  })
})

describe('tokens of the simulated MTN', () => {
  const authorization = basic(credentials.collection_api_user, credentials.collection_api_key)
  const key = { 'ocp-apim-subscription-key': KEYS.collection }

  it.each([
    ['a wrong key', { authorization: basic(credentials.collection_api_user, 'guessed'), ...key }, undefined, 401],
    ['an unknown user', { authorization: basic(randomUUID(), credentials.collection_api_key), ...key }, undefined, 401],
    ['nobody', key, undefined, 401],
    ['what is no pair', { authorization: 'Basic YWJj', ...key }, undefined, 401],
  ])('are not given to %s', async (_what, headers, text, status) => {
    const answer = await call('POST', '/collection/token/', headers as Record<string, string>, text)
    expect(answer.status).toBe(status)
    if (status === 401) expect(answer.body).toEqual({ error: 'login_failed' })
  })

  it('are given to calls with a body, unless the network is set to refuse it', async () => {
    const ask = (text: string) => call('POST', '/collection/token/', { authorization, ...key }, text)
    for (const text of ['{}', 'grant_type=client_credentials'])
      expect(await ask(text)).toMatchObject({ status: 200, body: { access_token: expect.any(String) } })
    await mtn.simulator.setSwitches('mtn-momo', { token_body: 'refused' })
    expect(await ask('{}')).toMatchObject({ status: 400, body: { message: 'The token call takes no body.' } })
    expect((await ask('')).status).toBe(200)
    await mtn.simulator.setSwitches('mtn-momo', { token_body: 'accepted' })
  })

  it('open their own product only, until they expire', async () => {
    const other = await newToken('disbursement')
    expect(await charge({}, { authorization: `Bearer ${other}` })).toMatchObject({ status: 401 })
    expect(await charge({}, { authorization: 'Bearer guessed' })).toMatchObject({ status: 401 })
    expect(await charge({}, { authorization: '' })).toMatchObject({ status: 401 })
    mtn.simulator.faults.add({ door: 'mtn-momo', kind: 'clock_skew', seconds: 3_601 })
    expect(await charge()).toMatchObject({ status: 401 })
    mtn.simulator.faults.clear()
    expect(await charge()).toMatchObject({ status: 202 })
  })
})

describe('a request to pay at the simulated MTN', () => {
  it('is accepted with an empty body, and shown with its amount normalized', async () => {
    const id = randomUUID()
    const answer = await charge({}, { 'x-reference-id': id })
    expect(answer).toMatchObject({ status: 202, body: '' })
    expect(answer.headers.get('content-length')).toBe('0')
    expect((await call('GET', `/collection/v1_0/requesttopay/${id}`, headersOf())).body).toMatchObject({
      amount: '5',
      currency: 'EUR',
      externalId: 'KR12-1',
      payer: { partyIdType: 'MSISDN', partyId: '46733123499' },
    })
  })

  it('is refused under the same id, whatever it asks', async () => {
    const id = { 'x-reference-id': randomUUID() }
    expect(await charge({}, id)).toMatchObject({ status: 202 })
    for (const more of [{}, { amount: '7' }])
      expect(await charge(more, id)).toMatchObject({ status: 409, body: { code: 'RESOURCE_ALREADY_EXIST' } })
  })

  it.each([
    ['an id that is no UUID', {}, { 'x-reference-id': 'KR12-1' }],
    ['an id of another version', {}, { 'x-reference-id': '3f0c2a4e-8a53-1f0e-9d57-6c1b2a7e9f10' }],
    ['an apostrophe', { payerMessage: "Mama's shop" }, {}],
    ['a message of null', { payerMessage: null }, {}],
    ['a long note', { payeeNote: 'x'.repeat(161) }, {}],
    ['an amount that is a number', { amount: 5 }, {}],
    ['an amount of nothing', { amount: '0' }, {}],
    ['a number with a plus sign', { payer: { partyIdType: 'MSISDN', partyId: '+46733123499' } }, {}],
    ['no payer', { payer: undefined }, {}],
    ['a form', {}, { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a fraction of a shilling', { amount: '5.5', currency: 'UGX' }, { 'x-target-environment': 'mtnuganda' }],
  ])('is refused with %s', async (_what, more, headers) => {
    expect(await charge(more, headers as Record<string, string>)).toMatchObject({ status: 400 })
  })

  it.each([
    ['a country that there is not', {}, { 'x-target-environment': 'mtnatlantis' }, 'NOT_ALLOWED_TARGET_ENVIRONMENT'],
    ['no country', {}, { 'x-target-environment': '' }, 'NOT_ALLOWED_TARGET_ENVIRONMENT'],
    ['the currency of another country', { currency: 'UGX' }, {}, 'INVALID_CURRENCY'],
  ])('is refused with 500 for %s', async (_what, more, headers, code) => {
    expect(await charge(more, headers as Record<string, string>)).toMatchObject({ status: 500, body: { code } })
  })
})

describe('accounts at the simulated MTN', () => {
  it.each([
    ['46733123450', 404, { code: 'RESOURCE_NOT_FOUND' }],
    ['46733123451', 200, { result: false }],
    ['46733123452', 500, { code: 'NOT_ALLOWED' }],
    ['46733123453', 500, { code: 'NOT_ALLOWED_TARGET_ENVIRONMENT' }],
    ['46733123454', 500, { code: 'INTERNAL_PROCESSING_ERROR' }],
    ['46733123455', 503, { code: 'SERVICE_UNAVAILABLE' }],
    ['46733123456', 200, { result: true }],
  ])('are active or not: %s', async (number, status, answer) => {
    const path = `/collection/v1_0/accountholder/msisdn/${number}/active`
    expect(await call('GET', path, headersOf())).toMatchObject({ status, body: answer })
  })

  it('have names, and the driver reads every form of the answer', async () => {
    for (const active_answer of ['object', 'word', 'text']) {
      await mtn.simulator.setSwitches('mtn-momo', { active_answer })
      const driver = mtn.driver()
      expect(await driver.accountHolder!('+46733123456')).toEqual({ outcome: 'found', name: 'Sand Box' })
      expect(await driver.accountHolder!('+46733123451')).toEqual({ outcome: 'not_found' })
    }
    const uganda = mtn.driver({ target_environment: 'mtnuganda' })
    expect(await uganda.accountHolder!('+256770000402')).toEqual({ outcome: 'found', name: 'AKELLO, Grâce Namukasa' })
    expect(await uganda.accountHolder!('+256770000403')).toEqual({ outcome: 'found', name: null })
    expect(await uganda.accountHolder!('+256770000401')).toEqual({ outcome: 'not_found' })
    expect(await uganda.accountHolder!('+256770000404')).toMatchObject({ outcome: 'unknown' })
    await mtn.simulator.setSwitches('mtn-momo', { holder_names: false })
    expect(await uganda.accountHolder!('+256772000001')).toEqual({ outcome: 'found', name: null })
    await mtn.simulator.setSwitches('mtn-momo', { holder_names: true })
  })

  it('have balances that change with the money', async () => {
    const driver = mtn.driver({ target_environment: 'mtnrwanda' })
    const before = await driver.balance!()
    expect(before).toEqual({
      outcome: 'found',
      balances: ['Collections', 'Disbursements'].map((name) => ({ currency: 'RWF', amount: 100_000_000_000n, name })),
    })
    const headers = headersOf({ 'x-target-environment': 'mtnrwanda' })
    const money = { ...body, amount: '500', currency: 'RWF', payer: { partyIdType: 'MSISDN', partyId: '250788123456' } }
    await call('POST', '/collection/v1_0/requesttopay', headers, JSON.stringify(money))
    await mtn.clock.advance(2)
    expect(await driver.balance!()).toMatchObject({ balances: [{ amount: 100_005_000_000n }, {}] })
    expect(await call('GET', '/collection/v1_0/account/balance/EUR', headers)).toMatchObject({ status: 500 })
  })
})

describe('API users of the simulated MTN', () => {
  const given = (subscription_key: string = KEYS.collection) => ({
    api: mtn.mtn_url,
    subscription_key,
    callback_host: 'pay.example.com',
  })

  it('are made, can do everything, and have one callback host', async () => {
    const made = await provision(given(), testTools())
    if (made.outcome !== 'provisioned') throw new Error(made.message)
    const own = { collection_api_user: made.api_user, collection_api_key: made.api_key }
    const results = await mtn.driver(own).test!()
    expect(results.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok', 'ok', 'failed'])
    expect(results.at(-1)).toMatchObject({ message: expect.stringContaining('pay.example.com') })
  })

  it('are not made with a wrong key or host', async () => {
    expect(await provision(given('guessed'), testTools())).toMatchObject({ outcome: 'failed' })
    const host = { ...given(), callback_host: 'https://pay.example.com/x' }
    expect(await provision(host, testTools())).toMatchObject({ outcome: 'failed' })
  })

  it('have ids that are used once, and keys that can be made anew', async () => {
    const headers = headersOf({ 'x-reference-id': randomUUID() })
    const user = JSON.stringify({ providerCallbackHost: 'pay.example.com' })
    expect(await call('POST', '/v1_0/apiuser', headers, user)).toMatchObject({ status: 201, body: '' })
    expect(await call('POST', '/v1_0/apiuser', headers, user)).toMatchObject({ status: 409 })
    const path = `/v1_0/apiuser/${headers['x-reference-id']}`
    expect((await call('GET', path, headers)).body).toEqual({
      providerCallbackHost: 'pay.example.com',
      targetEnvironment: 'sandbox',
    })
    const bare = { 'ocp-apim-subscription-key': KEYS.collection }
    const keys = [await call('POST', `${path}/apikey`, bare), await call('POST', `${path}/apikey`, bare)]
    for (const { status, body: key } of keys)
      expect([status, key.apiKey]).toEqual([201, expect.stringMatching(/^[0-9a-f]{32}$/)])
    expect(keys[0]!.body.apiKey).not.toBe(keys[1]!.body.apiKey)
    expect(await call('POST', `/v1_0/apiuser/${randomUUID()}/apikey`, bare)).toMatchObject({ status: 404 })
  })

  it('are tried by the driver, which names the wrong setting', async () => {
    const failed = async (settings: object) =>
      (await mtn.driver({ ...settings }).test!())
        .filter(({ outcome }) => outcome === 'failed')
        .map(({ message }) => message)
    expect(await failed({})).toEqual([])
    expect(await failed({ collection_api_key: 'guessed', disbursement_subscription_key: undefined })).toEqual([
      expect.stringContaining('collection_api_key'),
    ])
    expect(await failed({ disbursement_subscription_key: 'guessed' })).toEqual([
      expect.stringContaining('disbursement_subscription_key'),
    ])
    await mtn.simulator.setSwitches('mtn-momo', { target_environment: 'mtnghana' })
    const wrong_country = await failed({ target_environment: 'mtnuganda' })
    expect(wrong_country).toEqual(Array(2).fill(expect.stringContaining('target_environment')))
    await mtn.simulator.setSwitches('mtn-momo', { target_environment: 'any', source_is_allowed: false })
    expect(await failed({})).toEqual([expect.stringContaining('public IP address')])
    await mtn.simulator.setSwitches('mtn-momo', { source_is_allowed: true })
  })
})

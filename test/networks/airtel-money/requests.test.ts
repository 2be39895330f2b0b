import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { airtelMoney } from '../../../src/networks/airtel-money/index.ts'
import { openBound } from '../../drivers/bound.ts'
import {
  airtel_key,
  decrypt,
  encryption_key,
  envelope,
  openRecorder,
  order,
  payout,
  type Recorder,
  refund,
  settings,
  signedBody,
  testTools,
} from './airtel-test.ts'

/*
 * Requests of the driver, byte for byte.
 */

let recorder: Recorder
afterEach(() => recorder.close())

const taken = envelope({ id: false, status: 'SUCCESS' }, 'DP00800001006')
const paid = envelope({ id: 'KR12x1', airtel_money_id: 'MP1', status: 'TS' }, 'DP00800001001')

const headers = {
  authorization: 'Bearer token-1',
  'content-type': 'application/json',
  accept: '*/*',
  'x-country': 'UG',
  'x-currency': 'UGX',
}

const v1 = { collection_version: 'v1', payout_version: 'v1' }

describe('the token', () => {
  it('is fetched once with JSON, and is in every call', async () => {
    recorder = await openRecorder({ 'GET /standard/v1/payments/KR12x1': paid }, v1)
    await Promise.all(Array.from({ length: 5 }, () => recorder.operations.chargeStatus(order)))
    const [token, ...calls] = recorder.requests
    expect(token).toMatchObject({
      method: 'POST',
      path: '/auth/oauth2/token',
      headers: { 'content-type': 'application/json', accept: '*/*' },
      body: '{"client_id":"our-client","client_secret":"our-secret","grant_type":"client_credentials"}',
    })
    expect(token!.headers.authorization).toBe(undefined)
    expect(calls.map(({ headers }) => headers.authorization)).toEqual(Array(5).fill('Bearer token-1'))
  })
})

describe('a charge', () => {
  const body =
    '{"reference":"KR12x1","subscriber":{"country":"UG","currency":"UGX","msisdn":"752000001"},' +
    '"transaction":{"amount":1500,"country":"UG","currency":"UGX","id":"KR12x1"}}'

  it('of v1 is not signed', async () => {
    recorder = await openRecorder({ 'POST /merchant/v1/payments/': taken }, v1)
    await recorder.operations.charge(order)
    const sent = recorder.requests.at(-1)!
    expect(sent).toMatchObject({ method: 'POST', path: '/merchant/v1/payments/', headers, body })
    expect(sent.headers['x-signature']).toBe(undefined)
    expect(recorder.requests).toHaveLength(2)
  })

  it('of v2 is signed over the sent bytes', async () => {
    recorder = await openRecorder({ 'POST /merchant/v2/payments/': taken })
    await recorder.operations.charge(order)
    await recorder.operations.charge(order)
    const [, key, first, second] = recorder.requests
    expect(key).toMatchObject({ method: 'GET', path: '/v1/rsa/encryption-keys', headers, body: '' })
    expect(first).toMatchObject({ method: 'POST', path: '/merchant/v2/payments/', headers, body })
    expect(signedBody(airtel_key.privateKey, first!.headers)).toBe(body)
    expect(signedBody(airtel_key.privateKey, second!.headers)).toBe(body)
    expect(first!.headers['x-key']).not.toBe(second!.headers['x-key'])
    expect(recorder.requests).toHaveLength(4)
  })

  it('keeps the zero of a number of Congo, and the currency that was chosen in DR Congo', async () => {
    recorder = await openRecorder({ 'POST /merchant/v1/payments/': taken }, { ...v1, country: 'CG' })
    await recorder.operations.charge({ ...order, phonenumber: '+242055000001', currency: 'XAF' })
    expect(JSON.parse(recorder.requests.at(-1)!.body)).toMatchObject({
      subscriber: { country: 'CG', currency: 'XAF', msisdn: '055000001' },
    })
    await recorder.close()
    recorder = await openRecorder({ 'POST /merchant/v1/payments/': taken }, { ...v1, country: 'CD', currency: 'USD' })
    await recorder.operations.charge({ ...order, phonenumber: '+243970000001', currency: 'USD' })
    expect(recorder.requests.at(-1)!.headers).toMatchObject({ 'x-country': 'CD', 'x-currency': 'USD' })
  })

  it('is not sent for another currency, another country, or a reference that Airtel would lose', async () => {
    recorder = await openRecorder()
    const wrong = [
      { currency: 'KES' },
      { phonenumber: '+254752000001' },
      { reference: 'KR12-1' },
      { reference: 'a'.repeat(26) },
    ]
    for (const part of wrong)
      expect(await recorder.operations.charge({ ...order, ...part })).toMatchObject({
        outcome: 'failed',
        reason: 'rejected',
      })
    expect(await recorder.operations.chargeStatus({ ...order, reference: '../users/1' })).toMatchObject({
      outcome: 'unknown',
    })
    expect(recorder.requests).toEqual([])
  })
})

describe('the host', () => {
  it('is read at each call, because it may change', async () => {
    recorder = await openRecorder({ 'GET /standard/v1/payments/KR12x1': paid })
    const hosts = { api: 'http://127.0.0.1:2/' }
    const connection = {
      slug: 'airtel-ug',
      environment: 'staging',
      hosts,
      settings: airtelMoney.settings.parse(settings),
    }
    const operations = openBound(airtelMoney, connection as never, testTools())
    expect(await operations.chargeStatus!(order)).toMatchObject({ outcome: 'unknown' })
    hosts.api = `${recorder.url}/`
    expect(await operations.chargeStatus!(order)).toMatchObject({ outcome: 'successful' })
  })
})

/** True if this machine has another program that knows the same encryption. */
const has_openssl = spawnSync('openssl', ['version']).status === 0

describe('the encryption', () => {
  it.runIf(has_openssl)('is readable for OpenSSL', async () => {
    recorder = await openRecorder({ 'POST /merchant/v2/payments/': taken })
    await recorder.operations.charge(order)
    const { headers, body } = recorder.requests.at(-1)!
    const folder = await mkdtemp(join(tmpdir(), 'airtel-'))
    const key_file = join(folder, 'key.pem')
    await writeFile(key_file, airtel_key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const openssl = (input: unknown, ...options: string[]) =>
      execFileSync('openssl', options, { input: Buffer.from(String(input), 'base64') }).toString()
    const padding = ['-pkeyopt', 'rsa_padding_mode:pkcs1']
    const pair = openssl(headers['x-key'], 'pkeyutl', '-decrypt', '-inkey', key_file, ...padding)
    const [key, iv] = pair.split(':').map((text) => Buffer.from(text, 'base64').toString('hex')) as [string, string]
    expect([key.length, iv.length]).toEqual([64, 32])
    expect(openssl(headers['x-signature'], 'enc', '-d', '-aes-256-cbc', '-K', key, '-iv', iv)).toBe(body)
    await rm(folder, { recursive: true })
  })
})

describe('the other calls', () => {
  it('ask about a charge by our reference', async () => {
    recorder = await openRecorder({ 'GET /standard/v1/payments/KR12x1': paid })
    await recorder.operations.chargeStatus(order)
    expect(recorder.requests.at(-1)).toMatchObject({
      method: 'GET',
      path: '/standard/v1/payments/KR12x1',
      headers,
      body: '',
    })
  })

  it('give back a payment by the id of Airtel', async () => {
    const answer = envelope({ airtel_money_id: 'CI9', status: 'SUCCESS' })
    recorder = await openRecorder({ 'POST /standard/v1/payments/refund': answer }, v1)
    await recorder.operations.refund(refund)
    const body = '{"transaction":{"airtel_money_id":"MP261122.0930.L06941"}}'
    expect(recorder.requests.at(-1)).toMatchObject({
      method: 'POST',
      path: '/standard/v1/payments/refund',
      headers,
      body,
    })
    await recorder.close()
    recorder = await openRecorder({ 'POST /standard/v2/payments/refund': answer })
    await recorder.operations.refund(refund)
    expect(recorder.requests.at(-1)).toMatchObject({ method: 'POST', path: '/standard/v2/payments/refund', body })
    expect(signedBody(airtel_key.privateKey, recorder.requests.at(-1)!.headers)).toBe(body)
  })

  it('send money with the encrypted PIN', async () => {
    const answer = envelope({ reference_id: '18', airtel_money_id: 'CI1', id: 'KP17', status: 'TS' }, 'DP00900001001')
    recorder = await openRecorder({
      'POST /standard/v2/disbursements/': answer,
      'POST /standard/v1/disbursements/': answer,
    })
    await recorder.operations.payout(payout)
    const sent = recorder.requests.at(-1)!
    expect(sent).toMatchObject({ method: 'POST', path: '/standard/v2/disbursements/', headers })
    const pin = /"pin":"([^"]+)"/.exec(sent.body)![1]!
    expect(decrypt(airtel_key.privateKey, pin)).toBe('4321')
    expect(sent.body).toBe(
      '{"payee":{"msisdn":"752000001","currency":"UGX"},"reference":"KP17",' +
        `"pin":"${pin}","transaction":{"amount":1000,"id":"KP17","type":"B2C"}}`,
    )
    expect(signedBody(airtel_key.privateKey, sent.headers)).toBe(sent.body)
  })

  it('send money with v1 without signature and type', async () => {
    const answer = envelope({ airtel_money_id: 'CI1', id: 'KP17', status: 'TS' }, 'DP00900001001')
    recorder = await openRecorder({ 'POST /standard/v1/disbursements/': answer }, v1)
    await recorder.operations.payout(payout)
    const sent = recorder.requests.at(-1)!
    const pin = /"pin":"([^"]+)"/.exec(sent.body)![1]!
    expect(sent.body).toBe(
      `{"payee":{"msisdn":"752000001"},"reference":"KP17","pin":"${pin}","transaction":{"amount":1000,"id":"KP17"}}`,
    )
    expect(sent.headers['x-key']).toBe(undefined)
    expect(recorder.requests.map(({ path }) => path)).toContain('/v1/rsa/encryption-keys')
  })

  it('ask for payouts, holders, balances and the statement', async () => {
    recorder = await openRecorder({}, { wallets: 'separate' })
    const { operations, answer } = recorder
    answer('GET /standard/v2/users/balance', { body: { data: { balance: '1.00', currency: 'UGX' }, status: {} } })
    answer('GET /merchant/v1/transactions', { body: { data: { transactions: [] }, status: {} } })
    await operations.payoutStatus(payout)
    await operations.accountHolder('+256752000001')
    await operations.balance()
    const period = { from: new Date('2026-11-21T00:00:00Z'), to: new Date('2026-11-22T00:00:00.900Z') }
    for await (const _ of operations.statement(period));
    expect(recorder.calls()).toEqual([
      'GET /standard/v1/disbursements/KP17',
      'GET /standard/v1/users/752000001',
      'GET /standard/v2/users/balance?type=COLL',
      'GET /standard/v2/users/balance?type=DISB',
      'GET /merchant/v1/transactions?from=1795219200&to=1795305600&limit=100&offset=0',
    ])
    for (const { path, headers: sent, body } of recorder.requests.slice(1))
      expect([path, sent, body]).toMatchObject([path, headers, ''])
  })
})

describe('refusals of Airtel', () => {
  const refused = {
    status: 401,
    body: { error: 'invalid_token', error_description: 'The access token is invalid or has expired' },
  }

  it('is sent once more with a new token', async () => {
    recorder = await openRecorder({ 'POST /merchant/v1/payments/': [refused, taken] }, v1)
    expect(await recorder.operations.charge(order)).toEqual({ outcome: 'accepted', remote_id: 'KR12x1' })
    expect(recorder.requests.map(({ path }) => path)).toEqual([
      '/auth/oauth2/token',
      '/merchant/v1/payments/',
      '/auth/oauth2/token',
      '/merchant/v1/payments/',
    ])
  })

  it('is not sent a third time, and has certainly not been sent', async () => {
    recorder = await openRecorder({ 'POST /merchant/v1/payments/': refused }, v1)
    expect(await recorder.operations.charge(order)).toMatchObject({ outcome: 'failed', reason: 'unreachable' })
    expect(recorder.calls()).toHaveLength(2)
    expect(recorder.alarms.join()).toMatch(/environment/)
  })

  it('because its key is new, is encrypted again', async () => {
    const stale = envelope(undefined, 'DP00800001026', { success: false, message: 'Forbidden' })
    recorder = await openRecorder({ 'POST /merchant/v2/payments/': [stale, taken] })
    recorder.answer('GET /v1/rsa/encryption-keys', encryption_key)
    expect(await recorder.operations.charge(order)).toMatchObject({ outcome: 'accepted' })
    expect(recorder.requests.filter(({ path }) => path === '/v1/rsa/encryption-keys')).toHaveLength(2)
    expect(recorder.alarms).toEqual([])
  })
})

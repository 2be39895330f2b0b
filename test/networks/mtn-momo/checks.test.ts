import { describe, expect, it } from 'vitest'
import { mtnMomo } from '../../../src/networks/mtn-momo/index.ts'
import type { Settings } from '../../../src/networks/mtn-momo/settings.ts'
import { openBound } from '../../drivers/bound.ts'
import { type Answer, COLLECTION_USER, connectionAt, type Responder, testTools, withMtn } from './mtn-test.ts'

const BALANCE = 'GET /collection/v1_0/account/balance'
const TOKEN = 'POST /collection/token/'
const USER = `GET /v1_0/apiuser/${COLLECTION_USER}`
const only_collection = { disbursement_subscription_key: undefined }
const gateway401 = { status: 401, body: { statusCode: 401, message: 'Access denied due to invalid subscription key.' } }
const uganda: Answer = { status: 200, body: { availableBalance: '12345', currency: 'UGX' } }

async function test(
  answers: Record<string, Responder>,
  settings: Partial<Settings> = only_collection,
  environment = 'production',
) {
  const results: { name: string; outcome: string; message: string }[] = []
  await withMtn({ [BALANCE]: uganda, ...answers }, async ({ url }) => {
    const connection = connectionAt(url, settings, environment)
    results.push(...(await openBound(mtnMomo, connection, testTools()).test!()))
  })
  return results
}

describe('connections test', () => {
  it('tries token and balance of each product', async () => {
    const results = await test({ 'GET /disbursement/v1_0/account/balance': uganda }, {})
    expect(results).toEqual([
      { name: 'token for Collections', outcome: 'ok', message: expect.any(String) },
      { name: 'balance of Collections', outcome: 'ok', message: 'UGX 12,345' },
      { name: 'token for Disbursements', outcome: 'ok', message: expect.any(String) },
      { name: 'balance of Disbursements', outcome: 'ok', message: 'UGX 12,345' },
      { name: 'callback address', outcome: 'skipped', message: expect.stringContaining('pay.example.com') },
    ])
  })

  it.each([
    ['a wrong subscription key', { [TOKEN]: gateway401 }, 'failed', 'collection_subscription_key'],
    ['a wrong API key', { [TOKEN]: { status: 401, body: { error: 'login_failed' } } }, 'failed', 'collection_api_key'],
    ['a wrong host', { [TOKEN]: { status: 200, text: '<html>' } }, 'failed', 'host'],
    ['an outage', { [TOKEN]: { status: 503 } }, 'unknown', 'not available'],
    ['a server address that is not allowed', { [BALANCE]: { status: 403 } }, 'failed', 'IP address'],
    [
      'the wallet of another country',
      { [BALANCE]: { status: 200, body: { availableBalance: '1', currency: 'GHS' } } },
      'failed',
      'target_environment',
    ],
    [
      'a wrong country',
      { [BALANCE]: { status: 500, body: { code: 'NOT_ALLOWED_TARGET_ENVIRONMENT' } } },
      'failed',
      'target_environment',
    ],
    ['a missing permission', { [BALANCE]: { status: 500, body: { code: 'NOT_ALLOWED' } } }, 'failed', 'permission'],
    ['a balance that does not come', { [BALANCE]: { status: 500 } }, 'unknown', 'balance'],
  ])('reports the fault: %s', async (_what, answers, outcome, words) => {
    const wrong = (await test(answers)).filter((result) => !['ok', 'skipped'].includes(result.outcome))
    expect(wrong).toEqual([{ name: expect.any(String), outcome, message: expect.stringContaining(words) }])
  })

  it.each([
    ['is registered', 'PAY.example.com', 'ok', 'registered'],
    ['is another one', 'shop.example.com', 'failed', 'shop.example.com'],
  ])('compares the callback host with the one that the sandbox has: it %s', async (_what, host, outcome, words) => {
    const answers = {
      [USER]: { status: 200, body: { providerCallbackHost: host, targetEnvironment: 'sandbox' } },
      [BALANCE]: { status: 200, body: { availableBalance: '1', currency: 'EUR' } },
    }
    const results = await test(answers, { ...only_collection, target_environment: 'sandbox' }, 'sandbox')
    expect(results.at(-1)).toEqual({ name: 'callback address', outcome, message: expect.stringContaining(words) })
  })

  it('reports switched-off callbacks', async () => {
    expect((await test({}, { ...only_collection, callbacks: false })).at(-1)).toMatchObject({ outcome: 'skipped' })
  })

  it('begins with the faults of the settings', async () => {
    const results = await test({}, { ...only_collection, target_environment: 'sandbox' })
    expect(results[0]).toMatchObject({
      name: 'settings',
      outcome: 'failed',
      message: expect.stringContaining('target_environment'),
    })
  })
})

import { describe, expect, it } from 'vitest'
import { type Answer, openDriver, withMtn } from './mtn-test.ts'

const unknown = { outcome: 'unknown', message: expect.any(String) }
const ACTIVE = 'GET /collection/v1_0/accountholder/msisdn/256772000001/active'
const INFO = 'GET /collection/v1_0/accountholder/msisdn/256772000001/basicuserinfo'
const active: Answer = { status: 200, body: { result: true } }

async function lookUp(
  active: Answer,
  info: Answer = { status: 200, body: { name: 'Grace Namukasa' } },
  holder_names = true,
) {
  let found: unknown
  await withMtn({ [ACTIVE]: active, [INFO]: info }, async ({ url }) => {
    found = await openDriver(url, { holder_names }).accountHolder!('+256772000001')
  })
  return found
}

describe('an account holder', () => {
  it.each([
    ['a result', { status: 200, body: { result: true } }],
    ['a result in words', { status: 200, body: { result: 'true' } }],
    ['the bare word', { status: 200, text: 'true' }],
  ])('is found by %s', async (_how, answer) => {
    expect(await lookUp(answer)).toEqual({ outcome: 'found', name: 'Grace Namukasa' })
  })

  it.each([
    ['is not active', { status: 200, body: { result: false } }],
    ['is not active, in a bare word', { status: 200, text: 'false' }],
    ['is not known', { status: 404, body: { code: 'RESOURCE_NOT_FOUND', message: 'not found' } }],
  ])('is not found who %s', async (_how, answer) => {
    expect(await lookUp(answer)).toEqual({ outcome: 'not_found' })
  })

  it.each([
    ['nothing', { status: 200 }],
    ['null', { status: 200, text: 'null' }],
    ['a number', { status: 200, body: { result: 1 } }],
    ['a page', { status: 200, text: '<html>' }],
    ['a 404 of the gateway', { status: 404, body: { statusCode: 404, message: 'Resource not found' } }],
    ['a 404 without a body', { status: 404 }],
    ['a 500', { status: 500, body: { code: 'INTERNAL_PROCESSING_ERROR' } }],
    ['a 403', { status: 403 }],
    ['a 429', { status: 429 }],
  ])('is unknown after %s', async (_how, answer) => {
    expect(await lookUp(answer)).toEqual(unknown)
  })

  it.each([
    ['both names', { given_name: ' Grace ', family_name: 'Namukasa' }, 'Grace Namukasa'],
    ['one name', { given_name: 'Grace', family_name: null }, 'Grace'],
    ['no name', { sub: '1', name: ' ', given_name: '', status: 'ACTIVE' }, null],
  ])('has the name that MTN gives: %s', async (_how, body, name) => {
    expect(await lookUp(active, { status: 200, body })).toEqual({ outcome: 'found', name })
  })

  it.each([
    ['a 403', { status: 403 }],
    ['a 404', { status: 404, body: { code: 'RESOURCE_NOT_FOUND' } }],
    ['a 400', { status: 400 }],
    ['NOT_ALLOWED', { status: 500, body: { code: 'NOT_ALLOWED' } }],
  ])('has no name where MTN does not disclose it: %s', async (_how, answer) => {
    expect(await lookUp(active, answer)).toEqual({ outcome: 'found', name: null })
  })

  it.each([{ status: 500 }, { status: 200 }, { status: 200, body: {} }, { status: 429 }])(
    'is unknown when the question for the name has no answer: %j',
    async (answer) => {
      expect(await lookUp(active, answer)).toEqual(unknown)
    },
  )

  it('is not asked for the name where that is switched off', async () => {
    expect(await lookUp(active, { status: 500 }, false)).toEqual({ outcome: 'found', name: null })
  })
})

describe('the balances', () => {
  const COLLECTION = 'GET /collection/v1_0/account/balance'
  const DISBURSEMENT = 'GET /disbursement/v1_0/account/balance'
  const balance = (availableBalance: unknown, currency: unknown = 'UGX'): Answer => ({
    status: 200,
    body: { availableBalance, currency },
  })

  async function read(collection: Answer, disbursement: Answer = balance('0'), settings = {}) {
    let answer: unknown
    await withMtn({ [COLLECTION]: collection, [DISBURSEMENT]: disbursement }, async ({ url }) => {
      answer = await openDriver(url, settings).balance!()
    })
    return answer
  }

  it.each([
    ['12345', 123_450_000n],
    ['12345.67', 123_456_700n],
    [12345.67, 123_456_700n],
    ['-20', -200_000n],
  ])('are exact: %j', async (text, amount) => {
    expect(await read(balance(text))).toEqual({
      outcome: 'found',
      balances: [
        { currency: 'UGX', amount, name: 'Collections' },
        { currency: 'UGX', amount: 0n, name: 'Disbursements' },
      ],
    })
  })

  it('cover the products that are set up', async () => {
    const none = { disbursement_subscription_key: undefined }
    expect(await read(balance('1'), { status: 500 }, none)).toMatchObject({ balances: [{ name: 'Collections' }] })
  })

  it.each([
    ['a sum in words', balance('much')],
    ['an exponent', balance('1e9')],
    ['a sum of null', balance(null)],
    ['no currency', balance('1', null)],
    ['a 500', { status: 500 }],
    ['a page', { status: 200, text: '<html>' }],
  ])('are unknown when one of them is %s', async (_what, answer) => {
    expect(await read(answer)).toEqual(unknown)
    expect(await read(balance('1'), answer)).toEqual(unknown)
  })
})

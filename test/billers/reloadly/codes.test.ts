import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { reloadly } from '../../../src/billers/reloadly/index.ts'
import { openRecorder, providerVend, type Recorder } from '../recorder.ts'

const settings = { client_id: 'our-client', client_secret: 'our-secret' }
let recorder: Recorder
beforeEach(async () => {
  recorder = await openRecorder(reloadly, settings, {
    hosts: (url) => ({ auth: url, topups: `${url}/topups`, utilities: `${url}/utilities` }),
  })
  recorder.answer('POST /oauth/token', { body: { access_token: 'token-1', expires_in: 3600 } })
})
afterEach(() => recorder.close())

const TOPUP = 'POST /topups/topups'
const PAY = 'POST /utilities/pay'
const TOPUPS = 'GET /topups/topups/reports/transactions'
const BILLS = 'GET /utilities/transactions'
const kenya = { country: 'KE', currency: 'KES', account_number: '+254712345678' }
const topup = (changes: object = {}) =>
  providerVend({ ...kenya, offer: { remote_service: '265', remote_product: null }, ...changes })
const bill = (changes: object = {}) =>
  providerVend({
    kind: 'electricity',
    account_number: '04042404048',
    details: { prepaid: true },
    offer: { remote_service: 'biller:2', remote_product: null },
    ...changes,
  })
const shown = (status: string, more: object = {}) => ({
  transactionId: 4602843,
  status,
  customIdentifier: 'KB17',
  ...more,
})
const report = (status: string, more: object = {}) => ({
  code: 'X',
  message: 'words',
  transaction: { id: 36, status, referenceId: 'KB17', ...more },
})

async function vend(route: string, order: ReturnType<typeof topup>, body: object | string, status = 200) {
  recorder.answer(route, { status, body })
  return recorder.operations.vend(order)
}

describe('a status', () => {
  it.each([
    ['SUCCESSFUL', { outcome: 'successful' }],
    ['PROCESSING', { outcome: 'accepted' }],
    ['PENDING', { outcome: 'accepted' }],
    ['FAILED', { outcome: 'failed', reason: 'declined' }],
    ['REFUNDED', { outcome: 'failed', reason: 'declined' }],
    ['SOMETHING', { outcome: 'unknown' }],
    ['constructor', { outcome: 'unknown' }],
  ])('%s of a top-up and of a bill, in each answer', async (word, expected) => {
    expect(await vend(TOPUP, topup(), shown(word))).toMatchObject(expected)
    expect(await vend(PAY, bill(), report(word).transaction)).toMatchObject(expected)
    recorder.answer('GET /topups/topups/4602843/status', { body: { status: word, transaction: shown(word) } })
    expect(await recorder.operations.vendStatus(topup({ remote_id: '4602843' }))).toMatchObject(expected)
    recorder.answer('GET /utilities/transactions/36', { body: report(word) })
    expect(await recorder.operations.vendStatus(bill({ remote_id: '36' }))).toMatchObject(expected)
    recorder.answer(TOPUPS, { body: { content: [shown(word)] } })
    expect(await recorder.operations.vendStatus(topup())).toMatchObject(expected)
    recorder.answer(BILLS, { body: [report(word)] })
    expect(await recorder.operations.vendStatus(bill())).toMatchObject(expected)
  })

  it('with a null transaction is open, and the transaction itself is read as well', async () => {
    const order = topup({ remote_id: '4602843' })
    const ask = (body: object) => {
      recorder.answer('GET /topups/topups/4602843/status', { body })
      return recorder.operations.vendStatus(order)
    }
    expect(await ask({ status: 'PROCESSING', transaction: null })).toEqual({
      outcome: 'accepted',
      remote_id: '4602843',
    })
    expect(await ask(shown('SUCCESSFUL'))).toMatchObject({ outcome: 'successful', remote_id: '4602843' })
    expect(await ask({ status: 'SUCCESSFUL', transaction: null })).toMatchObject({ outcome: 'unknown' })
    expect(
      await ask({ status: 'SUCCESSFUL', transaction: { ...shown('SUCCESSFUL'), transactionId: 5 } }),
    ).toMatchObject({
      outcome: 'unknown',
    })
  })

  it('of another purchase is unknown', async () => {
    expect(await vend(TOPUP, topup(), shown('SUCCESSFUL', { customIdentifier: 'KB18' }))).toMatchObject({
      outcome: 'unknown',
    })
  })
})

describe('a refused top-up', () => {
  it.each([
    [400, 'INVALID_AMOUNT', 'amount_refused'],
    [400, 'INVALID_LOCAL_AMOUNT_FOR_OPERATOR', 'amount_refused'],
    [400, 'LOCAL_AMOUNTS_NOT_SUPPORTED_BY_OPERATOR', 'amount_refused'],
    [400, 'INVALID_RECIPIENT_PHONE', 'account_not_found'],
    [400, 'OPERATOR_AND_RECIPIENT_PHONE_MISMATCH', 'account_not_found'],
    [400, 'INVALID_INPUT_PROVIDED', 'rejected'],
    [400, 'INSUFFICIENT_BALANCE', 'no_funds_at_biller'],
    [503, 'OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE', 'service_inactive'],
  ])('%i %s is %s', async (status, errorCode, reason) => {
    const answer = await vend(TOPUP, topup(), { errorCode, message: 'x' }, status)
    expect(answer).toMatchObject({ outcome: 'failed', reason, message: expect.stringContaining(errorCode) })
    expect(recorder.tools.alarms).toHaveLength(reason === 'no_funds_at_biller' ? 1 : 0)
  })

  it.each([
    [500, 'TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT'],
    // The sandbox answers so after an operator was slow.
    [400, 'TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT'],
    [400, 'SOMETHING_NEW'],
    [500, 'INVALID_AMOUNT'],
    [502, 'INSUFFICIENT_BALANCE'],
    [503, 'SOMETHING_NEW'],
    [429, 'TOO_MANY_REQUESTS'],
  ])('%i %s is unknown', async (status, errorCode) => {
    expect(await vend(TOPUP, topup(), { errorCode }, status)).toMatchObject({ outcome: 'unknown' })
  })
})

describe('a refused bill', () => {
  it.each([
    [400, 'INVALID_AMOUNT', 'amount_refused'],
    [400, 'INVALID_BILLER_ID', 'rejected'],
    [400, 'MISSING_REQUIRED_AMOUNT_ID', 'rejected'],
    [400, 'AMOUNT_ID_NOT_FOUND', 'rejected'],
    [400, 'INVALID_INPUT_PROVIDED', 'rejected'],
    [409, 'INSUFFICIENT_WALLET_BALANCE', 'no_funds_at_biller'],
  ])('%i %s is %s', async (status, errorCode, reason) => {
    expect(await vend(PAY, bill(), { errorCode }, status)).toMatchObject({ outcome: 'failed', reason })
  })
})

describe('a reference that was used before', () => {
  it.each([
    [TOPUP, 'CUSTOM_IDENTIFIER_ALREADY_USED', TOPUPS, topup, { content: [shown('SUCCESSFUL')] }],
    [PAY, 'REFERENCE_ID_ALREADY_USED', BILLS, bill, { content: [report('SUCCESSFUL')] }],
  ])('%s %s is read back, and never a failure', async (route, errorCode, list, order, page) => {
    recorder.answer(list, { body: page }, { body: { content: [] } }, { status: 500, body: '' })
    expect(await vend(route, order(), { errorCode }, 400)).toMatchObject({ outcome: 'successful' })
    expect(await vend(route, order(), { errorCode }, 400)).toMatchObject({ outcome: 'unknown' })
    expect(await vend(route, order(), { errorCode }, 400)).toMatchObject({ outcome: 'unknown' })
  })
})

describe('a search by our reference', () => {
  const search = (content: unknown) => {
    recorder.answer(TOPUPS, { body: { content } })
    return recorder.operations.vendStatus(topup())
  }

  it('that finds nothing is not_found', async () => {
    expect(await search([])).toEqual({ outcome: 'not_found' })
  })

  it('counts the same reference only, because upper and lower case are the same to Reloadly', async () => {
    expect(await search([shown('SUCCESSFUL', { customIdentifier: 'kb17' })])).toEqual({ outcome: 'not_found' })
  })

  it('that finds two sales reports the sale, and alerts the operator', async () => {
    const [failed, sold] = [shown('FAILED'), shown('SUCCESSFUL', { transactionId: 5 })]
    expect(await search([failed, sold])).toMatchObject({ outcome: 'successful', remote_id: '5' })
    expect(recorder.tools.alarms).toEqual([expect.stringMatching(/2 transactions of KB17/)])
    expect(await search([failed, shown('PROCESSING', { transactionId: 5 })])).toMatchObject({ outcome: 'accepted' })
    expect(await search([failed, shown('FAILED', { transactionId: 5 })])).toMatchObject({ outcome: 'failed' })
  })

  it.each([[null], ['x'], [[null]], [[{}]], [[{ transactionId: 1, status: 'SUCCESSFUL' }]]])(
    'that cannot be read (%j) is unknown',
    async (content) => expect(await search(content)).toMatchObject({ outcome: 'unknown' }),
  )

  it('follows when Reloadly does not know the id', async () => {
    recorder.answer('GET /topups/topups/9/status', { status: 404, body: { errorCode: 'TRANSACTION_NOT_FOUND' } })
    recorder.answer(TOPUPS, { body: { content: [shown('SUCCESSFUL')] } })
    expect(await recorder.operations.vendStatus(topup({ remote_id: '9' }))).toMatchObject({ outcome: 'successful' })
    recorder.answer('GET /topups/topups/9/status', { status: 404, body: { error: 'Not Found' } })
    expect(await recorder.operations.vendStatus(topup({ remote_id: '9' }))).toMatchObject({ outcome: 'unknown' })
  })
})

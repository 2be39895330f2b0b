import { describe, expect, it } from 'vitest'
import type { FailureReason } from '../../../src/lib/adapter-types.ts'
import {
  accepted,
  CHARGE,
  CHARGE_REFERENCE,
  completed,
  error,
  MONEY,
  notFound,
  openDriver,
  order,
  PAYOUT,
  payout,
  REQUEST,
  RESPONSE,
  refund,
  STATE,
  state,
  TRANSACTION,
  taken,
  transaction,
  withProvider,
} from './gsma-test.ts'

const unknown = { outcome: 'unknown', message: expect.any(String) }

/** Each code of the standard: its category, its name, and the reason for a charge and for a payout. */
const codes: [category: string, code: string, charge: FailureReason, payout: FailureReason][] = [
  ...['dailyVolume', 'dailyValue', 'weeklyVolume', 'weeklyValue', 'monthlyVolume', 'monthlyValue'].map(
    (name): [string, string, FailureReason, FailureReason] => [
      'businessRule',
      `${name}LimitExceeded`,
      'limit_reached',
      'limit_reached',
    ],
  ),
  ['businessRule', 'accountMaxTotalValueExceeded', 'limit_reached', 'limit_reached'],
  ['businessRule', 'accountMaxTotalVolumeExceeded', 'limit_reached', 'limit_reached'],
  ['businessRule', 'maxBalanceExceeded', 'limit_reached', 'limit_reached'],
  ['businessRule', 'lessThanTransactionMinValue', 'limit_reached', 'limit_reached'],
  ['businessRule', 'greaterThanTransactionMaxValue', 'limit_reached', 'limit_reached'],
  ['businessRule', 'insufficientFunds', 'insufficient_funds', 'insufficient_funds'],
  ['businessRule', 'incorrectState', 'not_allowed', 'not_allowed'],
  ['businessRule', 'noMandateAuthority', 'not_allowed', 'not_allowed'],
  ['businessRule', 'linkViolation', 'not_allowed', 'not_allowed'],
  ['businessRule', 'nationalityNotPermitted', 'not_allowed', 'not_allowed'],
  ['businessRule', 'countryofOriginNotPermitted', 'not_allowed', 'not_allowed'],
  ['businessRule', 'idDocumentNotSupported', 'not_allowed', 'not_allowed'],
  ['businessRule', 'issuingCountryNotSupported', 'not_allowed', 'not_allowed'],
  ['businessRule', 'transactionTypeError', 'not_allowed', 'not_allowed'],
  ['businessRule', 'samePartiesError', 'rejected', 'rejected'],
  ['businessRule', 'underPaymentNotAllowed', 'rejected', 'rejected'],
  ['businessRule', 'overPaymentNotAllowed', 'rejected', 'rejected'],
  ['businessRule', 'quoteHasExpired', 'rejected', 'rejected'],
  ['businessRule', 'genericError', 'rejected', 'rejected'],
  ['businessRule', 'aCodeOfTheProvider', 'rejected', 'rejected'],
  ['validation', 'genericError', 'rejected', 'rejected'],
  ['validation', 'lengthError', 'rejected', 'rejected'],
  ['validation', 'formatError', 'rejected', 'rejected'],
  ['validation', 'negativeValue', 'rejected', 'rejected'],
  ['validation', 'currencyNotSupported', 'rejected', 'rejected'],
  ['validation', 'mandatoryValueNotSupplied', 'rejected', 'rejected'],
  ['validation', 'invalidOffset', 'rejected', 'rejected'],
  ['identification', 'identifierError', 'payer_not_found', 'payee_not_found'],
  ['authorisation', 'requestDeclined', 'cancelled', 'cancelled'],
]

const statusOf = (category: string) => ({ identification: 404, authorisation: 401 })[category] ?? 400
const upper = (text: string) => text[0]!.toUpperCase() + text.slice(1)

describe('each code of the standard', () => {
  it.each(codes)('%s/%s ends an order that was taken', async (errorCategory, errorCode, charge, pay) => {
    const object = { errorCategory, errorCode, errorDescription: 'words' }
    const text = { errorCategory: upper(errorCategory), errorCode: upper(errorCode), errordescription: 'words' }
    for (const given of [{ errorReference: object }, { error: object }, { errorReference: text }, { error: text }])
      await withProvider({ '*': state({ status: 'failed', ...given }) }, async ({ url }) => {
        const driver = openDriver(url)
        const code = ('error' in given ? given.error : given.errorReference)!.errorCode
        const message = expect.stringMatching(/./)
        expect(await driver.chargeStatus(taken)).toEqual({ outcome: 'failed', reason: charge, message, code })
        const asked = { ...payout, remote_id: REQUEST }
        expect(await driver.payoutStatus(asked)).toEqual({ outcome: 'failed', reason: pay, message, code })
      })
  })

  it.each(codes)('%s/%s refuses a call without effect', async (category, code, charge, pay) => {
    const answer = error(statusOf(category), category, code)
    await withProvider({ [CHARGE]: answer, [PAYOUT]: answer, [RESPONSE]: notFound }, async ({ url }) => {
      const driver = openDriver(url)
      expect(await driver.charge(order)).toMatchObject({ outcome: 'failed', reason: charge, code })
      expect(await driver.payout(payout)).toMatchObject({ outcome: 'failed', reason: pay, code })
    })
  })

  it.each([
    ['authorisation', 'requestingPartyAuthorisationError'],
    ['authorisation', 'servicingPartyAuthorisationError'],
  ])('%s/%s is a wrong PIN of the customer, or ours', async (errorCategory, errorCode) => {
    const failed = state({ status: 'failed', error: { errorCategory, errorCode } })
    await withProvider({ '*': failed }, async ({ url }) => {
      const driver = openDriver(url)
      expect(await driver.chargeStatus(taken)).toMatchObject({ outcome: 'failed', reason: 'wrong_pin' })
      expect(driver.alarms).toEqual([])
      const asked = { ...payout, remote_id: REQUEST }
      expect(await driver.payoutStatus(asked)).toMatchObject({ outcome: 'failed', reason: 'not_allowed' })
      expect(driver.alarms).toEqual([expect.stringContaining('user_credential_1')])
    })
    await withProvider({ [CHARGE]: error(401, errorCategory, errorCode), [RESPONSE]: notFound }, async ({ url }) => {
      const driver = openDriver(url)
      expect(await driver.charge(order)).toEqual(unknown)
    })
  })

  it.each([
    [400, 'businessRule', 'rateLimitError'],
    [500, 'internal', 'genericError'],
    [503, 'serviceUnavailable', 'genericError'],
    [503, 'Service Unavailable', 'GenericError'],
    [400, 'somethingNew', 'somethingNew'],
  ])('%i %s/%s leaves the order open', async (status, errorCategory, errorCode) => {
    const failed = state({ status: 'failed', error: { errorCategory, errorCode } })
    const answers = { [CHARGE]: error(status, errorCategory, errorCode), [STATE]: failed, [RESPONSE]: notFound }
    await withProvider(answers, async ({ url }) => {
      const driver = openDriver(url)
      expect(await driver.charge(order)).toEqual(unknown)
      expect(await driver.chargeStatus(taken)).toEqual(unknown)
    })
  })

  it('duplicateRequest means that the first call arrived', async () => {
    const duplicate = error(400, 'businessRule', 'duplicateRequest')
    const found = {
      [RESPONSE]: { status: 200, body: { link: `/transactions/${MONEY}` } },
      [TRANSACTION]: transaction(),
    }
    await withProvider({ [CHARGE]: duplicate, ...found }, async ({ url }) => {
      expect(await openDriver(url).charge(order)).toMatchObject({ outcome: 'successful', remote_id: MONEY })
    })
    const arrived = { outcome: 'accepted', remote_id: order.reference }
    await withProvider({ [CHARGE]: duplicate, [RESPONSE]: notFound }, async ({ url, calls }) => {
      for (const driver of [openDriver(url), openDriver(url, { responses: false })]) {
        expect(await driver.charge(order)).toEqual(arrived)
        // So it is never sent a third time, whatever is found of it.
        expect(await driver.chargeStatus({ ...order, remote_id: order.reference })).toEqual(unknown)
      }
      expect(new Set(calls().map(({ line }) => line))).toEqual(new Set([CHARGE, RESPONSE]))
    })
    await withProvider({ [CHARGE]: duplicate, [RESPONSE]: { status: 500 } }, async ({ url }) => {
      expect(await openDriver(url).charge(order)).toEqual(unknown)
    })
    await withProvider({ [STATE]: state({ status: 'failed', error: duplicate.body }) }, async ({ url }) => {
      expect(await openDriver(url).chargeStatus(taken)).toEqual(unknown)
    })
  })

  it('a refusal does not count when an earlier call has placed the order', async () => {
    const refused = error(400, 'businessRule', 'insufficientFunds')
    const linked = { status: 200, body: { link: `https://x.example/1.2.0/mm/requeststates/${REQUEST}` } }
    await withProvider({ [CHARGE]: refused, [RESPONSE]: linked, [STATE]: state() }, async ({ url }) => {
      expect(await openDriver(url).charge(order)).toEqual({ outcome: 'accepted', remote_id: REQUEST })
    })
    await withProvider({ [CHARGE]: refused, [RESPONSE]: { status: 500 } }, async ({ url }) => {
      expect(await openDriver(url).charge(order)).toEqual(unknown)
    })
  })

  it('a reversal of a missing payment is refused', async () => {
    await withProvider({ '*': notFound }, async ({ url }) => {
      expect(await openDriver(url).refund(refund)).toMatchObject({ outcome: 'failed', reason: 'rejected' })
    })
  })
})

describe('an alarm names the repair', () => {
  it.each([
    ['businessRule', 'insufficientFunds', /add money/],
    ['businessRule', 'transactionTypeError', /merchantpay, disbursement/],
    ['validation', 'formatError', /phone_format/],
    ['validation', 'currencyNotSupported', /places/],
    ['businessRule', 'rateLimitError', /max_per_second/],
  ])('%s/%s', async (category, code, words) => {
    await withProvider({ [PAYOUT]: error(400, category, code), [RESPONSE]: notFound }, async ({ url }) => {
      const driver = openDriver(url)
      await driver.payout(payout)
      expect(driver.alarms).toEqual([expect.stringMatching(words)])
    })
  })
})

describe('a charge that was taken', () => {
  const answered = (request: object, money = transaction()) => ({ [STATE]: request as never, [TRANSACTION]: money })
  const ask = async (money: ReturnType<typeof transaction>, given = {}) => {
    let answer: unknown
    await withProvider(answered(completed, money), async ({ url }) => {
      answer = await openDriver(url, given).chargeStatus(taken)
    })
    return answer
  }
  const paid_at = new Date('2026-11-22T08:00:05Z')
  const successful = { outcome: 'successful', remote_id: MONEY, amount: order.amount, paid_at }

  it('is open while its request is pending', async () => {
    await withProvider({ [STATE]: state() }, async ({ url }) => {
      expect(await openDriver(url).chargeStatus(taken)).toEqual({ outcome: 'accepted', remote_id: REQUEST })
    })
  })

  it.each(['5000', '5000.0', '5000.00', '5000.0000', 5000])('is paid with the amount %j', async (amount) => {
    expect(await ask(transaction({ amount }))).toEqual(successful)
  })

  it("includes the provider's fee", async () => {
    const fees = [
      { feeType: 'a', feeAmount: '25.50', feeCurrency: 'UGX' },
      { feeType: 'b', feeAmount: '4.5' },
    ]
    expect(await ask(transaction({ fees }))).toEqual({ ...successful, fee: 300_000n })
    const foreign = [{ feeType: 'a', feeAmount: '25', feeCurrency: 'USD' }]
    expect(await ask(transaction({ fees: foreign }))).toEqual(successful)
  })

  it('is paid with the amount that came, where that is another one', async () => {
    expect(await ask(transaction({ amount: '4999.5' }))).toMatchObject({ amount: 49_995_000n })
  })

  it.each([
    ['another transaction', { transactionReference: 'REF-2' }],
    ['a transaction of another order', { requestingOrganisationTransactionReference: CHARGE_REFERENCE }],
    ['another currency', { currency: 'KES' }],
    ['no amount', { amount: undefined }],
    ['an amount of zero', { amount: '0.00' }],
    ['an amount below zero', { amount: '-5000' }],
    ['an amount that is none', { amount: '5,000' }],
    ['a word that is not known', { transactionStatus: 'successful' }],
    ['no word', { transactionStatus: undefined }],
    ['an empty word', { transactionStatus: '' }],
    ['a word of the language', { transactionStatus: 'constructor' }],
    ['money that went back', { transactionStatus: 'reversed' }],
  ])('is unknown with %s', async (_what, wrong) => {
    expect(await ask(transaction(wrong))).toEqual(unknown)
    expect(await ask(transaction(wrong), { completed_words: ' , ,' })).toEqual(unknown)
  })

  it('is paid with a word that the provider uses for it', async () => {
    const given = { completed_words: 'settled, Successful' }
    expect(await ask(transaction({ transactionStatus: 'SUCCESSFUL' }), given)).toEqual(successful)
  })

  it.each([
    ['failed', 'rejected'],
    ['declined', 'cancelled'],
    ['Cancelled', 'cancelled'],
  ])('has failed if its transaction is %s', async (word, reason) => {
    const code = word.toLowerCase()
    expect(await ask(transaction({ transactionStatus: word }))).toMatchObject({ outcome: 'failed', reason, code })
  })

  it.each([
    ['another request', state({ serverCorrelationId: 'another' })],
    ['a state that is not known', state({ status: 'expired' })],
    ['a page', { status: 200, text: '<html>' }],
    ['nothing', { status: 200 }],
    ['half an answer', { status: 200, text: '{"serverCorrelationId":"' }],
    ['an answer that is late', { status: 202, body: completed.body }],
    ['a 429', { status: 429 }],
    ['a 500', { status: 500, body: { errorCategory: 'internal', errorCode: 'genericError' } }],
  ])('is unknown with %s', async (_what, request) => {
    await withProvider(answered(request), async ({ url }) => {
      expect(await openDriver(url).chargeStatus(taken)).toEqual(unknown)
    })
  })

  it('is unknown while its transaction cannot be read', async () => {
    await withProvider({ [STATE]: completed, [TRANSACTION]: notFound }, async ({ url }) => {
      expect(await openDriver(url).chargeStatus(taken)).toEqual(unknown)
    })
  })

  it('has failed without a reason if the provider gives none', async () => {
    await withProvider({ [STATE]: state({ status: 'failed' }) }, async ({ url }) => {
      expect(await openDriver(url).chargeStatus(taken)).toMatchObject({ outcome: 'failed', reason: 'rejected' })
    })
  })
})

describe('money that we send', () => {
  it('came back if its transaction is reversed', async () => {
    const money = transaction({
      type: 'disbursement',
      transactionStatus: 'reversed',
      amount: '1500.50',
      currency: 'KES',
    })
    await withProvider({ [STATE]: completed, [TRANSACTION]: money }, async ({ url }) => {
      const answer = await openDriver(url).payoutStatus({ ...payout, remote_id: REQUEST })
      expect(answer).toEqual({ outcome: 'reversed', message: expect.any(String) })
    })
  })

  it('may be a refund whose reversal carries the reference of the charge', async () => {
    const linked = state({ status: 'completed', objectReference: 'REF-2' })
    const reversal = transaction({
      transactionReference: 'REF-2',
      type: 'reversal',
      originalTransactionReference: MONEY,
      requestingOrganisationTransactionReference: CHARGE_REFERENCE,
    })
    const answers = { [STATE]: linked, 'GET /1.2.0/mm/transactions/REF-2': reversal }
    await withProvider(answers, async ({ url }) => {
      const answer = await openDriver(url).refundStatus({ ...refund, remote_id: REQUEST })
      expect(answer).toMatchObject({ outcome: 'successful', remote_id: 'REF-2', amount: refund.amount })
    })
  })

  it('is no refund only because its charge was completed', async () => {
    const charge = { requestingOrganisationTransactionReference: CHARGE_REFERENCE }
    const asked = { ...refund, remote_id: REQUEST }
    await withProvider({ [STATE]: completed, [TRANSACTION]: transaction(charge) }, async ({ url }) => {
      expect(await openDriver(url).refundStatus(asked)).toEqual(unknown)
    })
    const reversed = transaction({ ...charge, transactionStatus: 'reversed' })
    await withProvider({ [STATE]: completed, [TRANSACTION]: reversed }, async ({ url }) => {
      expect(await openDriver(url).refundStatus(asked)).toEqual({ outcome: 'successful' })
    })
  })
})

describe('an answer to a call', () => {
  it.each([
    ['nothing', { status: 202 }],
    ['a page', { status: 202, text: '<html>' }],
    ['half an answer', { status: 202, text: '{"serverCorrelationId":"c2f1a5d0' }],
    ['a list', { status: 202, body: [] }],
    ['no id', state({ serverCorrelationId: undefined }, 202)],
    ['an id that is no part of an address', state({ serverCorrelationId: '..' }, 202)],
    ['a redirect', { status: 302 }],
    ['a 400 without an error object', { status: 400, body: { message: 'no' } }],
    ['a 403', error(403, 'authorisation', 'requestDeclined')],
    ['a 404 page', { status: 404, text: '<html>' }],
    ['a 409', error(409, 'businessRule', 'insufficientFunds')],
    ['a 429', error(429, 'businessRule', 'insufficientFunds')],
    ['a 500', error(500, 'businessRule', 'insufficientFunds')],
    ['a 503', error(503, 'serviceUnavailable', 'genericError')],
  ])('that is %s leaves every order unknown', async (_what, answer) => {
    await withProvider({ '*': answer, [RESPONSE]: notFound }, async ({ url }) => {
      const driver = openDriver(url)
      expect(await driver.charge(order)).toEqual(unknown)
      expect(await driver.payout(payout)).toEqual(unknown)
      expect(await driver.refund(refund)).toEqual(unknown)
    })
  })

  it('is queried if it says that the request has failed', async () => {
    const failed = { status: 'failed', error: { errorCategory: 'businessRule', errorCode: 'insufficientFunds' } }
    await withProvider({ [CHARGE]: state(failed, 202), [STATE]: state(failed) }, async ({ url }) => {
      expect(await openDriver(url).charge(order)).toMatchObject({ outcome: 'failed', reason: 'insufficient_funds' })
    })
    await withProvider({ [CHARGE]: state(failed, 202), [STATE]: { status: 500 } }, async ({ url }) => {
      expect(await openDriver(url).charge(order)).toEqual({ outcome: 'accepted', remote_id: REQUEST })
    })
    await withProvider({ [CHARGE]: accepted }, async ({ url }) => {
      expect(await openDriver(url).charge(order)).toEqual({ outcome: 'accepted', remote_id: REQUEST })
    })
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failureReasons } from '../../../src/lib/adapter-types.ts'
import { reasons } from '../../../src/networks/mtn-momo/outcomes.ts'
import {
  type Answer,
  CHARGE,
  CHARGE_STATUS,
  notFound,
  openDriver,
  openMtn,
  order,
  payout,
  REFERENCE,
  REFUND_STATUS,
  refund,
  state,
  TRANSFER,
  TRANSFER_STATUS,
  withMtn,
} from './mtn-test.ts'

const accepted = { outcome: 'accepted', remote_id: REFERENCE }
const unknown = { outcome: 'unknown', message: expect.any(String) }

/** Return the driver's answer, and its alarms for the operator, to MTN's answer to a status query. */
async function ask(answer: Answer, kind: 'charge' | 'payout' | 'refund' = 'charge') {
  let result: unknown
  let alarms: string[] = []
  await withMtn({ [CHARGE_STATUS]: answer, [TRANSFER_STATUS]: answer, [REFUND_STATUS]: answer }, async ({ url }) => {
    const driver = openDriver(url)
    if (kind === 'charge') result = await driver.chargeStatus!(order)
    else if (kind === 'payout') result = await driver.payoutStatus!({ ...payout, amount: order.amount })
    else result = await driver.refundStatus!(refund)
    alarms = driver.alarms
  })
  return { result, alarms }
}

/** Every reason, what it means for a charge, and for which kinds of orders the operator is told. */
const table: [code: string, reason: string, alarms: string][] = [
  ['PAYEE_NOT_FOUND', 'payee_not_found', 'charge'],
  ['PAYER_NOT_FOUND', 'payer_not_found', 'payout refund'],
  ['NOT_ALLOWED', 'not_allowed', 'charge payout refund'],
  ['NOT_ALLOWED_TARGET_ENVIRONMENT', 'not_allowed', 'charge payout refund'],
  ['INVALID_CALLBACK_URL_HOST', 'rejected', 'charge payout refund'],
  ['INVALID_CURRENCY', 'rejected', 'charge payout refund'],
  ['SERVICE_UNAVAILABLE', 'unreachable', ''],
  ['INTERNAL_PROCESSING_ERROR', 'rejected', ''],
  ['NOT_ENOUGH_FUNDS', 'insufficient_funds', 'payout refund'],
  ['PAYER_LIMIT_REACHED', 'limit_reached', 'payout refund'],
  ['PAYEE_NOT_ALLOWED_TO_RECEIVE', 'not_allowed', 'charge'],
  ['PAYMENT_NOT_APPROVED', 'cancelled', ''],
  ['RESOURCE_NOT_FOUND', 'rejected', ''],
  ['APPROVAL_REJECTED', 'cancelled', ''],
  ['EXPIRED', 'prompt_expired', ''],
  ['TRANSACTION_CANCELED', 'cancelled', ''],
  ['RESOURCE_ALREADY_EXIST', 'rejected', ''],
  // Not in MTN's schema.
  ['TRANSACTION_CANCELLED', 'cancelled', ''],
  ['REJECTED', 'cancelled', ''],
  ['TIMEOUT', 'prompt_expired', ''],
  ['COULD_NOT_PERFORM_TRANSACTION', 'prompt_expired', ''],
  ['PAYEE_LIMIT_REACHED', 'limit_reached', 'charge'],
  ['SENDER_ACCOUNT_NOT_ACTIVE', 'payer_not_found', 'payout refund'],
  ['LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED', 'insufficient_funds', ''],
  ['TRANSFER_TYPE_UNKNOWN', 'not_allowed', 'payout refund'],
  ['VALIDATION_ERROR', 'rejected', ''],
  ['TRANSACTION_NOT_FOUND', 'rejected', ''],
]

describe('a failed order', () => {
  it('has a test for every reason', () => {
    expect(table.map(([code]) => code).sort()).toEqual(Object.keys(reasons).sort())
  })

  it.each(table)('with the reason %s failed: %s', async (code, reason, alarmed) => {
    const failed = { outcome: 'failed', reason, message: expect.stringMatching(/\.$/), code }
    for (const kind of ['charge', 'payout', 'refund'] as const) {
      const word = await ask(state({ status: 'FAILED', reason: code }), kind)
      expect(word.result).toEqual(failed)
      expect(word.alarms).toHaveLength(alarmed.includes(kind) ? 1 : 0)
    }
    expect((await ask(state({ status: 'FAILED', reason: { code, message: 'in words' } }))).result).toEqual(failed)
  })

  it.each([
    ['without a reason', { status: 'FAILED' }, 'rejected', 'FAILED'],
    ['with an empty reason', { status: 'FAILED', reason: '' }, 'rejected', 'FAILED'],
    ['with a reason of null', { status: 'FAILED', reason: null }, 'rejected', 'FAILED'],
    ['with a reason that nobody knows', { status: 'FAILED', reason: 'MOON_TOO_FULL' }, 'rejected', 'MOON_TOO_FULL'],
    [
      'with a reason in other letters',
      { status: 'failed', reason: 'not enough funds' },
      'insufficient_funds',
      'NOT_ENOUGH_FUNDS',
    ],
    ['with a message only', { status: 'FAILED', reason: { message: 'why' } }, 'rejected', 'FAILED'],
    ['by the bare status REJECTED', { status: 'REJECTED' }, 'cancelled', 'REJECTED'],
    ['by the bare status TIMEOUT', { status: 'TIMEOUT' }, 'prompt_expired', 'TIMEOUT'],
    ['by the bare status EXPIRED', { status: 'EXPIRED' }, 'prompt_expired', 'EXPIRED'],
  ])('%s', async (_how, more, reason, code) => {
    expect((await ask(state(more))).result).toMatchObject({ outcome: 'failed', reason, code })
  })

  it('needs no id of money', async () => {
    const more = { status: 'FAILED', reason: 'PAYER_NOT_FOUND', financialTransactionId: '' }
    expect((await ask(state(more))).result).toMatchObject({ outcome: 'failed', reason: 'payer_not_found' })
  })

  it('keeps the words of an unknown reason', async () => {
    const { result } = await ask(state({ status: 'FAILED', reason: { code: 'MOON', message: 'too full' } }))
    expect(result).toMatchObject({ message: 'MTN MoMo refused the payment (MOON: too full).' })
  })
})

describe('an open order', () => {
  it.each(['PENDING', 'CREATED', 'ONGOING', 'DELAYED', 'pending'])('is accepted while it is %s', async (status) => {
    expect((await ask(state({ status }))).result).toEqual(accepted)
  })

  it('is accepted with an empty id of money', async () => {
    expect((await ask(state({ status: 'PENDING', financialTransactionId: '' }))).result).toEqual(accepted)
  })

  it('is accepted even if it explains why it is open', async () => {
    expect((await ask(state({ status: 'PENDING', reason: 'ONGOING' }))).result).toEqual(accepted)
  })
})

describe('a successful order', () => {
  it.each([
    ['as MTN documents it', { financialTransactionId: '23503452' }, { remote_id: '23503452', amount: 15_000_000n }],
    ['with the word of older callbacks', { status: 'SUCCESS' }, { amount: 15_000_000n }],
    [
      'with an id that is a number',
      { financialTransactionId: 23503452 },
      { remote_id: '23503452', amount: 15_000_000n },
    ],
    ['with an amount that is a number', { amount: 1500 }, { amount: 15_000_000n }],
    ['with zeros at the end of its amount', { amount: '1500.00' }, { amount: 15_000_000n }],
    ['with another amount than ordered', { amount: '1000' }, { amount: 10_000_000n }],
    ['without an amount', { amount: undefined }, {}],
    [
      'with nulls for what is missing',
      { amount: null, externalId: null, currency: null, financialTransactionId: null },
      {},
    ],
    ['with a reason that is none', { reason: '' }, { amount: 15_000_000n }],
    ['with members that nobody knows', { colour: 'yellow' }, { amount: 15_000_000n }],
    ['with an external id in capitals', { externalId: REFERENCE.toUpperCase() }, { amount: 15_000_000n }],
    ['without an external id', { externalId: undefined }, { amount: 15_000_000n }],
  ])('%s', async (_how, more, answer) => {
    const { result } = await ask(state({ status: 'SUCCESSFUL', ...more }))
    expect(result).toEqual({ outcome: 'successful', ...answer })
  })
})

describe('a member that decides nothing', () => {
  const others = [undefined, null, 7, 'x', {}, [], true, { code: 5001 }, { code: null, message: [] }]

  it('does not hide that an order has failed', async () => {
    for (const reason of others)
      expect((await ask(state({ status: 'FAILED', reason }))).result).toMatchObject({ outcome: 'failed' })
    expect((await ask(state({ status: 'FAILED', reason: { code: 5001 } }))).result).toMatchObject({ code: '5001' })
  })

  it('does not hide that an order is open', async () => {
    for (const name of ['reason', 'payer', 'payerMessage', 'payeeNote'])
      for (const other of others)
        expect((await ask(state({ status: 'PENDING', [name]: other }))).result).toEqual(accepted)
  })
})

it('an id above 2^53 that is a number keeps its digits', async () => {
  const { body } = state({ status: 'SUCCESSFUL', financialTransactionId: 'ID' })
  const text = JSON.stringify(body).replace('"ID"', '90071992547409931')
  expect((await ask({ status: 200, text })).result).toMatchObject({ remote_id: '90071992547409931' })
})

describe('an uncertain state', () => {
  it.each([
    ['an unknown status', { status: 'SETTLING' }],
    ['no status', { status: undefined }],
    ['a status of null', { status: null }],
    ['a failure that is still open', { status: 'FAILED', reason: 'ONGOING' }],
    ['success with a reason for failure', { status: 'SUCCESSFUL', reason: 'NOT_ENOUGH_FUNDS' }],
    ['success with a reason for being open', { status: 'SUCCESSFUL', reason: 'DELAYED' }],
    ['success of another order', { status: 'SUCCESSFUL', externalId: '00000000-0000-4000-8000-000000000000' }],
    ['failure of another order', { status: 'FAILED', externalId: 'other' }],
    ['success with an amount in words', { status: 'SUCCESSFUL', amount: 'a lot' }],
    ['success with commas', { status: 'SUCCESSFUL', amount: '1,500' }],
    ['success with an id of money that is none', { status: 'SUCCESSFUL', financialTransactionId: '<b>' }],
    ['success with an empty id of money', { status: 'SUCCESSFUL', financialTransactionId: '' }],
    ['success with an id of money below zero', { status: 'SUCCESSFUL', financialTransactionId: -1 }],
    ['success with nothing', { status: 'SUCCESSFUL', amount: '0' }],
    ['success with an exponent', { status: 'SUCCESSFUL', amount: '15e2' }],
  ])('is unknown: %s', async (_what, more) => {
    expect((await ask(state(more))).result).toEqual(unknown)
  })

  it('is unknown in another currency, and the operator is alerted', async () => {
    const { result, alarms } = await ask(state({ status: 'SUCCESSFUL', currency: 'USD' }))
    expect(result).toEqual(unknown)
    expect(alarms).toEqual([expect.stringContaining('another currency')])
  })

  it.each([
    ['a 404 of MTN', notFound, 'not_found'],
    ['its other spelling', { status: 404, body: { code: 'RESOURCE NOT FOUND' } }, 'not_found'],
    ['a 404 of the gateway', { status: 404, body: { statusCode: 404, message: 'Resource not found' } }, 'unknown'],
    ['a 404 without a body', { status: 404 }, 'unknown'],
    ['a 404 that is a page', { status: 404, text: '<html>' }, 'unknown'],
    ['a 404 about something else', { status: 404, body: { code: 'PAYER_NOT_FOUND' } }, 'unknown'],
    ['a 410', { status: 410, body: { code: 'RESOURCE_NOT_FOUND' } }, 'unknown'],
  ])('%s is %s', async (_what, answer, outcome) => {
    expect((await ask(answer)).result).toMatchObject({ outcome })
  })
})

describe('a call that MTN does not accept', () => {
  /** Send a charge to a server that answers it like this, and a question about it like that. */
  async function charge(answer: Answer, asked: Answer = notFound) {
    const server = await openMtn({ [CHARGE]: answer, [CHARGE_STATUS]: asked, [TRANSFER]: answer, '*': asked })
    try {
      const driver = openDriver(server.url)
      const result = await driver.charge!(order)
      const calls = server.calls().length
      const alarms = [...driver.alarms]
      return { result, alarms, calls, payout: await driver.payout!({ ...payout, amount: order.amount }) }
    } finally {
      await server.close()
    }
  }

  it.each(['NOT_ALLOWED', 'NOT_ALLOWED_TARGET_ENVIRONMENT', 'INVALID_CALLBACK_URL_HOST', 'INVALID_CURRENCY'])(
    'has failed with %s when MTN does not know the order, and the operator is told',
    async (code) => {
      const { result, alarms, payout: paid } = await charge({ status: 500, body: { message: 'no', code } })
      const failed = { outcome: 'failed', reason: 'not_allowed', code, message: expect.any(String) }
      expect(result).toEqual(failed)
      expect(paid).toEqual(failed)
      expect(alarms).toHaveLength(1)
    },
  )

  it.each([
    [500, 'PAYER_NOT_FOUND', 'payer_not_found'],
    [404, 'PAYER_NOT_FOUND', 'payer_not_found'],
    [400, 'PAYER_LIMIT_REACHED', 'limit_reached'],
    [500, 'NOT_ENOUGH_FUNDS', 'insufficient_funds'],
  ])('has failed with %i and %s when MTN does not know the order', async (status, code, reason) => {
    const { result } = await charge({ status, body: { code } })
    expect(result).toMatchObject({ outcome: 'failed', reason, code })
  })

  it.each([{ status: 400 }, { status: 400, body: {} }, { status: 400, body: { message: 'Bad', code: 'ODD' } }])(
    'has failed as malformed with %j, and the operator is told',
    async (answer) => {
      const { result, alarms } = await charge(answer)
      expect(result).toMatchObject({ outcome: 'failed', reason: 'rejected' })
      expect(alarms).toEqual([expect.stringContaining('malformed')])
    },
  )

  it.each([
    { status: 400, body: {} },
    { status: 500, body: { code: 'INVALID_CALLBACK_URL_HOST' } },
    { status: 409, body: { code: 'RESOURCE_ALREADY_EXIST' } },
    { status: 409 },
  ])('has the state of the order that MTN has all the same: %j', async (answer) => {
    const paid = state({ status: 'SUCCESSFUL', financialTransactionId: '7' })
    expect((await charge(answer, paid)).result).toEqual({ outcome: 'successful', remote_id: '7', amount: order.amount })
    expect((await charge(answer, state({ status: 'PENDING' }))).result).toEqual(accepted)
    expect((await charge(answer, { status: 503 })).result).toEqual(unknown)
  })

  it('is unknown when MTN has it already and does not know it', async () => {
    const { result } = await charge({ status: 409, body: { code: 'RESOURCE_ALREADY_EXIST' } })
    expect(result).toEqual(unknown)
  })

  it.each([
    [{ status: 500 }],
    [{ status: 500, body: { code: 'INTERNAL_PROCESSING_ERROR' } }],
    [{ status: 500, body: { code: 'SERVICE_UNAVAILABLE' } }],
    [{ status: 500, body: { code: 'MOON_TOO_FULL' } }],
    [{ status: 502, text: '<html>Bad gateway</html>' }],
    [{ status: 503, body: { code: 'NOT_ALLOWED' } }],
    [{ status: 429, body: { statusCode: 429, message: 'Rate limit is exceeded. Try again in 3 seconds.' } }],
    [{ status: 403, body: { code: 'NOT_ALLOWED' } }],
    [{ status: 400, text: '<html>Request Rejected. Your support ID is: 10819531211892444406</html>' }],
    [{ status: 200, text: '<html>Request Rejected</html>' }],
    [{ status: 200 }],
    [{ status: 201, body: state({ status: 'SUCCESSFUL' }).body }],
    [{ status: 404, body: { statusCode: 404, message: 'Resource not found' } }],
    [{ status: 302, text: 'elsewhere' }],
  ])('is unknown after %j, without a further query', async (answer) => {
    const { result, calls, payout: paid } = await charge(answer)
    expect(result).toEqual(unknown)
    expect(paid).toEqual(unknown)
    expect(calls).toBe(1)
  })
})

describe('garbage', () => {
  it('never becomes an outcome', async () => {
    let answer: Answer = { status: 200 }
    const server = await openMtn({
      '*': (_request, response) => response.writeHead(answer.status).end(answer.text ?? ''),
    })
    const driver = openDriver(server.url)
    const statuses = fc.constantFrom(200, 201, 204, 302, 403, 404, 409, 418, 429, 500, 502)
    const bodies = fc.oneof(fc.string({ unit: 'binary' }), fc.json())
    await fc.assert(
      fc.asyncProperty(statuses, bodies, async (status, text) => {
        answer = { status, text: status === 204 ? '' : text }
        for (const result of await Promise.all([
          driver.charge!(order),
          driver.chargeStatus!(order),
          driver.payout!(payout),
          driver.payoutStatus!(payout),
          driver.refund!(refund),
          driver.refundStatus!(refund),
        ]))
          expect(result).toEqual(unknown)
      }),
      { numRuns: 100 },
    )
    await server.close()
  })

  it('never becomes an outcome when a real answer is broken off, or has another status word', async () => {
    const real = JSON.stringify(state({ status: 'SUCCESSFUL', financialTransactionId: '23503452' }).body)
    let text = ''
    const server = await openMtn({ '*': (_request, response) => response.writeHead(200).end(text) })
    const driver = openDriver(server.url)
    for (let length = 0; length < real.length; length += 3) {
      text = real.slice(0, length)
      expect(await driver.chargeStatus!(order)).toEqual(unknown)
    }
    await fc.assert(
      fc.asyncProperty(fc.string(), async (word) => {
        text = real.replace('"SUCCESSFUL"', JSON.stringify(word))
        fc.pre(
          !/^\s*(success|successful|pending|created|ongoing|delayed|failed|rejected|timeout|expired)\s*$/i.test(word),
        )
        expect(await driver.chargeStatus!(order)).toEqual(unknown)
      }),
      { numRuns: 100 },
    )
    await server.close()
  })

  it('has reasons of our list only', () => {
    for (const { reason } of Object.values(reasons)) expect(failureReasons).toContain(reason)
  })
})

import { describe, expect, it } from 'vitest'
import {
  CHARGE,
  completed,
  error,
  link,
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
const successful = { outcome: 'successful', remote_id: MONEY, amount: order.amount }

describe('an order with a lost answer', () => {
  it.each([
    `/transactions/${MONEY}`,
    `transactions/${MONEY}/`,
    `https://provider.example/v1.2/mm/transactions/${MONEY}?x=1`,
    `/Transactions/${encodeURIComponent(MONEY)}`,
  ])('is found by the link %s', async (to) => {
    await withProvider({ [RESPONSE]: link(to), [TRANSACTION]: transaction() }, async ({ url }) => {
      expect(await openDriver(url).chargeStatus(order)).toMatchObject(successful)
    })
  })

  it('is found by a link to the state of the request', async () => {
    const answers = { [RESPONSE]: link(`/requeststates/${REQUEST}`), [STATE]: state() }
    await withProvider(answers, async ({ url }) => {
      expect(await openDriver(url).payoutStatus(payout)).toEqual({ outcome: 'accepted', remote_id: REQUEST })
    })
  })

  it('is queried only once if the link leads in a circle', async () => {
    const empty = state({ status: 'completed', objectReference: '' })
    await withProvider({ [RESPONSE]: link(`/requeststates/${REQUEST}`), [STATE]: empty }, async ({ url, calls }) => {
      expect(await openDriver(url).chargeStatus(order)).toEqual(unknown)
      expect(calls()).toHaveLength(2)
    })
  })

  it('is not found if the provider says so in the words of the standard', async () => {
    for (const answer of [
      notFound,
      { status: 404, body: { errorCategory: 'Identification', errorCode: 'IdentifierError' } },
    ])
      await withProvider({ [RESPONSE]: answer }, async ({ url }) => {
        const driver = openDriver(url)
        expect(await driver.chargeStatus(order)).toEqual({ outcome: 'not_found' })
        expect(await driver.payoutStatus(payout)).toEqual({ outcome: 'not_found' })
        expect(await driver.refundStatus(refund)).toEqual({ outcome: 'not_found' })
      })
  })

  it.each([
    ['a page', { status: 404, text: '<html>' }],
    ['a gateway', { status: 404, body: { message: 'no Route matched with those values' } }],
    ['another error', error(404, 'internal', 'genericError')],
    ['nothing', { status: 200 }],
    ['a link to something else', link('/accounts/1')],
    ['a link out of the API', link('/transactions/..')],
    ['a link without an id', link('/transactions/')],
    ['a 500', { status: 500 }],
    ['a 405', { status: 405 }],
  ])('is unknown with %s', async (_what, answer) => {
    await withProvider({ [RESPONSE]: answer }, async ({ url }) => {
      expect(await openDriver(url).chargeStatus(order)).toEqual(unknown)
    })
  })

  it('is never queried, and never reported as missing, if the provider has no such query', async () => {
    await withProvider({ '*': notFound }, async ({ url, calls }) => {
      const driver = openDriver(url, { responses: false })
      expect(await driver.chargeStatus(order)).toEqual(unknown)
      expect(await driver.payoutStatus(payout)).toEqual(unknown)
      expect(calls()).toEqual([])
    })
  })

  it('is refused at once there, because there is no other query', async () => {
    await withProvider({ [CHARGE]: error(400, 'businessRule', 'insufficientFunds') }, async ({ url, calls }) => {
      const answer = await openDriver(url, { responses: false }).charge(order)
      expect(answer).toMatchObject({ outcome: 'failed', reason: 'insufficient_funds' })
      expect(calls()).toHaveLength(1)
    })
  })

  it('raises an alarm for the address if the provider lacks it', async () => {
    await withProvider({ [RESPONSE]: { status: 404, text: '<html>' } }, async ({ url }) => {
      const driver = openDriver(url)
      await driver.chargeStatus(order)
      expect(driver.alarms).toEqual([expect.stringContaining('host api')])
    })
  })
})

describe('an order that the provider had taken', () => {
  it.each([notFound, { status: 404, text: '<html>' }, error(400, 'businessRule', 'rateLimitError')])(
    'is found by its link when its request is no longer there',
    async (answer) => {
      const answers = { [STATE]: answer, [RESPONSE]: link(`/transactions/${MONEY}`), [TRANSACTION]: transaction() }
      await withProvider({ ...answers, '*': notFound }, async ({ url }) => {
        expect(await openDriver(url).chargeStatus(taken)).toMatchObject(successful)
      })
    },
  )

  it('is never not found', async () => {
    await withProvider({ '*': notFound }, async ({ url }) => {
      expect(await openDriver(url).chargeStatus(taken)).toEqual(unknown)
      expect(await openDriver(url, { responses: false }).chargeStatus(taken)).toEqual(unknown)
    })
  })

  it('is found by its link when the request does not name its transaction', async () => {
    const answers = { [STATE]: state({ status: 'completed' }), [RESPONSE]: link(`/transactions/${MONEY}`) }
    await withProvider({ ...answers, [TRANSACTION]: transaction() }, async ({ url }) => {
      expect(await openDriver(url).chargeStatus(taken)).toMatchObject(successful)
      expect(await openDriver(url, { responses: false }).chargeStatus(taken)).toEqual(unknown)
    })
  })
})

describe('a provider that works at once', () => {
  const made = { ...transaction(), status: 201 }

  it('is queried for the transaction that it has made, whose state counts', async () => {
    await withProvider({ [CHARGE]: made, [TRANSACTION]: transaction() }, async ({ url }) => {
      expect(await openDriver(url).charge(order)).toMatchObject(successful)
    })
    const failed = transaction({ transactionStatus: 'failed' })
    await withProvider({ [CHARGE]: made, [TRANSACTION]: failed }, async ({ url }) => {
      expect(await openDriver(url).charge(order)).toMatchObject({ outcome: 'failed' })
    })
  })

  it('has taken the order if the transaction cannot be read yet', async () => {
    for (const answer of [{ status: 500 }, notFound, { status: 200, text: '<html>' }])
      await withProvider({ [PAYOUT]: made, [TRANSACTION]: answer }, async ({ url }) => {
        expect(await openDriver(url).payout(payout)).toEqual({ outcome: 'accepted', remote_id: MONEY })
      })
  })

  it('is asked by the id of the transaction, without a question about a request', async () => {
    await withProvider({ [TRANSACTION]: transaction() }, async ({ url, calls }) => {
      const answer = await openDriver(url, { responses: false }).chargeStatus({ ...order, remote_id: MONEY })
      expect(answer).toMatchObject(successful)
      expect(calls().map(({ line }) => line)).toEqual([TRANSACTION])
    })
  })

  it('may give its transactions UUIDs', async () => {
    const uuid = 'dd82cc6a-159a-4ddf-bea7-23bae38e72c5'
    const answers = { [`GET /1.2.0/mm/transactions/${uuid}`]: transaction({ transactionReference: uuid }) }
    await withProvider({ ...answers, '*': notFound }, async ({ url }) => {
      const answer = await openDriver(url).chargeStatus({ ...order, remote_id: uuid })
      expect(answer).toMatchObject({ outcome: 'successful', remote_id: uuid })
    })
  })

  it('may have completed a request at once', async () => {
    await withProvider({ [CHARGE]: { ...completed, status: 202 } }, async ({ url }) => {
      expect(await openDriver(url).charge(order)).toEqual({ outcome: 'accepted', remote_id: REQUEST })
    })
  })
})

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { StatementLine } from '../../../../src/lib/statements/statement-line.ts'
import { errorNumbers } from '../../../../src/simulator/doors/gsma-momo/codes.ts'
import { openDatabase } from '../../simulator-test.ts'
import { type GsmaTest, openGsma, orderFor, payoutFor, refundFor } from './gsma-door-test.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
let test: GsmaTest

beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  test = await openGsma(database.db)
})
afterEach(async () => {
  expect(test.errors).toEqual([])
  await test.close()
})

const unknown = { outcome: 'unknown', message: expect.any(String) }
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/)
const REF = expect.stringMatching(/^REF-\d+$/)

/** Errors that say nothing about the money. */
const UNCERTAIN = new Set(['duplicateRequest', 'rateLimitError', 'clientAuthorisationError'])
const isUncertain = ({ category, code }: { category: string; code: string }) =>
  UNCERTAIN.has(code) || category === 'internal' || category === 'serviceUnavailable'

describe('an order', () => {
  it('is taken, and paid when the customer has approved it; callback and status query name the same money', async () => {
    const order = orderFor('000002')
    const taken = await test.driver.charge(order)
    expect(taken).toEqual({ outcome: 'accepted', remote_id: UUID })
    const asked = { ...order, remote_id: (taken as { remote_id: string }).remote_id }
    expect(await test.driver.chargeStatus(asked)).toEqual(taken)
    await test.advance(1)
    const paid = { outcome: 'successful', remote_id: REF, amount: order.amount, paid_at: test.now() }
    expect(await test.driver.chargeStatus(asked)).toEqual(paid)
    expect(test.listener.heard).toMatchObject([
      {
        method: 'PUT',
        headers: { 'x-correlationid': order.reference },
        body: {
          transactionReference: REF,
          type: 'merchantpay',
          transactionStatus: 'completed',
          amount: '1500.00',
          requestingOrganisationTransactionReference: order.reference,
          descriptionText: 'School fees',
          creditParty: [{ key: 'organisationid', value: 'simulated-shop' }],
        },
      },
    ])
  })

  it.each(['small', 'capital'] as const)('ends with each error of the standard, in %s letters', async (error_codes) => {
    const other = error_codes === 'capital'
    await test.set({
      error_codes,
      state_error: other ? 'error' : 'errorReference',
      error_description: other ? 'errordescription' : 'errorDescription',
    })
    const orders = errorNumbers.map(({ digits }) => orderFor(`7000${digits}`))
    const taken = await Promise.all(orders.map((order) => test.driver.charge(order)))
    await test.advance(2)
    for (const [index, { error, reason }] of errorNumbers.entries()) {
      const answer = taken[index]!
      expect(answer).toMatchObject({ outcome: 'accepted' })
      const asked = { ...orders[index]!, remote_id: (answer as { remote_id: string }).remote_id }
      const ended = await test.driver.chargeStatus(asked)
      const code = other ? error.code[0]!.toUpperCase() + error.code.slice(1) : error.code
      expect(ended, error.code).toMatchObject(isUncertain(error) ? unknown : { outcome: 'failed', reason, code })
    }
    expect(test.listener.heard).toHaveLength(errorNumbers.length)
    for (const { headers, body } of test.listener.heard) {
      expect(headers['x-correlationid']).toEqual(UUID)
      expect(JSON.stringify(body)).not.toContain(orders[0]!.reference)
    }
  })

  it('is refused with each error of the standard, and nothing happens', async () => {
    const before = await test.world.balance('simulated-shop', 'UGX')
    for (const { digits, error } of errorNumbers) {
      const answer = await test.driver.payout(payoutFor(`7100${digits}`))
      const is_open = isUncertain(error) || /^(requesting|servicing)Party/.test(error.code)
      const open = error.code === 'duplicateRequest' ? { outcome: 'accepted' } : unknown
      // A call whose credentials are refused was not sent, whatever the code.
      const is_refused = error.code === 'clientAuthorisationError'
      const ended = is_refused ? { outcome: 'failed', reason: 'unreachable' } : { outcome: 'failed', code: error.code }
      expect(answer, error.code).toMatchObject(is_open && !is_refused ? open : ended)
    }
    await test.advance(60)
    expect(await test.world.balance('simulated-shop', 'UGX')).toBe(before)
  })

  it('fails at the end of its time if its prompt has no answer', async () => {
    const order = orderFor('000109')
    const taken = (await test.driver.charge(order)) as { remote_id: string }
    await test.advance(299)
    const asked = { ...order, remote_id: taken.remote_id }
    expect(await test.driver.chargeStatus(asked)).toMatchObject({ outcome: 'accepted' })
    await test.advance(2)
    expect(await test.driver.chargeStatus(asked)).toMatchObject({ outcome: 'failed', reason: 'cancelled' })
    await test.set({ expired_code: 'genericError' })
    expect(await test.driver.chargeStatus(asked)).toMatchObject({ outcome: 'failed', reason: 'rejected' })
  })

  it('is found by its correlation id if its request names no transaction', async () => {
    const { money } = await test.pay(orderFor('730001'))
    expect(money).toEqual(REF)
    const verbs = test.tools.calls.map(({ call }) => call.verb)
    expect(verbs.slice(-3)).toEqual(['charge status', 'charge status response', 'charge status transaction'])
  })

  it('is found when the provider answers no more questions about its request', async () => {
    await test.set({ poll_limit: 1 })
    const { order, money } = await test.pay(orderFor('000002'))
    expect(await test.driver.chargeStatus(order)).toMatchObject({ outcome: 'successful', remote_id: money })
  })

  it("with a provider's own word for its end is paid only if the word is known", async () => {
    const { order, money } = await test.pay(orderFor('000002'))
    await test.set({ completed_word: 'settled' })
    expect(await test.driver.chargeStatus(order)).toEqual(unknown)
    const knowing = test.open({ completed_words: 'settled' })
    expect(await knowing.chargeStatus(order)).toMatchObject({ outcome: 'successful', remote_id: money })
  })
})

describe('an answer that was lost', () => {
  it.each(['transactions', 'requeststates'] as const)(
    'is found over /responses with links to %s',
    async (responses) => {
      await test.set({ responses })
      const order = orderFor('000103')
      test.simulator.faults.add({ door: 'gsma-momo', verb: 'charge', kind: 'hang_up_after' })
      expect(await test.driver.charge(order)).toEqual(unknown)
      const early = await test.driver.chargeStatus(order)
      // Before there is a transaction, the standard has nothing to link to.
      expect(early.outcome).toBe(responses === 'transactions' ? 'not_found' : 'accepted')
      await test.advance(30)
      expect(await test.driver.chargeStatus(order)).toMatchObject({ outcome: 'successful', amount: order.amount })
    },
  )

  it('stays lost without /responses', async () => {
    await test.set({ responses: 'none' })
    const order = orderFor('000002')
    test.simulator.faults.add({ door: 'gsma-momo', verb: 'charge', kind: 'hang_up_after' })
    await test.driver.charge(order)
    await test.advance(5)
    expect(await test.driver.chargeStatus(order)).toEqual(unknown)
  })

  it('sent again moves the money once, unless the provider ignores correlation ids', async () => {
    const balance = () => test.world.balance('simulated-shop', 'UGX')
    const moved = async () => {
      const [before, payout] = [await balance(), payoutFor('000002')]
      await test.driver.payout(payout)
      await test.driver.payout(payout)
      await test.advance(5)
      return (before - (await balance())) / payout.amount
    }
    expect(await moved()).toBe(1n)
    await test.set({ duplicates: 'taken' })
    expect(await moved()).toBe(2n)
  })
})

describe('a refund', () => {
  it('reverses a payment, wholly or in parts, and never more than it', async () => {
    const paid = await test.pay(orderFor('000002'))
    const part = refundFor(paid, 5_000_000n)
    const taken = (await test.driver.refund(part)) as { remote_id: string }
    await test.advance(2)
    const done = await test.driver.refundStatus({ ...part, remote_id: taken.remote_id })
    expect(done).toMatchObject({ outcome: 'successful', amount: 5_000_000n, remote_id: REF })
    const much = await test.driver.refund(refundFor(paid))
    expect(much).toMatchObject({ outcome: 'accepted' })
    await test.advance(2)
    expect(await test.driver.refund(refundFor(paid, 10_000n))).toMatchObject({
      outcome: 'failed',
      reason: 'limit_reached',
      code: 'greaterThanTransactionMaxValue',
    })
  })

  it('of a part is refused by providers that reverse whole payments only', async () => {
    await test.set({ partial_reversals: false })
    const paid = await test.pay(orderFor('000002'))
    expect(await test.driver.refund(refundFor(paid, 10_000n))).toMatchObject({ outcome: 'failed', reason: 'rejected' })
    expect(await test.driver.refund(refundFor(paid))).toMatchObject({ outcome: 'accepted' })
  })

  it('may be an adjustment', async () => {
    const paid = await test.pay(orderFor('000002'))
    const driver = test.open({ refund_operation: 'adjustment' })
    const refund = refundFor(paid, 10_000n)
    const taken = (await driver.refund(refund)) as { remote_id: string }
    await test.advance(2)
    const done = await driver.refundStatus({ ...refund, remote_id: taken.remote_id })
    expect(done).toMatchObject({ outcome: 'successful', amount: 10_000n })
  })

  it('fails with the error of its number', async () => {
    const paid = await test.pay(orderFor('720003'))
    const refund = refundFor(paid)
    const taken = (await test.driver.refund(refund)) as { remote_id: string }
    await test.advance(2)
    const ended = await test.driver.refundStatus({ ...refund, remote_id: taken.remote_id })
    expect(ended).toMatchObject({ outcome: 'failed', reason: 'rejected', code: 'identifierError' })
  })
})

describe('the list of transactions', () => {
  const lines = async () => {
    const found: StatementLine[] = []
    const period = { from: new Date(test.now().getTime() - 3_600_000), to: new Date(test.now().getTime() + 1_000) }
    for await (const line of test.driver.statement(period)) found.push(line)
    return found
  }

  it('has payments, payouts, refunds and reversals, over several pages', async () => {
    const paid = await test.pay(orderFor('000002'))
    await test.driver.refund(refundFor(paid))
    await test.driver.payout(payoutFor('000112'))
    await Promise.all(Array.from({ length: 60 }, (_, index) => test.driver.charge(orderFor(String(310_000 + index)))))
    await test.advance(60)
    const found = await lines()
    expect(found).toHaveLength(64)
    expect(found.find(({ remote_id }) => remote_id === paid.money)).toMatchObject({
      sent: false,
      status: 'successful',
      amount: paid.order.amount,
      reversal_of: null,
      payment: { receiver: 'simulated-shop', order_reference: paid.order.reference },
    })
    const sent = found.filter((line) => line.sent)
    expect(sent.map(({ amount, reversal_of }) => [amount, reversal_of])).toEqual([
      [15_000_000n, null],
      [15_000_000n, null],
    ])
    const back = found.filter(({ reversal_of }) => reversal_of !== null)
    expect(back).toMatchObject([{ sent: false, amount: 4_500_000n, status: 'successful' }])
  })

  it('has unrequested money, which can be read back', async () => {
    const { remote_id } = await test.world.pay({
      phonenumber: '+256772000002',
      amount: 10_000n,
      currency: 'UGX',
      receiver: 'simulated-shop',
    })
    expect(await lines()).toMatchObject([{ remote_id, payment: { order_reference: null } }])
    const receipt = { receiver: 'simulated-shop', phonenumber: '+256772000002', amount: 10_000n }
    expect(await test.driver.transaction({ remote_id })).toMatchObject({ outcome: 'found', receipt })
    expect(await test.driver.transaction({ remote_id: 'REF-1' })).toEqual({ outcome: 'not_found' })
  })
})

describe('accounts', () => {
  it('have names, unless the provider hides them', async () => {
    const name = 'AKELLO, Grâce Namukasa'
    expect(await test.driver.accountHolder('+256772000402')).toEqual({ outcome: 'found', name })
    await test.set({ holder_names: false })
    expect(await test.driver.accountHolder('+256772000402')).toEqual({ outcome: 'found', name: null })
    expect(await test.driver.accountHolder('+256772000401')).toEqual({ outcome: 'not_found' })
    const without = test.open({ holder_names: false })
    expect(await without.accountHolder('+256772000402')).toEqual({ outcome: 'found', name: null })
  })

  it('have a balance, by their identifier and for the application', async () => {
    const found = await test.driver.balance()
    expect(found).toEqual({ outcome: 'found', balances: [{ currency: 'UGX', amount: 100_000_000_000n }] })
    expect(await test.open({ account_id: 'another' }).balance()).toEqual(unknown)
  })
})

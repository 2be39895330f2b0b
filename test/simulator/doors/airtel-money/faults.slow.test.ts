import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FaultBody } from '../../../../src/simulator/faults.ts'
import { openDatabase } from '../../simulator-test.ts'
import { type AirtelTest, openAirtel, orderFor, payoutFor } from './airtel-door-test.ts'

/*
 * Faults of each kind of call by itself. The driver never takes it for an end, and finds the truth afterwards.
 */

let database: Awaited<ReturnType<typeof openDatabase>>
let test: AirtelTest

beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  test = await openAirtel(database.db)
})
afterEach(async () => {
  expect(test.errors).toEqual([])
  await test.close()
})

const kinds = [
  'no_answer',
  'hang_up_before',
  'hang_up_after',
  'error_500',
  'html',
  'empty',
  'truncated',
  'rate_limited',
  'rate_limited_retry_after',
] as const

function fault(verb: string, kind: FaultBody['kind'], times = 1) {
  test.simulator.faults.add({ door: 'airtel-money', verb, kind, times })
}

describe.each(kinds)('%s', (kind) => {
  it.each(['token', 'encryption key', 'charge'])('of the call %s leaves a payment unknown', async (verb) => {
    fault(verb, kind)
    const order = orderFor('000002')
    expect(await test.airtel.charge(order)).toMatchObject({ outcome: 'unknown' })
    await test.advance(1)
    const found = await test.airtel.chargeStatus(order)
    if (found.outcome === 'not_found') await test.airtel.charge(order)
    await test.advance(1)
    expect(await test.airtel.chargeStatus(order)).toMatchObject({ outcome: 'successful' })
    expect(await test.airtel.charge(order)).toMatchObject({ outcome: 'successful' })
  })

  it('of an enquiry leaves the end unknown', async () => {
    const order = orderFor('008007')
    await test.airtel.charge(order)
    await test.advance(1)
    fault('charge status', kind)
    expect(await test.airtel.chargeStatus(order)).toMatchObject({ outcome: 'unknown' })
    expect(await test.airtel.chargeStatus(order)).toMatchObject({ outcome: 'failed', reason: 'insufficient_funds' })
  })

  it('of a payout leaves it unknown', async () => {
    fault('payout', kind)
    const payout = payoutFor('000002')
    expect(await test.airtel.payout(payout)).toMatchObject({ outcome: 'unknown' })
    fault('payout status', kind)
    expect(await test.airtel.payoutStatus(payout)).toMatchObject({ outcome: 'unknown' })
  })

  it.each(['account holder', 'balance'])('of the question for the %s leaves it unknown', async (verb) => {
    fault(verb, kind)
    const ask = () => (verb === 'balance' ? test.airtel.balance() : test.airtel.accountHolder('+256752000002'))
    expect(await ask()).toMatchObject({ outcome: 'unknown' })
    expect(await ask()).toMatchObject({ outcome: 'found' })
  })

  it('of a statement ends it with an error', async () => {
    fault('statement', kind)
    const period = { from: new Date(0), to: new Date() }
    await expect(test.airtel.statement(period)[Symbol.asyncIterator]().next()).rejects.toThrow()
  })
})

describe('an access token', () => {
  it.each(['charge', 'charge status', 'payout'])('that ends in the middle of the call %s is renewed', async (verb) => {
    const order = orderFor('000002')
    await test.airtel.charge(order)
    fault(verb, 'token_expired')
    const answer =
      verb === 'payout' ? await test.airtel.payout(payoutFor('000002')) : await test.airtel.chargeStatus(order)
    expect(answer).toMatchObject({ outcome: 'accepted' })
    expect(await test.airtel.charge(orderFor('000002'))).toMatchObject({ outcome: 'accepted' })
    expect(test.calls().token).toBe(2)
  })

  it('has carried out no call that it refused twice', async () => {
    fault('charge', 'token_expired', 5)
    expect(await test.airtel.charge(orderFor('000002'))).toMatchObject({ outcome: 'failed' })
    expect(test.calls()).toMatchObject({ charge: 2, token: 2 })
  })
})

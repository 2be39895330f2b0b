import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../simulator-test.ts'
import { charge, type MtnTest, openMtnTest, payoutTo } from './mtn-momo-test.ts'

/*
 * What goes wrong with one kind of call, by itself. An order is never taken for failed because of it, nor for paid before it is.
 */

let database: Awaited<ReturnType<typeof openDatabase>>
let mtn: MtnTest

beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  mtn = await openMtnTest(database.db)
})
afterEach(() => mtn.close())

/** Each trouble, and whether the network does what the call asks. */
const troubles = [
  ['no_answer', true],
  ['hang_up_before', false],
  ['hang_up_after', true],
  ['error_500', false],
  ['html', false],
  ['empty', false],
  ['truncated', false],
  ['rate_limited', false],
  ['rate_limited_retry_after', false],
] as const
/** A call that is not answered is given up after this time. */
const TIMEOUT_MS = 1_500
const unknown = { outcome: 'unknown', message: expect.any(String) }
const accepted = { outcome: 'accepted', remote_id: expect.any(String) }
const successful = { outcome: 'successful', amount: 15_000_000n, remote_id: expect.any(String) }
const phone = '+46733123499'

describe.each(troubles)('with the trouble %s', (kind, taken) => {
  it('in the call for a token, nothing is sent', async () => {
    const driver = mtn.driver({}, TIMEOUT_MS)
    mtn.simulator.troubles.add({ door: 'mtn-momo', verb: 'token', kind })
    const order = charge(phone)
    expect(await driver.charge!(order)).toEqual(unknown)
    expect(mtn.simulator.calls('mtn-momo').get('charge')).toBe(undefined)
    expect(await driver.chargeStatus!(order)).toEqual({ outcome: 'not_found' })
    expect(await driver.charge!(order)).toEqual(accepted)
  })

  it.each(['charge', 'payout'] as const)('in a %s, the next question finds what is true', async (verb) => {
    const driver = mtn.driver({}, TIMEOUT_MS)
    const order = verb === 'charge' ? charge(phone) : payoutTo(phone)
    const send = () => (verb === 'charge' ? driver.charge!(order as never) : driver.payout!(order as never))
    const ask = () => (verb === 'charge' ? driver.chargeStatus!(order as never) : driver.payoutStatus!(order as never))
    mtn.simulator.troubles.add({ door: 'mtn-momo', verb, kind, taken })
    expect(await send()).toEqual(unknown)
    expect(await ask()).toEqual(taken ? accepted : { outcome: 'not_found' })
    expect(await send()).toEqual(accepted)
    await mtn.clock.advance(2)
    expect(await ask()).toEqual(successful)
  })

  it.each(['charge status', 'payout status'])('in a question (%s), the next one is answered', async (verb) => {
    const driver = mtn.driver({}, TIMEOUT_MS)
    const order = verb === 'charge status' ? charge(phone) : payoutTo(phone)
    const is_charge = verb === 'charge status'
    await (is_charge ? driver.charge!(order as never) : driver.payout!(order as never))
    await mtn.clock.advance(2)
    const ask = () => (is_charge ? driver.chargeStatus!(order as never) : driver.payoutStatus!(order as never))
    mtn.simulator.troubles.add({ door: 'mtn-momo', verb, kind })
    expect(await ask()).toEqual(unknown)
    expect(await ask()).toEqual(successful)
  })

  it.each(['account holder', 'account holder name'])(
    'in a question for the %s, the next one is answered',
    async (verb) => {
      const driver = mtn.driver({}, TIMEOUT_MS)
      mtn.simulator.troubles.add({ door: 'mtn-momo', verb, kind })
      expect(await driver.accountHolder!(phone)).toEqual(unknown)
      expect(await driver.accountHolder!(phone)).toEqual({ outcome: 'found', name: 'Sand Box' })
    },
  )
})

describe('with tokens that end early', () => {
  it.each(['charge', 'charge status', 'balance'])('a %s is repeated with a new one', async (verb) => {
    const driver = mtn.driver()
    const order = charge(phone)
    await driver.charge!(charge(phone))
    const calls = () => mtn.simulator.calls('mtn-momo').get(verb) ?? 0
    if (verb !== 'charge') await driver.charge!(order)
    const before = calls()
    mtn.simulator.troubles.add({ door: 'mtn-momo', verb, kind: 'token_expired' })
    if (verb === 'charge') expect(await driver.charge!(order)).toEqual(accepted)
    else if (verb === 'balance') expect(await driver.balance!()).toMatchObject({ outcome: 'found' })
    else expect(await driver.chargeStatus!(order)).toEqual(accepted)
    // The balance is asked for both products.
    expect(calls() - before).toBe(verb === 'balance' ? 3 : 2)
  })
})

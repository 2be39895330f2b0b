import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { StatementLine } from '../../../../src/lib/statements/statement-line.ts'
import { chargeNumbers, payoutNumbers, STORE, TILL } from '../../../../src/simulator/doors/daraja/accounts.ts'
import { order as orderOfTest, payout as payoutOfTest } from '../../../networks/daraja/recorded-network.ts'
import { openDatabase } from '../../simulator-test.ts'
import { type OpenedDoor, openDoor } from './open-door.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
let door: OpenedDoor

beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.drop())
afterEach(async () => {
  expect(door.errors).toEqual([])
  await door.close()
})

async function open(settings: object = {}) {
  door = await openDoor(database.db, settings)
  return door.operations
}

/** Prompts a phone, and returns the order with its id. */
async function prompt(changes: Partial<typeof orderOfTest> = {}) {
  const order = { ...orderOfTest, ...changes }
  const answer = await door.operations.charge(order)
  if (answer.outcome !== 'accepted') throw new Error(JSON.stringify(answer))
  return { ...order, remote_id: answer.remote_id }
}

describe('a prompt at the simulated network', () => {
  it('is open, and then paid; callback, list and question name the same money', async () => {
    const operations = await open({ pull_transactions: true, nominated_number: '254722000000' })
    const order = await prompt()
    expect(await operations.chargeStatus(order)).toEqual({ outcome: 'accepted', remote_id: order.remote_id })
    await door.simulator.setSwitches('daraja', { open_prompt: 'code' })
    expect(await operations.chargeStatus(order)).toEqual({ outcome: 'accepted', remote_id: order.remote_id })
    await door.advance(2)
    expect(await operations.chargeStatus(order)).toEqual({ outcome: 'successful' })
    const [callback] = door.read()
    expect(callback).toMatchObject({
      order: { reference: order.reference, remote_id: order.remote_id },
      verified: false,
      answer: { outcome: 'successful', amount: order.amount },
    })
    const { remote_id } = (callback as { answer: { remote_id: string } }).answer
    expect(remote_id).toMatch(/^UKM[1-9A-Z]{7}$/)
    const found = await operations.transaction({ remote_id })
    expect(found).toMatchObject({
      outcome: 'found',
      receipt: { remote_id, amount: order.amount, order_reference: order.reference, phonenumber: order.phonenumber },
    })
    // The id was lost with the answer: the list shows the reference.
    expect(await operations.chargeStatus({ ...order, remote_id: null })).toMatchObject({
      outcome: 'successful',
      remote_id,
    })
  })

  it.each(Object.entries(chargeNumbers))('fails as the number 254 70900%s says', async (end, { code, reason }) => {
    const operations = await open()
    const order = await prompt({ phonenumber: `+25470900${end}` })
    await door.advance(2)
    const failed = { outcome: 'failed', reason, code, message: expect.any(String) }
    expect(await operations.chargeStatus(order)).toEqual(failed)
    expect(door.read()).toEqual([
      {
        subject: 'order',
        order: { reference: order.reference, remote_id: order.remote_id },
        verified: false,
        has_ids: true,
        answer: failed,
      },
    ])
    await door.simulator.setSwitches('daraja', { code_as_number: true })
    expect(await operations.chargeStatus(order)).toEqual(failed)
  })

  it.each([
    ['+254709000101', 'insufficient_funds'],
    ['+254709000102', 'wrong_pin'],
  ])('fails as %s does at every network', async (phonenumber, reason) => {
    const operations = await open()
    const order = await prompt({ phonenumber })
    await door.advance(2)
    expect(await operations.chargeStatus(order)).toMatchObject({ outcome: 'failed', reason })
  })

  it('expires, is cancelled on the phone, or ends with a code in no table', async () => {
    const operations = await open()
    const silent = await prompt({ phonenumber: '+254700000109', reference: 'a00000000001' })
    await door.advance(301)
    expect(await operations.chargeStatus(silent)).toMatchObject({
      outcome: 'failed',
      reason: 'prompt_expired',
      code: '1037',
    })
    const refused = await prompt({ phonenumber: '+254700000109', reference: 'a00000000002' })
    await door.simulator.refuse('+254700000109')
    expect(await operations.chargeStatus(refused)).toMatchObject({
      outcome: 'failed',
      reason: 'cancelled',
      code: '1032',
    })
    const odd = await prompt({ phonenumber: '+254709007777', reference: 'a00000000003' })
    await door.advance(2)
    expect(await operations.chargeStatus(odd)).toMatchObject({ outcome: 'unknown' })
  })

  it('is refused while another is open on the phone, and twice is two prompts', async () => {
    const operations = await open()
    await prompt({ phonenumber: '+254700000109' })
    expect(await operations.charge({ ...orderOfTest, phonenumber: '+254700000109' })).toMatchObject({
      outcome: 'failed',
      reason: 'unreachable',
    })
    await door.simulator.setSwitches('daraja', { locks_subscriber: false })
    await prompt({ phonenumber: '+254700000109' })
    expect(await door.simulator.prompts('+254700000109')).toHaveLength(2)
  })

  it('may be taken without an answer, and then only the list shows it', async () => {
    const operations = await open({ pull_transactions: true, nominated_number: '254722000000' })
    const order = { ...orderOfTest, phonenumber: '+254700000104' }
    door.simulator.faults.add({ door: 'daraja', verb: 'charge', kind: 'hang_up_after', taken: true })
    expect(await operations.charge(order)).toMatchObject({ outcome: 'unknown' })
    await door.advance(2)
    expect(door.heard).toEqual([])
    expect(await operations.chargeStatus(order)).toMatchObject({ outcome: 'successful', amount: order.amount })
  })

  it('goes to a till in the name of its store', async () => {
    const operations = await open({ short_code: STORE, kind: 'till', till: TILL })
    const order = await prompt({ receiver: TILL })
    await door.advance(2)
    expect(await operations.chargeStatus(order)).toEqual({ outcome: 'successful' })
  })

  it.each([
    ['the passkey', { passkey: 'another' }, 'passkey'],
    ['the short code', { short_code: '654321' }, 'short_code'],
  ])('is refused when %s is wrong, and the operator is alerted', async (_name, settings, words) => {
    const operations = await open(settings)
    const receiver = door.connection.settings.short_code
    expect(await operations.charge({ ...orderOfTest, receiver })).toMatchObject({
      outcome: 'failed',
      reason: 'not_allowed',
    })
    expect(door.alarms).toEqual([expect.stringContaining(words)])
  })

  it('gets a new token when the old one has ended', async () => {
    const operations = await open()
    const order = await prompt()
    door.simulator.faults.add({ door: 'daraja', verb: 'charge status', kind: 'token_expired' })
    expect(await operations.chargeStatus(order)).toMatchObject({ outcome: 'accepted' })
    expect(door.simulator.calls('daraja').get('token')).toBe(2)
  })
})

describe('a payout at the simulated network', () => {
  it('is reported, and the question has the same end, with the fee', async () => {
    const operations = await open()
    expect(await operations.payout(payoutOfTest)).toMatchObject({
      outcome: 'accepted',
      remote_id: expect.stringMatching(/^AG_20261122_/),
    })
    expect(await operations.payout(payoutOfTest)).toMatchObject({ outcome: 'unknown' })
    await door.advance(2)
    const end = { outcome: 'successful', amount: payoutOfTest.amount, remote_id: expect.stringMatching(/^UKM/) }
    expect(door.read()).toMatchObject([{ order: { reference: payoutOfTest.reference }, verified: true, answer: end }])
    expect(await operations.payoutStatus(payoutOfTest)).toEqual({ outcome: 'asked' })
    await door.advance(2)
    const [result, answer] = door.read() as { answer: { remote_id: string } }[]
    expect(answer).toMatchObject({ verified: true, answer: { ...end, fee: 22_4000n } })
    expect(answer!.answer.remote_id).toBe(result!.answer.remote_id)
  })

  it.each(Object.entries(payoutNumbers))('fails as the number 254 70900%s says', async (end, { code, reason }) => {
    const operations = await open()
    const payout = { ...payoutOfTest, phonenumber: `+25470900${end}` }
    expect(await operations.payout(payout)).toMatchObject({ outcome: 'accepted' })
    await door.advance(2)
    expect(door.read()).toMatchObject([{ verified: true, answer: { outcome: 'failed', reason, code } }])
    await operations.payoutStatus(payout)
    await door.advance(2)
    expect(door.read()[1]).toMatchObject({ verified: true, answer: { outcome: 'failed' } })
  })

  it("may wait too long in the queue, which leaves the money's state open", async () => {
    const operations = await open()
    const payout = { ...payoutOfTest, phonenumber: '+254709005555' }
    await operations.payout(payout)
    await door.advance(2)
    expect(door.read()).toMatchObject([{ verified: false, answer: { outcome: 'unknown' } }])
    await operations.payoutStatus(payout)
    await door.advance(2)
    expect(door.read()[1]).toMatchObject({ verified: true, answer: { outcome: 'successful' } })
  })

  it.each([
    ['the password', { initiator_password: 'Wrong#1' }, '2001'],
    ['the name', { initiator: 'nobody' }, '2001'],
  ])('fails later when %s of the initiator is wrong', async (_name, settings, code) => {
    const operations = await open(settings)
    expect(await operations.payout(payoutOfTest)).toMatchObject({ outcome: 'accepted' })
    await door.advance(2)
    expect(door.read()).toMatchObject([{ verified: true, answer: { outcome: 'failed', reason: 'not_allowed', code } }])
    expect(door.alarms).toContainEqual(expect.stringContaining('initiator_password'))
  })

  it('is not known at first, and the query proves nothing', async () => {
    const operations = await open()
    const payout = { ...payoutOfTest, phonenumber: '+254700000114' }
    expect(await operations.payout(payout)).toMatchObject({ outcome: 'unknown' })
    await operations.payoutStatus(payout)
    await door.advance(2)
    expect(door.read()).toMatchObject([{ verified: true, answer: { outcome: 'unknown' } }])
    await door.advance(20)
    await operations.payoutStatus(payout)
    await door.advance(2)
    expect(door.read().at(-1)).toMatchObject({ verified: true, answer: { outcome: 'successful' } })
  })

  it('is not believed when it is forged', async () => {
    const operations = await open()
    door.simulator.faults.add({ door: 'daraja', kind: 'forged' })
    await operations.payout({ ...payoutOfTest, phonenumber: '+254709002040' })
    await door.advance(2)
    expect(door.read()).toMatchObject([{ verified: false, answer: { outcome: 'unknown' } }])
  })
})

describe('a refund at the simulated network', () => {
  it('gives a payment back once', async () => {
    const operations = await open()
    const order = await prompt()
    await door.advance(2)
    const { remote_id: transaction } = (door.read()[0] as { answer: { remote_id: string } }).answer
    const refund = {
      reference: 'a5a2d9c4-53cd-4d2e-b3c8-0a6de7f1a111',
      sender: order.receiver,
      phonenumber: order.phonenumber,
      amount: order.amount,
      currency: 'KES',
      reason: 'Wrong size',
      remote_id: null,
      charge: { reference: order.reference, remote_id: order.remote_id, transaction, amount: order.amount },
    }
    const taken = await operations.refund(refund)
    expect(taken).toMatchObject({ outcome: 'accepted' })
    await door.advance(2)
    const named = { ...refund, remote_id: (taken as { remote_id: string }).remote_id }
    expect(door.read()[1]).toMatchObject({
      order: { reference: refund.reference, remote_id: named.remote_id },
      verified: true,
      answer: { outcome: 'successful', amount: order.amount },
    })
    expect(await operations.refundStatus(named)).toEqual({ outcome: 'asked' })
    await door.advance(2)
    expect(door.read()[2]).toMatchObject({ verified: true, answer: { outcome: 'successful', amount: order.amount } })
    // A second reversal is refused with a code that does not say whose the first one was.
    await operations.refund({ ...refund, reference: 'b5a2d9c4-53cd-4d2e-b3c8-0a6de7f1a111' })
    await operations.refund({ ...refund, charge: { ...refund.charge, transaction: 'UKM1234567' } })
    await door.advance(2)
    expect(door.read().slice(3)).toMatchObject([
      { verified: false, answer: { outcome: 'unknown' } },
      { verified: true, answer: { outcome: 'failed', reason: 'rejected', code: 'R000002' } },
    ])
  })
})

describe('payments without a prompt at the simulated network', () => {
  const pay = {
    door: 'daraja',
    phonenumber: '+254708374149',
    amount: 200_0000n,
    currency: 'KES',
    receiver: '174379',
    reference: 'Room 12',
  }

  it('are validated, confirmed and listed', async () => {
    const operations = await open({ pull_transactions: true, nominated_number: '254722000000' })
    expect(await operations.setUp()).toMatchObject([{ outcome: 'ok' }, { outcome: 'ok' }])
    const { remote_id } = await door.simulator.pay(pay)
    await door.advance(1)
    const [validation, confirmation] = door.heard
    expect(operations.readValidation(validation!)).toMatchObject({
      remote_id,
      receiver: '174379',
      amount: pay.amount,
      reference: 'Room 12',
      phonenumber: '+2547*****149',
    })
    expect(operations.readCallback(confirmation!)).toEqual({
      subject: 'transaction',
      remote_id,
      verified: false,
      receipt: null,
      account_number: 'Room 12',
    })
    const receipt = { remote_id, amount: pay.amount, reference: 'Room 12', phonenumber: '+254708374149' }
    expect(await operations.transaction({ remote_id })).toMatchObject({ outcome: 'found', receipt })
    const lines: StatementLine[] = []
    const to = new Date(door.state.offset_ms + Date.parse('2026-11-22T07:00:00Z'))
    for await (const line of operations.statement({ from: new Date(to.getTime() - 86_400_000), to })) lines.push(line)
    expect(lines).toMatchObject([{ remote_id, amount: pay.amount }])
  })

  it('are listed although no confirmation came, and read back by a question without the list', async () => {
    const operations = await open()
    const { remote_id } = await door.simulator.pay(pay)
    await door.advance(1)
    expect(door.heard).toEqual([])
    expect(await operations.transaction({ remote_id })).toMatchObject({ outcome: 'unknown' })
    await door.advance(2)
    expect(door.read()).toMatchObject([
      {
        subject: 'transaction',
        remote_id,
        verified: true,
        receipt: { remote_id, amount: pay.amount, phonenumber: pay.phonenumber },
      },
    ])
  })

  it('are not taken when we refuse, and otherwise as was registered', async () => {
    const operations = await open({
      pull_transactions: true,
      nominated_number: '254722000000',
      unanswered_validation: 'Cancelled',
    })
    await operations.setUp()
    door.state.answer = operations.answerValidation('reject', 'No such account')
    await door.simulator.pay(pay)
    await door.advance(1)
    door.state.answer = { status: 500, content_type: 'text/plain', body: '' }
    await door.simulator.pay(pay)
    await door.advance(1)
    expect(door.heard).toHaveLength(2)
    const lines: unknown[] = []
    const to = new Date(door.state.offset_ms + Date.parse('2026-11-22T07:00:00Z'))
    for await (const line of operations.statement({ from: new Date(to.getTime() - 86_400_000), to })) lines.push(line)
    expect(lines).toEqual([])
  })
})

describe('the test of a connection at the simulated network', () => {
  it('lists the working parts, and the balance comes later', async () => {
    const operations = await open({ pull_transactions: true, nominated_number: '254722000000' })
    const results = await operations.test()
    expect(results.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['token', 'ok'],
      ['short code and passkey', 'ok'],
      ['callback address', 'ok'],
      ['initiator', 'skipped'],
      ['pull transactions', 'ok'],
      ['confirmations', 'skipped'],
    ])
    await door.advance(2)
    expect(door.read()).toMatchObject([
      { subject: 'balance', verified: true, balances: [{}, { name: 'Utility Account', currency: 'KES' }, {}] },
    ])
  })

  it.each([
    ['consumer_secret', { consumer_secret: 'wrong' }, 'token'],
    ['passkey', { passkey: 'wrong' }, 'short code and passkey'],
  ])('finds a wrong %s', async (setting, settings, name) => {
    const operations = await open(settings)
    const results = await operations.test()
    expect(results.find((one) => one.name === name)).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining(setting),
    })
  })
})

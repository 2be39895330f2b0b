import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { airtelMoney } from '../../../src/networks/airtel-money/index.ts'
import type { DriverTools, NetworkOperations } from '../../../src/networks/contract.ts'
import { type Bound, openBound } from '../../drivers/bound.ts'
import { encryption_key, envelope, order, payout, refund, settings, testTools } from './airtel-test.ts'

/*
 * Garbage in place of Airtel's answers never becomes an outcome, and no secret is ever repeated.
 */

interface Given {
  status: number
  text: string
}

/** The driver in front of a network that gives tokens and keys, and this answer to everything else. */
function open(answer: Given) {
  const said: string[] = []
  const http: DriverTools['http'] = async ({ verb }) => {
    const token = { status: 200, text: '{"access_token":"the-token","expires_in":180}' }
    const key = { status: 200, text: JSON.stringify(encryption_key.body) }
    const { status, text } = verb === 'token' ? token : verb === 'encryption key' ? key : answer
    return { outcome: 'answered', status, headers: new Headers(), text, incomplete: null }
  }
  const connection = { slug: 'airtel', environment: 'staging', hosts: { api: '' }, settings: parsed }
  const operations = openBound(airtelMoney, connection as never, { ...testTools(said), http }) as Required<
    Bound<NetworkOperations>
  >
  return { operations, said }
}
const parsed = airtelMoney.settings.parse({ ...settings, callback_key: 'our-callback-key' })
const secrets = ['our-secret', 'our-callback-key', 'the-token']

async function ask({ operations }: ReturnType<typeof open>) {
  return {
    charge: await operations.charge(order),
    charge_status: await operations.chargeStatus(order),
    payout: await operations.payout(payout),
    payout_status: await operations.payoutStatus(payout),
    refund: await operations.refund(refund),
    refund_status: await operations.refundStatus(refund),
    holder: await operations.accountHolder(order.phonenumber),
    balance: await operations.balance(),
  }
}

async function expectUnknown(answer: Given) {
  const opened = open(answer)
  const answers = await ask(opened)
  const sends = ['charge', 'payout', 'refund']
  for (const [name, { outcome }] of Object.entries(answers)) {
    const is_not_sent = answer.status === 401 && sends.includes(name)
    expect([name, outcome]).toEqual([name, is_not_sent ? 'failed' : 'unknown'])
  }
  const words = JSON.stringify([answers, opened.said])
  for (const secret of secrets) expect(words).not.toContain(secret)
  expect(words.length).toBeLessThan(8_000)
}

const status = fc.oneof(
  fc.constantFrom(200, 201, 400, 401, 403, 404, 429, 500, 502, 503),
  fc.integer({ min: 200, max: 599 }),
)

const paid = JSON.stringify(envelope({ id: 'KR12x1', airtel_money_id: 'MP1', status: 'TS' }, 'DP00800001001').body)

describe('an answer', () => {
  it('of any text is unknown', async () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.constant('<html></html>'))
    await fc.assert(
      fc.asyncProperty(status, text, (status, text) => expectUnknown({ status, text })),
      { numRuns: 150 },
    )
  })

  it('in the envelope without a known word or code is unknown', async () => {
    const leaf = fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.constant(null), fc.constant({}))
    const member = fc.oneof(leaf, fc.array(leaf))
    const transaction = fc.record({ id: member, status: member, airtel_money_id: member, message: member })
    const words = fc.record({
      response_code: member,
      result_code: member,
      code: member,
      message: member,
      success: member,
    })
    const body = fc.record({ data: fc.oneof(member, fc.record({ transaction })), status: fc.oneof(member, words) })
    const asked = fc.asyncProperty(status, body, (status, body) =>
      expectUnknown({ status, text: JSON.stringify(body) }),
    )
    await fc.assert(asked, { numRuns: 150 })
  })

  it('that breaks off anywhere is unknown', async () => {
    for (let length = 0; length < paid.length; length += 1)
      await expectUnknown({ status: 200, text: paid.slice(0, length) })
  })

  it('that is nested without end is unknown', async () => {
    await expectUnknown({ status: 200, text: `{"data":${'['.repeat(200_000)}${']'.repeat(200_000)}}` })
    await expectUnknown({ status: 200, text: `{"status":{"message":"${'x'.repeat(500_000)}"}}` })
  })

  it('that repeats our secrets is not repeated with them', async () => {
    const words = secrets.join(' ')
    const { operations, said } = open({ status: 400, text: JSON.stringify({ status_code: 'X', error: 'refused' }) })
    const answers = await ask({ operations, said })
    expect(JSON.stringify([answers, said])).not.toMatch(words.replaceAll(' ', '|'))
  })
})

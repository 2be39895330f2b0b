import { afterAll, beforeAll, expect, it } from 'vitest'
import { setApprovalRule } from '../../../src/core/spending/approval-rules.ts'
import { begin } from '../../../src/db/client.ts'
import { amount, openShop, type Shop } from '../../core/shop.ts'
import { createApiClient } from '../../test-app.ts'
import { printFigure } from '../figures.ts'

/*
 * One person pays a sum in parts, each below the amount above which a second person approves: to the same phone, as payments, as
 * airtime, in one payment to the phone twice, at once in many calls, and to the same meter.
 */

const THRESHOLD = 3_000
const PART = '2500'
const DAY_S = 86_400

let shop: Shop
let api: ReturnType<typeof createApiClient>

beforeAll(async () => {
  shop = await openShop()
  const { testApp, organization } = shop
  for (const currency of ['BXC', 'NGN'])
    await begin(shop.db, (tx) => setApprovalRule(tx, { organization, currency, threshold: amount(String(THRESHOLD)) }))
  api = createApiClient(await testApp.startService().then(({ url }) => url), testApp.api_key)
})
afterAll(() => shop.close())

const pay = (changes: object) =>
  api.post('/api/payments', { amount: PART, currency: 'BXC', description: 'A part', ...changes })
const buy = (kind: string, order: object) =>
  api.post(`/api/gateway/services/${kind}/request`, { agentReference: crypto.randomUUID(), agentId: '207', ...order })

/** Pays a recipient one part after the other. */
const payTwice = async (phonenumber: string) => {
  await pay({ phonenumber })
  await pay({ phonenumber })
}

const recipients = (phonenumber: string) => ({ recipient_data: [{ phonenumber }, { phonenumber }] })
const airtime = { service_type: 'mtn', plan: 'prepaid', amount: PART, phone: '08031234567' }
const power = { service_type: 'ikeja_electric_prepaid', amount: PART, phone: '08031234567' }

const WAYS: [way: string, attempt: () => Promise<unknown>][] = [
  ['two payments to a phone', () => payTwice('+80000000003')],
  ['one payment to a phone twice', () => pay({ ...recipients('+80001000003'), amount: PART })],
  ['many payments at once', () => Promise.all(Array.from({ length: 10 }, () => pay({ phonenumber: '+80002000003' })))],
  ['airtime in parts', async () => [await buy('airtime', airtime), await buy('airtime', airtime)]],
  [
    'many purchases for a meter at once',
    () => Promise.all(Array.from({ length: 5 }, () => buy('electricity', { ...power, account_number: '04042404048' }))),
  ],
]

/** The largest sum that somebody got without an approval. */
async function largestUnapproved(): Promise<number> {
  const [row] = await shop.db<{ sum: string }[]>`
    select coalesce(max(sum), 0)::text as sum from (
      select sum(r.amount) as sum from payments p join payment_recipients r on r.payment = p.id
      where p.approvals_required = 0 group by r.phonenumber
      union all
      select sum(amount) from bill_purchases where approvals_required = 0 and status <> 'failed' group by account_number) sums`
  return Number(row!.sum)
}

it('nobody gets more without an approval because it came in parts', async () => {
  for (const [, attempt] of WAYS) await attempt()
  const largest = await largestUnapproved()
  const [waiting] = await shop.db<{ payments: number; purchases: number }[]>`
    select (select count(*) from payments where approvals_required > 0) as payments,
      (select count(*) from bill_purchases where approvals_required > 0) as purchases`
  printFigure('split-sums', `${largest} of the allowed ${THRESHOLD} went to one recipient in ${WAYS.length} ways`)
  expect(largest).toBe(Number(PART))
  // All parts after the first of each way: 1 + 1 + 9 payments, and 1 + 4 purchases.
  expect(waiting).toEqual({ payments: 11, purchases: 5 })
})

it('what was approved, has failed or is older than 24 hours does not count', async () => {
  const phonenumber = '+80003000003'
  expect((await pay({ phonenumber })).body.state).not.toMatch(/^approval/)
  expect((await pay({ phonenumber })).body.state).toMatch(/^approval/)
  // The second part waits, so it is no part of what the phone got without an approval.
  expect((await pay({ phonenumber, amount: '100' })).body.state).not.toMatch(/^approval/)
  shop.testApp.clock.advance(DAY_S)
  expect((await pay({ phonenumber })).body.state).not.toMatch(/^approval/)
})

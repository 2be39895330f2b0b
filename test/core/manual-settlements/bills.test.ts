import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPurchases, findPurchasesById, type NewPurchase } from '../../../src/core/bills/purchases.ts'
import { findBillWallet } from '../../../src/core/bills/wallets.ts'
import type { VendNews } from '../../../src/core/connections/network-orders.ts'
import {
  type AttestationContext,
  attestOrder,
  type NewAttestation,
} from '../../../src/core/manual-settlements/attestations.ts'
import { checkAttestedOrders, reviewOrder } from '../../../src/core/manual-settlements/review.ts'
import { findTarget, listOrders } from '../../../src/core/manual-settlements/targets.ts'
import { settle } from '../../../src/core/settlements/settle.ts'
import { begin } from '../../../src/db/client.ts'
import { freshReference } from '../../api/bills/buyer.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'
import { decideAttestation } from '../approvals/decisions.ts'
import { amount } from '../shop.ts'
import { learntVend } from '../vends.ts'

let testApp: TestApp
let account: number
let owner: number
beforeAll(async () => {
  testApp = await buildTestApp()
  account = (await findBillWallet(testApp.db, testApp.organization))!.id
  ;[owner] = (await testApp.db<{ id: number }[]>`select id from users where kind = 'person'`).map(({ id }) => id) as [
    number,
  ]
})
afterAll(() => testApp.close())

const wallet = async () => (await findBillWallet(testApp.db, testApp.organization))!.balance
const purchaseNow = async (id: number) => (await findPurchasesById(testApp.db, [id])).get(id)!

/** A purchase that was sent more than a day ago, and never answered. */
async function lostPurchase(changes: Partial<NewPurchase> = {}) {
  const [made] = await begin(testApp.db, (tx) =>
    createPurchases(tx, testApp.clock.now(), [
      {
        organization: testApp.organization,
        account,
        agent_reference: freshReference(),
        agent_id: '207',
        biller: 'sandbox',
        kind: 'electricity',
        service_type: 'ikeja_electric_prepaid',
        pin: null,
        author: owner,
        account_number: '04042404048',
        phone: '08031234567',
        amount: amount('1000'),
        scenario: null,
        metadata: {},
        details: { prepaid: true, tariff: amount('66.9') },
        ...changes,
      },
    ]),
  )
  if (!made?.ok) throw made?.error
  await testApp.db`
    update network_orders set state = 'sent', sent = ${testApp.clock.now()}, sent_real = now()
    where bill_purchase = ${made.value}`
  testApp.clock.advance(24 * 60 * 60)
  return purchaseNow(made.value)
}

const context = (): AttestationContext => ({
  now: testApp.clock.now(),
  min_age_ms: 24 * 3_600_000,
  mail: null,
  findNetwork: () => undefined,
})

function attest(order: string, changes: Partial<NewAttestation> = {}) {
  const document = { name: 'a.txt', bytes: Buffer.from('sold') }
  return begin(testApp.db, (tx) =>
    attestOrder(tx, context(), {
      organization: testApp.organization,
      user: owner,
      order,
      outcome: 'successful',
      document,
      remote_id: 'B1',
      amount: amount('1000'),
      token: '12345678901234567890',
      statement: 'March',
      note: 'Row 7',
      ...changes,
    }),
  )
}
const failed = { outcome: 'failed', remote_id: null, amount: null, token: null } as const

const approve = (id: number) =>
  begin(testApp.db, (tx) =>
    decideAttestation(
      tx,
      context(),
      { organization: null, user: null, name: 'Ruth' },
      { id, verdict: 'approve', note: null },
    ),
  )
const say = (id: number, answer: VendNews) =>
  begin(testApp.db, async (tx) => settle(tx, testApp.clock.now(), [await learntVend(tx, id, answer)]))
const SOLD = {
  token: '1',
  amount_of_power: null,
  pins: [],
  provider_message: '',
  raw_output: null,
  more: {},
}

describe('a bill purchase that nobody can answer', () => {
  it('is settled with its token, after the operator has approved', async () => {
    const before = await wallet()
    const { id, reference } = await lostPurchase()
    const listed = await listOrders(testApp.db, { needs_attention: true, old: testApp.clock.now() }, 10)
    expect(listed).toMatchObject([{ reference, kind: 'bill', purchase: id }])
    await expect(attest(reference, { token: null })).rejects.toThrow('The token of prepaid electricity is required')
    const made = await attest(reference)
    const decider = { organization: testApp.organization, user: owner }
    await expect(
      begin(testApp.db, (tx) =>
        decideAttestation(tx, context(), decider, { id: made.id, verdict: 'approve', note: null }),
      ),
    ).rejects.toThrow('A person other than')
    await approve(made.id)
    expect(await purchaseNow(id)).toMatchObject({ status: 'success', remote_id: 'B1', due_at: null })
    expect((await purchaseNow(id)).vended!.token).toBe('12345678901234567890')
    expect(before - (await wallet())).toBe(amount('1000'))
  })

  it('gives its money back if it was not sold, and is shown if the biller says later that it was', async () => {
    const before = await wallet()
    const { id, reference } = await lostPurchase()
    await approve((await attest(reference, failed)).id)
    expect(await purchaseNow(id)).toMatchObject({ status: 'failed', attested: 'failed', attention: null })
    expect(await wallet()).toBe(before)
    expect(await say(id, { outcome: 'successful', remote_id: 'B2', vended: SOLD })).toMatchObject({ late_sales: [id] })
    expect((await purchaseNow(id)).attention).toContain('people have attested that it has not')
    expect(await wallet()).toBe(before)
    expect((await checkAttestedOrders(testApp.db)).join()).toContain(reference)
    const target = await findTarget(testApp.db, reference)
    await begin(testApp.db, (tx) => reviewOrder(tx, target))
    expect(await checkAttestedOrders(testApp.db)).toEqual([])
  })

  it('closes what was attested if the biller answers first, and refuses sold pins', async () => {
    const { id, reference } = await lostPurchase()
    const made = await attest(reference, failed)
    await say(id, { outcome: 'successful', remote_id: 'B3', vended: SOLD })
    await expect(approve(made.id)).rejects.toThrow('The attestation is superseded')
    const pins = await lostPurchase({ kind: 'exampin', details: {} })
    await expect(attest(pins.reference, { token: null })).rejects.toThrow('Sold pins cannot be attested')
  })
})

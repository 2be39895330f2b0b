import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import {
  createPurchases,
  findPurchase,
  findPurchasesById,
  listPurchases,
  type NewPurchase,
  type Purchase,
} from '../../../src/core/bills/purchases.ts'
import { toBillEventData, toBillResult } from '../../../src/core/bills/results.ts'
import { findBillWallet } from '../../../src/core/bills/wallets.ts'
import type { VendNews } from '../../../src/core/connections/network-orders.ts'
import { checkHolds } from '../../../src/core/ledger/holds.ts'
import { checkLedger } from '../../../src/core/ledger/transfers.ts'
import { settle } from '../../../src/core/settlements/settle.ts'
import { begin } from '../../../src/db/client.ts'
import { WriteConflict } from '../../../src/lib/batches/write-conflict.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { freshReference } from '../../api/bills/buyer.ts'
import { buildTestApp, eventually, type TestApp } from '../../test-app.ts'
import { inParts } from '../in-parts.ts'
import { learntVend } from '../vends.ts'

let testApp: TestApp
let account: number
beforeAll(async () => {
  testApp = await buildTestApp()
  account = (await findBillWallet(testApp.db, testApp.organization))!.id
})
afterAll(() => testApp.close())

const PRICE = parseAmount('1000')!
const SOLD: VendNews = {
  outcome: 'successful',
  remote_id: '77',
  vended: {
    token: '01234567890123456789',
    amount_of_power: null,
    pins: [],
    provider_message: 'OK',
    raw_output: null,
    more: {},
  },
}
const REFUSED: VendNews = { outcome: 'failed', reason: 'declined', message: 'No.' }

const newPurchase = (fields: Partial<NewPurchase> = {}): NewPurchase => ({
  organization: testApp.organization,
  account,
  agent_reference: freshReference(),
  agent_id: '207',
  biller: 'sandbox',
  kind: 'electricity',
  service_type: 'ikeja_electric_prepaid',
  account_number: '04042404048',
  phone: '08031234567',
  amount: parseAmount('1000')!,
  details: { prepaid: true, tariff: parseAmount('66.9')! },
  scenario: null,
  metadata: { order: 7 },
  author: 1,
  pin: null,
  ...fields,
})
const createOnce = (...inputs: NewPurchase[]) =>
  begin(testApp.db, (tx) => createPurchases(tx, testApp.clock.now(), inputs))
const create = (...inputs: NewPurchase[]) =>
  inParts(testApp.db, inputs, (tx, part) => createPurchases(tx, testApp.clock.now(), part))
const createAll = async (count: number): Promise<Purchase[]> => {
  const made = await create(...Array.from({ length: count }, () => newPurchase({ amount: PRICE })))
  return [
    ...(
      await findPurchasesById(
        testApp.db,
        made.flatMap((one) => (one.ok ? [one.value] : [])),
      )
    ).values(),
  ]
}
const wallet = async () => (await findBillWallet(testApp.db, testApp.organization))!.balance

describe('creating purchases', () => {
  it('stores all fields, including the amounts in details, and holds the money', async () => {
    const before = await wallet()
    const one = newPurchase()
    const [made] = await create(one)
    if (!made?.ok) throw new Error('It was refused.')
    const { author: _, pin: __, ...kept } = one
    const found = await findPurchase(testApp.db, testApp.organization, { agent_reference: one.agent_reference })
    expect(found).toMatchObject({ ...kept, id: made.value, status: 'pending', outcome: null, sent: null })
    expect(found!.reference).toMatch(/^KB[0-9a-f]{32}$/)
    expect(before - (await wallet())).toBe(one.amount)
  })

  it('accepts the first of two duplicates in one batch, and all other purchases', async () => {
    const [one, other] = [newPurchase(), newPurchase()]
    const made = await create(one, { ...one, amount: 1n }, other, one)
    expect(made.map((each) => each.ok)).toEqual([true, false, true, false])
    expect(made[1]).toMatchObject({ error: { code: 'BX0023' } })
    const [first] = made
    if (!first?.ok) throw new Error('It was refused.')
    expect((await findPurchasesById(testApp.db, [first.value])).get(first.value)!.amount).toBe(one.amount)
  })

  it('accepts one of many duplicates in separate batches, and holds its money once', async () => {
    const before = await wallet()
    const one = newPurchase()
    const made = await Promise.all(Array.from({ length: 50 }, () => create(one)))
    expect(made.flat().filter((each) => each.ok)).toHaveLength(1)
    expect(before - (await wallet())).toBe(one.amount)
  })

  it('writes nothing of a batch when another transaction uses one of its references first', async () => {
    const before = await wallet()
    const [taken, free] = [newPurchase(), newPurchase()]
    const batch = await begin(testApp.db, async (tx) => {
      await createPurchases(tx, testApp.clock.now(), [taken])
      const waiting = createOnce(free, taken).catch((error: unknown) => error)
      await eventually('the batch to wait for the reference', async () => {
        const [blocked] = await testApp.db`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return blocked
      })
      return { waiting }
    })
    expect(await batch.waiting).toBeInstanceOf(WriteConflict)
    expect(before - (await wallet())).toBe(taken.amount)
    const { agent_reference } = free
    expect(await findPurchase(testApp.db, testApp.organization, { agent_reference })).toBeUndefined()
    expect((await create(free, taken)).map((each) => each.ok)).toEqual([true, false])
    expect(before - (await wallet())).toBe(taken.amount + free.amount)
    expect(await checkHolds(testApp.db)).toEqual([])
    expect(await checkLedger(testApp.db)).toEqual([])
  })

  it('causes no deadlock between batches with the same references in different orders', async () => {
    const inputs = Array.from({ length: 20 }, () => newPurchase({ amount: 10_000n }))
    const all = await Promise.all(
      [inputs, inputs.toReversed(), inputs, inputs.toReversed()].map((each) => create(...each)),
    )
    expect(all.flat().filter((each) => each.ok)).toHaveLength(20)
  })

  it('refuses a whole batch if the money is not enough, and writes nothing', async () => {
    const before = await wallet()
    const [small, large] = [newPurchase(), newPurchase({ amount: before })]
    await expect(createOnce(small, large)).rejects.toMatchObject({ code: 'EXC00102' })
    expect(await wallet()).toBe(before)
    for (const { agent_reference } of [small, large])
      expect(await findPurchase(testApp.db, testApp.organization, { agent_reference })).toBeUndefined()
  })

  it('sells exactly what the balance suffices for, while answers settle and release other purchases of the wallet', async () => {
    const open = await createAll(40)
    const before = await wallet()
    const price = before / 8n
    const answers = await Promise.all(
      open.map(({ id }, index) => learntVend(testApp.db, id, index % 2 === 0 ? SOLD : REFUSED)),
    )
    const batches = Array.from({ length: 8 }, (_, index) => answers.slice(index * 5, index * 5 + 5))
    const settleBatch = (batch: typeof answers) => begin(testApp.db, (tx) => settle(tx, testApp.clock.now(), batch))
    const [created] = await Promise.all([
      Promise.all(Array.from({ length: 16 }, () => create(newPurchase({ amount: price })))),
      ...[...batches, ...batches.toReversed()].map(settleBatch),
    ])
    const released = 20n * PRICE
    // The money released meanwhile does not suffice for one more.
    expect(released + 8n).toBeLessThan(price)
    expect(created.flat().filter(({ ok }) => ok)).toHaveLength(8)
    expect(await wallet()).toBe(before + released - 8n * price)
    expect(await checkHolds(testApp.db)).toEqual([])
    expect(await checkLedger(testApp.db)).toEqual([])
  })

  it('keeps the references of organizations apart', async () => {
    const one = newPurchase()
    await create(one)
    const other = await begin(testApp.db, (tx) => createOrganization(tx, testApp.clock.now(), 'Another shop'))
    expect(await findPurchase(testApp.db, other.id, { agent_reference: one.agent_reference })).toBeUndefined()
    expect(await listPurchases(testApp.db, { organization: other.id }, 10)).toEqual([])
  })
})

describe('the result of a purchase', () => {
  it('is the same in the response and in the event, which also contains the purchase', async () => {
    const [made] = await create(newPurchase())
    if (!made?.ok) throw new Error('It was refused.')
    const vended = {
      token: '01234567890123456789',
      amount_of_power: '13.9KWH',
      pins: [],
      provider_message: 'OK',
      raw_output: { status: 'ACCEPTED' },
      more: { resetToken: '98765432109876543210' },
    }
    const learnt = await learntVend(testApp.db, made.value, { outcome: 'successful', remote_id: '77', vended })
    await begin(testApp.db, (tx) => settle(tx, testApp.clock.now(), [learnt]))
    const settled = (await findPurchasesById(testApp.db, [made.value])).get(made.value)!
    expect(toBillResult(settled)).toEqual({
      statusCode: '0',
      transactionStatus: 'success',
      transactionReference: made.value,
      transactionMessage: 'Payment Successful',
      baxiReference: 77,
      provider_message: 'OK',
      tokenCode: vended.token,
      creditToken: vended.token,
      tokenAmount: 1000,
      amountOfPower: '13.9KWH',
      rawOutput: vended.raw_output,
      resetToken: vended.more.resetToken,
    })
    expect(toBillEventData(settled)).toMatchObject({
      ...toBillResult(settled),
      id: made.value,
      agentReference: settled.agent_reference,
      metadata: { order: 7 },
      status: 'success',
    })
  })
})

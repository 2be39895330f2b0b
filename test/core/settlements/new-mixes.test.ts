import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPurchases, type NewPurchase } from '../../../src/core/bills/purchases.ts'
import type { BillRefusal } from '../../../src/core/bills/refusals.ts'
import { findBillWallet } from '../../../src/core/bills/wallets.ts'
import { createCollectionRequests, type NewCollectionRequest } from '../../../src/core/collections/requests.ts'
import { createDuplicateKeyClaim } from '../../../src/core/idempotency.ts'
import { fundAccount } from '../../../src/core/ledger/accounts.ts'
import { checkHolds } from '../../../src/core/ledger/holds.ts'
import { checkLedger } from '../../../src/core/ledger/transfers.ts'
import { createPayments, type NewPayment } from '../../../src/core/payments/create.ts'
import { startPayouts } from '../../../src/core/payments/payouts.ts'
import { Duplicate, Invalid } from '../../../src/core/refusals.ts'
import { setApprovalRule } from '../../../src/core/spending/approval-rules.ts'
import { setPaymentLimits } from '../../../src/core/spending/limits.ts'
import { begin, type Reader, type Tx } from '../../../src/db/client.ts'
import type { ItemResult } from '../../../src/lib/batches/batch.ts'
import { inParts } from '../in-parts.ts'
import { SENDERS } from '../payouts.ts'
import { amount, NETWORK, openShop, type Shop } from '../shop.ts'

/*
 * All that tests need to know about batches of new requests, payments and purchases, and of payouts that start: any mix
 * makes what each would make alone, one after the other.
 */

let shop: Shop
let accounts: Record<'BXC' | 'NGN', number>
const DAY_S = 24 * 60 * 60

beforeAll(async () => {
  shop = await openShop()
  const { organization } = shop
  accounts = { BXC: (await shop.wallet()).id, NGN: (await findBillWallet(shop.db, organization))!.id }
  for (const currency of ['BXC', 'NGN'])
    await begin(shop.db, async (tx) => {
      const limits = { per_day: amount('1000'), per_recipient: amount('500'), per_user: null }
      await setPaymentLimits(tx, { organization, currency, ...limits })
      await setApprovalRule(tx, { organization, currency, threshold: amount('300') })
    })
})
afterAll(() => shop.close())

/** Member of a mix: its Duplicate-Check-Key or reference, its customer, its amount, and whether it has a fault of its own. */
interface Draw {
  key: number
  customer: number
  amount: number
  is_faulty: boolean
}
const anyMix = fc.array(
  fc.record({
    key: fc.nat(6),
    customer: fc.nat(2),
    amount: fc.constantFrom(100, 200, 400, 700),
    is_faulty: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
)
/** Keys above this are none. */
const KEYS = 4

interface Room {
  /** Its type in the table of keys. */
  type: string
  create(tx: Tx, draws: readonly Draw[]): Promise<ItemResult<number>[]>
  /** The rows of a side as they are now, and all that belongs to them, without ids. */
  read(db: Reader, ids: readonly number[]): Promise<unknown>
}

/** Number of the present side, which makes its keys and customers its own. */
let side = 0
const claimOf = ({ key }: Draw) =>
  key < KEYS ? { claim: createDuplicateKeyClaim(shop.organization, `${side} ${key}`) } : {}
const phoneOf = ({ customer }: Draw) => `+80000${String(side * 10 + customer).padStart(6, '0')}`
const idsOf = <Made extends { id: number }>(results: readonly ItemResult<Made>[]): ItemResult<number>[] =>
  results.map((one) => (one.ok ? { ok: true, value: one.value.id } : one))

function toPayment(draw: Draw): NewPayment {
  const { organization } = shop
  const account = accounts.BXC
  const sum = amount(`${draw.amount}`)
  const network = draw.is_faulty ? { ...NETWORK, slug: 'gone' } : NETWORK
  const recipient = { phonenumber: phoneOf(draw), amount: sum, network, description: '', metadata: {} }
  return {
    organization,
    author: 1,
    purpose: 'payment',
    collection: null,
    payment_type: 'money',
    amount: sum,
    currency: 'BXC',
    account,
    source: account,
    description: '',
    metadata: {},
    send_sms_message: false,
    start_date: null,
    recipients: [{ ...recipient, national_id: null, national_id_type: null }],
    ...claimOf(draw),
  }
}

const rooms: Record<'request' | 'payment' | 'purchase', Room> = {
  request: {
    type: 'collectionrequest',
    async create(tx, draws) {
      const items = draws.map((draw): NewCollectionRequest => {
        const name = draw.amount > 300 ? { first_name: `Jane ${draw.amount}`, last_name: 'Doe' } : {}
        const changes = { phonenumber: phoneOf(draw), amount: amount(`${draw.amount}`), ...name, ...claimOf(draw) }
        return shop.requestInput({ ...changes, ...(draw.is_faulty && { currency: 'XYZ' }) })
      })
      return idsOf(await createCollectionRequests(tx, shop.now(), items))
    },
    read: (db, ids) => db`
      select r.amount, r.status, r.account, c.first_name, c.last_name, o.due_at is not null as due,
        (select count(*) from events e where e.type = 'contact.created' and e.object = c.id) as events
      from collection_requests r join contacts c on c.id = r.contact
      left join open_collection_requests o on o.collection_request = r.id
      where r.id = any(${[...ids]}::bigint[]) order by r.id`,
  },
  payment: {
    type: 'payment',
    create: async (tx, draws) => idsOf(await createPayments(tx, shop.now(), draws.map(toPayment))),
    read: (db, ids) => db`
      select p.amount, p.state, p.approvals_required, r.amount as part, r.due_at is not null as due, c.first_name,
        (select array_agg(t.to_state order by t.id) from payment_transitions t where t.payment = p.id) as moves,
        (select array_agg(e.status order by e.id) from events e
          where e.type = 'payment.status.changed' and e.object = p.id) as events
      from payments p join payment_recipients r on r.payment = p.id join contacts c on c.id = r.contact
      where p.id = any(${[...ids]}::bigint[]) order by p.id`,
  },
  purchase: {
    type: 'billpayment',
    async create(tx, draws) {
      const { organization } = shop
      const items = draws.map((draw): NewPurchase => {
        const own = draw.is_faulty ? '' : `-${draw.customer}-${draw.amount}`
        const agent_reference = `R${side}-${draw.key}${own}`
        return {
          organization,
          account: accounts.NGN,
          agent_reference,
          agent_id: null,
          biller: 'sandbox',
          kind: 'electricity',
          service_type: 'ikeja_electric_prepaid',
          account_number: `${phoneOf(draw).slice(1)}`,
          phone: '08031234567',
          amount: amount(`${draw.amount}`),
          details: { prepaid: true },
          scenario: null,
          metadata: {},
          author: 1,
          pin: null,
          ...claimOf(draw),
        }
      })
      return createPurchases(tx, shop.now(), items)
    },
    read: (db, ids) => db`
      select p.amount, p.fee, p.status, p.approvals_required, o.state, o.due_at is not null as due, o.attempt
      from bill_purchases p join network_orders o on o.bill_purchase = p.id
      where p.id = any(${[...ids]}::bigint[]) order by p.id`,
  },
}

/** Gives each wallet 900, forgets yesterday's sums and keys, and begins a side. */
async function beginSide(): Promise<void> {
  side += 1
  shop.testApp.clock.advance(DAY_S)
  for (const account of Object.values(accounts)) {
    const [row] = await shop.db<{ balance: bigint }[]>`select balance from accounts where id = ${account}`
    const change = amount('900') - row!.balance
    if (change !== 0n)
      await begin(shop.db, (tx) => fundAccount(tx, shop.now(), { account, amount: change, description: '', author: 1 }))
  }
}

/** Reads what a side has made: its outcomes, its rows, its keys, and the balances of its wallets. */
async function readSide(room: Room, results: readonly ItemResult<number>[]) {
  const ids = results.flatMap((one) => (one.ok ? [one.value] : []))
  const outcomes = results.map((one) => {
    if (one.ok) return 'made'
    if (one.error instanceof Duplicate)
      return `like ${results.findIndex((other) => other.ok && other.value === (one.error as Duplicate).id)}`
    // A payment that both its wallet and a limit refuse may name either.
    return one.error instanceof Invalid ? Object.keys(one.error.fields) : (one.error as BillRefusal).code
  })
  const [keys] = await shop.db<
    { count: number }[]
  >`select count(*) from idempotency_keys where type = ${room.type} and object = any(${ids}::bigint[])`
  const [unlinked] = await shop.db<{ count: number }[]>`select count(*) from idempotency_keys where object = 0`
  const balances =
    await shop.db`select balance from accounts where id = any(${Object.values(accounts)}::bigint[]) order by id`
  return { outcomes, rows: await room.read(shop.db, ids), keys, unlinked, balances }
}

it.each(['request', 'payment', 'purchase'] as const)('any mix of new %ss makes what each makes alone', async (name) => {
  const room = rooms[name]
  await fc.assert(
    fc.asyncProperty(anyMix, async (mix) => {
      await beginSide()
      const together = await readSide(room, await inParts(shop.db, mix, room.create))
      await beginSide()
      const alone: ItemResult<number>[] = []
      for (const draw of mix) alone.push(...(await inParts(shop.db, [draw], room.create)))
      expect(together).toEqual(await readSide(room, alone))
    }),
    { numRuns: 25 },
  )
  expect([...(await checkLedger(shop.db)), ...(await checkHolds(shop.db))]).toEqual([])
})

/** Recipients of a side: two of a payment, one that has a date, one that waits for approval, and one that was stopped. */
const RECIPIENTS = 5

/** Makes payments whose recipients are due. @returns the ids of the recipients */
async function makeRecipients(): Promise<number[]> {
  await beginSide()
  const payment = (sum: number) => toPayment({ key: KEYS, customer: 0, amount: sum, is_faulty: false })
  const items = [
    { ...payment(20), amount: amount('20'), recipients: [payment(10).recipients, payment(10).recipients].flat() },
    { ...payment(10), start_date: shop.now() },
    payment(400),
    payment(10),
  ]
  const made = await begin(shop.db, (tx) => createPayments(tx, shop.now(), items))
  const ids = made.flatMap((one) => (one.ok ? [one.value.id] : []))
  const recipients = await shop.db<{ id: number }[]>`
    select id from payment_recipients where payment = any(${ids}::bigint[]) order by id`
  await shop.db`update payment_recipients set state = 'aborted', due_at = null where id = ${recipients.at(-1)!.id}`
  return recipients.map(({ id }) => id)
}

it('any mix of due recipients starts what each starts alone', async () => {
  const start = (recipients: readonly number[], connected: boolean) =>
    inParts(shop.db, recipients, async (tx, part) => {
      await startPayouts(tx, shop.now(), part, connected ? SENDERS : new Map())
      return part.map((value) => ({ ok: true, value }))
    })
  const read = (recipients: readonly number[]) => shop.db`
    select p.state as payment, r.state, r.last_error, r.due_at is not null as due, r.sent_at is not null as sent,
      (select count(*) from network_orders o where o.payment_recipient = r.id) as orders,
      (select array_agg(t.to_state order by t.id) from payment_transitions t where t.payment = p.id) as moves,
      (select array_agg(e.status order by e.id) from events e
        where e.type = 'payment.status.changed' and e.object = p.id) as events
    from payment_recipients r join payments p on p.id = r.payment
    where r.id = any(${[...recipients]}::bigint[]) order by r.id`
  const anyDue = fc.array(fc.nat(RECIPIENTS - 1), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(anyDue, fc.boolean(), async (mix, connected) => {
      const [together, alone] = [await makeRecipients(), await makeRecipients()]
      expect(together).toHaveLength(RECIPIENTS)
      const ended = await start(
        mix.map((index) => together[index]!),
        connected,
      )
      for (const index of mix) await start([alone[index]!], connected)
      expect(ended.every(({ ok }) => ok)).toBe(true)
      expect(await read(together)).toEqual(await read(alone))
    }),
    { numRuns: 15 },
  )
})

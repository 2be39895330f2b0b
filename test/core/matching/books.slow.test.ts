import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cancelRequest } from '../../../src/core/collections/actions.ts'
import type { IncomingPaymentReport } from '../../../src/core/collections/incoming-payments.ts'
import { checkLedger } from '../../../src/core/ledger/transfers.ts'
import { overpaymentRules } from '../../../src/core/matching/decide.ts'
import { setMatchingSettings } from '../../../src/core/matching/settings.ts'
import { Refusal } from '../../../src/core/refusals.ts'
import { begin } from '../../../src/db/client.ts'
import { openInvoiceShop } from '../invoices/invoice-shop.ts'
import { amount } from '../shop.ts'
import { matchByHand } from './match-by-hand.ts'

/*
 * Whatever payers type and people do, in whatever order: no invoice has more than its total, no money is for two things, and
 * nothing is asked for while money waits. Few customers and sums, so that everything collides with everything.
 */

const SUMS = ['100', '200', '300']

const which = fc.nat(3)
const deed = fc.oneof(
  fc.record({ deed: fc.constant('issue' as const), who: fc.nat(1), sum: fc.nat(2) }),
  fc.record({
    deed: fc.constant('pay' as const),
    who: fc.nat(1),
    sum: fc.nat(2),
    names: fc.constantFrom('nothing', 'an invoice', 'two invoices', 'nobody knows'),
    which,
    counted: fc.boolean(),
  }),
  fc.record({ deed: fc.constant('collect' as const), which }),
  fc.record({ deed: fc.constant('pay the request' as const), which }),
  fc.record({ deed: fc.constant('cancel the request' as const), which }),
  fc.record({ deed: fc.constant('take back' as const), which, part: fc.boolean() }),
  fc.record({ deed: fc.constant('match by hand' as const), which, other: which }),
  fc.record({ deed: fc.constant('end an allocation' as const), which }),
  fc.record({ deed: fc.constant('count' as const) }),
)
type Deed = typeof deed extends fc.Arbitrary<infer One> ? One : never

/** Each customer has an invoice, and one of them a prompt. */
const BEGINNING: readonly Deed[] = [
  { deed: 'issue', who: 0, sum: 1 },
  { deed: 'issue', who: 1, sum: 2 },
  { deed: 'collect', which: 0 },
]

/** The network takes back a part of an invoice, other money fills it, and then the first money is freed. */
const TAKEN_BACK_AND_FILLED: Deed[] = [
  { deed: 'issue', who: 1, sum: 0 },
  { deed: 'pay', who: 1, sum: 1, names: 'an invoice', which: 2, counted: true },
  { deed: 'pay', who: 1, sum: 2, names: 'an invoice', which: 2, counted: true },
  { deed: 'take back', which: 0, part: true },
  { deed: 'pay', who: 0, sum: 0, names: 'an invoice', which: 1, counted: true },
  { deed: 'end an allocation', which: 0 },
]

let shop: Awaited<ReturnType<typeof openInvoiceShop>>
beforeAll(async () => {
  shop = await openInvoiceShop()
})
afterAll(() => shop.close())

it('no invoice gets more than its total, and no money is for two things', async () => {
  const rules = fc.constantFrom(...overpaymentRules.filter((rule) => rule !== 'return'))
  await fc.assert(
    fc.asyncProperty(rules, fc.array(deed, { minLength: 5, maxLength: 25 }), async (rule, deeds) => {
      const world = await openWorld(rule)
      const known = deedsIn(world)
      for (const one of [...BEGINNING, ...deeds]) await (known[one.deed] as (one: Deed) => Promise<unknown>)(one)
      await shop.countMoney()
      await check(world)
    }),
    // A story of many transactions is too slow to be made shorter.
    { numRuns: 30, endOnFailure: true, examples: [['credit', TAKEN_BACK_AND_FILLED]] },
  )
}, 600_000)

/** The world of a story: two new customers, their invoices and what they paid. */
async function openWorld(overpayment: 'keep' | 'credit') {
  const { db, organization, now } = shop.shop
  await begin(db, (tx) => setMatchingSettings(tx, now(), organization, { overpayment }))
  const phones = [shop.newPhone(), shop.newPhone()]
  const invoices: { id: number; number: string }[] = []
  const payments: IncomingPaymentReport[] = []
  const match = (asked: Parameters<typeof matchByHand>[2]) => matchByHand(shop.shop.testApp.app, organization, asked)
  const invoiceAt = (index: number) => invoices[index % Math.max(invoices.length, 1)]
  const paymentAt = (index: number) => payments[index % Math.max(payments.length, 1)]
  const collectionOf = async (report: IncomingPaymentReport) => {
    const [row] = await db<
      { id: number }[]
    >`select id from collections where remote_transaction_id = ${report.remote_id}`
    return row!.id
  }
  const openRequestOf = async (id: number) => {
    const { requests } = await shop.read(id)
    return requests.find(({ status }: { status: string }) =>
      ['processing_started', 'instructions_sent', 'pending'].includes(status),
    )
  }
  const referenceOf = (names: string, index: number) => {
    const [first, second] = [invoiceAt(index), invoiceAt(index + 1)]
    if (names === 'nothing' || !first || !second) return null
    if (names === 'nobody knows') return 'INV-987654'
    return names === 'an invoice' ? first.number.toLowerCase() : `${first.number}, ${second.number}`
  }
  return {
    db,
    now,
    phones,
    invoices,
    payments,
    match,
    invoiceAt,
    paymentAt,
    collectionOf,
    openRequestOf,
    referenceOf,
  }
}
type World = Awaited<ReturnType<typeof openWorld>>

type Deeds = { [Name in Deed['deed']]: (one: Extract<Deed, { deed: Name }>) => Promise<unknown> }

/** Make the deeds of payers, people and the network. */
function deedsIn(world: World): Deeds {
  const { db, now, phones, invoices, payments, match } = world
  const { invoiceAt, paymentAt, collectionOf, openRequestOf, referenceOf } = world
  return {
    async issue({ who, sum }) {
      invoices.push(await shop.issue({ phonenumber: phones[who], lines: [{ text: 'Fees', unit_price: SUMS[sum] }] }))
    },
    async pay({ who, sum, names, which: index, counted }) {
      const reference = referenceOf(names, index)
      const report = shop.shop.paymentReport({ phonenumber: phones[who]!, amount: amount(SUMS[sum]!), reference })
      await shop.shop.ingest(report)
      payments.push(report)
      if (counted) await shop.countMoney()
    },
    async collect({ which: index }) {
      const invoice = invoiceAt(index)
      if (!invoice) return
      const { waiting_money } = await shop.read(invoice.id)
      const { status } = await shop.collect(invoice.id)
      if (waiting_money.length > 0) expect(status).toBe(400)
    },
    async 'pay the request'({ which: index }) {
      const request = invoiceAt(index) && (await openRequestOf(invoiceAt(index)!.id))
      if (!request) return
      const report = shop.shop.paymentReport({ phonenumber: request.phonenumber, amount: amount(request.amount) })
      await shop.shop.ingest(report)
      payments.push(report)
    },
    async 'cancel the request'({ which: index }) {
      const request = invoiceAt(index) && (await openRequestOf(invoiceAt(index)!.id))
      if (request)
        await begin(db, (tx) => cancelRequest(tx, now(), { request: request.id, by: { user: null, name: 'Grace' } }))
    },
    async 'take back'({ which: index, part }) {
      const report = paymentAt(index)
      if (!report) return
      const reversals = [{ remote_id: `${report.remote_id}-R`, amount: amount('50') }]
      await shop.shop.ingest(part ? { ...report, reversals } : { ...report, status: 'reversed' })
    },
    async 'match by hand'({ which: index, other }) {
      const [report, invoice] = [paymentAt(index), invoiceAt(other)]
      if (!report || !invoice) return
      const collection = await collectionOf(report)
      await unlessRefused(match({ collection, parts: [{ target: { invoice: invoice.id } }] }))
    },
    async 'end an allocation'({ which: index }) {
      const report = paymentAt(index)
      if (!report) return
      const collection = await collectionOf(report)
      const [found] = await db<{ id: number }[]>`
        select id from allocations where collection = ${collection} and ended is null order by id limit 1`
      if (found) await match({ collection, parts: [], instead_of: found.id })
    },
    count: () => shop.countMoney(),
  }
}

/** No invoice has more than its total, and no money is for two things. */
async function check({ db, invoices }: World): Promise<void> {
  for (const { id } of invoices) {
    const { total, amount_paid, state } = await shop.read(id)
    expect(amount(amount_paid), `invoice ${id}`).toBeLessThanOrEqual(amount(total))
    expect(state).toBe(amount_paid === total ? 'paid' : 'issued')
  }
  const wrong = await db`
    select c.id from collections c
    left join lateral (select sum(amount) as total from allocations a where a.collection = c.id and a.ended is null) a on true
    where c.allocated <> coalesce(a.total, 0) or (c.allocated > 0 and c.collection_request is not null)`
  expect(wrong).toEqual([])
  expect(await checkLedger(db)).toEqual([])
}

/** A refusal changes nothing, and the story goes on. */
async function unlessRefused(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

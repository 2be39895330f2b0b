import { networkName, networksForInvoices } from '../../../src/connections/invoice-networks.ts'
import { findPaymentLink } from '../../../src/core/checkout/payment-links.ts'
import { cancelRequest } from '../../../src/core/collections/actions.ts'
import { collectInvoice } from '../../../src/core/invoices/collecting.ts'
import { createDraft } from '../../../src/core/invoices/drafts.ts'
import { issueInvoice } from '../../../src/core/invoices/issuing.ts'
import { actOnInvoices } from '../../../src/core/invoices/many.ts'
import { newInvoiceBody, readCustomer, toDraft } from '../../../src/core/invoices/new-invoice.ts'
import { openPayLink } from '../../../src/core/invoices/pay-links.ts'
import { lockSettled, voidInvoice } from '../../../src/core/invoices/states.ts'
import { overpaymentRules } from '../../../src/core/matching/decide.ts'
import { setMatchingSettings } from '../../../src/core/matching/settings.ts'
import { begin } from '../../../src/db/client.ts'
import { createFormTokens } from '../../../src/pay/form-tokens.ts'
import { startPayment } from '../../../src/pay/start-payment.ts'
import { SECRET } from '../process.ts'
import { type ChooseDeed, customerOf, type Deed, type Desk, optionsOf, pickInvoice, shopOf } from './desk.ts'
import { endAllocation, giveMoney, moveMoney, returnMoney } from './people.ts'

/** Deeds with invoices, and their frequencies. */
export const invoiceDeeds: [weight: number, choose: ChooseDeed][] = [
  [8, async (desk) => makeInvoice(desk)],
  [7, collect],
  [4, payOnPage],
  [3, remind],
  [2, cancel],
  [2, voidOne],
  [1, changeRule],
  [5, giveMoney],
  [3, moveMoney],
  [3, endAllocation],
  [2, returnMoney],
]

/** Prices of invoices: few, so that amounts coincide, also with requests without an invoice. */
const PRICES = ['100', '250.5', '60']
const Body = newInvoiceBody(['BXC'])
const TOKENS = createFormTokens(SECRET)
/** The draft is made in one transaction and issued in another one. */
export function makeInvoice({ app, random, customers }: Desk): Deed {
  const { shop, contact, number } = random.pick(customers)
  const lines = random.pick([[random.pick(PRICES)], [random.pick(PRICES), random.pick(PRICES)]])
  const body = Body.parse({
    contact,
    currency: 'BXC',
    lines: lines.map((unit_price) => ({ text: 'Fees', unit_price })),
    due_date: random.pick(['2 days', '5 days', '14 days']),
    reminder_days: random.pick([[], [-2], [-5, -2]]),
    reminder_prompts: random.chance(0.7),
    min_part: random.pick([undefined, '20']),
  })
  const author = { organization: shop.organization, user: shop.user }
  return {
    name: `an invoice of ${lines.join(' and ')} for ${number}`,
    async run() {
      const now = app.clock.now()
      const draft = { ...toDraft(body, { now, time_zone: 'UTC' }), customer: readCustomer(body)! }
      const id = await begin(app.db, (tx) =>
        createDraft(tx, now, author, draft, ({ number: phonenumber }) =>
          networkName(app.connections, { organization: shop.organization, currency: 'BXC', phonenumber }),
        ),
      )
      await begin(app.db, (tx) => issueInvoice(tx, id, { ...optionsOf(app), user: shop.user }))
    },
  }
}

async function collect(desk: Desk): Promise<Deed | undefined> {
  const { app, random } = desk
  const invoice = await pickInvoice(desk)
  if (!invoice) return undefined
  const author = shopOf(desk, invoice).user
  const amount = random.chance(0.2) && invoice.open > 200_000n ? 200_000n : undefined
  return {
    name: `the request of ${amount ?? 'all'} of invoice ${invoice.id}`,
    run: () =>
      begin(app.db, (tx) => {
        const chooseNetwork = networksForInvoices(app.connections)
        return collectInvoice(tx, invoice.id, { ...optionsOf(app), chooseNetwork, author, amount })
      }),
  }
}

/** The customer opens the page of the invoice, and sends its form, sometimes twice. */
async function payOnPage(desk: Desk): Promise<Deed | undefined> {
  const { app, random } = desk
  const invoice = await pickInvoice(desk)
  if (!invoice) return undefined
  const phone = random.pick(customerOf(desk, invoice).phones)
  const twice = random.chance(0.3)
  return {
    name: `${phone} on the page of invoice ${invoice.id}`,
    async run() {
      const options = optionsOf(app)
      const id = await begin(
        app.db,
        async (tx) => (await openPayLink(tx, options.now, await lockSettled(tx, invoice.id, options)))?.id,
      )
      const link = id === undefined ? undefined : await findPaymentLink(app.db, options.now, id)
      if (!link) return
      const form = TOKENS.create(link.token, app.clock.real())
      const values = { amount: link.amount === null ? '20' : '', phone, fields: {}, form, previous: '', trap: '' }
      const from = { address: '192.0.2.1', origin: { request_id: null, traceparent: null } }
      await startPayment(app, TOKENS, link, values, from)
      if (twice) await startPayment(app, TOKENS, link, values, from)
    },
  }
}

async function remind(desk: Desk): Promise<Deed | undefined> {
  const { app } = desk
  const invoice = await pickInvoice(desk)
  if (!invoice) return undefined
  const { user } = shopOf(desk, invoice)
  return {
    name: `the reminder of invoice ${invoice.id}`,
    run: () =>
      begin(app.db, (tx) => actOnInvoices(tx, 'remind', [invoice.id], { ...optionsOf(app), user, reason: '' })),
  }
}

async function cancel(desk: Desk): Promise<Deed | undefined> {
  const { app, random, observer } = desk
  const found = await observer<{ id: number }[]>`
    select r.id from invoice_requests i join collection_requests r on r.id = i.request
    where r.status in ('pending', 'processing_started', 'instructions_sent') order by r.id`
  if (found.length === 0) return undefined
  const request = random.pick(found).id
  return {
    name: `the end of request ${request}`,
    run: () =>
      begin(app.db, (tx) => cancelRequest(tx, app.clock.now(), { request, by: { user: null, name: 'Grace' } })),
  }
}

async function voidOne(desk: Desk): Promise<Deed | undefined> {
  const { app } = desk
  const invoice = await pickInvoice(desk)
  if (!invoice) return undefined
  const { user } = shopOf(desk, invoice)
  return {
    name: `the void of invoice ${invoice.id}`,
    run: () => begin(app.db, (tx) => voidInvoice(tx, invoice.id, { ...optionsOf(app), user, reason: 'A mistake' })),
  }
}

async function changeRule({ app, random, customers }: Desk): Promise<Deed> {
  const { organization } = random.pick(customers).shop
  const overpayment = random.pick(overpaymentRules)
  return {
    name: `shop ${organization} to ${overpayment} what is too much`,
    run: () => begin(app.db, (tx) => setMatchingSettings(tx, app.clock.now(), organization, { overpayment })),
  }
}

import { linkStates, PaymentLink, withUrl } from '../../core/checkout/payment-link.ts'
import { findPaymentLink, linkFilters, listPaymentLinks } from '../../core/checkout/payment-links.ts'
import { Receipt } from '../../core/receipts/receipt.ts'
import { listReceipts, receiptFilters, receiptsById } from '../../core/receipts/receipts.ts'
import { byTimes } from '../../http/lists.ts'
import { displayAmount, parseAmount } from '../../lib/money.ts'
import { list, ownerOf } from './list.ts'

export const paymentLinkList = list({
  name: 'payment links',
  permission: 'view',
  filters: linkFilters,
  order: byTimes,
  view: PaymentLink,
  async read(db, { app, ...asked }) {
    const { rows, count } = await listPaymentLinks(db, asked.now, ownerOf(asked), asked.filters, asked.page)
    return { rows: rows.map((row) => withUrl(row, app.address.url)), count }
  },
  one: {
    async find(db, { app, now, id }) {
      const found = await findPaymentLink(db, now, id)
      return found && withUrl(found, app.address.url)
    },
    operation: 'getPaymentLink',
    summary: 'Get one payment link',
    description: 'Returns the payment link with its address and state.',
  },
  api: {
    path: '/paymentlinks',
    tag: 'Payment links',
    operation: 'listPaymentLinks',
    summary: 'List payment links',
    description: 'Returns your payment links with their addresses and states.',
  },
}).withCommand({
  path: 'links list',
  description: 'list the newest payment links',
  organization: 'each',
  typed: { state: ['--state <state>', 'only those in this state'] },
  choices: { state: linkStates },
  limit: 'how many for each organization',
  none: 'There are no such payment links. POST /api/paymentlinks and the console create them.',
  columns: {
    id: 'id',
    title: 'title',
    currency: 'currency',
    amount: describeAmount,
    use: ({ single_use }) => (single_use ? 'once' : 'many times'),
    state: 'state',
    url: 'url',
  },
})

/** The amount of a link, such as `1,500`, `1,000 to 5,000` or `1,000, 2,000`. */
function describeAmount({ amount, min_amount, max_amount, amounts }: PaymentLink): string {
  if (amount !== null) return displayAmount(amount)
  if (amounts !== null) return amounts.map((one) => displayAmount(parseAmount(one)!)).join(', ')
  return `${displayAmount(min_amount!)} to ${displayAmount(max_amount!)}`
}

export const receiptList = list({
  name: 'receipts',
  permission: 'view',
  filters: receiptFilters,
  order: byTimes,
  view: Receipt,
  read: (db, asked) => listReceipts(db, ownerOf(asked), asked.filters, asked.page, asked.app.address.url),
  one: {
    find: async (db, { app, id }) => (await receiptsById(db, [id], app.address.url)).get(id),
    operation: 'getReceipt',
    summary: 'Get one receipt',
    description: 'Returns the receipt with its addresses and its present state.',
  },
  api: {
    path: '/receipts',
    tag: 'Receipts',
    operation: 'listReceipts',
    summary: 'List receipts',
    description: 'Returns your receipts with their addresses.',
  },
}).withCommand({
  path: 'receipts list',
  description: 'list the newest receipts',
  organization: 'each',
  typed: {
    number: ['--number <number>', 'only this one, such as R-000012'],
    phonenumber: ['--phonenumber <number>', 'only those of this phone'],
  },
  limit: 'how many for each organization',
  none: 'There are no such receipts. `receipts issue` makes one; `receipts automatic` has one made for every payment.',
  columns: {
    id: 'id',
    number: 'number',
    amount: ({ amount, currency }) => `${currency} ${displayAmount(amount)}`,
    phonenumber: 'phonenumber',
    state: 'state',
    collection: 'collection',
    sent: ({ sends }) => sends.map(({ channel, state }) => `${channel} ${state}`).join(', '),
    url: 'url',
  },
})

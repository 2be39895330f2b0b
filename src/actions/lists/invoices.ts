import { CustomerSum, customerSumFilters, sumByCustomer } from '../../core/invoices/customer-sums.ts'
import { Invoice, invoiceStates } from '../../core/invoices/invoice.ts'
import { invoiceFilters, invoicesById, listInvoices } from '../../core/invoices/invoices.ts'
import { byColumns } from '../../http/lists.ts'
import { displayAmount } from '../../lib/money.ts'
import { type ListRequest, list, ownerOf } from './list.ts'

/** Return the time of reading and the address of the invoices' pages. */
const readOptions = ({ app, now }: Pick<ListRequest<unknown>, 'app' | 'now'>) => ({ now, base_url: app.address.url })

const money = (currency: string | null, amount: bigint) => (currency ? `${currency} ${displayAmount(amount)}` : '')

export const invoiceList = list({
  name: 'invoices',
  permission: 'view',
  filters: invoiceFilters,
  order: { ...byColumns, amount: 'total' },
  view: Invoice,
  source: 'primary',
  read: (db, asked) => listInvoices(db, ownerOf(asked), asked.filters, asked.page, readOptions(asked)),
  one: {
    find: async (db, asked) => (await invoicesById(db, [asked.id], readOptions(asked))).get(asked.id),
    operation: 'getInvoice',
    summary: 'Get one invoice',
    description: 'Returns the invoice with its lines, sums, payments and reminders.',
  },
  api: {
    path: '/invoices',
    tag: 'Invoices',
    operation: 'listInvoices',
    summary: 'List invoices',
    description: 'Returns your invoices with their sums, payments and reminders.',
  },
}).withCommand({
  path: 'invoices list',
  description: 'list the newest invoices',
  organization: 'each',
  typed: {
    tag: ['--tag <tag>', 'only for customers with this tag, such as a class'],
    customer_number: ['--customer <number>', 'only for the customer with this number'],
    batch: ['--batch <id>', 'only of this batch, as `invoices batches` shows it'],
    state: ['--state <state>', 'only in this state'],
    number: ['--number <number>', 'only this one, such as INV-000012'],
    overdue: ['--overdue', 'only those that are overdue'],
    phonenumber: ['--phonenumber <number>', 'only those of this customer'],
  },
  choices: { state: [...invoiceStates, 'part', 'unpaid'] },
  limit: 'how many for each organization',
  none: 'There are no such invoices. The console and the API make them.',
  columns: {
    id: 'id',
    number: ({ number }) => number ?? 'draft',
    state: ({ state, overdue }) => (overdue ? `${state}, overdue` : state),
    total: ({ total, currency }) => money(currency, total),
    open: ({ amount_open, currency }) => money(currency, amount_open),
    due: 'due_date',
    customer: ({ customer_number }) => customer_number ?? '',
    tags: ({ tags }) => tags.join(', '),
    phonenumber: 'phonenumber',
    url: ({ url }) => url ?? '',
  },
})

export const customerSumList = list({
  name: 'customers with a tag',
  permission: 'view',
  filters: customerSumFilters,
  view: CustomerSum,
  read: (db, asked) => {
    const { limit, offset } = asked.page
    return sumByCustomer(db, ownerOf(asked), asked.filters, { now: asked.now, limit, offset })
  },
  api: {
    path: '/invoices/customers',
    tag: 'Invoices',
    operation: 'listInvoiceCustomers',
    summary: 'List the customers with a tag, with amounts paid and owed',
    description: 'Returns each customer with the state and the sums in each currency.',
  },
}).withCommand({
  path: 'invoices customers',
  description: 'list the customers with a tag, with amounts paid and owed',
  organization: 'one',
  typed: { tag: ['--tag <tag>', 'the tag, such as a class'] },
  limit: 'how many',
  none: 'No customer has this tag.',
  columns: {
    number: ({ customer_number }) => customer_number ?? '',
    name: 'name',
    invoiced: ({ currency, invoiced }) => money(currency, invoiced),
    paid: ({ currency, paid }) => money(currency, paid),
    open: ({ currency, open }) => money(currency, open),
    state: ({ state, overdue }) => (overdue ? `${state}, overdue` : state),
    phonenumber: 'phonenumber',
  },
})

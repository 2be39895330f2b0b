import { z } from 'zod'
import { requireOwned } from '../../core/access/organizations.ts'
import { peopleSearch } from '../../core/contacts/people-search.ts'
import { listBulkPayments, listRows, readBulkPayment, rowFilters } from '../../core/payments/bulk/read.ts'
import { BulkPayment, BulkRow } from '../../core/payments/bulk/row.ts'
import { paymentFilters } from '../../core/payments/filters.ts'
import { listPayments, Payment, paymentStates } from '../../core/payments/payments.ts'
import { listPaymentRecipients, PaymentRecipient, recipientFilters } from '../../core/payments/recipients.ts'
import { findPaymentSummaries, listPaymentSummaries, PaymentSummary } from '../../core/payments/summaries.ts'
import { typedSearch } from '../../core/typed-search/list-text.ts'
import { byColumns } from '../../http/lists.ts'
import { list, ownerOf } from './list.ts'

export const paymentList = list({
  name: 'payments',
  permission: 'view',
  filters: paymentFilters,
  people: { search: typedSearch },
  searched: 'payments',
  order: byColumns,
  view: Payment,
  read: (db, asked) => listPayments(db, ownerOf(asked), asked.filters, asked.page),
  one: { find: async (db, { id }) => (await findPaymentSummaries(db, [id])).get(id) },
  api: {
    path: '/payments',
    tag: 'Payments',
    operation: 'listPayments',
    summary: 'List payments',
    description: 'Returns your payments with their recipients.',
  },
  // Without all recipients of each payment.
  console: {
    path: '/payment-summaries',
    view: PaymentSummary,
    read: (db, asked) => listPaymentSummaries(db, ownerOf(asked), asked.filters, asked.page),
  },
}).withCommand({
  path: 'payments list',
  description: 'list the newest payments',
  organization: 'each',
  typed: {
    payment_state: ['--state <state>', 'those in one state'],
    phone_number: ['--phone <number>', 'those to one phone'],
    currency: ['--currency <code>', 'those in one currency'],
    state: ['--any-state <state>', 'those that are in one state, or have a recipient in it'],
  },
  choices: { payment_state: paymentStates },
  limit: 'how many of each organization',
  none: 'There are no payments.',
  columns: {
    id: 'id',
    organization: 'organization',
    'created (UTC)': 'created',
    state: 'state',
    currency: 'currency',
    amount: 'amount',
    to: formatRecipients,
    description: 'description',
    'last error': 'last_error',
  },
})

function formatRecipients({ phone_nos: [first, ...others] }: Payment): string {
  return others.length === 0 ? (first?.phonenumber ?? '') : `${first?.phonenumber} and ${others.length} more`
}

export const recipientList = list({
  name: 'recipients of a payment',
  permission: 'view',
  filters: {},
  people: recipientFilters,
  view: PaymentRecipient,
  async read(db, asked) {
    const payment = requireOwned(ownerOf(asked), (await findPaymentSummaries(db, [asked.id])).get(asked.id))
    return listPaymentRecipients(db, payment, asked.filters, asked.page)
  },
  console: { path: '/payments/:id/recipients' },
})

export const bulkPaymentList = list({
  name: 'files of payments',
  permission: 'view',
  filters: {},
  view: BulkPayment,
  read: (db, asked) => listBulkPayments(db, ownerOf(asked), asked.page),
  console: { path: '/bulk-payments' },
}).withCommand({
  path: 'payments imports',
  description: 'list the newest files of payments',
  organization: 'each',
  limit: 'how many of each organization',
  none: 'There are no files of payments.',
  columns: {
    id: 'id',
    organization: 'organization',
    'created (UTC)': 'created',
    file: 'file_name',
    rows: 'rows',
    paid: 'paid_rows',
    failed: 'failed_rows',
    state: 'progress',
    description: 'description',
    by: 'author_name',
    problem: 'problem',
  },
})

export const bulkRowList = list({
  name: 'rows of a file of payments',
  permission: 'view',
  filters: {},
  people: { show: z.enum(rowFilters).optional(), search: peopleSearch },
  view: BulkRow,
  async read(db, asked) {
    const bulk = { organization: ownerOf(asked), id: asked.id }
    await readBulkPayment(db, bulk.organization, bulk.id)
    return listRows(db, bulk, asked.filters, asked.page)
  },
  console: { path: '/bulk-payments/:id/rows' },
})

import { z } from 'zod'
import { column, type Row, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Amount } from '../../lib/money.ts'
import { type Language, languages } from '../../lib/text/languages.ts'
import { Allocation } from '../allocations/allocations.ts'
import type { Contact } from '../contacts/contacts.ts'
import { isPhone } from '../contacts/phones.ts'
import { formatNumber } from '../documents/series.ts'
import { amount, documented, id, timestamp, updatedBy } from '../fields.ts'
import { DocumentSend } from '../sms/document-sends.ts'
import type { Line, Tax } from './totals.ts'

/** `issued`: it waits for money. `paid`: the sum was reached. */
export const invoiceStates = ['draft', 'issued', 'paid', 'void'] as const
export type InvoiceState = (typeof invoiceStates)[number]

/** Origins of a collection request of an invoice. */
const requestSources = ['page', 'reminder', 'manual'] as const
export type RequestSource = (typeof requestSources)[number]

const InvoiceLine = z
  .object({
    text: documented(z.string(), 'What is sold.', 'Consulting'),
    quantity: documented(amount, 'How much of it.', '2.0000'),
    unit_price: documented(amount, 'The price of one, without tax; negative for a discount.', '750.0000'),
    tax_rate: documented(amount.nullable(), 'In percent; null for none.', '18.0000'),
    amount: documented(amount, 'Quantity times price, without tax.', '1500.0000'),
  })
  .meta({ id: 'InvoiceLine' })

const InvoiceTax = z
  .object({
    rate: documented(amount, 'In percent.', '18.0000'),
    net: documented(amount, 'The sum of the lines with this rate.', '1500.0000'),
    amount: documented(amount, 'The tax.', '270.0000'),
  })
  .meta({ id: 'InvoiceTax' })

/** Totals of the lines of an invoice. */
export const InvoiceTotals = z.object({
  lines: documented(z.array(InvoiceLine), 'What is sold.', []),
  taxes: documented(z.array(InvoiceTax), 'The tax of each rate.', []),
  subtotal: documented(amount, 'The sum of the lines, without tax.', '1500.0000'),
  total: documented(amount, 'Amount to pay: the subtotal and the taxes.', '1770.0000'),
})

const InvoiceRequest = z
  .object({
    id,
    source: documented(
      z.enum(requestSources),
      '`page`: the customer paid on the page. `reminder`: a reminder. `manual`: you asked for it.',
      'page',
    ),
    status: documented(z.string(), 'The status of the collection request.', 'successful'),
    phonenumber: documented(z.string(), 'The phone number that is asked.', '+80000000000'),
    amount: documented(amount, 'Amount requested.', '1770.0000'),
    collection: documented(id.nullable(), 'The payment; null until it arrives.', 12),
    amount_paid: documented(amount, 'Amount received and not reversed by the network.', '1770.0000'),
    amount_reversed: documented(amount, 'Amount reversed by the network.', '0.0000'),
    amount_refunded: documented(amount, 'Amount refunded or being refunded.', '0.0000'),
    paid: documented(timestamp.nullable(), 'When the money arrived; null until it does.'),
    created: timestamp,
  })
  .meta({ id: 'InvoiceRequest' })
export type InvoiceRequest = z.output<typeof InvoiceRequest>

const InvoiceAllocation = z
  .object({
    ...Allocation.pick({ id: true, collection: true, reason: true, note: true, author: true, created: true }).shape,
    amount_paid: documented(amount, 'Amount received and not reversed by the network.', '85000.0000'),
    amount_reversed: documented(amount, 'Amount reversed by the network.', '0.0000'),
    amount_refunded: documented(amount, 'Amount refunded or being refunded.', '0.0000'),
  })
  .meta({ id: 'InvoiceAllocation' })
export type InvoiceAllocation = z.output<typeof InvoiceAllocation>

/** Money of the customer that matches nothing yet and could be for the invoice. */
const WaitingMoney = z
  .object({
    collection: documented(id, 'The payment.', 12),
    phonenumber: documented(z.string(), 'The phone number that paid.', '+80000000000'),
    reference: documented(z.string().nullable(), 'What the payer typed.', 'INV 12'),
    amount: documented(amount, 'Unmatched part of the amount.', '85000.0000'),
    paid: timestamp,
  })
  .meta({ id: 'InvoiceWaitingMoney' })
export type WaitingMoney = z.output<typeof WaitingMoney>

const InvoiceReminder = z
  .object({
    day: documented(z.string(), 'The day in the time zone of the organization.', '2030-02-14'),
    sms_message: documented(id.nullable(), 'The SMS; null for none.', 7),
    collection_request: documented(id.nullable(), 'The request for the open amount; null for none.', null),
    problem: documented(z.string().nullable(), 'Why no SMS or no request was created; null for no problem.', null),
    created: timestamp,
  })
  .meta({ id: 'InvoiceReminder' })
export type InvoiceReminder = z.output<typeof InvoiceReminder>

/** An invoice as the API shows it. */
export const Invoice = z
  .object({
    id,
    organization: documented(id, 'Your organization.'),
    number: documented(z.string().nullable(), 'Without gaps for each organization; null for a draft.', 'INV-000012'),
    url: documented(
      z.string().nullable(),
      'The page for the customer; null for a draft.',
      'https://pay.example.com/pay/invoices/3q2-7wAAAAAAAAAA',
    ),
    pdf_url: documented(z.string().nullable(), 'The page as a PDF; null for a draft.', null),
    state: documented(z.enum(invoiceStates), 'Drafts can be changed; issued ones can only be voided.', 'issued'),
    overdue: documented(z.boolean(), 'Whether it is issued and past its due date.', false),
    contact: documented(id, 'The customer.', 3),
    customer_name: documented(z.string(), 'The name of the customer; empty if it is not known.', 'Jane Doe'),
    customer_number: documented(z.string().nullable(), 'The number of the customer; null for none.', 'P5-017'),
    tags: documented(z.array(z.string()), 'The tags of the customer, such as a class.', ['P5']),
    phonenumber: documented(
      z.string(),
      'Phone number of the customer or its first payer; empty for none.',
      '+80000000000',
    ),
    currency: documented(z.string(), 'Three-letter code.', 'BXC'),
    account: documented(id.nullable(), 'The wallet that receives the money; null for the local one.', null),
    ...InvoiceTotals.shape,
    amount_paid: documented(amount, 'Amount received and not reversed by the network.', '0.0000'),
    amount_open: documented(amount, 'Open amount; zero for drafts and void invoices.', '1770.0000'),
    amount_reversed: documented(amount, 'Amount reversed by networks.', '0.0000'),
    amount_refunded: documented(amount, 'Amount refunded. It is no longer due.', '0.0000'),
    min_part: documented(
      amount.nullable(),
      'Smallest part payment that its page accepts; null: only the open amount.',
      '500.0000',
    ),
    due_date: documented(z.string(), 'The last day to pay, in the time zone of the organization.', '2030-02-14'),
    notes: documented(z.string(), 'Text below the lines.', 'Thank you.'),
    language: documented(z.enum(languages), 'The language of the customer.', 'en'),
    reminder_days: documented(z.array(z.int()), 'Reminders, in days after the due date; negative before.', [-3, 0, 7]),
    reminder_prompts: documented(z.boolean(), 'Whether reminders also request the open amount.', false),
    next_reminder: documented(timestamp.nullable(), 'When the next reminder is due; null for none.', null),
    sends: documented(z.array(DocumentSend), 'To whom it was sent, newest first.', []),
    reminders: documented(z.array(InvoiceReminder), 'The reminders, newest first.', []),
    requests: documented(z.array(InvoiceRequest), 'Its collection requests, newest first.', []),
    allocations: documented(z.array(InvoiceAllocation), 'Unrequested money allocated to it, newest first.', []),
    waiting_money: documented(
      z.array(WaitingMoney),
      'Unmatched money of the customer. While there is any, no reminder and no prompt is sent.',
      [],
    ),
    issued: documented(timestamp.nullable(), 'When it was issued.', null),
    paid: documented(timestamp.nullable(), 'When it was last paid in full.', null),
    voided: documented(timestamp.nullable(), 'When it was voided.', null),
    void_reason: documented(z.string(), 'Why it was voided.', ''),
    created: timestamp,
    author: documented(id, 'The user who made it, and the author of its requests.'),
    modified: timestamp,
    updated_by: documented(updatedBy, 'The user who changed it last.', null, '7'),
  })
  .meta({ id: 'Invoice' })
export type Invoice = z.output<typeof Invoice>

export const invoiceTable = table('invoices', {
  id: column.id(),
  organization: column.bigint(),
  number: column.bigint().later(),
  code: column.text(),
  state: column.text<InvoiceState>(),
  contact: column.bigint(),
  currency: column.text(),
  account: column.bigint().nullable(),
  lines: column.jsonb<object[]>(),
  taxes: column.jsonb<object[]>(),
  subtotal: column.numeric(),
  total: column.numeric(),
  due_date: column.date<string>(),
  notes: column.text(),
  language: column.text<Language>(),
  reminder_days: column.integers(),
  reminder_prompts: column.boolean(),
  min_part: column.numeric().nullable(),
  issuer: column.text().later(),
  customer_name: column.text().default(''),
  amount_paid: column.numeric().default(0n),
  amount_reversed: column.numeric().default(0n),
  amount_refunded: column.numeric().default(0n),
  overdue_at: column.timestamptz().later(),
  issued: column.timestamptz().later(),
  paid: column.timestamptz().later(),
  voided: column.timestamptz().later(),
  void_reason: column.text().default(''),
  due_at: column.timestamptz().later(),
  created: column.timestamptz(),
  author: column.bigint(),
  modified: column.timestamptz(),
  updated_by: column.bigint().later(),
  leased_until: column.timestamptz().later(),
})

/** An invoice as stored, with its customer. */
export interface InvoiceRow extends Omit<Row<typeof invoiceTable>, 'lines' | 'taxes'> {
  /** Time zone of the organization: the days of the invoice begin and end in it. */
  time_zone: string
  /** Country of the organization (ISO 3166-1): documents write days in its form. */
  country: string | null
  lines: Line[]
  taxes: Tax[]
  customer: InvoiceCustomer
}

/** The customer of an invoice, as it is now. */
interface InvoiceCustomer extends Pick<Contact, 'first_name' | 'last_name' | 'email'> {
  /** Phone that is asked; for a customer without one, the phone of the first payer; empty if there is none. */
  phone_number: string
  /** The customer number. */
  number: string | null
  tags: string[]
  erased: boolean
}

/** Returns the phone to ask: the customer's own, otherwise the first payer's. Null if there is none. */
export function phoneOf({ customer }: Pick<InvoiceRow, 'customer'>): string | null {
  return isPhone(customer.phone_number) ? customer.phone_number : null
}

/** Explains why there is no phone to ask. */
export function whyNoPhone({ customer }: Pick<InvoiceRow, 'customer'>): string {
  return customer.erased ? getMessage('customers.phone_erased') : getMessage('customers.no_phone_or_payer')
}

/**
 * An invoice that this transaction has locked. While `open_request` may still be paid, or money of the customer waits for a
 * match, no request may be made.
 */
export type LockedInvoice = InvoiceRow & { open_request: number | undefined }

/** Computes the open amount. A draft and a void invoice ask for nothing. */
export function openAmount({ state, total, amount_paid }: InvoiceRow): Amount {
  return state === 'issued' && total > amount_paid ? total - amount_paid : 0n
}

export function isOverdue({ state, overdue_at }: InvoiceRow, now: Date): boolean {
  return state === 'issued' && overdue_at !== null && overdue_at <= now
}

/** The number as people read it; empty for a draft. */
export function invoiceNumber({ number }: Pick<InvoiceRow, 'number'>): string {
  return number === null ? '' : formatNumber('invoice', number)
}

/** The address of an invoice's page. @param base_url the public address of the service */
export function invoiceUrl(base_url: string, code: string): string {
  return `${base_url.replace(/\/$/, '')}/pay/invoices/${code}`
}

/** An address that leads to the page and is short enough for an SMS. */
export function shortInvoiceUrl(base_url: string, code: string): string {
  return `${base_url.replace(/\/$/, '')}/i/${code}`
}

/** Related data that is read with an invoice. */
interface InvoiceParts {
  sends: DocumentSend[]
  reminders: InvoiceReminder[]
  requests: InvoiceRequest[]
  allocations: InvoiceAllocation[]
  waiting_money: WaitingMoney[]
}

/** An invoice as the API shows it. */
export function toInvoice(row: InvoiceRow, parts: InvoiceParts, now: Date, base_url: string): Invoice {
  const { code, issuer: _, overdue_at: __, time_zone: ___, country: ____, due_at, customer, ...shown } = row
  const { requests, allocations } = parts
  const url = row.number === null ? null : invoiceUrl(base_url, code)
  return {
    ...shown,
    ...parts,
    number: invoiceNumber(row) || null,
    url,
    pdf_url: url && `${url}.pdf`,
    overdue: isOverdue(row, now),
    amount_open: openAmount(row),
    // A refund counts nothing anew, so the stored sum may be older.
    amount_refunded: [...requests, ...allocations].reduce((sum, part) => sum + part.amount_refunded, 0n),
    customer_number: customer.number,
    tags: customer.tags,
    phonenumber: phoneOf(row) ?? (customer.erased ? customer.phone_number : ''),
    next_reminder: due_at,
  }
}

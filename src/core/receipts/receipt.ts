import { z } from 'zod'
import type { Amount } from '../../lib/money.ts'
import { type Contact, knownName } from '../contacts/contacts.ts'
import { formatNumber } from '../documents/series.ts'
import { amount, documented, id, timestamp } from '../fields.ts'
import { DocumentSend } from '../sms/document-sends.ts'

/** A field that customers of a payment link fill in. */
type OwnField = { name: string; label: string }

/** State of the money of a receipt. `partly_returned`: the organization kept a part. */
const receiptStates = ['paid', 'partly_returned', 'returned'] as const
type ReceiptState = (typeof receiptStates)[number]

/** A receipt as the API shows it. */
export const Receipt = z
  .object({
    id,
    organization: documented(id, 'Your organization.'),
    number: documented(z.string(), 'Without gaps for each organization.', 'R-000012'),
    url: documented(z.string(), 'The page for the customer.', 'https://pay.example.com/pay/receipts/3q2-7wAAAAAAAAAA'),
    pdf_url: documented(z.string(), 'The page as a PDF.', 'https://pay.example.com/pay/receipts/3q2-7wAAAAAAAAAA.pdf'),
    state: documented(
      z.enum(receiptStates),
      '`paid`; `partly_returned` or `returned`: a part or all of the money was reversed or refunded.',
      'paid',
    ),
    issuer: documented(z.string(), 'Your name when the receipt was made.', 'Demo Shop'),
    collection: documented(id, 'The payment.', 12),
    collection_request: documented(id.nullable(), 'The request that the payment fulfilled, or null.', 17),
    amount: documented(amount, 'What was paid.', '1500.0000'),
    reversed_amount: documented(amount, 'Amount reversed by the network.', '0.0000'),
    refunded_amount: documented(amount, 'Amount refunded or being refunded.', '0.0000'),
    currency: documented(z.string(), 'Three-letter code.', 'BXC'),
    phonenumber: documented(z.string(), 'The phone number that paid.', '+80000000000'),
    reason: documented(z.string(), 'What was paid.', 'School fees'),
    invoice: documented(z.string().nullable(), 'The number of the invoice that was paid, or null.', null, 'INV-000012'),
    remote_transaction_id: documented(z.string(), "The network operator's own id of the payment.", 'TX1'),
    payment_date: timestamp,
    sends: documented(z.array(DocumentSend), 'To whom it was sent, newest first.', []),
    created: timestamp,
    modified: timestamp,
  })
  .meta({ id: 'Receipt' })
export type Receipt = z.output<typeof Receipt>

/** A receipt with its payment, as stored. */
export interface ReceiptRow {
  id: number
  organization: number
  /** Time zone of the organization: the times of the receipt are shown in it. */
  time_zone: string
  /** Country of the organization (ISO 3166-1): documents write days in its form. */
  country: string | null
  number: number
  code: string
  issuer: string
  collection: number
  collection_request: number | null
  amount: Amount
  /** Amount that the network has reversed. */
  reversed_amount: Amount
  refunded_amount: Amount
  currency: string
  phonenumber: string
  reason: string
  /** The number of the invoice that was paid; null for other payments. */
  invoice: number | null
  /** Reference that the customer typed at the network. */
  reference: string | null
  remote_transaction_id: string
  payment_date: Date
  contact: Pick<Contact, 'first_name' | 'last_name' | 'email'> & { number: string | null; erased: boolean }
  /** The fields of the payment link on whose page it was paid; null for other payments. */
  link_fields: readonly OwnField[] | null
  metadata: Record<string, unknown> | null
  created: Date
  modified: Date
}

/** Computes the amount of a payment that the organization has kept. */
export function keptAmount({ amount, reversed_amount, refunded_amount }: ReceiptRow): Amount {
  const kept = amount - reversed_amount - refunded_amount
  // A refund that had failed may have been sent after all.
  return kept > 0n ? kept : 0n
}

export function receiptState(row: ReceiptRow): ReceiptState {
  if (row.reversed_amount + row.refunded_amount === 0n) return 'paid'
  return keptAmount(row) > 0n ? 'partly_returned' : 'returned'
}

/** The name of the person who paid, where the organization knows it and the reader may see it; otherwise empty. */
export function payerName({ contact, link_fields }: ReceiptRow): string {
  // Anyone may have typed the number on the page of a link.
  return link_fields !== null || contact.erased ? '' : knownName(contact)
}

/** The customer number of the person who paid; empty as for the name. */
export function payerNumber({ contact, link_fields }: ReceiptRow): string {
  return link_fields !== null || contact.erased ? '' : (contact.number ?? '')
}

/** Returns the customer's answers on the page of a payment link: the label and the answer. */
export function answersOf({ link_fields, metadata }: ReceiptRow): [label: string, answer: string][] {
  return (link_fields ?? []).flatMap(({ name, label }): [string, string][] => {
    const answer = metadata?.[name]
    return typeof answer === 'string' ? [[label, answer]] : []
  })
}

/** The address of a receipt's page. @param base_url the public address of the service */
export function receiptUrl(base_url: string, code: string): string {
  return `${base_url.replace(/\/$/, '')}/pay/receipts/${code}`
}

/** An address that leads to the page and is short enough for an SMS. */
export function shortReceiptUrl(base_url: string, code: string): string {
  return `${base_url.replace(/\/$/, '')}/r/${code}`
}

/** A receipt as the API shows it. */
export function toReceipt(row: ReceiptRow, sends: readonly DocumentSend[], base_url: string): Receipt {
  const {
    code,
    contact: _,
    link_fields: __,
    metadata: ___,
    reference: ____,
    time_zone: _____,
    country: ______,
    ...shown
  } = row
  const url = receiptUrl(base_url, code)
  const number = formatNumber('receipt', row.number)
  const invoice = row.invoice === null ? null : formatNumber('invoice', row.invoice)
  return { ...shown, number, invoice, url, pdf_url: `${url}.pdf`, state: receiptState(row), sends: [...sends] }
}

import { type InvoiceRow, invoiceNumber, isOverdue, openAmount, phoneOf } from '../../core/invoices/invoice.ts'
import { currencyCountries } from '../../core/ledger/currencies.ts'
import { hideMiddle } from '../../lib/phone.ts'
import { fillTemplate } from '../../lib/template.ts'
import { amountText, moneyText, shortAmountText } from '../../lib/text/amount-texts.ts'
import { documentDay } from '../../lib/text/country-dates.ts'
import type { Language } from '../../lib/text/languages.ts'
import { dayIn } from '../../lib/text/time-zones.ts'
import { textsOf } from '../texts/texts.ts'
import type { DocumentContent } from './document-page.ts'

export function invoiceTitle(invoice: InvoiceRow, language: Language): string {
  return fillTemplate(textsOf(language).invoice.title, { number: invoiceNumber(invoice) })
}

interface InvoiceAbout {
  now: Date
  /** The seller's terms of payment; empty for none. */
  payment_terms: string
}

/** Return the present content of an invoice: its lines, and its open amount. */
export function invoiceContent(
  invoice: InvoiceRow,
  language: Language,
  { now, payment_terms }: InvoiceAbout,
): DocumentContent {
  const texts = textsOf(language)
  const words = texts.invoice
  const { issuer, issued, due_date, lines, time_zone, country, customer } = invoice
  const day = (text: string) => documentDay(text, language, country)
  const facts: [string, string][] = [
    [texts.from, issuer ?? ''],
    [texts.to, customerOf(invoice)],
    [texts.customer_number, customer.erased ? '' : (customer.number ?? '')],
    [words.issued_on, issued ? day(dayIn(issued, time_zone)) : ''],
    [words.due_on, day(due_date)],
    [words.terms, payment_terms],
  ]
  return {
    title: invoiceTitle(invoice, language),
    warning: warningOf(invoice, language, now),
    facts: facts.filter(([, value]) => value !== ''),
    table: {
      head: [words.text, words.quantity, words.price, words.line_amount],
      lines: lines.map(({ text, quantity, unit_price, tax_rate, amount }) => [
        tax_rate === null ? text : fillTemplate(words.taxed, { text, rate: shortAmountText(tax_rate, language) }),
        shortAmountText(quantity, language),
        amountText(unit_price, language),
        amountText(amount, language),
      ]),
    },
    totals: totalsOf(invoice, language),
    notes: [...(invoice.notes === '' ? [] : [invoice.notes]), ...(invoice.state === 'paid' ? [words.is_paid] : [])],
  }
}

/** The number of a person who was erased is gone. */
function customerOf(invoice: InvoiceRow): string {
  const phone = phoneOf(invoice)
  const number = phone === null ? '' : hideMiddle(phone, currencyCountries[invoice.currency] ?? '')
  return [invoice.customer_name, number].filter((part) => part !== '').join(', ')
}

/** Return the warning of an invoice. Reversed money comes first: the customer may think that all is paid. */
function warningOf(invoice: InvoiceRow, language: Language, now: Date): string | undefined {
  const words = textsOf(language).invoice
  const { state, amount_reversed } = invoice
  if (state === 'void') return words.is_void
  if (state !== 'issued') return undefined
  if (amount_reversed > 0n)
    return fillTemplate(words.is_reopened, { amount: moneyText(amount_reversed, invoice.currency, language) })
  return isOverdue(invoice, now) ? words.is_overdue : undefined
}

function totalsOf(invoice: InvoiceRow, language: Language): DocumentContent['totals'] {
  const words = textsOf(language).invoice
  const { currency, subtotal, taxes, total, amount_paid, amount_refunded, state } = invoice
  const line = (name: string, amount: bigint, strong = false) => ({
    name,
    value: moneyText(amount, currency, language),
    strong,
  })
  const is_plain = amount_paid === 0n || state === 'void'
  return [
    ...(taxes.length > 0 ? [line(words.subtotal, subtotal)] : []),
    ...taxes.map(({ rate, net, amount }) =>
      line(fillTemplate(words.tax, { rate: shortAmountText(rate, language), net: amountText(net, language) }), amount),
    ),
    line(words.total, total, is_plain),
    ...(amount_paid > 0n ? [line(words.paid, amount_paid)] : []),
    ...(amount_refunded > 0n ? [line(words.refunded, amount_refunded)] : []),
    ...(is_plain ? [] : [line(words.left, openAmount(invoice), true)]),
  ]
}

import { isPhone } from '../../core/contacts/phones.ts'
import { formatNumber } from '../../core/documents/series.ts'
import { currencyCountries } from '../../core/ledger/currencies.ts'
import {
  answersOf,
  keptAmount,
  payerName,
  payerNumber,
  type ReceiptRow,
  receiptState,
} from '../../core/receipts/receipt.ts'
import type { Amount } from '../../lib/money.ts'
import { hideMiddle } from '../../lib/phone.ts'
import { fillTemplate } from '../../lib/template.ts'
import { moneyText } from '../../lib/text/amount-texts.ts'
import { documentTime } from '../../lib/text/country-dates.ts'
import type { Language } from '../../lib/text/languages.ts'
import { textsOf } from '../texts/texts.ts'
import type { DocumentContent } from './document-page.ts'

export function receiptTitle({ number }: ReceiptRow, language: Language): string {
  return fillTemplate(textsOf(language).receipt.title, { number: formatNumber('receipt', number) })
}

/** Return the present content of a receipt. Money that was given back is never shown as simply paid. */
export function receiptContent(receipt: ReceiptRow, language: Language): DocumentContent {
  const texts = textsOf(language)
  const words = texts.receipt
  const { currency, issuer, reason, payment_date, created, remote_transaction_id } = receipt
  const country = currencyCountries[currency]
  const date = (at: Date) => documentTime(at, language, receipt)
  const state = receiptState(receipt)
  const facts: [string, string][] = [
    [texts.to, issuer],
    [texts.from, payer(receipt, country)],
    [texts.customer_number, payerNumber(receipt)],
    [texts.for, reason],
    [words.invoice, receipt.invoice === null ? '' : formatNumber('invoice', receipt.invoice)],
    ...answersOf(receipt),
    [words.paid_on, date(payment_date)],
    [words.reference, receipt.reference ?? ''],
    [words.transaction, remote_transaction_id],
    [words.issued_on, date(created)],
  ]
  return {
    title: receiptTitle(receipt, language),
    warning: state === 'paid' ? undefined : words[state],
    facts: facts.filter(([, value]) => value !== ''),
    totals: totals(receipt, language),
    notes: receipt.refunded_amount > 0n ? [words.refund_note] : [],
  }
}

/** The number of a person who was erased is gone. */
function payer(receipt: ReceiptRow, country: string | undefined): string {
  const { phonenumber } = receipt
  const number = isPhone(phonenumber) ? hideMiddle(phonenumber, country ?? '') : ''
  return [payerName(receipt), number].filter((part) => part !== '').join(', ')
}

function totals(receipt: ReceiptRow, language: Language): DocumentContent['totals'] {
  const { paid, reversed, refunded, kept } = textsOf(language).receipt
  const line = (name: string, amount: Amount, strong = false) => ({
    name,
    value: moneyText(amount, receipt.currency, language),
    strong,
  })
  if (receiptState(receipt) === 'paid') return [line(paid, receipt.amount, true)]
  return [
    line(paid, receipt.amount),
    ...(receipt.reversed_amount > 0n ? [line(reversed, receipt.reversed_amount)] : []),
    ...(receipt.refunded_amount > 0n ? [line(refunded, receipt.refunded_amount)] : []),
    line(kept, keptAmount(receipt), true),
  ]
}

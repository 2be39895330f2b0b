import type { Reader } from '../../../db/client.ts'
import { displayAmount } from '../../../lib/money.ts'
import type { DocumentPdf } from '../../../lib/pdf/document-pdf.ts'
import { documentPdf } from '../../../lib/pdf/pdf-file.ts'
import {
  type Table,
  type TableHeading,
  type TableRow,
  TooManyRows,
  titleColumns,
} from '../../../lib/table-files/table.ts'
import { fillTemplate } from '../../../lib/template.ts'
import { amountText, moneyText } from '../../../lib/text/amount-texts.ts'
import { countryDay, documentDay } from '../../../lib/text/country-dates.ts'
import type { Language } from '../../../lib/text/languages.ts'
import { dayIn } from '../../../lib/text/time-zones.ts'
import { readPlaceOf } from '../../access/places.ts'
import { readLetterhead } from '../../checkout/letterhead.ts'
import { readSeller } from '../../documents/seller.ts'
import type { CustomerStatement, StatementEntry } from './customer-statement.ts'
import { statementWords } from './statement-words.ts'
import { customerStatementColumns, receivablesWords } from './table-words.ts'

/** Maximum number of lines: more than a customer reads, some fifty pages. */
const MAX_DOCUMENT_ENTRIES = 1_000

/**
 * Writes the PDF of a statement for the customer, with the design of the organization's pages, in a separate process.
 * @throws TooManyRows, WorkRefused
 */
export async function statementPdf(
  db: Reader,
  organization: { id: number; name: string },
  statement: CustomerStatement,
  { language, now }: { language: Language; now: Date },
): Promise<Buffer> {
  if (statement.entries.length > MAX_DOCUMENT_ENTRIES) throw new TooManyRows('pdf', MAX_DOCUMENT_ENTRIES)
  const { id, name } = organization
  const [seller, { country }] = await Promise.all([readSeller(db, id), readPlaceOf(db, id)])
  const issuer = await readLetterhead(db, { organization: id, name, language }, seller)
  const { payment_terms } = seller
  return documentPdf(statementDocument(statement, language, { now, issuer, country, payment_terms }))
}

interface StatementAbout {
  now: Date
  issuer: DocumentPdf['issuer']
  /** Country of the organization: days have its form. */
  country: string | null
  /** The seller's terms of payment; empty for none. */
  payment_terms: string
}

/** A statement as a document for the customer, in the customer's language. */
export function statementDocument(
  statement: CustomerStatement,
  language: Language,
  about: StatementAbout,
): DocumentPdf {
  const words = statementWords[language]
  const { currency, customer_name, customer_number, first_day, last_day, zone, closing_balance, unmatched_amount } =
    statement
  const day = (text: string) => documentDay(text, language, about.country)
  const amount = (sum: bigint) => amountText(sum, language)
  const money = (sum: bigint) => moneyText(sum, currency, language)
  const facts: [string, string][] = [
    [words.customer, customer_name],
    [words.number, customer_number ?? ''],
    [words.period, `${day(first_day)} – ${day(last_day)}`],
    [words.currency, currency],
    [words.written, day(dayIn(about.now, zone))],
    [words.terms, about.payment_terms],
  ]
  const closing = closing_balance > 0n ? words.owed : closing_balance < 0n ? words.in_credit : words.settled
  const total = (name: string, sum: bigint, strong = false) => ({ name, value: money(sum), strong })
  return {
    language,
    title: words.title,
    issuer: about.issuer,
    created: about.now,
    facts: facts.filter(([, value]) => value !== ''),
    table: {
      has_dates: true,
      head: [words.date, words.text, words.charged, words.credited, words.balance],
      lines: [
        [lineDay(first_day, language, about.country), words.opening, '', '', amount(statement.opening_balance)],
        ...statement.entries.map((entry) => [
          lineDay(dayIn(entry.at, zone), language, about.country),
          describeEntry(entry, language, { zone, country: about.country }),
          entry.charged_amount === 0n ? '' : amount(entry.charged_amount),
          entry.credited_amount === 0n ? '' : amount(entry.credited_amount),
          amount(entry.balance),
        ]),
      ],
    },
    totals: [
      total(words.charged_sum, statement.charged_amount),
      total(words.credited_sum, statement.credited_amount),
      ...(statement.credit_amount > 0n && statement.open_amount > 0n
        ? [total(words.open, statement.open_amount), total(words.credit, statement.credit_amount)]
        : []),
      total(closing, closing_balance < 0n ? -closing_balance : closing_balance, true),
    ],
    notes: unmatched_amount > 0n ? [fillTemplate(words.unmatched, { amount: money(unmatched_amount) })] : [],
  }
}

/**
 * Describes an entry in words: its kind, and below it the purpose. The phone number of a person who was erased is left
 * out.
 */
function describeEntry(
  entry: StatementEntry,
  language: Language,
  { zone, country }: { zone: string; country: string | null },
): string {
  const words = statementWords[language]
  const { kind, invoice_number, due_date, receipt, phonenumber, payment_date, charged_amount } = entry
  const target = invoice_number ?? words.credit
  const values = { target, payment: entry.remote_transaction_id ?? '' }
  const template =
    kind === 'moved' && invoice_number === null
      ? words.credit_used
      : kind === 'adjustment' && charged_amount > 0n
        ? words.asked_again
        : words.entries[kind]
  const first = [
    fillTemplate(template, values),
    kind === 'payment' && phonenumber?.startsWith('+') ? fillTemplate(words.from_phone, { phone: phonenumber }) : '',
  ]
  if (kind === 'void') return first[0]!
  if (kind === 'invoice' && due_date !== null)
    return `${first[0]}\n${fillTemplate(words.due, { day: documentDay(due_date, language, country) })}`
  const is_later = payment_date !== null && dayIn(payment_date, zone) !== dayIn(entry.at, zone)
  const second = [
    kind === 'moved' && invoice_number === null
      ? ''
      : fillTemplate(invoice_number === null ? words.for_credit : words.for_target, values),
    kind === 'payment' && receipt !== null ? fillTemplate(words.receipt, { receipt }) : '',
    kind === 'payment' && is_later
      ? fillTemplate(words.paid_on, { day: documentDay(dayIn(payment_date, zone), language, country) })
      : '',
  ]
  const below = second.filter((part) => part !== '').join(', ')
  return [first.filter((part) => part !== '').join(' '), below].filter((line) => line !== '').join('\n')
}

function lineDay(day: string, language: Language, country: string | null): string {
  if (country !== null) return countryDay(day, country)
  const format = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(language, format).format(new Date(`${day}T00:00:00Z`))
}

/** A statement as a table: the first line is the opening balance, the last one sums up. */
export function customerStatementTable(statement: CustomerStatement, about: TableHeading): Table {
  const { contact, currency, customer_name, customer_number, first_day, last_day, zone } = statement
  const { language = 'en' } = about
  const words = receivablesWords[language].statement
  const country = about.country ?? null
  const days = { from: countryDay(first_day, country), to: countryDay(last_day, country) }
  const line = (cells: Partial<Record<string, TableRow[number]>>): TableRow =>
    customerStatementColumns.map(({ name }) => cells[name] ?? null)
  return {
    name: `statement-of-customer-${contact}-${currency}-${first_day}-${last_day}`,
    title: words.title,
    organization: about.organization,
    facts: [
      [words.customer, [customer_number, customer_name, `(${contact})`].filter(Boolean).join(' ')],
      [words.period, fillTemplate(words.days, days)],
      [words.opening, `${currency} ${displayAmount(statement.opening_balance)}`],
      [words.closing, `${currency} ${displayAmount(statement.closing_balance)}`],
    ],
    columns: titleColumns(customerStatementColumns, words.columns),
    chunks: (async function* () {
      yield [line({ description: words.opening, balance: statement.opening_balance, currency })]
      yield statement.entries.map((entry) =>
        line({
          ...entry,
          time: entry.at,
          kind: words.kinds[entry.kind] ?? entry.kind,
          description: describeEntry(entry, language, { zone, country }).replace('\n', '. '),
          currency,
        }),
      )
    })(),
    totals: () => [
      line({
        description: words.closing,
        charged_amount: statement.charged_amount,
        credited_amount: statement.credited_amount,
        balance: statement.closing_balance,
        currency,
      }),
    ],
    zone,
    created: about.now,
    letterhead: about.letterhead,
    country: about.country,
    language,
  }
}

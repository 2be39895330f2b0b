import { z } from 'zod'
import type { AnyReader } from '../../../db/client.ts'
import type { Amount } from '../../../lib/money.ts'
import type { Language } from '../../../lib/text/languages.ts'
import type { Period } from '../../../lib/text/zoned-times.ts'
import { isUnmatched, leftForUse } from '../../collections/filters.ts'
import { knownName } from '../../contacts/contacts.ts'
import { formatNumber } from '../../documents/series.ts'
import { amount, documented, fieldMessages, id, timestamp } from '../../fields.ts'
import { Invalid } from '../../refusals.ts'
import { type AccountEntry, entryKinds, writeAccount } from './account-entries.ts'
import { type CustomerAccount, readAccountFacts } from './account-facts.ts'

const StatementEntry = z
  .object({
    at: timestamp,
    kind: documented(
      z.enum(entryKinds),
      '`invoice`, `void`: an invoice was issued or voided. `payment`: money arrived for an invoice or as credit. `moved`: money was reallocated, such as used credit. `reversal`: reversed by the network. `refund`: refunded. `adjustment`: refunded money is no longer due.',
      'payment',
    ),
    invoice: documented(id.nullable(), 'The invoice; null for credit.', 12),
    invoice_number: documented(z.string().nullable(), 'Its number.', 'INV-000012'),
    due_date: documented(z.string().nullable(), 'Its last day to pay.', '2030-02-14'),
    collection: documented(id.nullable(), 'The payment of the customer.', 41),
    remote_transaction_id: documented(z.string().nullable(), "The network's own id of the payment.", 'TX1'),
    phonenumber: documented(z.string().nullable(), 'The phone number that paid.', '+80000000000'),
    payment_date: documented(timestamp.nullable(), 'When it was paid.', null),
    receipt: documented(z.string().nullable(), 'The number of its receipt, if it has one.', 'R-000012'),
    refund: documented(id.nullable(), 'The payment that refunded the money.', null),
    charged_amount: documented(amount, 'Amount by which the customer owes more.', '0.0000'),
    credited_amount: documented(amount, 'Amount by which the customer owes less.', '85000.0000'),
    balance: documented(amount, 'Balance after this entry; negative for credit.', '115000.0000'),
  })
  .meta({ id: 'StatementEntry' })
export type StatementEntry = z.output<typeof StatementEntry>

/** Statement of a customer: invoices and payments in a period, and the debt. */
export const CustomerStatement = z
  .object({
    contact: documented(id, 'The customer.', 3),
    customer_number: documented(z.string().nullable(), 'The customer number.', 'P5-0012'),
    customer_name: documented(z.string(), 'The name of the customer; empty if it is not known.', 'Jane Doe'),
    currency: documented(z.string(), 'Three-letter code.', 'UGX'),
    currencies: documented(z.array(z.string()), 'The currencies in which the customer has an account.', ['UGX']),
    first_day: documented(z.string(), 'The first day, in the time zone of the organization.', '2030-01-01'),
    last_day: documented(z.string(), 'The last day.', '2030-01-31'),
    zone: documented(z.string(), 'The time zone of the organization.', 'Africa/Kampala'),
    opening_balance: documented(amount, 'Balance before the first day; negative for credit.', '0.0000'),
    entries: documented(z.array(StatementEntry), 'Entries, oldest first.', []),
    charged_amount: documented(amount, 'Total charged in the period.', '200000.0000'),
    credited_amount: documented(amount, 'Total paid or credited in the period.', '85000.0000'),
    closing_balance: documented(amount, 'Balance after the last day; negative for credit.', '115000.0000'),
    open_amount: documented(amount, 'Open amount of invoices after the last day.', '115000.0000'),
    credit_amount: documented(amount, 'Credit and overpayments after the last day.', '0.0000'),
    unmatched_amount: documented(
      amount,
      'Unmatched money from the phones of the customer, now. It is not a part of the balance.',
      '0.0000',
    ),
  })
  .meta({ id: 'CustomerStatement' })
export type CustomerStatement = z.output<typeof CustomerStatement>

/** The customer and the language in which the customer is spoken to. */
interface Customer {
  number: string | null
  first_name: string
  last_name: string
  erased: boolean
}

/**
 * Reads the statement of a customer. Money is on the account if it is for an invoice of the customer, or credit.
 * Requests without an invoice are paid on the spot and are not a part of it.
 * @param currency the currency in which the customer was invoiced last unless given
 * @throws Invalid when none is given, and neither the customer nor the organization has an account
 */
export async function readCustomerStatement(
  db: AnyReader,
  { organization, contact }: Omit<CustomerAccount, 'currency'>,
  { period, currency: wanted }: { period: Period; currency?: string | undefined },
): Promise<CustomerStatement> {
  const currencies = await readCurrencies(db, organization, contact)
  const currency = wanted ?? currencies[0] ?? (await findCurrency(db, organization))
  const [customer] = await db<Customer[]>`
    select number, first_name, last_name, erased is not null as erased from contacts where id = ${contact}`
  const account = { organization, contact, currency }
  const { entries, open } = writeAccount(await readAccountFacts(db, account), contact, period.until)
  const { number, erased, ...names } = customer!
  const before = entries.findLast(({ at }) => at < period.from)
  const within = entries.filter(({ at }) => at >= period.from)
  const opening_balance = before?.balance ?? 0n
  const closing_balance = entries.at(-1)?.balance ?? 0n
  const charged = within.filter((entry) => entry.amount > 0n)
  const credited = within.filter((entry) => entry.amount < 0n)
  return {
    contact,
    customer_number: number,
    customer_name: erased ? '' : knownName(names),
    currency,
    currencies,
    first_day: period.first_day,
    last_day: period.last_day,
    zone: period.zone,
    opening_balance,
    closing_balance,
    entries: within.map(toStatementEntry),
    charged_amount: sum(charged),
    credited_amount: -sum(credited),
    open_amount: open,
    credit_amount: open - closing_balance,
    unmatched_amount: await sumUnmatchedOf(db, account),
  }
}

const sum = (entries: readonly AccountEntry[]) => entries.reduce((total, entry) => total + entry.amount, 0n)

function toStatementEntry({ at, kind, invoice, money, refund, ...entry }: AccountEntry): StatementEntry {
  return {
    at,
    kind,
    refund,
    balance: entry.balance,
    invoice: invoice?.id ?? null,
    invoice_number: invoice && formatNumber('invoice', invoice.number),
    due_date: invoice?.due_date ?? null,
    collection: money?.id ?? null,
    remote_transaction_id: money?.remote_transaction_id ?? null,
    phonenumber: money?.phonenumber ?? null,
    payment_date: money?.payment_date ?? null,
    receipt: money?.receipt ? formatNumber('receipt', money.receipt) : null,
    charged_amount: entry.amount > 0n ? entry.amount : 0n,
    credited_amount: entry.amount < 0n ? -entry.amount : 0n,
  }
}

/** Reads the currencies of a customer's invoices and credit; the newest invoice's comes first. */
async function readCurrencies(db: AnyReader, organization: number, contact: number): Promise<string[]> {
  const found = await db<{ currency: string }[]>`
    select currency from (
      select currency, issued as at from invoices
      where organization = ${organization} and contact = ${contact} and issued is not null
      union all
      select c.currency, '-infinity'::timestamptz from allocations a join collections c on c.id = a.collection
      where a.organization = ${organization} and a.contact = ${contact}) accounts
    group by currency order by max(at) desc, currency`
  return found.map(({ currency }) => currency)
}

async function findCurrency(db: AnyReader, organization: number): Promise<string> {
  const [wallet] = await db<{ currency: string }[]>`
    select currency from accounts where organization = ${organization} and kind in ('local', 'cross_border')
    order by id limit 1`
  if (!wallet) throw new Invalid({ currency: [fieldMessages.required] })
  return wallet.currency
}

/** Sums the free money from the phone of the customer, and from the customer's other payers. */
async function sumUnmatchedOf(db: AnyReader, { organization, contact, currency }: CustomerAccount): Promise<Amount> {
  const [row] = await db<{ amount: Amount }[]>`
    select coalesce(sum(${leftForUse('c')}), 0)::numeric(38,4) as amount from collections c
    where c.organization = ${organization} and c.currency = ${currency} and ${isUnmatched('c')}
      and (c.contact = ${contact}
        or c.phonenumber in (select phone_number from contact_payers where contact = ${contact}))`
  return row!.amount
}

/** The language of the customer's newest invoice; English without one. */
export async function readStatementLanguage(db: AnyReader, contact: number): Promise<Language> {
  const [row] = await db<{ language: Language }[]>`
    select language from invoices where contact = ${contact} order by id desc limit 1`
  return row?.language ?? 'en'
}

import { z } from 'zod'
import type { AnyReader } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import type { Amount } from '../../lib/money.ts'
import { freeAmount } from '../allocations/allocations.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { formatNumber } from '../documents/series.ts'
import { amount, documented, id } from '../fields.ts'
import { keysOfNumber, readReference } from '../numbers/keys.ts'
import { findNamedBy, type Named } from '../numbers/named.ts'
import { findCustomersOfPhone } from './match.ts'
import { findSums, nearDigits } from './near.ts'

/** Reasons for suggesting an object for money. */
const suggestionReasons = [
  'named',
  'near_number',
  'same_phone',
  'same_name',
  'same_amount',
  'adds_up',
  'near_amount',
] as const

const SuggestedPart = z.object({
  invoice: documented(id.nullable(), 'The invoice.', 12),
  contact: documented(id.nullable(), 'The customer: owner of the invoice, or whose credit it would be.', 3),
  collection_request: documented(id.nullable(), 'The open request.', null),
  number: documented(z.string(), 'The number of the invoice, or of the customer; empty for a request.', 'INV-000012'),
  name: documented(z.string(), 'The name of the customer.', 'Jane Doe'),
  customer_number: documented(z.string().nullable(), 'The number of the customer; null for none.', 'P5-017'),
  amount: documented(amount, 'Amount that it would get.', '85000.0000'),
  asked: documented(amount.nullable(), 'What is asked for; null for a customer.', '200000.0000'),
})
type SuggestedPart = z.output<typeof SuggestedPart>

/** Suggestion of an object for unmatched money. */
export const Suggestion = z
  .object({
    reason: z.enum(suggestionReasons).meta({
      description:
        '`named`: the payer typed its number, and others, or the money does not fit. `near_number`: the number differs by one digit. `same_phone`: the phone pays for this customer. `same_name`: payer and customer have one name. `same_amount`: an open invoice has this amount. `adds_up`: the open amounts make this sum. `near_amount`: an open request of the phone asks for another amount.',
      examples: ['near_number'],
    }),
    parts: documented(z.array(SuggestedPart), 'Suggested allocations; several parts split the money.', []),
  })
  .meta({ id: 'MatchSuggestion' })
export type Suggestion = z.output<typeof Suggestion>

const MAX_SUGGESTIONS = 10
const MAX_OF_KIND = 5

/** An open invoice with its customer. */
interface Candidate {
  invoice: number
  contact: number
  document: number
  name: string
  customer_number: string | null
  open: Amount
}

/** Suggests objects for money, the likeliest first. It matches nothing: a person decides about a near miss. */
export async function suggestMatches(db: AnyReader, collection: CollectionRow): Promise<Suggestion[]> {
  const { organization, currency } = collection
  const free = freeAmount(collection)
  if (free === 0n) return []
  const find = (condition: Fragment) => findInvoices(db, { organization, currency }, condition)
  const near = nearNumbers(collection.reference ?? '')
  const [named, near_invoices, near_contacts, customers, payer] = await Promise.all([
    suggestNamed(db, collection, free),
    near.documents.length === 0 ? [] : find(sql`i.number = any(${near.documents}::bigint[])`),
    findContacts(db, collection, free, { keys: near.keys }),
    findCustomersOfPhone(db, organization, collection),
    readPayer(db, collection.contact),
  ])
  const of_phone = await find(sql`i.contact = any(${customers}::bigint[])`)
  const of_near = await find(sql`i.contact = any(${near_contacts.map(({ contact }) => contact)}::bigint[])`)
  const [namesakes, same_amount, requests] = await Promise.all([
    payer ? find(sql`lower(c.first_name) = ${payer.first_name} and lower(c.last_name) = ${payer.last_name}`) : [],
    find(sql`i.total - i.amount_paid = ${free} and i.total >= ${free}`),
    findRequests(db, collection, free),
  ])
  const single = (reason: Suggestion['reason'], found: readonly Candidate[]): Suggestion[] =>
    found.slice(0, MAX_OF_KIND).map((one) => ({ reason, parts: [toPart(one, free)] }))
  const sums = findSums(
    of_phone.map((one) => ({ ...one, amount: one.open })),
    free,
    MAX_OF_KIND,
  )
  return distinct([
    ...named,
    ...single('near_number', near_invoices),
    ...near_contacts.map((part): Suggestion => ({ reason: 'near_number', parts: payAccount(part, of_near) })),
    ...sums.map((set): Suggestion => ({ reason: 'adds_up', parts: set.map((one) => toPart(one, one.open)) })),
    ...requests.map((part): Suggestion => ({ reason: 'near_amount', parts: [part] })),
    ...single('same_phone', of_phone),
    ...single('same_name', namesakes),
    // A fee that many owe says nothing.
    ...single('same_amount', same_amount.length > MAX_OF_KIND ? [] : same_amount),
  ]).slice(0, MAX_SUGGESTIONS)
}

/** Suggests the objects that the payer named: all together, the oldest due date first, and each alone. */
async function suggestNamed(db: AnyReader, collection: CollectionRow, free: Amount): Promise<Suggestion[]> {
  const named = await findNamedBy(db, collection)
  const ids = (kind: Named['kind']) => named.flatMap((one) => (one.kind === kind ? [one.id] : []))
  const accounts = await findContacts(db, collection, free, { ids: ids('contact') })
  const owned = await findInvoices(
    db,
    collection,
    sql`(i.id = any(${ids('invoice')}::bigint[]) or i.contact = any(${ids('contact')}::bigint[]))`,
  )
  const own = owned.filter(({ invoice }) => ids('invoice').includes(invoice))
  const all = payInvoices(owned, free)
  return [
    ...(all.length > 1 ? [{ reason: 'named' as const, parts: all }] : []),
    ...own.map((one): Suggestion => ({ reason: 'named', parts: [toPart(one, free)] })),
    ...accounts.map((account): Suggestion => ({ reason: 'named', parts: payAccount(account, owned) })),
  ]
}

/** Pays invoices in their order until the money is used. */
function payInvoices(invoices: readonly Candidate[], money: Amount): SuggestedPart[] {
  const parts: SuggestedPart[] = []
  let left = money
  for (const invoice of invoices) {
    if (left === 0n) break
    const part = toPart(invoice, left)
    parts.push(part)
    left -= part.amount
  }
  return parts
}

function toPart({ document, open, ...about }: Candidate, free: Amount): SuggestedPart {
  const number = formatNumber('invoice', document)
  return { ...about, collection_request: null, number, amount: open < free ? open : free, asked: open }
}

/** Money for a customer: it pays the open invoices, the oldest due date first, and the rest is credit. */
function payAccount(account: SuggestedPart, invoices: readonly Candidate[]): SuggestedPart[] {
  const own = invoices.filter(({ contact }) => contact === account.contact)
  const parts = payInvoices(own, account.amount)
  const left = parts.reduce((rest, { amount }) => rest - amount, account.amount)
  return left === 0n ? parts : [...parts, { ...account, amount: left }]
}

/** The first suggestion for each set of objects. */
function distinct(suggestions: readonly Suggestion[]): Suggestion[] {
  const known = new Map<string, Suggestion>()
  for (const suggestion of suggestions) {
    const key = suggestion.parts.map((part) => `${part.invoice}:${part.contact}:${part.collection_request}`).join()
    if (!known.has(key)) known.set(key, suggestion)
  }
  return [...known.values()]
}

/** Returns the numbers of documents, and the keys of customer numbers, that differ from the typed text by one digit. */
function nearNumbers(reference: string): { documents: number[]; keys: string[] } {
  const { whole, parts } = readReference(reference)
  const typed = whole ? [whole, ...parts] : parts
  const documents = typed.flatMap(({ digits, document, is_bare }) =>
    digits !== undefined && digits.length <= MAX_DIGITS && (document === 'invoice' || is_bare)
      ? nearDigits(digits).map(Number)
      : [],
  )
  const keys = typed.flatMap(({ keys: { whole: key } }) => {
    const at = key.lastIndexOf('.') + 1
    const digits = key.slice(at)
    return /^\d+$/.test(digits) && digits.length <= MAX_DIGITS
      ? nearDigits(digits).map((near) => key.slice(0, at) + near)
      : []
  })
  return { documents: [...new Set(documents)], keys: [...new Set(keys)] }
}

/** A longer row of digits is no number that somebody gave. */
const MAX_DIGITS = 12

async function findInvoices(
  db: AnyReader,
  { organization, currency }: { organization: number; currency: string },
  condition: Fragment,
): Promise<Candidate[]> {
  return db<Candidate[]>`
    select i.id as invoice, i.contact, i.number as document, i.customer_name as name, c.number as customer_number,
      i.total - i.amount_paid as open
    from invoices i join contacts c on c.id = i.contact
    where i.organization = ${organization} and i.state = 'issued' and i.currency = ${currency} and ${condition}
    order by i.due_date, i.id limit ${MAX_SUGGESTIONS}`
}

/** Customers by their ids, or by keys of their numbers; those first for whom the phone pays. */
async function findContacts(
  db: AnyReader,
  { organization, phonenumber }: CollectionRow,
  free: Amount,
  { ids = [], keys = [] }: { ids?: readonly number[]; keys?: readonly string[] },
): Promise<SuggestedPart[]> {
  if (ids.length === 0 && keys.length === 0) return []
  const found = await db<{ contact: number; number: string; name: string }[]>`
    select c.id as contact, c.number, trim(concat_ws(' ', c.first_name, c.last_name)) as name
    from contacts c
    where c.number is not null and (c.id = any(${[...ids]}::bigint[]) or c.id in (
      select contact from contact_number_keys where organization = ${organization} and key = any(${[...keys]}::text[])))
    order by c.phone_number = ${phonenumber} or exists (
      select from contact_payers p where p.contact = c.id and p.phone_number = ${phonenumber}) desc, c.id
    limit ${MAX_OF_KIND}`
  const account = { invoice: null, collection_request: null, amount: free, asked: null }
  return found
    .filter(({ number }) => keysOfNumber(number) !== undefined)
    .map((one) => ({ ...one, ...account, customer_number: one.number }))
}

/** The name of the payer in lower case; undefined if it is not known. */
async function readPayer(
  db: AnyReader,
  contact: number,
): Promise<{ first_name: string; last_name: string } | undefined> {
  const [row] = await db<{ first_name: string; last_name: string }[]>`
    select lower(first_name) as first_name, lower(last_name) as last_name from contacts
    where id = ${contact} and first_name <> 'Anonymous' and last_name <> 'Contact'`
  return row
}

/** Open requests of the phone in this currency, which ask for another amount. */
async function findRequests(db: AnyReader, collection: CollectionRow, free: Amount): Promise<SuggestedPart[]> {
  const { organization, phonenumber, currency } = collection
  const found = await db<
    Pick<SuggestedPart, 'collection_request' | 'contact' | 'name' | 'customer_number' | 'asked'>[]
  >`
    select r.id as collection_request, r.contact, trim(concat_ws(' ', c.first_name, c.last_name)) as name,
      c.number as customer_number, r.amount as asked
    from collection_requests r join contacts c on c.id = r.contact
    where r.organization = ${organization} and r.phonenumber = ${phonenumber} and r.currency = ${currency}
      and r.status in ('pending', 'processing_started', 'instructions_sent')
    order by r.id desc limit ${MAX_OF_KIND}`
  return found.map((one) => ({ ...one, invoice: null, number: '', amount: free }))
}

import { z } from 'zod'
import type { AnyReader } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { parseNigerianPhone } from '../../lib/phone.ts'
import { formatNumber } from '../documents/series.ts'
import { amount, id, timestamp } from '../fields.ts'
import { Invalid } from '../refusals.ts'

/** Kinds of entries in the history of a contact. Entries of the same time have the opposite order. */
export const historyKinds = ['invoice', 'request', 'collection', 'refund', 'payment', 'bill', 'sms'] as const
export type HistoryKind = (typeof historyKinds)[number]

/** Event in the history of a contact. */
export const HistoryEntry = z.object({
  kind: z.enum(historyKinds),
  /** The id of the object that has a page. */
  id,
  /** Different for each entry: a payment may have the contact twice. */
  key: z.string(),
  at: timestamp,
  state: z.string(),
  amount: amount.nullable(),
  currency: z.string().nullable(),
  /** Purpose, or the text that the customer typed, in the words of people. */
  about: z.string(),
  /** True for money that no request asked for. */
  unrequested: z.boolean(),
})
export type HistoryEntry = z.output<typeof HistoryEntry>

/** A page of the history, the newest first. */
export const HistoryPage = z.object({
  results: z.array(HistoryEntry),
  /** Value of `before` for the next page; null on the last one. */
  next: z.string().nullable(),
})
export type HistoryPage = z.output<typeof HistoryPage>

/** The contact whose history is read, and how much of it. */
export interface HistoryQuery {
  organization: number
  contact: number
  phone_number: string
  kind?: HistoryKind
  /** The `next` of the page before. */
  before?: string
  limit: number
  /** True if the reader may see bills. */
  may_see_purchases: boolean
}

type Row = Omit<HistoryEntry, 'key'> & { row_id: number; rank: number }

/**
 * Reads a page of a contact's history. Each kind is read through its index of the contact or the phone number: the time
 * depends on the contact, not on the organization.
 * @throws Invalid for a `before` that is no end of a page
 */
export async function readHistory(db: AnyReader, query: HistoryQuery): Promise<HistoryPage> {
  const { kind, limit, may_see_purchases } = query
  const before = query.before === undefined ? undefined : parseCursor(query.before)
  const kinds = historyKinds.filter(
    (one) => (kind === undefined || one === kind) && (one !== 'bill' || may_see_purchases),
  )
  if (kinds.length === 0) return { results: [], next: null }
  const parts = kinds.map((one) => {
    const { at, row_id, columns, from } = branches[one](query)
    const rank = historyKinds.indexOf(one)
    return sql`(
      select ${one} as kind, ${rank}::integer as rank, ${at} as at, ${row_id} as row_id, ${columns} from ${from}
      and ${isBefore(before, rank, at, row_id)} order by ${at} desc, ${row_id} desc limit ${limit + 1})`
  })
  const found = await db<Row[]>`
    select * from (${sql.join(parts, ' union all ')}) h order by at desc, rank desc, row_id desc limit ${limit + 1}`
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    results: page.map(({ row_id, rank: _, ...entry }) => ({
      ...entry,
      about: entry.kind === 'invoice' && entry.about ? formatNumber('invoice', Number(entry.about)) : entry.about,
      key: `${entry.kind}-${row_id}`,
    })),
    next: found.length > limit && last ? `${last.at.toISOString()}_${last.kind}_${last.row_id}` : null,
  }
}

interface Cursor {
  at: Date
  rank: number
  row_id: number
}

function parseCursor(text: string): Cursor {
  const [, time = '', kind = '', row_id = ''] = /^([\dTZ:.-]{24})_([a-z]+)_(\d{1,16})$/.exec(text) ?? []
  const at = new Date(time)
  const rank = historyKinds.indexOf(kind as HistoryKind)
  if (Number.isNaN(at.getTime()) || rank < 0) throw new Invalid({ before: [getMessage('contacts.page')] })
  return { at, rank, row_id: Number(row_id) }
}

/** The condition that an entry comes after a cursor in the list, which begins with the newest. */
function isBefore(cursor: Cursor | undefined, rank: number, at: Fragment, row_id: Fragment): Fragment {
  if (!cursor) return sql.always
  if (rank === cursor.rank) return sql`(${at}, ${row_id}) < (${cursor.at}, ${cursor.row_id})`
  return rank < cursor.rank ? sql`${at} <= ${cursor.at}` : sql`${at} < ${cursor.at}`
}

/** SQL to read the rows of a kind. `from` ends with the conditions for the contact. */
interface Branch {
  at: Fragment
  /** Unique within the kind. */
  row_id: Fragment
  /** id, state, amount, currency, about and unrequested. */
  columns: Fragment
  from: Fragment
}

const branches: Record<HistoryKind, (query: HistoryQuery) => Branch> = {
  request: ({ organization, contact }) => ({
    ...own,
    columns: sql`id, status as state, amount, currency, reason as about, false as unrequested`,
    from: ofContact(sql`id, created, status, amount, currency, reason from collection_requests`, organization, contact),
  }),
  collection: ({ organization, contact }) => ({
    ...own,
    columns: sql`id, status as state, amount, currency, coalesce(reference, '') as about,
      collection_request is null as unrequested`,
    from: ofContact(
      sql`id, created, status, amount, currency, reference, collection_request from collections`,
      organization,
      contact,
    ),
  }),
  payment: (query) => recipients(query, sql`p.purpose = 'payment'`),
  refund: (query) => recipients(query, sql`p.purpose <> 'payment'`),
  invoice: ({ organization, contact }) => ({
    ...own,
    columns: sql`id, state, total as amount, currency, coalesce(number::text, '') as about, false as unrequested`,
    from: sql`invoices where organization = ${organization} and contact = ${contact}`,
  }),
  bill: ({ organization, phone_number }) => ({
    ...own,
    columns: sql`id, status as state, amount, currency, kind as about, false as unrequested`,
    from: sql`bill_purchases where organization = ${organization} and phone = any(${billPhones(phone_number)}::text[])`,
  }),
  // Texts are not shown: those with tokens need the permission to see bills.
  sms: ({ organization, phone_number }) => ({
    ...own,
    columns: sql`id, state, null::numeric as amount, null::text as currency, purpose as about, false as unrequested`,
    from: sql`sms_messages where organization = ${organization} and phonenumber = ${phone_number}`,
  }),
}

const own = { at: sql`created`, row_id: sql`id` }

/**
 * Selects all rows of a contact by its index. For a large contact PostgreSQL would otherwise walk all rows of the
 * organization from the newest: a million if the contact has bought nothing for a year.
 */
function ofContact(columns: Fragment, organization: number, contact: number): Fragment {
  return sql`(select ${columns} where organization = ${organization} and contact = ${contact} offset 0) o where true`
}

/** Selects the payments to the contact. An entry is a recipient, and its page is the payment's page. */
function recipients({ organization, contact }: HistoryQuery, condition: Fragment): Branch {
  return {
    at: sql`p.created`,
    row_id: sql`r.id`,
    columns: sql`p.id, r.state, r.amount, p.currency, coalesce(nullif(r.description, ''), p.description) as about,
      false as unrequested`,
    from: sql`payment_recipients r join payments p on p.id = r.payment and p.organization = ${organization}
      where r.organization = ${organization} and r.contact = ${contact} and ${condition}`,
  }
}

/** Returns the forms in which purchases have a phone number. Nigerian ones have no country code. */
function billPhones(phone_number: string): string[] {
  const nigerian = phone_number.startsWith('+234') ? parseNigerianPhone(phone_number) : undefined
  return nigerian ? [phone_number, nigerian] : [phone_number]
}

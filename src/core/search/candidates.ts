import { type Fragment, sql } from '../../db/sql.ts'
import { distinctValues } from '../queues.ts'
import type { SearchTerms } from '../typed-search/terms.ts'
import type { FoundContact } from './contacts.ts'
import { ranks } from './ranks.ts'

/** Maximum number of hits shown of a kind. */
export const MAX_HITS = 5
/** Limit with one extra row, which shows that there are more. */
const LIMIT = MAX_HITS + 1
/** Maximum number of texts read with the same beginning. */
const MAX_TEXTS = 50
/** Number of the newest objects of which reasons and references are searched for parts. */
const NEWEST = 1_000
/** Maximum number of links: more than people keep in mind; the list of links shows all. */
const MAX_LINKS = 1_000

/** Search terms, the organization to search in, and the contacts found. */
export interface Search {
  organization: number
  terms: SearchTerms
  contacts: readonly FoundContact[]
}

/**
 * Part of the search: a statement that finds ids, each with its rank (see ranks.ts). Each reads one index from its end,
 * and few rows of it.
 */
type Candidates = Fragment

const byId = (table: string, { organization, terms }: Search, rank: number = ranks.exact): Candidates[] =>
  terms.id === undefined
    ? []
    : [
        sql`(select id, ${rank}::integer as rank from ${sql.identifier(table)} where organization = ${organization} and id = ${terms.id})`,
      ]

const phonesOf = ({ contacts }: Search): string[] => contacts.flatMap(({ phone_number }) => phone_number ?? [])

/** SQL: the phones of the people who were found, each with the rank of its person. */
function phonesWithRanks({ contacts }: Search): Fragment {
  const known = contacts.filter(({ phone_number }) => phone_number !== null)
  return sql`(
    select phone, greatest(min(rank), ${ranks.whole}::integer) as rank
    from unnest(${known.map(({ phone_number }) => phone_number)}::text[], ${known.map(({ rank }) => rank)}::integer[])
      as p(phone, rank) group by phone)`
}

/** The newest objects with a part of a text, which no index finds. */
function byPart(table: string, column: string, { organization, terms }: Search): Candidates[] {
  if (terms.exact.length === 0) return []
  return [
    sql`(
      select id, ${ranks.part}::integer as rank from (
        select id, ${sql.identifier(column)} as text from ${sql.identifier(table)}
        where organization = ${organization} order by id desc limit ${NEWEST}) n
      where strpos(lower(text), lower(${terms.text})) > 0 order by id desc limit ${LIMIT})`,
  ]
}

/** The newest objects of the people who were found. The table has an index by phone number. */
function byPeople(table: string, search: Search): Candidates[] {
  if (search.contacts.length === 0) return []
  return [
    sql`(
      select f.id, p.rank from ${phonesWithRanks(search)} p cross join lateral (
        select id from ${sql.identifier(table)}
        where organization = ${search.organization} and phonenumber = p.phone order by id desc limit ${LIMIT}) f)`,
  ]
}

/** The newest objects of an amount, in each currency and network: the columns before the amount in its index, which are probed for their values. */
function byAmount(table: string, { organization, terms: { amount } }: Search): Candidates[] {
  if (!amount) return []
  const { currency, value } = amount
  const queues =
    currency === null
      ? distinctValues(table, ['currency', 'network'], sql`t.organization = ${organization}`)
      : distinctValues(table, ['network'], sql`t.organization = ${organization} and t.currency = ${currency}`)
  return [
    sql`(
      with recursive ${queues}
      select f.id, ${ranks.amount}::integer as rank from queues q cross join lateral (
        select id from ${sql.identifier(table)}
        where organization = ${organization} and currency = ${currency ?? sql`q.currency`} and network = q.network
          and amount = ${value}
        order by id desc limit ${LIMIT}) f)`,
  ]
}

/** The newest objects of an amount, in a table whose index has the amount alone. */
function byAmountAlone(table: string, column: string, { organization, terms: { amount } }: Search): Candidates[] {
  if (!amount) return []
  const of_currency = amount.currency === null ? sql.always : sql`currency = ${amount.currency}`
  return [
    sql`(
      select id, ${ranks.amount}::integer as rank from ${sql.identifier(table)}
      where organization = ${organization} and ${sql.identifier(column)} = ${amount.value} and ${of_currency}
      order by id desc limit ${LIMIT})`,
  ]
}

/** SQL: finds orders by the network's reference or ours. */
function byOrder(
  column: 'collection_request' | 'collection' | 'payment_recipient' | 'bill_purchase',
  search: Search,
): Fragment {
  const { organization, terms } = search
  return sql`
    select ${sql.identifier(column)} as id from network_orders
    where organization = ${organization} and ${sql.identifier(column)} is not null and reference = any(${terms.exact}::text[])
    union all
    select ${sql.identifier(column)} from network_order_remote_ids i join network_orders o on o.id = i.network_order
    where o.organization = ${organization} and ${sql.identifier(column)} is not null and i.remote_id = any(${terms.exact}::text[])`
}

/** The collections that a network knows by this id. */
function paidAs({ organization, terms }: Search, column: 'id' | 'collection_request'): Fragment {
  return sql`
    select ${sql.identifier(column)} as id from collections
    where organization = ${organization} and connection in (select slug from connections)
      and remote_transaction_id = any(${terms.exact}::text[]) and ${sql.identifier(column)} is not null`
}

export function requestCandidates(search: Search): Candidates[] {
  const { organization, terms } = search
  const texts = terms.exact.map(
    (text) => sql`(
      select id, ${ranks.whole}::integer as rank from collection_requests
      where organization = ${organization} and reason = ${text} and reason <> '' order by id desc limit ${LIMIT})`,
  )
  const beginnings = terms.exact.map(
    (text) => sql`(
      select id, ${ranks.beginning}::integer as rank from collection_requests
      where organization = ${organization} and reason > ${text} and reason < ${`${text}\uffff`} and reason <> ''
        and starts_with(reason, ${text})
      order by reason limit ${MAX_TEXTS})`,
  )
  const ids =
    terms.exact.length === 0
      ? []
      : [
          sql`(select id, 0 as rank from (
            ${paidAs(search, 'collection_request')} union all ${byOrder('collection_request', search)}) o)`,
        ]
  return [
    ...byId('collection_requests', search),
    ...ids,
    ...byPeople('collection_requests', search),
    ...texts,
    ...beginnings,
    ...byPart('collection_requests', 'reason', search),
    ...byAmount('collection_requests', search),
  ]
}

export function collectionCandidates(search: Search): Candidates[] {
  const { organization, terms } = search
  const references = terms.exact.map(
    (text) => sql`(
      select id, ${ranks.whole}::integer as rank from collections
      where organization = ${organization} and md5(reference) = md5(${text}) and reference = ${text}
      order by id desc limit ${LIMIT})`,
  )
  return [
    ...byId('collections', search),
    ...(terms.exact.length > 0 ? [sql`(select id, 0 as rank from (${paidAs(search, 'id')}) o)`] : []),
    ...byPeople('collections', search),
    ...references,
    ...byPart('collections', 'reference', search),
    ...byAmount('collections', search),
  ]
}

/** Finds payments, each with the recipient that was found. A payment that also goes to others ranks below its people. */
export function paymentCandidates(search: Search): Candidates[] {
  const { organization, terms } = search
  const sent =
    terms.exact.length === 0
      ? []
      : [
          sql`(
            select payment as id, 0 as rank, id as recipient from payment_recipients
            where organization = ${organization} and connection in (select slug from connections)
              and remote_transaction_id = any(${terms.exact}::text[]) limit ${LIMIT})`,
          sql`(
            select payment as id, 0 as rank, id as recipient from payment_recipients
            where organization = ${organization} and id in (${byOrder('payment_recipient', search)}))`,
        ]
  // A recipient of every payroll has few payments beside the requests of a customer, and no index sorts them.
  const people =
    search.contacts.length === 0
      ? []
      : [
          sql`(
            select r.payment as id, case
              when exists (
                select from payment_recipients o
                where o.organization = ${organization} and o.payment = r.payment and o.id <> r.id) then ${ranks.part}::integer
              else p.rank end as rank, r.id as recipient
            from (
              select id, payment, phonenumber from payment_recipients
              where organization = ${organization} and phonenumber = any(${phonesOf(search)}::text[])
              order by id desc limit ${MAX_TEXTS}) r
            join ${phonesWithRanks(search)} p on p.phone = r.phonenumber)`,
        ]
  const others = [
    ...byId('payments', search),
    ...byPart('payments', 'description', search),
    ...byAmountAlone('payments', 'amount', search),
  ]
  return [...sent, ...people, ...others.map((one) => sql`(select id, rank, null::bigint as recipient from ${one} o)`)]
}

/** Finds contacts, each with its place in the order in which they were found. */
export function contactCandidates(search: Search): Candidates[] {
  const { contacts } = search
  const [ids, found_ranks] = [contacts.map(({ id }) => id), contacts.map(({ rank }) => rank)]
  const people = sql`(
    select c.id, f.rank, f.place from unnest(${ids}::bigint[], ${found_ranks}::integer[]) with ordinality as f(id, rank, place)
    join contacts c on c.organization = ${search.organization} and c.id = f.id)`
  const by_id = byId('contacts', search, ranks.beginning).map((one) => sql`(select id, rank, 0 as place from ${one} o)`)
  return [...by_id, ...(contacts.length > 0 ? [people] : [])]
}

export function invoiceCandidates(search: Search): Candidates[] {
  const { organization, terms, contacts } = search
  const number =
    terms.invoice === undefined
      ? []
      : [sql`(select id, 0 as rank from invoices where organization = ${organization} and number = ${terms.invoice})`]
  const people =
    contacts.length === 0
      ? []
      : [
          sql`(
            select i.id, f.rank from (
              select id, contact from invoices
              where organization = ${organization} and contact = any(${contacts.map(({ id }) => id)}::bigint[])
              order by id desc limit ${LIMIT}) i
            join (
              select id, greatest(rank, ${ranks.whole}::integer) as rank
              from unnest(${contacts.map(({ id }) => id)}::bigint[], ${contacts.map(({ rank }) => rank)}::integer[]) as c(id, rank)
            ) f on f.id = i.contact)`,
        ]
  return [...number, ...people, ...byAmountAlone('invoices', 'total', search)]
}

/** Finds receipts by their numbers, and of the collections that were found, with their rank. */
export function receiptCandidates(
  { organization, terms }: Search,
  { collections, rank }: { collections: readonly number[]; rank: number },
): Candidates[] {
  const number =
    terms.receipt === undefined
      ? []
      : [sql`(select id, 0 as rank from receipts where organization = ${organization} and number = ${terms.receipt})`]
  const paid =
    collections.length === 0
      ? []
      : [
          sql`(
            select id, ${rank}::integer as rank from receipts
            where organization = ${organization} and collection = any(${[...collections]}::bigint[]))`,
        ]
  return [...number, ...paid]
}

export function purchaseCandidates(search: Search): Candidates[] {
  const { organization, terms } = search
  const numbers = [terms.text, ...(terms.phone ? [terms.phone.digits, ...terms.phone.prefixes] : [])]
  const byNumber = (column: 'phone' | 'account_number') => sql`(
    select f.id, ${ranks.whole}::integer as rank from unnest(${numbers}::text[]) as p(number) cross join lateral (
      select id from bill_purchases
      where organization = ${organization} and ${sql.identifier(column)} = p.number order by id desc limit ${LIMIT}) f)`
  const texts =
    terms.exact.length === 0
      ? []
      : [
          sql`(
            select id, 0 as rank from bill_purchases
            where organization = ${organization} and agent_reference = any(${terms.exact}::text[]))`,
          sql`(select id, 0 as rank from (${byOrder('bill_purchase', search)}) o)`,
        ]
  return [
    ...byId('bill_purchases', search),
    ...texts,
    byNumber('phone'),
    byNumber('account_number'),
    ...byAmountAlone('bill_purchases', 'amount', search),
  ]
}

export function linkCandidates(search: Search): Candidates[] {
  const { organization, terms } = search
  const title =
    terms.words.length === 0
      ? []
      : [
          sql`(
            select id, ${ranks.part}::integer as rank from (
              select id, title from payment_links where organization = ${organization} order by id desc limit ${MAX_LINKS}) l
            where strpos(lower(title), lower(${terms.text})) > 0 order by id desc limit ${LIMIT})`,
        ]
  return [...byId('payment_links', search), ...title]
}

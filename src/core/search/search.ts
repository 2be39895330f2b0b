import type { AnyReader } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import type { Amount } from '../../lib/money.ts'
import { serviceName } from '../bills/service-names.ts'
import { stateAt } from '../checkout/payment-link.ts'
import { knownName } from '../contacts/contacts.ts'
import { selectAskedPhone } from '../contacts/phones.ts'
import { formatNumber } from '../documents/series.ts'
import { currencyCountries } from '../ledger/currencies.ts'
import { receiptState } from '../receipts/receipt.ts'
import { readReceipts } from '../receipts/receipts.ts'
import {
  collectionCandidates,
  contactCandidates,
  invoiceCandidates,
  linkCandidates,
  MAX_HITS,
  paymentCandidates,
  purchaseCandidates,
  receiptCandidates,
  requestCandidates,
  type Search,
} from './candidates.ts'
import { findContacts } from './contacts.ts'
import {
  type SearchResult,
  type SearchResultGroup,
  type SearchResultKind,
  searchResultKinds,
} from './search-results.ts'
import { readSearch } from './terms.ts'

/** Organization and time of a search, and the permission to search purchases of bills. */
export interface Searcher {
  organization: number
  may_see_purchases: boolean
  now: Date
}

/** A row of a hit, as the statements of the kinds return it. */
interface ResultRow {
  id: number
  rank: number
  title: string | null
  first_name: string | null
  last_name: string | null
  phonenumber: string | null
  reference: string | null
  state: string
  amount: Amount | null
  currency: string | null
  created: Date
}

/** Hits of one kind, with the rank of the best of them. */
interface RankedGroup extends SearchResultGroup {
  rank: number
}

const NO_RANK = 9

/**
 * Searches all objects of an organization by id, customer number, phone number, name, tag, reference, amount and the
 * numbers of documents and networks. The cost does not grow with the tables: each lookup reads a few rows of one index.
 * @param typed as it was typed; empty or unreadable texts find nothing
 */
export async function search(db: AnyReader, typed: string, searcher: Searcher): Promise<SearchResultGroup[]> {
  const { organization, may_see_purchases, now } = searcher
  const terms = readSearch(typed, await readCountries(db, organization))
  if (terms.text === '') return []
  const contacts = await findContacts(db, organization, terms)
  const query: Search = { organization, terms, contacts }
  const collections = findCollections(db, query)
  const found = await Promise.all([
    findRequests(db, query),
    collections,
    findPayments(db, query),
    findContactResults(db, query),
    findInvoices(db, query, now),
    collections.then(({ hits }) => findReceipts(db, query, hits)),
    may_see_purchases ? findPurchases(db, query) : nothing('purchase'),
    findLinks(db, query, now),
  ])
  const groups = found.filter(({ hits }) => hits.length > 0)
  // Exact matches come before matches of the same person, and amounts come last.
  groups.sort((a, b) => a.rank - b.rank || searchResultKinds.indexOf(a.kind) - searchResultKinds.indexOf(b.kind))
  return groups.map(({ rank: _, ...group }) => group)
}

async function readCountries(db: AnyReader, organization: number): Promise<string[]> {
  const [row] = await db<{ country: string | null; currencies: string[] }[]>`
    select country, array(
      select distinct currency from accounts where organization = ${organization} and kind in ('local', 'cross_border')) as currencies
    from organizations where id = ${organization}`
  const { country, currencies } = row!
  return [country, ...currencies.map((currency) => currencyCountries[currency])].flatMap((one) => one ?? [])
}

const nothing = (kind: SearchResultKind): RankedGroup => ({ kind, hits: [], more: false, rank: NO_RANK })

/**
 * Reads the best candidates of one kind: by rank, and then the newest.
 * @param select the shown columns of each `best` one
 */
async function find(
  db: AnyReader,
  kind: SearchResultKind,
  candidates: readonly Fragment[],
  select: Fragment,
): Promise<RankedGroup> {
  if (candidates.length === 0) return nothing(kind)
  const found = await db<ResultRow[]>`
    with best as materialized (
      select id, min(rank) as rank from (${sql.join(candidates, ' union all ')}) c
      group by id order by min(rank), id desc limit ${MAX_HITS + 1})
    ${select} order by best.rank, best.id desc`
  return {
    kind,
    hits: found.slice(0, MAX_HITS).map(toResult),
    more: found.length > MAX_HITS,
    rank: found[0]?.rank ?? NO_RANK,
  }
}

function toResult({ rank: _, first_name, last_name, ...row }: ResultRow): SearchResult {
  return { ...row, name: knownName({ first_name: first_name ?? '', last_name: last_name ?? '' }) }
}

function findRequests(db: AnyReader, query: Search): Promise<RankedGroup> {
  return find(
    db,
    'collection_request',
    requestCandidates(query),
    sql`
    select t.id, best.rank, null as title, p.first_name, p.last_name, t.phonenumber, nullif(t.reason, '') as reference,
      t.status as state, t.amount, t.currency, t.created
    from best join collection_requests t on t.organization = ${query.organization} and t.id = best.id
    left join contacts p on p.organization = ${query.organization} and p.id = t.contact`,
  )
}

function findCollections(db: AnyReader, query: Search): Promise<RankedGroup> {
  return find(
    db,
    'collection',
    collectionCandidates(query),
    sql`
    select t.id, best.rank, null as title, p.first_name, p.last_name, t.phonenumber,
      coalesce(t.reference, t.remote_transaction_id) as reference, t.status as state, t.amount, t.currency, t.created
    from best join collections t on t.organization = ${query.organization} and t.id = best.id
    left join contacts p on p.organization = ${query.organization} and p.id = t.contact`,
  )
}

function findPayments(db: AnyReader, query: Search): Promise<RankedGroup> {
  return find(
    db,
    'payment',
    paymentCandidates(query),
    sql`
    select t.id, best.rank, null as title, p.first_name, p.last_name, f.phonenumber, nullif(t.description, '') as reference,
      t.state, t.amount, t.currency, t.created
    from best join payments t on t.organization = ${query.organization} and t.id = best.id
    left join lateral (
      select phonenumber, contact from payment_recipients
      where organization = ${query.organization} and payment = t.id order by id limit 1) f on true
    left join contacts p on p.organization = ${query.organization} and p.id = f.contact`,
  )
}

function findContactResults(db: AnyReader, query: Search): Promise<RankedGroup> {
  return find(
    db,
    'contact',
    contactCandidates(query),
    sql`
    select t.id, best.rank, null as title, t.first_name, t.last_name,
      ${selectAskedPhone('t')} as phonenumber, coalesce(t.number, t.email) as reference,
      t.status as state, null::numeric as amount, null as currency, t.created
    from best join contacts t on t.organization = ${query.organization} and t.id = best.id`,
  )
}

function findInvoices(db: AnyReader, query: Search, now: Date): Promise<RankedGroup> {
  return find(
    db,
    'invoice',
    invoiceCandidates(query),
    sql`
    select t.id, best.rank, t.number::text as title, p.first_name, p.last_name, ${selectAskedPhone('p')} as phonenumber,
      nullif(t.notes, '') as reference,
      case when t.state = 'issued' and t.overdue_at <= ${now} then 'overdue' else t.state end as state, t.total as amount,
      t.currency, t.created
    from best join invoices t on t.organization = ${query.organization} and t.id = best.id
    left join contacts p on p.organization = ${query.organization} and p.id = t.contact`,
  ).then((found) => ({ ...found, hits: found.hits.map(numberInvoice) }))
}

function numberInvoice(hit: SearchResult): SearchResult {
  return { ...hit, title: hit.title === null ? null : formatNumber('invoice', Number(hit.title)) }
}

/** Reads receipts with the module that knows their state, which depends on refunds. */
async function findReceipts(db: AnyReader, query: Search, collections: readonly SearchResult[]): Promise<RankedGroup> {
  const found = await find(
    db,
    'receipt',
    receiptCandidates(
      query,
      collections.map(({ id }) => id),
    ),
    sql`
    select t.id, best.rank, t.number::text as title, null as first_name, null as last_name, null as phonenumber,
      null as reference, '' as state, null::numeric as amount, null as currency, t.created
    from best join receipts t on t.organization = ${query.organization} and t.id = best.id`,
  )
  if (found.hits.length === 0) return found
  const rows = new Map(
    (
      await readReceipts(
        db,
        found.hits.map(({ id }) => id),
      )
    ).map((row) => [row.id, row]),
  )
  const hits = found.hits.flatMap((hit): SearchResult[] => {
    const row = rows.get(hit.id)
    if (!row) return []
    const { phonenumber, reason, amount, currency, created } = row
    const shown = { phonenumber, amount, currency, created, state: receiptState(row) }
    return [
      {
        ...hit,
        ...shown,
        title: formatNumber('receipt', row.number),
        name: knownName(row.contact),
        reference: reason || null,
      },
    ]
  })
  return { ...found, hits }
}

function findPurchases(db: AnyReader, query: Search): Promise<RankedGroup> {
  return find(
    db,
    'purchase',
    purchaseCandidates(query),
    sql`
    select t.id, best.rank, null as title, null as first_name, null as last_name, t.phone as phonenumber,
      ${serviceName('t')} || ' ' || t.account_number as reference, t.status as state, t.amount, t.currency, t.created
    from best join bill_purchases t on t.organization = ${query.organization} and t.id = best.id`,
  )
}

function findLinks(db: AnyReader, query: Search, now: Date): Promise<RankedGroup> {
  return find(
    db,
    'payment_link',
    linkCandidates(query),
    sql`
    select best.id, best.rank, t.title, null as first_name, null as last_name, null as phonenumber, null as reference,
      t.state, t.amount, t.currency, t.created
    from best join (
      select id, title, ${stateAt(now)} as state, amount, currency, created from payment_links
      where organization = ${query.organization} and id in (select id from best)) t on t.id = best.id`,
  )
}

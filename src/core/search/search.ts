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
import { readSearch } from '../typed-search/terms.ts'
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
import { ranks } from './ranks.ts'
import {
  type SearchResult,
  type SearchResultGroup,
  type SearchResultKind,
  searchResultKinds,
} from './search-results.ts'

/** Organization and time of a search, and the permission to search purchases of bills. */
interface Searcher {
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
  others?: number
}

/** Hits of one kind, with the rank of the best of them. */
interface RankedGroup extends SearchResultGroup {
  rank: number
}

/** Maximum number of other recipients of a payment that are counted. */
const MAX_OTHERS = 10_000

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
    collections.then((paid) => findReceipts(db, query, paid)),
    may_see_purchases ? findPurchases(db, query) : nothing('purchase'),
    findLinks(db, query, now),
  ])
  const groups = found.filter(({ hits }) => hits.length > 0)
  // Exact matches come first, then people and whole texts, then parts of them, and amounts come last.
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

const nothing = (kind: SearchResultKind): RankedGroup => ({ kind, hits: [], more: false, rank: ranks.none })

/**
 * Reads the best candidates of one kind: by rank, and then the newest, if there is no other order.
 * @param select the shown columns of each `best` one
 * @param best_columns further columns of `best`, computed of all candidates with the same id
 */
async function find(
  db: AnyReader,
  kind: SearchResultKind,
  candidates: readonly Fragment[],
  select: Fragment,
  { best_columns = sql.empty, order = sql`id desc` }: { best_columns?: Fragment; order?: Fragment } = {},
): Promise<RankedGroup> {
  if (candidates.length === 0) return nothing(kind)
  const found = await db<ResultRow[]>`
    with best as materialized (
      select id, min(rank) as rank ${best_columns} from (${sql.join(candidates, ' union all ')}) c
      group by id order by min(rank), ${order} limit ${MAX_HITS + 1})
    ${select} order by best.rank, ${order}`
  return {
    kind,
    hits: found.slice(0, MAX_HITS).map(toResult),
    more: found.length > MAX_HITS,
    rank: found[0]?.rank ?? ranks.none,
  }
}

function toResult({ rank: _, first_name, last_name, others = 0, ...row }: ResultRow): SearchResult {
  return { ...row, others, name: knownName({ first_name: first_name ?? '', last_name: last_name ?? '' }) }
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

/** Finds payments. Each shows the recipient that was found, or else its first one, and how many others it has. */
function findPayments(db: AnyReader, query: Search): Promise<RankedGroup> {
  const { organization } = query
  return find(
    db,
    'payment',
    paymentCandidates(query),
    sql`
    select t.id, best.rank, null as title, p.first_name, p.last_name, f.phonenumber, nullif(t.description, '') as reference,
      t.state, t.amount, t.currency, t.created, greatest(o.count - 1, 0)::integer as others
    from best join payments t on t.organization = ${organization} and t.id = best.id
    cross join lateral (
      select count(*) as count, min(id) as first from (
        select id from payment_recipients
        where organization = ${organization} and payment = t.id order by id limit ${MAX_OTHERS + 1}) r) o
    left join payment_recipients f on f.organization = ${organization} and f.id = coalesce(best.recipient, o.first)
    left join contacts p on p.organization = ${organization} and p.id = f.contact`,
    {
      best_columns: sql`,
        (array_agg(recipient order by rank, recipient) filter (where recipient is not null))[1] as recipient`,
    },
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
    { best_columns: sql`, min(place) as place`, order: sql`place` },
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
async function findReceipts(db: AnyReader, query: Search, paid: RankedGroup): Promise<RankedGroup> {
  const found = await find(
    db,
    'receipt',
    receiptCandidates(query, { collections: paid.hits.map(({ id }) => id), rank: paid.rank }),
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

import type { Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import type { NetworkTransaction } from '../../lib/adapter-types.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { type Contact, contactsById, findOrCreateContacts } from '../contacts/contacts.ts'
import { WriteConflict } from '../write-conflict.ts'
import {
  createAcceptanceCheck,
  linkAcceptanceChecks,
  type NewAcceptanceCheck,
  readVerdicts,
} from './acceptance-checks.ts'
import type { Verdict } from './acceptance-urls.ts'
import { type RequestRow, requestColumns } from './collection-request.ts'
import type { CollectionRow, CollectionStatus } from './collections.ts'
import { creditCollections, postReversals, type ReversedCollection } from './ledger-postings.ts'
import { lockOpenRequests, parseOrderReference, transitionRequests } from './orders.ts'

/** Money that a network says has reached one of our receivers, or has been taken back again. */
export interface IncomingPaymentReport extends Omit<NetworkTransaction, 'name'> {
  network: { code: string; name: string }
}

/** What became of one report of money. */
export type IngestResult = 'recorded' | 'known' | 'reversed' | 'no_account'

/**
 * Takes money into the books: each remote transaction is recorded once, matched to the oldest open request that fits,
 * credited to the wallet that its receiver belongs to and announced. Money that matches nothing is kept, credited and
 * announced too, unless its organization wants to be asked first: until it accepts, the money stays in suspense. A report
 * of a reversal takes the money off again.
 * @returns for each report what became of it; `no_account` money went to a receiver that is not ours.
 * @throws Overtaken when the batch must be repeated.
 */
export async function ingestIncomingPayments(
  tx: Tx,
  now: Date,
  reports: readonly IncomingPaymentReport[],
): Promise<IngestResult[]> {
  const [homes, known] = await Promise.all([readDestinations(tx, reports), readRecordedKeys(tx, reports)])
  const fresh = new Map<string, IncomingPayment>()
  const taken = reports.map((report, index): IngestResult => {
    const home = homes.get(index)
    if (!home) return 'no_account'
    const key = remoteTransactionKey(report)
    if (known.has(key) || fresh.has(key)) return 'known'
    fresh.set(key, { ...report, ...home })
    return 'recorded'
  })
  await recordIncomingPayments(tx, now, [...fresh.values()])
  const reversals = new Set(
    reports.flatMap((report, index) =>
      report.status === 'reversed' && taken[index] !== 'no_account' ? [remoteTransactionKey(report)] : [],
    ),
  )
  const reversed = await reverseCollections(
    tx,
    now,
    reports.filter((report) => reversals.delete(remoteTransactionKey(report))),
  )
  return reports.map((report, index) =>
    report.status === 'reversed' && reversed.has(remoteTransactionKey(report)) ? 'reversed' : taken[index]!,
  )
}

/**
 * Looks at money that a network would take for us, before it does. What answers a request is accepted, and so is
 * everything where no hook is set; else the organization is asked.
 * @returns the verdict, or the question that will bring it within `timeout_s`.
 */
export async function answerValidationRequest(
  tx: Tx,
  now: Date,
  money: IncomingPaymentReport,
): Promise<{ verdict: Verdict; reason: string | null } | { question: number; timeout_s: number }> {
  const home = (await readDestinations(tx, [money])).get(0)
  if (!home) return { verdict: 'reject', reason: 'This receiver number belongs to no account.' }
  const arrival = { ...money, ...home }
  const [request] = await matchIncomingPayments(tx, [arrival])
  const offer = buildAcceptanceCheck(arrival, request)
  if (!offer) return { verdict: 'accept', reason: null }
  return { question: await createAcceptanceCheck(tx, now, offer), timeout_s: offer.timeout_s }
}

/** Where money belongs: the account of its receiver. */
interface Destination {
  organization: number
  account: number
  service_user: number
  /** How long the organization has to say whether it takes unrequested money; null when it takes all. */
  timeout_s: number | null
  /** Whether collections cost the organization anything. */
  has_collection_fee: boolean
}
type IncomingPayment = IncomingPaymentReport & Destination

function remoteTransactionKey(report: { network: { code: string }; remote_id: string }): string {
  return `${report.network.code}:${report.remote_id}`
}

/** The account that each report's receiver belongs to, by the report's place. */
async function readDestinations(tx: Tx, reports: readonly IncomingPaymentReport[]): Promise<Map<number, Destination>> {
  const payments = rows(reports, {
    index: ['integer', (_, index) => index],
    network: ['text', (report) => report.network.code],
    receiver: 'text',
    currency: 'text',
  })
  const destinations = await tx<(Destination & { index: number })[]>`
    select p.index, a.organization, a.id as account, o.service_user, u.timeout_s,
      exists (select from fees f where f.organization = o.id and f.kind = 'collection') as has_collection_fee
    from ${payments.as('p')}
    join receivers r on r.network = p.network and r.number = p.receiver
    join accounts a on a.id = r.account and a.currency = p.currency
    join organizations o on o.id = a.organization
    left join acceptance_urls u on u.organization = o.id`
  return new Map(destinations.map(({ index, ...destination }) => [index, destination]))
}

async function readRecordedKeys(tx: Tx, reports: readonly IncomingPaymentReport[]): Promise<Set<string>> {
  const recorded = await tx<{ network: string; remote_id: string }[]>`
    select c.network, c.remote_transaction_id as remote_id from ${remoteTransactions(reports).as('r')}
    join collections c on c.network = r.network and c.remote_transaction_id = r.remote_id`
  return new Set(
    recorded.map(({ network, remote_id }) => remoteTransactionKey({ network: { code: network }, remote_id })),
  )
}

function remoteTransactions(reports: readonly IncomingPaymentReport[]) {
  return rows(reports, { network: ['text', (report) => report.network.code], remote_id: 'text' })
}

async function recordIncomingPayments(tx: Tx, now: Date, arrivals: IncomingPayment[]): Promise<void> {
  if (arrivals.length === 0) return
  // One order for every transaction: two that record the same money wait in line instead of for each other.
  arrivals.sort((a, b) => (remoteTransactionKey(a) < remoteTransactionKey(b) ? -1 : 1))
  const matches = await matchIncomingPayments(tx, arrivals)
  const contacts = await findOrCreateContacts(
    tx,
    now,
    arrivals.map((arrival) => ({
      organization: arrival.organization,
      phone_number: arrival.phonenumber,
      network_name: arrival.network.name,
      author: arrival.service_user,
    })),
  )
  const offers = arrivals.map((arrival, index) => buildAcceptanceCheck(arrival, matches[index]))
  const verdicts = await readVerdicts(tx, offers)
  const collections = await insertCollections(
    tx,
    now,
    arrivals.map((arrival, index) => ({
      ...arrival,
      contact: contacts[index]!.id,
      request: matches[index]?.id ?? null,
      status: initialStatus(offers[index], verdicts[index]),
    })),
  )
  if (collections.length < arrivals.length) throw new WriteConflict()
  const requestContacts = await contactsOf(tx, matches, contacts)
  const moved = await transitionRequests(
    tx,
    now,
    collections.flatMap((row, index) => {
      const request = matches[index]
      return request
        ? [{ request, to: 'successful' as const, author: row.author, collection: row.id, due_at: null }]
        : []
    }),
    requestContacts,
  )
  await linkAcceptanceChecks(
    tx,
    now,
    collections.flatMap((row, index) => {
      const offer = offers[index]
      return offer ? [{ ...offer, collection: row.id, verdict: verdicts[index] ?? null }] : []
    }),
  )
  await creditCollections(tx, now, collections, {
    ...{ from: 'external', contacts: requestContacts, requests: moved },
    may_charge: arrivals.some((arrival) => arrival.has_collection_fee),
  })
}

/**
 * Money that its organization wants to be asked about, or undefined. Whatever answers a request or one of our orders was
 * asked for.
 */
function buildAcceptanceCheck(
  arrival: IncomingPayment,
  request: RequestRow | undefined,
): NewAcceptanceCheck | undefined {
  const { timeout_s } = arrival
  if (request || timeout_s === null || parseOrderReference(arrival.order_reference) !== undefined) return undefined
  return { ...arrival, timeout_s, network: arrival.network.code, remote_transaction_id: arrival.remote_id }
}

function initialStatus(offer: NewAcceptanceCheck | undefined, verdict: Verdict | null | undefined): CollectionStatus {
  if (!offer || verdict === 'accept') return 'successful'
  return verdict === 'reject' ? 'failed' : 'pending'
}

/**
 * Finds the request that each arrival fulfils, and locks it. The nth collection meets the nth oldest request; a request
 * fulfils one arrival only. Where another transaction was quicker with the oldest, the search goes on with the next one.
 */
async function matchIncomingPayments(
  tx: Tx,
  arrivals: readonly IncomingPayment[],
): Promise<(RequestRow | undefined)[]> {
  const matches: (RequestRow | undefined)[] = arrivals.map(() => undefined)
  const given = new Set<number>()
  const give = (index: number, request: RequestRow | undefined) => {
    matches[index] = request
    if (request) given.add(request.id)
  }
  const inOrder = arrivals
    .map((_, index) => index)
    .sort((a, b) => arrivals[a]!.paid_at.getTime() - arrivals[b]!.paid_at.getTime())
  const named = inOrder.filter((index) => referencedRequest(arrivals[index]!) !== undefined)
  const findFor = (indexes: readonly number[]) =>
    findCandidates(
      tx,
      indexes.map((index) => arrivals[index]!),
      given,
    )
  let unmatched = inOrder.filter((index) => parseOrderReference(arrivals[index]!.order_reference) === undefined)
  let found = await findFor(unmatched)
  let candidates = await lockOpenRequests(tx, [...named.map((index) => referencedRequest(arrivals[index]!)!), ...found])
  // Money that names a request goes first, so that other money never takes the request that a neighbour names.
  for (const index of named) {
    const wanted = referencedRequest(arrivals[index]!)
    give(
      index,
      candidates.find(
        (request) => request.id === wanted && !given.has(request.id) && matchesRequest(request, arrivals[index]!),
      ),
    )
  }
  for (;;) {
    for (const index of unmatched.filter((one) => !matches[one])) {
      const arrival = arrivals[index]!
      const isOldest = (r: RequestRow) =>
        !given.has(r.id) && matchesRequest(r, arrival) && r.phonenumber === arrival.phonenumber
      give(index, candidates.find(isOldest))
    }
    unmatched = unmatched.filter((index) => !matches[index])
    // A request that ended while we waited for its lock is not found again, so each round finds fewer and the last one none.
    found = unmatched.length === 0 ? [] : await findFor(unmatched)
    if (found.length === 0) return matches
    candidates = await lockOpenRequests(tx, found)
  }
}

/**
 * The oldest open requests that arrivals fit by account, phone and amount, without those that are given already. Nothing is
 * locked here (docs/decisions/0016).
 */
async function findCandidates(
  tx: Tx,
  arrivals: readonly IncomingPayment[],
  given: ReadonlySet<number>,
): Promise<number[]> {
  if (arrivals.length === 0) return []
  const payments = rows(arrivals, { account: 'bigint', phonenumber: 'text', amount: 'numeric', currency: 'text' })
  const found = await tx<{ id: number }[]>`
    select distinct r.id from ${payments.as('p')}
    cross join lateral (
      select c.id from collection_requests c
      where c.account = p.account and c.phonenumber = p.phonenumber and c.amount = p.amount
        and c.currency = p.currency and c.status in ('pending', 'processing_started', 'instructions_sent')
        and c.id <> all(${[...given]}::bigint[])
      order by c.id limit ${arrivals.length}) r`
  return found.map(({ id }) => id)
}

/** Money that carries an order reference of ours may fulfil that request only; a typed reference is the request's id. */
function referencedRequest(arrival: IncomingPayment): number | undefined {
  const ours = parseOrderReference(arrival.order_reference)
  if (ours !== undefined) return ours
  return /^\d{1,15}$/.test(arrival.reference?.trim() ?? '') ? Number(arrival.reference) : undefined
}

function matchesRequest(request: RequestRow, arrival: IncomingPayment): boolean {
  return (
    request.account === arrival.account && request.amount === arrival.amount && request.currency === arrival.currency
  )
}

type CollectionToInsert = Omit<IncomingPayment, 'status'> & {
  contact: number
  request: number | null
  status: CollectionStatus
}

async function insertCollections(tx: Tx, now: Date, items: readonly CollectionToInsert[]): Promise<CollectionRow[]> {
  const collections = rows(items, {
    organization: 'bigint',
    account: 'bigint',
    network: ['text', (item) => item.network.code],
    remote_transaction_id: ['text', (item) => item.remote_id],
    amount: 'numeric',
    currency: 'text',
    phonenumber: 'text',
    contact: 'bigint',
    reference: 'text',
    status: 'text',
    payment_date: ['timestamptz', (item) => truncateToSecond(item.paid_at)],
    collection_request: ['bigint', (item) => item.request],
    author: ['bigint', (item) => item.service_user],
  })
  const second = truncateToSecond(now)
  return tx`
    insert into collections (${collections.columns}, created, modified)
    select ${collections.columns}, ${second}, ${second} from ${collections.as('c')}
    on conflict (network, remote_transaction_id) do nothing
    returning *`
}

/** Contacts of the matched requests; mostly the payer's own, who has been read already. */
async function contactsOf(
  tx: Tx,
  matches: readonly (RequestRow | undefined)[],
  payers: readonly Contact[],
): Promise<Map<number, Contact>> {
  const contacts = new Map(payers.map((contact) => [contact.id, contact]))
  const missing = matches.flatMap((request) => (request && !contacts.has(request.contact) ? [request.contact] : []))
  if (missing.length > 0) for (const [key, contact] of await contactsById(tx, missing)) contacts.set(key, contact)
  return contacts
}

/** Takes reversed money off the wallets again and moves the requests that it had fulfilled. Returns what was reversed. */
async function reverseCollections(tx: Tx, now: Date, reports: readonly IncomingPaymentReport[]): Promise<Set<string>> {
  if (reports.length === 0) return new Set()
  const collections = await tx<ReversedCollection[]>`
    update collections c set status = 'reversed', modified = ${truncateToSecond(now)}, updated_by = c.author
    from ${remoteTransactions(reports).as('r')}
    where c.network = r.network and c.remote_transaction_id = r.remote_id and c.status <> 'reversed'
    returning c.*, old.status as previous_status`
  const requests = await tx<RequestRow[]>`
    select ${requestColumns()} from collection_requests
    where id = any(${collections.flatMap((row) => row.collection_request ?? [])}::bigint[]) order by id for update`
  const fulfilled = requests.filter(({ status }) => status === 'successful')
  await transitionRequests(
    tx,
    now,
    fulfilled.map((request) => ({
      request,
      to: 'reversed' as const,
      author: collections.find((row) => row.collection_request === request.id)!.author,
      error_message: 'The network has taken the money back.',
      due_at: null,
    })),
  )
  await postReversals(tx, now, collections)
  return new Set(
    collections.map((row) =>
      remoteTransactionKey({ network: { code: row.network }, remote_id: row.remote_transaction_id }),
    ),
  )
}

import type { Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { type Destination, type IncomingPaymentReport, readDestinations } from '../connections/destinations.ts'
import { keepUnassigned, linkRecorded, lockUnassignedMoney } from '../connections/unassigned-money.ts'
import { type Contact, contactsById, findOrCreateContacts, readContacts } from '../contacts/contacts.ts'
import { reserveEvents } from '../events/events.ts'
import { noteFact } from '../facts.ts'
import { findNamed, type Named } from '../numbers/named.ts'
import { WriteConflict } from '../write-conflict.ts'
import {
  createAcceptanceCheck,
  linkAcceptanceChecks,
  type NewAcceptanceCheck,
  readVerdicts,
} from './acceptance-checks.ts'
import type { Verdict } from './acceptance-urls.ts'
import type { RequestRow } from './collection-request.ts'
import { type CollectionStatus, insertCollections, type MatchReason } from './collections.ts'
import {
  bookLaterNetworkFees,
  creditCollections,
  type PostedMoney,
  prepareCredits,
  toReceivedEvent,
} from './ledger-postings.ts'
import { lockOpenRequests, lockRequests, toChangedEvent, transitionRequests } from './orders.ts'
import {
  addPaidOrders,
  linkPaidOrders,
  type PaidOrder,
  type RecordedMoney,
  readPaidOrders,
  readRecorded,
  recordPaidOrders,
  refuseHiddenOrders,
  refuseTwoPaymentsOfOneOrder,
} from './paid-orders.ts'
import { remoteTransactionKey, reverseCollections, takesMoneyBack } from './reversals.ts'
import { readConfirmingOrganizations } from './sms.ts'

export type { IncomingPaymentReport } from '../connections/destinations.ts'

/**
 * The result of one report. `reversed`: money was taken out of the books again. `unassigned`: no account has this receiver in
 * this currency, and the money is kept until it is assigned to one.
 */
export type IngestResult = 'recorded' | 'known' | 'reversed' | 'unassigned'

/**
 * Enters payments into the books. Each remote transaction is recorded once, matched to the oldest open request that fits
 * (a payment that names an invoice, customer or link fits its requests only), and credited to the account of its receiver, with an event. A payment that names an order of ours belongs to the account
 * of that order's request, is recorded once whatever ids are reported, and closes the order. A payment that matches no
 * request is an unmatched collection. If its organization has an acceptance URL, the money stays in suspense until it is accepted. A payment
 * without an account is kept as unassigned money. A report of a reversal takes the money, or a part of it, out of the books
 * again.
 * @returns the result of each report, in the order given
 * @throws WriteConflict when another transaction recorded the same payment; the reports must be repeated.
 * NotInService, SettingsChanged when a connection may not bring money into the books
 */
export async function ingestIncomingPayments(
  tx: Tx,
  now: Date,
  incoming: readonly IncomingPaymentReport[],
): Promise<IngestResult[]> {
  const paid = await readPaidOrders(tx, incoming)
  const [destinations, recorded, stored] = await Promise.all([
    readDestinations(tx, paid.reports, paid.orders),
    readRecorded(tx, paid.reports),
    lockUnassignedMoney(tx, paid.reports),
  ])
  addPaidOrders(recorded, paid)
  const in_question = paid.reports.map((report, index) => ({
    report,
    has_account: destinations.has(index),
    is_recorded: recorded.has(remoteTransactionKey(report)),
  }))
  const unassigned = await keepUnassigned(tx, now, in_question, stored)
  const { reports } = unassigned
  const payments = new Map<string, IncomingPayment>()
  const results = reports.map((report, index): IngestResult => {
    const result = unassigned.results[index]!
    if (result !== 'record') return result
    const key = remoteTransactionKey(report)
    if (payments.has(key)) return 'known'
    payments.set(key, { ...report, ...destinations.get(index)!, order: paid.orders.get(index) })
    return 'recorded'
  })
  refuseTwoPaymentsOfOneOrder([...payments.values()])
  const to_lock = [
    ...reports.flatMap((report) =>
      takesMoneyBack(report) ? (recorded.get(remoteTransactionKey(report))?.request ?? []) : [],
    ),
    ...[...paid.orders.values()].map(({ request }) => request),
  ]
  const matched = await matchPayments(tx, [...payments.values()], to_lock)
  const [entered] = await Promise.all([
    recordIncomingPayments(tx, now, matched),
    recordPaidOrders(tx, now, reports, paid),
  ])
  await linkRecorded(tx, now, unassigned)
  await linkPaidOrders(tx, reports, paid, recorded)
  await bookLaterNetworkFees(
    tx,
    now,
    reports.filter((report, index) => results[index] === 'known' && !takesMoneyBack(report)),
  )
  const reversed = await reverseCollections(tx, now, reports)
  const ends = reports.map((report, index) =>
    takesMoneyBack(report) && reversed.has(remoteTransactionKey(report)) ? 'reversed' : results[index]!,
  )
  for (const [index, { network, remote_id }] of reports.entries()) {
    const key = remoteTransactionKey(reports[index]!)
    const known = recorded.get(key) ?? entered.get(key)
    noteFact(tx, 'payment_recorded', {
      ...{ collection_request: known?.request ?? null, collection: known?.id ?? null },
      ...{ connection: network.slug, remote_id, result: ends[index]! },
    })
  }
  return ends
}

/**
 * Decides about a payment before the network makes it. It is accepted when it matches a request or names a number that is
 * known. An organization may reject unknown numbers. Others are accepted unless it has an acceptance URL; then an acceptance
 * check is created.
 * @returns the verdict, or the id of the check that has a verdict within `timeout_s`
 */
export async function answerValidationRequest(
  tx: Tx,
  now: Date,
  report: IncomingPaymentReport,
): Promise<{ verdict: Verdict; reason: string | null } | { acceptance_check: number; timeout_s: number }> {
  const destination = (await readDestinations(tx, [report])).get(0)
  if (!destination) return { verdict: 'reject', reason: 'This receiver number belongs to no account.' }
  const payment = { ...report, ...destination }
  const [named] = await findNamedThings(tx, [payment])
  const [match] = await matchIncomingPayments(tx, [payment], [named!])
  if (!match && named!.length === 0 && payment.rejects_unknown && payment.reference?.trim())
    return { verdict: 'reject', reason: 'This number is not known.' }
  const check = buildAcceptanceCheck(payment, { request: match?.request, named: named! })
  if (!check) return { verdict: 'accept', reason: null }
  return { acceptance_check: await createAcceptanceCheck(tx, now, check), timeout_s: check.timeout_s }
}

/** A payment with its account, and the order that it answers. */
type IncomingPayment = IncomingPaymentReport & Destination & { order?: PaidOrder | undefined }

/** A collection, with the request that it fulfils. */
type EnteredMoney = Pick<RecordedMoney, 'id' | 'request'>

/** The request that a payment fulfils, and why. */
interface Match {
  request: RequestRow
  reason: MatchReason
}

/** Payments, each with the request that it fulfils and what it names, and the contacts of the payers that exist. */
interface MatchedPayments {
  payments: readonly IncomingPayment[]
  matches: readonly (Match | undefined)[]
  named: readonly Named[][]
  known: ReadonlyMap<string, Contact>
}

/**
 * Finds the requests of payments, and locks them.
 * @param to_lock further requests that this transaction changes; all its requests are locked at once, in one order
 */
async function matchPayments(
  tx: Tx,
  unsorted: readonly IncomingPayment[],
  to_lock: readonly number[],
): Promise<MatchedPayments> {
  if (unsorted.length === 0) {
    if (to_lock.length > 0) await lockRequests(tx, to_lock)
    return { payments: [], matches: [], named: [], known: new Map() }
  }
  // The same order in every transaction, so that two that record the same payments do not wait for each other.
  const payments = unsorted.toSorted((a, b) => (remoteTransactionKey(a) < remoteTransactionKey(b) ? -1 : 1))
  const named = await findNamedThings(tx, payments)
  const [matches, known] = await Promise.all([
    matchIncomingPayments(tx, payments, named, to_lock),
    readContacts(tx, payments.map(toPayer)),
  ])
  await refuseHiddenOrders(tx, payments)
  return { payments, matches, named, known }
}

/** What each payment names by a typed number. One that answers an order of ours needs no number. */
async function findNamedThings(tx: Tx, payments: readonly IncomingPayment[]): Promise<Named[][]> {
  const typed = payments.map(({ organization, reference, has_numbers, order }) => ({
    organization,
    reference: has_numbers && order?.request === undefined ? reference : null,
  }))
  return findNamed(tx, typed)
}

function toPayer({ organization, phonenumber, network, service_user }: IncomingPayment) {
  return { organization, phone_number: phonenumber, network_name: network.name, author: service_user }
}

/**
 * Enters matched payments into the books. Its last statements lock the wallets, so that a busy wallet is locked for the shortest time.
 * @returns the collections, by the keys of their payments
 */
async function recordIncomingPayments(
  tx: Tx,
  now: Date,
  { payments, matches, named, known }: MatchedPayments,
): Promise<Map<string, EnteredMoney>> {
  if (payments.length === 0) return new Map()
  const payers = await findOrCreateContacts(tx, now, payments.map(toPayer), known)
  const requested = matches.map((match) => match?.request)
  const checks = payments.map((payment, index) =>
    buildAcceptanceCheck(payment, { request: requested[index], named: named[index]! }),
  )
  const verdicts = await readVerdicts(tx, checks)
  const fulfilled = requested.flatMap((request) => request ?? [])
  const [collections, prepared, organizations, reserved, contacts] = await Promise.all([
    insertCollections(
      tx,
      now,
      payments.map((payment, index) => ({
        ...toPostedMoney(payment),
        network: payment.network.code,
        remote_transaction_id: payment.remote_id,
        amount: payment.amount,
        phonenumber: payment.phonenumber,
        contact: payers[index]!.id,
        reference: payment.reference,
        status: initialStatus(checks[index], verdicts[index]),
        payment_date: truncateToSecond(payment.paid_at),
        collection_request: requested[index]?.id ?? null,
        match_reason: matches[index]?.reason ?? null,
        network_order: payment.order?.id ?? null,
      })),
    ),
    prepareCredits(tx, now, payments.map(toPostedMoney), 'external'),
    readConfirmingOrganizations(tx, fulfilled),
    // In the order in which the events are recorded.
    reserveEvents(tx, [...fulfilled.map(toChangedEvent), ...payments.map(toReceivedEvent)]),
    addRequestContacts(tx, payers, requested),
  ])
  if (collections.length < payments.length) throw new WriteConflict()
  const may_charge = payments.some((payment) => payment.has_collection_fee)
  const network_fees = new Map(collections.map(({ id }, index) => [id, payments[index]!.fee]))
  const transitions = collections.flatMap(({ id: collection, author }, index) => {
    const request = requested[index]
    return request ? [{ request, to: 'successful' as const, author, collection, due_at: null }] : []
  })
  const linked = linkAcceptanceChecks(
    tx,
    now,
    collections.flatMap(({ id: collection }, index) => {
      const check = checks[index]
      return check ? [{ ...check, collection, verdict: verdicts[index] ?? null }] : []
    }),
  )
  const [requests] = await Promise.all([
    transitionRequests(tx, now, transitions, { contacts, organizations, reserved }),
    linked,
  ])
  await creditCollections(tx, now, collections, {
    ...{ from: 'external', contacts, requests, may_charge, network_fees, prepared, reserved },
  })
  return new Map(
    collections.map(({ id, collection_request: request }, index) => [
      remoteTransactionKey(payments[index]!),
      { id, request },
    ]),
  )
}

function toPostedMoney({ organization, account, network, currency, service_user }: IncomingPayment): PostedMoney {
  return { organization, account, connection: network.slug, currency, author: service_user }
}

/**
 * The check that a payment needs, or undefined. A payment that matches a request, names a known number, or carries the
 * reference of one of our orders, needs none.
 */
function buildAcceptanceCheck(
  payment: IncomingPayment,
  { request, named }: { request: RequestRow | undefined; named: readonly Named[] },
): NewAcceptanceCheck | undefined {
  const { timeout_s } = payment
  const is_expected = request !== undefined || named.length > 0 || payment.order?.request !== undefined
  if (is_expected || timeout_s === null) return undefined
  return {
    ...payment,
    timeout_s,
    network: payment.network.code,
    connection: payment.network.slug,
    remote_transaction_id: payment.remote_id,
  }
}

function initialStatus(check: NewAcceptanceCheck | undefined, verdict: Verdict | null | undefined): CollectionStatus {
  if (!check || verdict === 'accept') return 'successful'
  return verdict === 'reject' ? 'failed' : 'pending'
}

/**
 * Finds the request that each payment fulfils, and locks it. The nth payment gets the nth oldest request that fits, and a
 * request gets one payment only. If another transaction ends the oldest request first, the next one is taken.
 * @param named what each payment names by a typed number; where it is one object, only requests of it fit
 * @param further requests to lock together with those that are found
 * @throws WriteConflict when several payments need further requests: a transaction that locks requests while it holds
 *   others could cause a deadlock. A single payment locks from the oldest request on, as every transaction does.
 */
async function matchIncomingPayments(
  tx: Tx,
  payments: readonly IncomingPayment[],
  named: readonly Named[][],
  further: readonly number[] = [],
): Promise<(Match | undefined)[]> {
  const matches: (Match | undefined)[] = payments.map(() => undefined)
  const matched = new Set<number>()
  const match = (index: number, request: RequestRow | undefined, reason: MatchReason) => {
    if (!request) return
    matches[index] = { request, reason }
    matched.add(request.id)
  }
  const byDate = payments
    .map((_, index) => index)
    .sort((a, b) => payments[a]!.paid_at.getTime() - payments[b]!.paid_at.getTime())
  const referencing = byDate.filter((index) => referencedRequest(payments[index]!) !== undefined)
  const findFor = (indexes: readonly number[]) =>
    findCandidates(
      tx,
      indexes.map((index) => ({ ...payments[index]!, index, named: onlyOne(named[index]!) })),
      // The payments with a reference may take some of the candidates.
      { limit: payments.length, matched },
    )
  let unmatched = byDate.filter((index) => payments[index]!.order?.request === undefined)
  let found = await findFor(unmatched)
  let candidates = await lockOpenRequests(tx, [
    ...referencing.map((index) => referencedRequest(payments[index]!)!),
    ...found.map(({ id }) => id),
    ...further,
  ])
  // Payments with a reference go first, so that no other payment of the batch takes their request.
  for (const index of referencing) {
    const id = referencedRequest(payments[index]!)
    const fits = (request: RequestRow) =>
      request.id === id && !matched.has(request.id) && matchesRequest(request, payments[index]!)
    const reason = payments[index]!.order?.request === undefined ? 'request_number' : 'order'
    match(index, candidates.find(fits), reason)
  }
  for (;;) {
    for (const index of unmatched.filter((one) => !matches[one])) {
      const payment = payments[index]!
      const object = onlyOne(named[index]!)
      const own = new Set(found.flatMap((one) => (one.index === index ? [one.id] : [])))
      const fits = (request: RequestRow) =>
        !matched.has(request.id) &&
        matchesRequest(request, payment) &&
        (object ? own.has(request.id) : request.phonenumber === payment.phonenumber)
      match(index, candidates.find(fits), object ? REASONS[object.kind] : 'same_amount')
    }
    unmatched = unmatched.filter((index) => !matches[index])
    // A request that ended while this transaction waited for its lock is not found again. So each pass finds fewer
    // requests, and the last one finds none.
    found = unmatched.length === 0 ? [] : await findFor(unmatched)
    if (found.length === 0) return matches
    if (payments.length > 1) throw new WriteConflict()
    candidates = await lockOpenRequests(
      tx,
      found.map(({ id }) => id),
    )
  }
}

const REASONS = {
  invoice: 'invoice_number',
  contact: 'customer_number',
  payment_link: 'link_number',
} as const satisfies Record<Named['kind'], MatchReason>

/** The object that a payment names; undefined where it names none, or does not say which. */
function onlyOne(named: readonly Named[]): Named | undefined {
  return named.length === 1 ? named[0] : undefined
}

/** An open request that a payment may fulfil, with the index of the payment. */
interface Candidate {
  index: number
  id: number
}

/**
 * The oldest open requests that payments fit, without those that are matched already: by account, amount and currency, and by
 * the phone, or by the object that the payment names. This only reads; the caller locks them by id (docs/decisions/0016).
 */
async function findCandidates(
  tx: Tx,
  payments: readonly (IncomingPayment & { index: number; named: Named | undefined })[],
  { limit, matched }: { limit: number; matched: ReadonlySet<number> },
): Promise<Candidate[]> {
  const by_phone = payments.filter(({ named }) => !named)
  const by_name = payments.filter(({ named }) => named)
  const taken = [...matched]
  const found = await Promise.all([
    by_phone.length === 0 ? [] : findByPhone(tx, by_phone, limit, taken),
    by_name.length === 0 ? [] : findByName(tx, by_name, limit, taken),
  ])
  return found.flat()
}

const COMMON = { index: 'integer', account: 'bigint', amount: 'numeric', currency: 'text' } as const

function findByPhone(
  tx: Tx,
  payments: readonly (IncomingPayment & { index: number })[],
  limit: number,
  taken: readonly number[],
): Promise<Candidate[]> {
  const r = rows(payments, { ...COMMON, phonenumber: 'text' })
  return tx<Candidate[]>`
    select p.index, c.id from ${r.as('p')}
    cross join lateral (
      select r.id from collection_requests r
      where r.account = p.account and r.phonenumber = p.phonenumber and r.amount = p.amount
        and r.currency = p.currency and r.status in ('pending', 'processing_started', 'instructions_sent')
        and r.id <> all(${[...taken]}::bigint[])
      order by r.id limit ${limit}) c`
}

/** Requests of a named invoice, customer or payment link. Whose phone is asked does not matter: a father pays for the mother. */
function findByName(
  tx: Tx,
  payments: readonly (IncomingPayment & { index: number; named: Named | undefined })[],
  limit: number,
  taken: readonly number[],
): Promise<Candidate[]> {
  const r = rows(payments, {
    ...COMMON,
    kind: ['text', ({ named }) => named!.kind],
    object: ['bigint', ({ named }) => named!.id],
  })
  return tx<Candidate[]>`
    select p.index, c.id from ${r.as('p')}
    cross join lateral (
      select r.id from (
        select i.request from invoice_requests i where p.kind = 'invoice' and i.invoice = p.object
        union select i.request from invoices v join invoice_requests i on i.invoice = v.id
          where p.kind = 'contact' and v.contact = p.object
        union select q.id from collection_requests q where p.kind = 'contact' and q.contact = p.object
        union select v.request from payment_link_visits v where p.kind = 'payment_link' and v.link = p.object) o
      join collection_requests r on r.id = o.request
      where r.account = p.account and r.amount = p.amount and r.currency = p.currency
        and r.status in ('pending', 'processing_started', 'instructions_sent')
        and r.id <> all(${[...taken]}::bigint[])
      order by r.id limit ${limit}) c`
}

/**
 * The id of the request that a payment names. A payment with the reference of one of our orders can fulfil the request of
 * that order only. A customer can also type the id of a request as the reference.
 */
function referencedRequest(payment: IncomingPayment): number | undefined {
  if (payment.order?.request !== undefined) return payment.order.request
  return /^\d{1,15}$/.test(payment.reference?.trim() ?? '') ? Number(payment.reference) : undefined
}

function matchesRequest(request: RequestRow, payment: IncomingPayment): boolean {
  return (
    request.account === payment.account && request.amount === payment.amount && request.currency === payment.currency
  )
}

/** The contacts of the payers and of the matched requests, by id. Mostly they are the same. */
async function addRequestContacts(
  tx: Tx,
  payers: readonly Contact[],
  matches: readonly (RequestRow | undefined)[],
): Promise<Map<number, Contact>> {
  const contacts = new Map(payers.map((contact) => [contact.id, contact]))
  const missing = matches.flatMap((request) => (request && !contacts.has(request.contact) ? [request.contact] : []))
  if (missing.length > 0) for (const [key, contact] of await contactsById(tx, missing)) contacts.set(key, contact)
  return contacts
}

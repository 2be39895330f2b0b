import type { Reader, Tx } from '../../db/client.ts'
import { WriteConflict } from '../../lib/batches/write-conflict.ts'
import { zip } from '../../lib/batches/zip.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { type IncomingPaymentReport, readDestinations } from '../connections/destinations.ts'
import type { Learnt } from '../connections/network-orders.ts'
import { keepUnassigned, linkRecorded, lockUnassignedMoney } from '../connections/unassigned-money.ts'
import { type Contact, contactsById, findOrCreateContacts, readContacts } from '../contacts/contacts.ts'
import { reserveEvents } from '../events/events.ts'
import { noteFact } from '../facts.ts'
import { findDepartedPlace } from '../moves.ts'
import {
  createAcceptanceCheck,
  linkAcceptanceChecks,
  type NewAcceptanceCheck,
  readVerdicts,
} from './acceptance-checks.ts'
import type { Verdict } from './acceptance-urls.ts'
import {
  addPaidOrders,
  learnFromReports,
  linkPaidOrders,
  type PaidReport,
  type RecordedMoney,
  readPaidOrders,
  readRecorded,
  refuseHiddenOrders,
  refuseTwoPaymentsOfOneOrder,
  settlePaidOrders,
} from './charges/paid-orders.ts'
import type { RequestRow } from './collection-request.ts'
import { type CollectionStatus, insertCollections, type NewCollection } from './collections.ts'
import { bookLaterNetworkFees, creditCollections, type PostedMoney, prepareCredits } from './ledger-postings.ts'
import { applyTransition, lockRequests, organizations, requestTransitions } from './orders.ts'
import {
  findNamedObjects,
  type IncomingPayment,
  type Match,
  matchIncomingPayments,
  type NamingPayment,
} from './request-matches.ts'
import { remoteTransactionKey, reverseCollections, takesMoneyBack } from './reversals.ts'

export type { IncomingPaymentReport } from '../connections/destinations.ts'

/**
 * The result of one report. `reversed`: money was taken out of the books again. `unassigned`: no account has this receiver in
 * this currency, and the money is kept until it is assigned to one.
 */
export type IngestResult = 'recorded' | 'known' | 'reversed' | 'unassigned'

/**
 * Enters payments into the books. Each remote transaction is recorded once, matched to the oldest open request that
 * fits, and credited to the account of its receiver, with an event. A payment that names an invoice, customer or link
 * fits its requests only.
 *
 * A payment that names an order of ours belongs to the account of that order's request, is recorded once whatever ids
 * are reported, and closes the order. A payment that matches no request is an unmatched collection. If its organization
 * has an acceptance URL, the money stays in suspense until it is accepted. A payment without an account is kept as
 * unassigned money. A report of a reversal takes the money, or a part of it, out of the books again.
 * @returns the result of each report, in the order given
 * @throws WriteConflict when another transaction recorded the same payment; the reports must be repeated. NotInService,
 *   SettingsChanged when a connection may not bring money into the books
 */
export async function ingestIncomingPayments(
  tx: Tx,
  now: Date,
  incoming: readonly IncomingPaymentReport[],
): Promise<IngestResult[]> {
  const paid = await readPaidOrders(tx, incoming)
  return enterMoney(tx, now, paid, learnFromReports(paid))
}

/**
 * Enters money into the books, and settles the orders that it names.
 * @param learnt what the money says about its orders; nothing where the orders have said it themselves
 * @returns, @throws as `ingestIncomingPayments`
 */
export async function enterMoney(
  tx: Tx,
  now: Date,
  paid: readonly PaidReport[],
  learnt: ReadonlyMap<number, Learnt> = new Map(),
): Promise<IngestResult[]> {
  const incoming = paid.map(({ report }) => report)
  const [destinations, recorded, stored] = await Promise.all([
    readDestinations(tx, paid),
    readRecorded(tx, incoming),
    lockUnassignedMoney(tx, incoming),
  ])
  addPaidOrders(recorded, paid)
  const in_question = incoming.map((report) => ({
    report,
    has_account: destinations.has(report),
    is_recorded: recorded.has(remoteTransactionKey(report)),
  }))
  const unassigned = await keepUnassigned(tx, now, in_question, stored)
  const { reports } = unassigned
  const payments = new Map<string, IncomingPayment>()
  const results = zip(zip(paid, reports), unassigned.results).map(
    ([[{ report: given, order }, report], result]): IngestResult => {
      if (result !== 'record') return result
      const key = remoteTransactionKey(report)
      if (payments.has(key)) return 'known'
      payments.set(key, { ...report, ...destinations.get(given)!, order })
      return 'recorded'
    },
  )
  refuseTwoPaymentsOfOneOrder([...payments.values()])
  const to_lock = [
    ...reports.flatMap((report) =>
      takesMoneyBack(report) ? (recorded.get(remoteTransactionKey(report))?.request ?? []) : [],
    ),
    ...paid.flatMap(({ order }) => order?.request ?? []),
  ]
  const matched = await matchPayments(tx, [...payments.values()], to_lock)
  const [entered] = await Promise.all([recordIncomingPayments(tx, now, matched), settlePaidOrders(tx, now, learnt)])
  // It fills in the ids by which unassigned money finds its collections.
  await linkPaidOrders(tx, paid, recorded)
  await linkRecorded(tx, now, unassigned)
  await bookLaterNetworkFees(
    tx,
    now,
    zip(reports, results).flatMap(([report, result]) => (result === 'known' && !takesMoneyBack(report) ? report : [])),
  )
  const ended = zip(reports, results).map(([report, result]) => {
    const key = remoteTransactionKey(report)
    const { id = null, request = null } = recorded.get(key) ?? entered.get(key) ?? {}
    return { ...report, id, request, result }
  })
  const reversed = new Set<unknown>(await reverseCollections(tx, now, ended.filter(isReversal)))
  return ended.map((report) => {
    const { id: collection, request: collection_request, network, remote_id } = report
    const result = reversed.has(report) ? 'reversed' : report.result
    noteFact(tx, 'payment_recorded', { collection_request, collection, connection: network.slug, remote_id, result })
    return result
  })
}

/** True if money was stored since a time, in the books or as unassigned money. */
export async function isStoredSince(
  db: Reader,
  { connection, remote_id }: { connection: string; remote_id: string },
  since: Date,
): Promise<boolean> {
  const [found] = await db<{ is_stored: boolean }[]>`
    select exists (select from collections
        where connection = ${connection} and remote_transaction_id = ${remote_id} and created >= ${since})
      or exists (select from unassigned_payments
        where connection = ${connection} and remote_transaction_id = ${remote_id} and received >= ${since}) as is_stored`
  return found!.is_stored
}

/** True if a report takes back money that is in the books. */
function isReversal<Report extends IncomingPaymentReport & { id: number | null }>(
  report: Report,
): report is Report & { id: number } {
  return report.id !== null && takesMoneyBack(report)
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
  const destination = (await readDestinations(tx, [{ report }])).get(report)
  const place = { connection: report.network.slug, number: report.receiver, currency: report.currency }
  // The other cell decides when the money is there.
  if (!destination && (await findDepartedPlace(tx, place)) !== undefined) return { verdict: 'accept', reason: null }
  if (!destination) return { verdict: 'reject', reason: 'This receiver number belongs to no account.' }
  const payment = { ...report, ...destination }
  const naming = await findNamedObjects(tx, [payment])
  const match = (await matchIncomingPayments(tx, naming)).get(payment)
  const named = naming.flatMap((one) => one.named)
  if (!match && named.length === 0 && payment.rejects_unknown && payment.reference?.trim())
    return { verdict: 'reject', reason: 'This number is not known.' }
  const check = buildAcceptanceCheck({ payment, named, match })
  if (!check) return { verdict: 'accept', reason: null }
  return { acceptance_check: await createAcceptanceCheck(tx, now, check), timeout_s: check.timeout_s }
}

/** A collection, with the request that it fulfils. */
type EnteredMoney = Pick<RecordedMoney, 'id' | 'request'>

/** A payment with the request that it fulfils, and the objects that it names. */
interface MatchedPayment extends NamingPayment {
  match: Match | undefined
}

/** Payments, and the contacts of the payers that exist. */
interface MatchedPayments {
  matched: readonly MatchedPayment[]
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
    return { matched: [], known: new Map() }
  }
  // The same order in every transaction: two that record the same payments do not wait for each other.
  const payments = unsorted.toSorted((a, b) => (remoteTransactionKey(a) < remoteTransactionKey(b) ? -1 : 1))
  const naming = await findNamedObjects(tx, payments)
  const [matches, known] = await Promise.all([
    matchIncomingPayments(tx, naming, to_lock),
    readContacts(tx, payments.map(toPayer)),
  ])
  await refuseHiddenOrders(tx, payments)
  return { matched: naming.map((one) => ({ ...one, match: matches.get(one.payment) })), known }
}

function toPayer({ organization, phonenumber, network, service_user }: IncomingPayment) {
  return { organization, phone_number: phonenumber, network_name: network.name, author: service_user }
}

/**
 * Enters matched payments into the books. Locks wallets last: this keeps hot wallets locked briefly.
 * @returns the collections, by the keys of their payments
 */
async function recordIncomingPayments(
  tx: Tx,
  now: Date,
  { matched, known }: MatchedPayments,
): Promise<Map<string, EnteredMoney>> {
  if (matched.length === 0) return new Map()
  const payments = matched.map(({ payment }) => payment)
  const payers = await findOrCreateContacts(tx, now, payments.map(toPayer), known)
  const checks = matched.map(buildAcceptanceCheck)
  const decided = zip(zip(matched, payers), zip(checks, await readVerdicts(tx, checks))).map(
    ([[one, payer], [check, verdict = null]]) => ({ ...one, payer, check, verdict }),
  )
  const fulfilled = matched.flatMap(({ match }) => match?.request ?? [])
  const [collections, prepared, owners, reserved, contacts] = await Promise.all([
    insertCollections(tx, now, decided.map(toCollection)),
    prepareCredits(tx, now, payments.map(toPostedMoney), 'external'),
    fulfilled.length === 0 ? new Map() : organizations.read(tx, organizationsOf(fulfilled), now),
    reserveEvents(tx, fulfilled.length + payments.length),
    addRequestContacts(tx, payers, fulfilled),
  ])
  if (collections.length < payments.length) throw new WriteConflict()
  const may_charge = payments.some((payment) => payment.has_collection_fee)
  const stored = zip(collections, decided).map(([collection, one]) => ({ ...one, collection }))
  const event_ids = reserved.values()
  const transitions = stored.flatMap(({ match, collection: { id: collection, author } }) => {
    if (!match) return []
    const { request } = match
    const details = { contact: contacts.get(request.contact)!, owner: owners.get(request.organization)! }
    const change = { request, to: 'successful' as const, author, collection, due_at: null }
    return [{ ...change, ...details, event_id: event_ids.next().value! }]
  })
  const linked = linkAcceptanceChecks(
    tx,
    now,
    stored.flatMap(({ check, verdict, collection: { id: collection } }) =>
      check ? [{ ...check, collection, verdict }] : [],
    ),
  )
  const transitioned = transitions.length > 0 && requestTransitions.write(tx, now, transitions)
  await Promise.all([transitioned, linked])
  const requests = transitions.map((transition) => applyTransition(transition, now))
  await creditCollections(tx, now, collections, {
    from: 'external',
    contacts,
    requests,
    may_charge,
    prepared,
    network_fees: new Map(stored.map(({ collection, payment }) => [collection.id, payment.fee])),
    reserved: reserved.slice(fulfilled.length),
  })
  return new Map(
    stored.map(({ payment, collection: { id, collection_request: request } }) => [
      remoteTransactionKey(payment),
      { id, request },
    ]),
  )
}

function toCollection({
  payment,
  match,
  payer,
  check,
  verdict,
}: MatchedPayment & { payer: Contact; check: NewAcceptanceCheck | undefined; verdict: Verdict | null }): NewCollection {
  return {
    ...toPostedMoney(payment),
    network: payment.network.code,
    remote_transaction_id: payment.remote_id,
    amount: payment.amount,
    phonenumber: payment.phonenumber,
    contact: payer.id,
    reference: payment.reference,
    status: initialStatus(check, verdict),
    payment_date: truncateToSecond(payment.paid_at),
    collection_request: match?.request.id ?? null,
    match_reason: match?.reason ?? null,
    network_order: payment.order?.id ?? null,
  }
}

function toPostedMoney({ organization, account, network, currency, service_user }: IncomingPayment): PostedMoney {
  return { organization, account, connection: network.slug, currency, author: service_user }
}

/**
 * Returns the check that a payment needs, or undefined. A payment that matches a request, names a known number, or
 * carries the reference of one of our orders, needs none.
 */
function buildAcceptanceCheck({ payment, match, named }: MatchedPayment): NewAcceptanceCheck | undefined {
  const { timeout_s } = payment
  const is_expected = match !== undefined || named.length > 0 || payment.order?.request !== undefined
  if (is_expected || timeout_s === null) return undefined
  return {
    ...payment,
    timeout_s,
    network: payment.network.code,
    connection: payment.network.slug,
    remote_transaction_id: payment.remote_id,
  }
}

function initialStatus(check: NewAcceptanceCheck | undefined, verdict: Verdict | null): CollectionStatus {
  if (!check || verdict === 'accept') return 'successful'
  return verdict === 'reject' ? 'failed' : 'pending'
}

function organizationsOf(requests: readonly RequestRow[]): number[] {
  return [...new Set(requests.map(({ organization }) => organization))]
}

/** The contacts of the payers and of the matched requests, by id. Mostly they are the same. */
async function addRequestContacts(
  tx: Tx,
  payers: readonly Contact[],
  requests: readonly RequestRow[],
): Promise<Map<number, Contact>> {
  const contacts = new Map(payers.map((contact) => [contact.id, contact]))
  const missing = requests.flatMap(({ contact }) => (contacts.has(contact) ? [] : [contact]))
  if (missing.length > 0) for (const [key, contact] of await contactsById(tx, missing)) contacts.set(key, contact)
  return contacts
}

import type { Tx } from '../../db/client.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { type IncomingPaymentReport, readDestinations } from '../connections/destinations.ts'
import type { Learnt } from '../connections/network-orders.ts'
import { keepUnassigned, linkRecorded, lockUnassignedMoney } from '../connections/unassigned-money.ts'
import { type Contact, contactsById, findOrCreateContacts, readContacts } from '../contacts/contacts.ts'
import { reserveEvents } from '../events/events.ts'
import { noteFact } from '../facts.ts'
import type { Named } from '../numbers/named.ts'
import { WriteConflict } from '../write-conflict.ts'
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
  type PaidOrders,
  type RecordedMoney,
  readPaidOrders,
  readRecorded,
  refuseHiddenOrders,
  refuseTwoPaymentsOfOneOrder,
  settlePaidOrders,
} from './charges/paid-orders.ts'
import type { RequestRow } from './collection-request.ts'
import { type CollectionStatus, insertCollections } from './collections.ts'
import {
  bookLaterNetworkFees,
  creditCollections,
  type PostedMoney,
  prepareCredits,
  toReceivedEvent,
} from './ledger-postings.ts'
import { lockRequests, toChangedEvent, transitionRequests } from './orders.ts'
import { findNamedObjects, type IncomingPayment, type Match, matchIncomingPayments } from './request-matches.ts'
import { remoteTransactionKey, reverseCollections, takesMoneyBack } from './reversals.ts'
import { readConfirmingOrganizations } from './sms.ts'

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
  paid: PaidOrders,
  learnt: ReadonlyMap<number, Learnt> = new Map(),
): Promise<IngestResult[]> {
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
  const [entered] = await Promise.all([recordIncomingPayments(tx, now, matched), settlePaidOrders(tx, now, learnt)])
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
  const [named] = await findNamedObjects(tx, [payment])
  const [match] = await matchIncomingPayments(tx, [payment], [named!])
  if (!match && named!.length === 0 && payment.rejects_unknown && payment.reference?.trim())
    return { verdict: 'reject', reason: 'This number is not known.' }
  const check = buildAcceptanceCheck(payment, { request: match?.request, named: named! })
  if (!check) return { verdict: 'accept', reason: null }
  return { acceptance_check: await createAcceptanceCheck(tx, now, check), timeout_s: check.timeout_s }
}

/** A collection, with the request that it fulfils. */
type EnteredMoney = Pick<RecordedMoney, 'id' | 'request'>

/**
 * Payments, each with the request that it fulfils and the objects that it names, and the contacts of the payers that
 * exist.
 */
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
  // The same order in every transaction: two that record the same payments do not wait for each other.
  const payments = unsorted.toSorted((a, b) => (remoteTransactionKey(a) < remoteTransactionKey(b) ? -1 : 1))
  const named = await findNamedObjects(tx, payments)
  const [matches, known] = await Promise.all([
    matchIncomingPayments(tx, payments, named, to_lock),
    readContacts(tx, payments.map(toPayer)),
  ])
  await refuseHiddenOrders(tx, payments)
  return { payments, matches, named, known }
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
 * Returns the check that a payment needs, or undefined. A payment that matches a request, names a known number, or
 * carries the reference of one of our orders, needs none.
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

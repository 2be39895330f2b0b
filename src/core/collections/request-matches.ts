import type { Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { WriteConflict } from '../../lib/batches/write-conflict.ts'
import { zip } from '../../lib/batches/zip.ts'
import type { Destination, IncomingPaymentReport } from '../connections/destinations.ts'
import { findNamed, type Named } from '../numbers/named.ts'
import type { PaidOrder } from './charges/paid-orders.ts'
import type { RequestRow } from './collection-request.ts'
import type { MatchReason } from './collections.ts'
import { lockOpenRequests } from './orders.ts'

/** A payment with its account, and the order that it answers. */
export type IncomingPayment = IncomingPaymentReport & Destination & { order?: PaidOrder | undefined }

/** The request that a payment fulfils, and why. */
export interface Match {
  request: RequestRow
  reason: MatchReason
}

/** A payment, and the objects that it names by a typed number. */
export interface NamingPayment {
  payment: IncomingPayment
  named: readonly Named[]
}

/**
 * Finds the objects that each payment names by a typed number. A payment that answers an order of ours needs no number.
 */
export async function findNamedObjects(tx: Tx, payments: readonly IncomingPayment[]): Promise<NamingPayment[]> {
  const typed = payments.map(({ organization, reference, has_numbers, order }) => ({
    organization,
    reference: has_numbers && order?.request === undefined ? reference : null,
  }))
  return zip(payments, await findNamed(tx, typed)).map(([payment, named]) => ({ payment, named }))
}

/**
 * Finds the request that each payment fulfils, and locks it. The nth payment gets the nth oldest request that fits, and
 * a request gets one payment only. If another transaction ends the oldest request first, the next one is taken.
 * @param payments with the objects that they name; for a single object, only requests of it fit
 * @param further requests to lock together with those that are found
 * @returns the matches, by payment
 * @throws WriteConflict when several payments need further requests: a transaction that locks requests while it holds
 *   others could cause a deadlock. A single payment locks from the oldest request on, as every transaction does.
 */
export async function matchIncomingPayments(
  tx: Tx,
  payments: readonly NamingPayment[],
  further: readonly number[] = [],
): Promise<Map<IncomingPayment, Match>> {
  const matches = new Map<IncomingPayment, Match>()
  const matched = new Set<number>()
  const match = (payment: IncomingPayment, request: RequestRow | undefined, reason: MatchReason) => {
    if (!request) return
    matches.set(payment, { request, reason })
    matched.add(request.id)
  }
  const by_date = payments
    .map(({ payment, named }, index) => ({ payment, index, object: onlyOne(named) }))
    .sort((a, b) => a.payment.paid_at.getTime() - b.payment.paid_at.getTime())
  const referencing = by_date.flatMap(({ payment }) => {
    const id = referencedRequest(payment)
    return id === undefined ? [] : [{ payment, id }]
  })
  const findFor = (open: typeof by_date) =>
    findCandidates(
      tx,
      open.map(({ payment, index, object: named }) => ({ ...payment, index, named })),
      // The payments with a reference may take some of the candidates.
      { limit: payments.length, matched },
    )
  let unmatched = by_date.filter(({ payment }) => payment.order?.request === undefined)
  let found = await findFor(unmatched)
  let candidates = await lockOpenRequests(tx, [
    ...referencing.map(({ id }) => id),
    ...found.map(({ id }) => id),
    ...further,
  ])
  // Payments with a reference go first, so that no other payment of the batch takes their request.
  for (const { payment, id } of referencing) {
    const fits = (request: RequestRow) =>
      request.id === id && !matched.has(request.id) && matchesRequest(request, payment)
    match(payment, candidates.find(fits), payment.order?.request === undefined ? 'request_number' : 'order')
  }
  for (;;) {
    for (const { payment, index, object } of unmatched.filter((one) => !matches.has(one.payment))) {
      const own = new Set(found.flatMap((one) => (one.index === index ? [one.id] : [])))
      const fits = (request: RequestRow) =>
        !matched.has(request.id) &&
        matchesRequest(request, payment) &&
        (object ? own.has(request.id) : request.phonenumber === payment.phonenumber)
      match(payment, candidates.find(fits), object ? REASONS[object.kind] : 'same_amount')
    }
    unmatched = unmatched.filter(({ payment }) => !matches.has(payment))
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
 * the phone, or by the object that the payment names. This only reads; the caller locks them by id.
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
      select o.collection_request as id from open_collection_requests o
      join collection_requests r on r.id = o.collection_request and r.currency = p.currency
        and r.status in ('pending', 'processing_started', 'instructions_sent')
      where o.account = p.account and o.phonenumber = p.phonenumber and o.amount = p.amount
        and o.collection_request <> all(${[...taken]}::bigint[])
      order by o.collection_request limit ${limit}) c`
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
  return /^\d{1,16}$/.test(payment.reference?.trim() ?? '') ? Number(payment.reference) : undefined
}

function matchesRequest(request: RequestRow, payment: IncomingPayment): boolean {
  return (
    request.account === payment.account && request.amount === payment.amount && request.currency === payment.currency
  )
}

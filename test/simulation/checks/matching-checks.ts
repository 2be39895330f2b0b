import type { Database } from '../../../src/db/client.ts'
import type { Payment, SimulatedNetworks } from '../networks.ts'

interface IncomingPayment {
  id: number
  key: string
  account: number
  amount: bigint
  phonenumber: string
  reference: string | null
  collection_request: number | null
  tx: string
}

interface Candidate {
  id: number
  account: number
  amount: bigint
  phonenumber: string
  /** Lines of the diary: when it was made, and when it was fulfilled or ended, if it was. */
  made: number
  ended: number | null
  ended_tx: string | null
}

/**
 * Check matches against the diary, where transactions come one after the other. The diary has the requests that were
 * open when money came. Money fulfils the right one, the oldest that fits, and fitting money is never left unmatched.
 */
export async function checkMatches(db: Database, outside: SimulatedNetworks): Promise<string[]> {
  const arrivals = await db<(IncomingPayment & { line: number })[]>`
    select c.id, c.network || ':' || c.remote_transaction_id as key, c.account, c.amount, c.phonenumber, c.reference,
      c.collection_request, d.tx::text as tx, d.line
    from collections c join diary d on d."table" = 'collections' and d.id = c.id order by d.line`
  const requests = await db<Candidate[]>`
    select r.id, r.account, r.amount, r.phonenumber, made.line as made, ended.line as ended, ended.tx::text as ended_tx
    from collection_requests r
    join diary made on made."table" = 'collection_requests' and made.id = r.id
    left join diary ended on ended."table" = 'ends' and ended.id = r.id
    order by r.id`
  return arrivals.flatMap((arrival) => {
    const payment = outside.payments.get(arrival.key)
    if (!payment) return []
    // Requests that were open before the transaction and that none of the same transaction has fulfilled or ended.
    const left = requests.filter(
      (request) =>
        request.made < arrival.line &&
        (request.ended === null || request.ended > arrival.line) &&
        request.ended_tx !== arrival.tx &&
        mayFulfil(outside, payment, arrival, request),
    )
    const taken = requests.find((request) => request.id === arrival.collection_request)
    // A number may belong to an invoice or a customer, whose requests come first, whatever their phone.
    if (/\d/.test(arrival.reference ?? '') && arrival.reference !== String(taken?.id)) return []
    if (taken && !mayFulfil(outside, payment, arrival, taken))
      return `${arrival.key} fulfilled request ${taken.id}, which it does not fit.`
    if (!taken) return left.length > 0 ? `${arrival.key} was left unmatched, and request ${left[0]!.id} was open.` : []
    const better = left.find((request) => rank(arrival, request) < rank(arrival, taken))
    return better ? `${arrival.key} fulfilled request ${taken.id} before request ${better.id}.` : []
  })
}

/** Return true if money may fulfil a request (interface-gaps: Matching). */
function mayFulfil(
  outside: SimulatedNetworks,
  payment: Payment,
  arrival: IncomingPayment,
  request: Candidate,
): boolean {
  if (request.account !== arrival.account || request.amount !== arrival.amount) return false
  if (payment.order_reference !== null) return outside.orders.get(payment.order_reference)!.request === request.id
  return arrival.reference === String(request.id) || request.phonenumber === arrival.phonenumber
}

/** Rank requests: the named one first, then the oldest. */
function rank(arrival: IncomingPayment, request: Candidate): number {
  return arrival.reference === String(request.id) ? 0 : request.id
}

import type { Reader } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { type Amount, formatAmount } from '../../lib/money.ts'
import { stateAt } from '../checkout/payment-link.ts'
import { mayBePaid } from '../checkout/visits.ts'

/** A request that was fulfilled in this time may be a mistake if it is made again. */
const RECENT_MS = 7 * 24 * 60 * 60 * 1_000

/** Key facts that two requests share if one may be a mistake. */
export interface Asked {
  phonenumber: string
  currency: string
  amount: Amount
  reason: string
  /** Two customers with one phone are not the same. Empty where it is not known. */
  customer_number: string
}

/** Index of objects by their key facts, to find those that ask for the same. */
export class AskedBefore<Value> {
  readonly #by_key = new Map<string, { customer_number: string; value: Value }[]>()

  add(asked: Asked, value: Value): void {
    const key = keyOf(asked)
    const { customer_number } = asked
    const same = this.#by_key.get(key)
    if (same) same.push({ customer_number, value })
    else this.#by_key.set(key, [{ customer_number, value }])
  }

  /** The first that asks for the same. */
  find(asked: Asked): Value | undefined {
    const { customer_number: own } = asked
    const same = this.#by_key.get(keyOf(asked))
    return same?.find(({ customer_number: its }) => its === own || its === '' || own === '')?.value
  }
}

function keyOf({ phonenumber, currency, amount, reason }: Asked): string {
  const plain = reason.trim().toLowerCase().replace(/\s+/g, ' ')
  return JSON.stringify([phonenumber, currency, formatAmount(amount), plain])
}

/** The key under which the metadata of a request has the number of its customer. */
export const CUSTOMER_KEY = 'customer_number'

/**
 * The ids of requests to these phones that may still be paid, or whose money came in the last days; the newest of the same. A
 * request that has ended may have a prompt that its customer can approve, or has approved too late, and a payment link.
 */
export async function findAsked(
  db: Reader,
  { now, organization, phones }: { now: Date; organization: number; phones: readonly string[] },
): Promise<AskedBefore<number>> {
  const since = new Date(now.getTime() - RECENT_MS)
  const found = await db<(Asked & { id: number })[]>`
    select id, phonenumber, currency, amount, reason, coalesce(metadata->>${CUSTOMER_KEY}, '') as customer_number
    from collection_requests r
    where organization = ${organization} and phonenumber = any(${[...new Set(phones)]}::text[]) and (${mayBePaid()}
      or status = 'successful' and exists (select from collections c where c.id = r.collection and c.created >= ${since})
      or status in ('failed', 'expired') and (${cameLate(since)} or ${asksByLink(now, since)}))
    order by id desc`
  const asked = new AskedBefore<number>()
  for (const { id, ...request } of found) asked.add(request, id)
  return asked
}

/** SQL: condition that money of an order of a request `r` came after the end of the request. */
function cameLate(since: Date): Fragment {
  return sql`exists (
    select from network_orders o join collections c on c.network_order = o.id
    where o.collection_request = r.id and c.status = 'successful' and c.created >= ${since})`
}

/** SQL: condition that a link was sent for the money of a request `r` and may be paid, or was paid by any phone. */
function asksByLink(now: Date, since: Date): Fragment {
  return sql`exists (
    select from payment_links
    where id in (select payment_link from request_actions a where a.collection_request = r.id)
      and (${stateAt(now)} = 'active' or exists (
        select from payment_link_visits v join collection_requests q on q.id = v.request
        join collections c on c.id = q.collection
        where v.link = payment_links.id and q.status = 'successful' and c.created >= ${since})))`
}

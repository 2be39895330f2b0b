import type { Reader } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import type { NetworkTransaction } from '../../lib/adapter-types.ts'

/** A connection as the books name it: its slug, and the code and name of its network. */
export interface ConnectionRef {
  slug: string
  code: string
  name: string
}

/** Why no connection carries an order: the field of the request that none serves, and a sentence for its sender. */
export interface NoNetwork {
  field: 'phonenumber' | 'amount'
  message: string
}

/** A network's report of a payment to one of our receivers, or of its reversal. */
export interface IncomingPaymentReport extends Omit<NetworkTransaction, 'name'> {
  network: ConnectionRef
  /** The account that a person has chosen, or that of the order; without it the account is that of the receiver. */
  account?: number | undefined
  /** It answers the order that it names, and the order has its answer already. */
  answered_order?: boolean
  /** Where it comes from, for the order that it names; `callback` unless given. */
  source?: 'status' | 'callback' | 'statement'
}

/** The account that a payment belongs to. */
export interface Destination {
  organization: number
  account: number
  service_user: number
  /** Seconds that the organization has to accept a payment that matches no request; null without an acceptance URL. */
  timeout_s: number | null
  /** Whether the organization pays a fee for collections. */
  has_collection_fee: boolean
}

/**
 * The account of each report: the one that a person has chosen, that of the order, or that of the receiver, in the currency of the payment.
 * @returns the destinations by the index of the report; reports without an account are missing
 */
export async function readDestinations(
  db: Reader,
  reports: readonly IncomingPaymentReport[],
): Promise<Map<number, Destination>> {
  const payments = rows(reports, {
    index: ['integer', (_, index) => index],
    connection: ['text', (report) => report.network.slug],
    receiver: 'text',
    currency: 'text',
    account: 'bigint',
  })
  const destinations = await db<(Destination & { index: number })[]>`
    select p.index, a.organization, a.id as account, o.service_user, u.timeout_s,
      exists (select from fees f where f.organization = o.id and f.kind = 'collection') as has_collection_fee
    from ${payments.as('p')}
    left join connection_places r on r.connection = p.connection and r.number = p.receiver and r.currency = p.currency
      and r.unrequested
    join accounts a on a.id = coalesce(p.account, r.account) and a.currency = p.currency
    join organizations o on o.id = a.organization
    left join acceptance_urls u on u.organization = o.id`
  return new Map(destinations.map(({ index, ...destination }) => [index, destination]))
}

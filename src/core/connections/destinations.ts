import type { Reader } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import type { NetworkTransaction } from '../../lib/adapter-types.ts'
import { zip } from '../../lib/batches/zip.ts'
import { requireService, type ServiceState } from './service-state.ts'

/** A connection as the books name it: its slug, and the code and name of its network. */
export interface ConnectionRef {
  slug: string
  code: string
  name: string
  /** Version of the settings by which the report was verified; undefined if they decide nothing. */
  version?: number | undefined
}

/**
 * Reason why no connection carries an order: the field of the request that none serves, and a sentence for its sender.
 */
export interface NoNetwork {
  field: 'phonenumber' | 'amount'
  message: string
}

/** A network's report of a payment to one of our receivers, or of its reversal. */
export interface IncomingPaymentReport extends Omit<NetworkTransaction, 'name'> {
  network: ConnectionRef
  /** Account that a person has chosen, or the order's account; without it, the receiver's account. */
  account?: number | undefined
  /** Source of the report, for the order that it names; `callback` unless given. */
  source?: 'status' | 'callback' | 'statement'
}

/** The account that a payment belongs to. */
export interface Destination {
  organization: number
  account: number
  service_user: number
  /** Seconds that the organization has to accept a payment that matches no request; null without an acceptance URL. */
  timeout_s: number | null
  /** True if the organization pays a fee for collections. */
  has_collection_fee: boolean
  /** True if payers can type numbers of invoices, customers or links of the organization. */
  has_numbers: boolean
  /** True if a network that asks first gets a rejection for an unknown number. */
  rejects_unknown: boolean
}

/**
 * Reads the account of each report: chosen by a person, or from the order, or from the receiver, in the currency of the
 * payment.
 * @param paid reports, with the orders of ours that they answer
 * @returns the destinations by report; reports without an account are missing
 * @throws NotInService, SettingsChanged when the report of one connection does not count
 */
export async function readDestinations(
  db: Reader,
  paid: readonly { report: IncomingPaymentReport; order?: unknown }[],
): Promise<Map<IncomingPaymentReport, Destination>> {
  const payments = rows(paid, {
    connection: ['text', ({ report }) => report.network.slug],
    receiver: ['text', ({ report }) => report.receiver],
    currency: ['text', ({ report }) => report.currency],
    account: ['bigint', ({ report }) => report.account],
  })
  const found = await db<(Destination & ServiceState)[]>`
    select c.state, c.version, a.organization, a.id as account, o.service_user, u.timeout_s,
      exists (select from fees f where f.organization = o.id and f.kind = 'collection') as has_collection_fee,
      exists (select from money_positions m where m.organization = o.id) as has_numbers,
      exists (select from matching_settings s where s.organization = o.id and s.unknown_number = 'reject') as rejects_unknown
    from ${payments.as('p', 'index')}
    left join connections c on c.slug = p.connection
    left join connection_places r on r.connection = p.connection and r.number = p.receiver and r.currency = p.currency
      and r.unrequested
    left join accounts a on a.id = coalesce(p.account, r.account) and a.currency = p.currency
    left join organizations o on o.id = a.organization
    left join acceptance_urls u on u.organization = o.id
    order by p.index`
  const answers = zip(paid, found)
  for (const [{ report, order }, stored] of answers) requireService(report.network, stored, order !== undefined)
  return new Map(
    answers.flatMap(([{ report }, { state: _, version: __, ...destination }]) =>
      destination.account === null ? [] : [[report, destination]],
    ),
  )
}

import { column, type Row, table } from '../../db/table.ts'
import type { VendDetails, VendedGoods } from '../../lib/adapter-types.ts'
import { formatAmount, parseAmount } from '../../lib/money.ts'
import type { NetworkOrder } from '../connections/network-orders.ts'
import type { Category } from './catalogue.ts'
import type { BillCode } from './refusals.ts'

export const purchaseStatuses = ['pending', 'success', 'failed'] as const
export type PurchaseStatus = (typeof purchaseStatuses)[number]

export const purchaseTable = table('bill_purchases', {
  id: column.id(),
  organization: column.bigint(),
  account: column.bigint(),
  agent_reference: column.text(),
  agent_id: column.text().nullable(),
  /** Number of providers tried, with the current one. */
  attempt: column.integer().default(1),
  kind: column.text<Category>(),
  service_type: column.text(),
  /** ISO 3166-1: where the service is sold. */
  country: column.text().default('NG').given(),
  account_number: column.text(),
  phone: column.text(),
  amount: column.numeric(),
  /** The fee of the service. It is held and settled together with the amount. */
  fee: column.numeric().default(0n).given(),
  currency: column.text(),
  details: column.json<PurchaseDetails>(),
  scenario: column.text().nullable(),
  metadata: column.json<Record<string, unknown>>(),
  /** True if the customer gets the token in an SMS; null if the organization's setting decides. */
  send_token: column.boolean().nullable(),
  status: column.text<PurchaseStatus>(),
  /** The last answer of the current provider; null before the first one. */
  outcome: column.text<'accepted' | 'successful' | 'failed' | 'unknown' | 'not_found'>().later(),
  vended: column.json<VendedGoods>().later(),
  failure_code: column.text<BillCode>().later(),
  /** Number of approvals required, and given. */
  approvals_required: column.integer().default(0).given(),
  approvals: column.integer().default(0),
  created: column.timestamptz(),
  author: column.bigint(),
  modified: column.timestamptz(),
  updated_by: column.bigint().later(),
})

/** A row of the table. */
export type PurchaseRow = Row<typeof purchaseTable>

/** A purchase without its attempts. */
export type StoredPurchase = Omit<PurchaseRow, 'details'> & { details: VendDetails }

/** The current attempt of a purchase, which is an order: its provider, and that one's last answer. */
export interface CurrentAttempt
  extends Pick<
    NetworkOrder,
    | ('reference' | 'remote_service' | 'remote_product' | 'cost' | 'message' | 'remote_id' | 'charged')
    | ('charged_currency' | 'restored' | 'due_at' | 'attested' | 'attention')
  > {
  /** The slug of the connection to the provider. */
  biller: string
  /** Time of sending, in real time. After that the service only checks its status. */
  sent: Date | null
  /** The same on the service's clock. */
  started: Date | null
  status_queries: number
}

/** A bill purchase of an organization for a customer. Its money is on hold while it is `pending`. */
export interface Purchase extends StoredPurchase, CurrentAttempt {}

/** The purchase as it is with this current attempt. */
export function withAttempt(purchase: StoredPurchase, attempt: NetworkOrder): Purchase {
  const { reference, connection: biller, remote_service, remote_product, cost, message, remote_id, charged } = attempt
  const { charged_currency, sent_real: sent, sent: started, restored, network_calls: status_queries } = attempt
  const { due_at, attested, attention } = attempt
  return {
    ...purchase,
    reference,
    biller,
    remote_service,
    remote_product,
    cost,
    message,
    remote_id,
    charged,
    charged_currency,
    sent,
    started,
    restored,
    status_queries,
    due_at,
    attested,
    attention,
  }
}

/** Details as they are stored. */
type PurchaseDetails = Omit<VendDetails, 'pin_value' | 'tariff'> & { pin_value?: string; tariff?: string }

/** Encodes details: in JSON an amount is a text. */
export function encodeDetails({ pin_value, tariff, ...details }: VendDetails): PurchaseDetails {
  return {
    ...details,
    ...(pin_value !== undefined && { pin_value: formatAmount(pin_value) }),
    ...(tariff !== undefined && { tariff: formatAmount(tariff) }),
  }
}

/** The purchase that a row is. */
export function toPurchase<Stored extends Pick<PurchaseRow, 'details'>>(
  row: Stored,
): Omit<Stored, 'details'> & { details: VendDetails } {
  const { pin_value, tariff, ...details } = row.details
  return {
    ...row,
    details: {
      ...details,
      ...(pin_value !== undefined && { pin_value: parseAmount(pin_value) }),
      ...(tariff !== undefined && { tariff: parseAmount(tariff) }),
    },
  }
}

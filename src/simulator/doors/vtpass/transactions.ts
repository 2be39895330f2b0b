import { type Amount, formatAmount } from '../../../lib/money.ts'
import type { Payout } from '../../world/world.ts'
import { words } from './codes.ts'
import type { VtpassSwitches } from './switches.ts'

/** Data of a purchase besides its money. It can be stored as JSON. */
export interface SaleDetails {
  request_id: string
  service_id: string
  service_name: string
  category: string
  account: string
  phone: string
  /** Price that the customer paid, as a decimal. */
  amount: string
  commission: string
  quantity: number
  ends: 'delivered' | 'failed' | 'reversed' | 'resolved'
  /** The code of a failure that is not the usual one. */
  code: string | null
  pending: boolean
  /** Members of the answer that are the biller's own: the token, the pins. */
  goods: Record<string, unknown>
}

export function detailsOf({ details }: Pick<Payout, 'details'>): SaleDetails {
  return details as unknown as SaleDetails
}

/** A transaction as `/pay` and `/requery` answer it. */
export function showTransaction(sale: Payout, switches: VtpassSwitches) {
  const details = detailsOf(sale)
  const open = details.pending && sale.state === 'pending'
  const { code, status } = open ? { code: details.code ?? '099', status: 'pending' } : endOf(details)
  const goods = status === 'delivered' ? details.goods : { purchased_code: '' }
  return {
    code,
    content: { transactions: showContent(sale, details, status, switches) },
    response_description: code === '000' ? 'TRANSACTION SUCCESSFUL' : words[code],
    requestId: details.request_id,
    amount: showAmount(details.amount, switches),
    transaction_date: showDate(sale.created, switches),
    ...goods,
  }
}

function endOf({ ends, code }: SaleDetails): { code: string; status: string } {
  if (ends === 'delivered') return { code: '000', status: 'delivered' }
  if (ends === 'failed') return { code: code ?? '016', status: 'failed' }
  return ends === 'reversed' ? { code: '040', status: 'reversed' } : { code: '044', status: 'resolved' }
}

function showContent(sale: Payout, details: SaleDetails, status: string, switches: VtpassSwitches) {
  return {
    status,
    product_name: details.service_name,
    unique_element: details.account || details.phone,
    unit_price: showAmount(details.amount, switches),
    quantity: details.quantity,
    service_verification: null,
    channel: 'api',
    commission: showAmount(details.commission, switches),
    total_amount: showAmount(formatAmount(sale.amount), switches),
    discount: null,
    type: details.category,
    email: 'sandbox@example.com',
    phone: details.phone,
    name: null,
    convinience_fee: 0,
    amount: showAmount(details.amount, switches),
    platform: 'api',
    method: 'api',
    transactionId: sale.remote_id,
  }
}

function showAmount(amount: string, { amounts }: VtpassSwitches): string | number {
  return amounts === 'number' ? Number(amount) : Number(amount).toFixed(2)
}

function showDate(created: Date, { transaction_date }: VtpassSwitches) {
  const text = created.toISOString().replace('Z', '000Z')
  if (transaction_date === 'text') return text
  return { date: text.replace('T', ' ').replace('Z', ''), timezone_type: 3, timezone: 'Africa/Lagos' }
}

/** Return the charge to the wallet: the amount without the commission. */
export function costOf(amount: Amount, commission: number): { cost: Amount; commission: Amount } {
  const back = (amount * BigInt(commission)) / 1_000n
  return { cost: amount - back, commission: back }
}

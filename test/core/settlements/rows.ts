import type { StoredPurchase } from '../../../src/core/bills/purchases.ts'
import type { RequestRow } from '../../../src/core/collections/collection-request.ts'
import type { LockedRequest } from '../../../src/core/collections/orders.ts'
import type { NetworkOrder } from '../../../src/core/connections/network-orders.ts'
import type { RecipientRow } from '../../../src/core/payments/payments.ts'

/** Rows as a transaction has locked them, for decisions without a database. */

export const NOW = new Date('2026-05-01T12:00:00Z')

/** The time so many seconds before `NOW`. */
export const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000)

/** Return an order that was sent a minute ago. */
export function orderRow(changes: Partial<NetworkOrder> = {}): NetworkOrder {
  const order: NetworkOrder = {
    id: 1,
    reference: 'R1',
    kind: 'charge',
    connection: 'sandbox',
    organization: 1,
    attempt: 1,
    collection_request: 1,
    payment_recipient: null,
    collection: null,
    receiver: '123',
    phonenumber: '+80000000003',
    amount: 1_500n,
    currency: 'BXC',
    reason: 'Order 7',
    airtime: false,
    prompt: true,
    state: 'sent',
    remote_id: null,
    remote_transaction_id: null,
    failure_reason: null,
    code: null,
    message: null,
    fee: null,
    network_calls: 1,
    created: ago(60),
    sent: ago(60),
    answered: null,
    closed: null,
    due_at: NOW,
    leased_until: null,
    attention: null,
    attested: null,
    attested_amount: null,
    bill_purchase: null,
    remote_service: null,
    remote_product: null,
    cost: null,
    restored: false,
    answers: [],
    charged: null,
    charged_currency: null,
    sent_real: null,
  }
  const is_closed = ['successful', 'failed', 'reversed', 'not_sent'].includes(changes.state ?? order.state)
  return { ...order, ...(is_closed && { closed: ago(30), answered: ago(30), due_at: null }), ...changes }
}

/** Return an open request whose customer was prompted. */
export function requestRow(changes: Partial<RequestRow> = {}): LockedRequest {
  return {
    id: 1,
    organization: 1,
    amount: 1_500n,
    currency: 'BXC',
    account: 1,
    phonenumber: '+80000000003',
    contact: 1,
    network: 'sandbox',
    connection: 'sandbox',
    reason: '',
    metadata: {},
    success_message: '',
    send_instructions: true,
    instructions: null,
    status: 'instructions_sent',
    error_message: null,
    collection: null,
    expiry_date: ago(-3_600),
    start_date: null,
    retry_interval_minutes: null,
    max_attempts: 3,
    subscription_settings: null,
    created: ago(60),
    author: 1,
    modified: ago(60),
    updated_by: null,
    attempt: 1,
    prompt_again_at: null,
    due_at: ago(-3_600),
    ...changes,
  }
}

/** Return a recipient whose order is at the network. */
export function recipientRow(changes: Partial<RecipientRow> = {}): RecipientRow {
  return {
    id: 1,
    payment: 1,
    organization: 1,
    contact: 1,
    network: 'sandbox',
    connection: 'sandbox',
    phonenumber: '+80000000003',
    amount: 1_500n,
    fee: 0n,
    description: '',
    metadata: {},
    last_error: null,
    state: 'pending_confirmation',
    remote_id: null,
    remote_transaction_id: null,
    network_calls: 1,
    sent_at: ago(60),
    reversed_in_parts: 0n,
    reversed: false,
    due_at: null,
    ...changes,
  }
}

/** Return the order of prepaid electricity that was sent to its provider. */
export function vendRow(changes: Partial<NetworkOrder> = {}): NetworkOrder {
  const of_vend = { kind: 'vend', collection_request: null, bill_purchase: 1, network_calls: 0 } as const
  return orderRow({ ...of_vend, connection: 'first', currency: 'NGN', sent_real: ago(60), ...changes })
}

/** Return a purchase of prepaid electricity. */
export function purchaseRow(changes: Partial<StoredPurchase> = {}): StoredPurchase {
  return {
    id: 1,
    organization: 1,
    account: 1,
    agent_reference: 'A1',
    agent_id: null,
    attempt: 1,
    kind: 'electricity',
    country: 'NG',
    service_type: 'ikeja_electric_prepaid',
    account_number: '04042404048',
    phone: '08031234567',
    amount: 1_500n,
    fee: 0n,
    currency: 'NGN',
    details: { prepaid: true },
    scenario: null,
    metadata: {},
    send_token: null,
    status: 'pending',
    outcome: null,
    vended: null,
    failure_code: null,
    approvals_required: 0,
    approvals: 0,
    created: ago(60),
    author: 1,
    modified: ago(60),
    updated_by: null,
    ...changes,
  }
}

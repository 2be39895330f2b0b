import type { Order, Payout, Refund } from '../../lib/adapter-types.ts'
import { type Amount, shortAmount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import type { OrderKind } from '../contract.ts'
import type { GsmaSettings } from './settings.ts'

/** Properties that all kinds of orders share. */
export interface Ask {
  kind: OrderKind
  reference: string
  amount: Amount
  currency: string
  /** Provider's id of the request or the transaction; null until it is known. */
  remote_id: string | null
  /** Address and content of the POST. */
  path: string
  body: string
  /** The charge whose money a refund gives back. */
  charge?: { reference: string; transaction: string }
}

/** Return the provider's id of an order, as far as known. Our own id stands in for a lost one. */
export function knownId({ remote_id, reference }: Pick<Ask, 'remote_id' | 'reference'>): string | null {
  return remote_id === reference ? null : remote_id
}

/** Maximum length of `descriptionText`. */
const MAX_DESCRIPTION = 160

/** A charge as a merchant payment. */
export function chargeAsk(order: Order, settings: GsmaSettings, now: Date): Ask {
  const { reference, amount, currency, remote_id } = order
  const body = JSON.stringify({
    amount: toAmountText(amount),
    currency,
    debitParty: [{ key: 'msisdn', value: toMsisdn(order.phonenumber, settings) }],
    creditParty: [ownAccount(settings)],
    ...notes(order, now),
  })
  return { kind: 'charge', reference, amount, currency, remote_id, path: '/transactions/type/merchantpay', body }
}

/** A payout as a disbursement. */
export function payoutAsk(payout: Payout, settings: GsmaSettings, now: Date): Ask {
  const { reference, amount, currency, remote_id } = payout
  const body = JSON.stringify({
    amount: toAmountText(amount),
    currency,
    debitParty: [ownAccount(settings)],
    creditParty: [{ key: 'msisdn', value: toMsisdn(payout.phonenumber, settings) }],
    ...notes(payout, now),
  })
  return { kind: 'payout', reference, amount, currency, remote_id, path: '/transactions/type/disbursement', body }
}

/** The return of a charge: the reversal of its transaction, or an adjustment, which is a new one to the customer. */
export function refundAsk(refund: Refund, settings: GsmaSettings, now: Date): Ask {
  const { reference, amount, currency, remote_id, charge } = refund
  const common = { kind: 'refund', reference, amount, currency, remote_id, charge } as const
  const money = { amount: toAmountText(amount), currency }
  if (settings.refund_operation === 'adjustment') {
    const body = JSON.stringify({
      ...money,
      debitParty: [ownAccount(settings)],
      creditParty: [{ key: 'msisdn', value: toMsisdn(refund.phonenumber, settings) }],
      originalTransactionReference: charge.transaction,
      ...notes(refund, now),
    })
    return { ...common, path: '/transactions/type/adjustment', body }
  }
  const is_part = amount !== charge.amount
  const body = JSON.stringify({ type: 'reversal', ...(is_part && money), ...notes(refund, now) })
  return { ...common, path: `/transactions/${encodeURIComponent(charge.transaction)}/reversals`, body }
}

function notes({ reference, reason }: Pick<Order, 'reference' | 'reason'>, now: Date) {
  const description = reason
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .toWellFormed()
  const cut = [...description].slice(0, MAX_DESCRIPTION).join('').trim()
  return {
    requestingOrganisationTransactionReference: reference,
    ...(cut && { descriptionText: cut }),
    requestDate: truncateToSecond(now).toISOString().replace('.000Z', 'Z'),
  }
}

/** Our own account, as the standard names parties. */
export function ownAccount({ account_type, account_id }: GsmaSettings) {
  return { key: account_type, value: account_id }
}

/** The phone number as the provider wants it. */
export function toMsisdn(phonenumber: string, { phone_format }: GsmaSettings): string {
  return phone_format === 'plus' ? phonenumber : phonenumber.replace(/^\+/, '')
}

/** An amount without zeros at its end: the OpenAPI files of the standard forbid them, its text only allows them. */
function toAmountText(amount: Amount): string {
  return shortAmount(amount)
}

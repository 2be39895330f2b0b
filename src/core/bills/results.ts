import { formatAmount } from '../../lib/money.ts'
import { formatTimestamp } from '../../lib/time.ts'
import type { Purchase } from './purchases.ts'
import { billCodes } from './refusals.ts'

/**
 * What the caller is told of a purchase, in the words of the interface (2.9, electricity transaction result). The first
 * answer, a requery and the event all come from here, so they cannot differ.
 */
export function toBillResult(purchase: Purchase): BillResult {
  const { id, kind, vended } = purchase
  const common = { transactionStatus: purchase.status, transactionReference: id }
  if (purchase.status === 'failed') return { ...common, transactionMessage: failureMessage(purchase) }
  if (!vended) return { ...common, transactionMessage: 'Transaction is pending' }
  return {
    statusCode: '0',
    ...common,
    transactionMessage: successMessage(purchase),
    baxiReference: billerReference(purchase),
    provider_message: vended.provider_message,
    ...(vended.token !== null && {
      tokenCode: vended.token,
      // One client reads it under this name.
      creditToken: vended.token,
      tokenAmount: Number(formatAmount(purchase.amount)),
      ...(vended.amount_of_power !== null && { amountOfPower: vended.amount_of_power }),
    }),
    ...(kind === 'epin' && { pins: vended.pins.map(toBillPin) }),
    ...(vended.raw_output !== null && { rawOutput: vended.raw_output }),
    ...vended.more,
  }
}

/** Why a purchase failed, in words for the caller. That our own account at the biller is empty is told to nobody. */
export function failureMessage({ failure_code, message }: Purchase): string {
  const code = failure_code ?? 'BX0020'
  return code === 'EXC00144' ? billCodes[code] : (message ?? billCodes[code])
}

/** What is certain about a result; the rest depends on what was bought. */
export interface BillResult {
  transactionStatus: string
  transactionReference: number
  transactionMessage: string | null
  baxiReference?: number | string
  pins?: object[]
  [more: string]: unknown
}

/** The data of a `billpayment.status.changed` event: whose purchase it is, and its result. */
export function toBillEventData(purchase: Purchase): Record<string, unknown> {
  const { id, organization, agent_reference, service_type, account_number, phone, amount, currency } = purchase
  return {
    id,
    organization,
    agentReference: agent_reference,
    kind: purchase.kind,
    service_type,
    account_number,
    phone,
    amount: formatAmount(amount),
    currency,
    metadata: purchase.metadata,
    status: purchase.status,
    error_code: purchase.failure_code,
    created: formatTimestamp(purchase.created),
    modified: formatTimestamp(purchase.modified),
    author: purchase.author,
    ...toBillResult(purchase),
  }
}

/** The biller's own number of the sale, a number wherever it is one. */
function billerReference({ id, remote_id }: Purchase): number | string {
  if (!remote_id) return id
  return /^[1-9]\d{0,14}$/.test(remote_id) ? Number(remote_id) : remote_id
}

/** The words that clients of the original know, its slip included. */
function successMessage({ kind, phone }: Purchase): string {
  switch (kind) {
    case 'airtime':
      return `Airtime Topup successful on ${phone}`
    case 'databundle':
      return `Data bundle successful on ${phone}`
    case 'electricity':
      return 'Payment Successful'
    case 'cabletv':
      return 'Cable TV Subcription successful'
    case 'epin':
    case 'exampin':
      return 'Successful pin purchase'
  }
}

function toBillPin(pin: { instructions: string; serial_number: string; pin: string; expires_on: string }) {
  const { instructions, serial_number: serialNumber, expires_on: expiresOn } = pin
  return { instructions, serialNumber, pin: pin.pin, expiresOn }
}

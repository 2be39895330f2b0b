import { formatAmount } from '../../lib/money.ts'
import { formatTimestamp } from '../../lib/time.ts'
import { awaitsApproval, type Purchase } from './purchases.ts'
import { billCodes } from './refusals.ts'

/**
 * The result of a purchase in the form of the interface (2.9, electricity transaction result). The first response, a
 * requery and the event all use this function, so they are always the same.
 */
export function toBillResult(purchase: Purchase): BillResult {
  const { id, kind, vended } = purchase
  const common = { transactionStatus: purchase.status, transactionReference: id }
  if (purchase.status === 'failed') return { ...common, transactionMessage: failureMessage(purchase) }
  if (awaitsApproval(purchase)) return { ...common, transactionMessage: 'Transaction waits for an approval' }
  if (!vended) return { ...common, transactionMessage: 'Transaction is pending' }
  return {
    statusCode: '0',
    ...common,
    transactionMessage: successMessage(purchase),
    baxiReference: billerReference(purchase),
    provider_message: vended.provider_message,
    ...(vended.token !== null && {
      tokenCode: vended.token,
      // One client reads the token under this name.
      creditToken: vended.token,
      tokenAmount: Number(formatAmount(purchase.amount)),
      ...(vended.amount_of_power !== null && { amountOfPower: vended.amount_of_power }),
    }),
    ...(kind === 'epin' && { pins: vended.pins.map(toBillPin) }),
    ...(vended.raw_output !== null && { rawOutput: vended.raw_output }),
    ...vended.more,
  }
}

/** The failure message for the caller. It never reveals that our own account at the biller has no money. */
export function failureMessage({ failure_code, message }: Purchase): string {
  const code = failure_code ?? 'BX0020'
  return code === 'EXC00144' ? billCodes[code] : (message ?? billCodes[code])
}

/** The fields that every result has. The other fields depend on the kind of purchase. */
interface BillResult {
  transactionStatus: string
  transactionReference: number
  transactionMessage: string | null
  baxiReference?: number | string
  pins?: object[]
  [field: string]: unknown
}

/** The data of a `billpayment.status.changed` event: the purchase, its organization and its result. */
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

/** The biller's own reference of the sale. It is a JSON number if it consists of digits. */
function billerReference({ id, remote_id }: Purchase): number | string {
  if (!remote_id) return id
  return /^[1-9]\d{0,14}$/.test(remote_id) ? Number(remote_id) : remote_id
}

/** The messages of the original interface, with its spelling mistake. */
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

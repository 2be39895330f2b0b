import type { StateOf, ValuesOf, WorldOf } from '../door.ts'

const STATUSES = ['OPERATIONAL', 'DELAYED', 'CLOSED'] as const

/** Settings of an account's dashboard, and today's state of providers. */
export const switches = {
  deposits_callback_url: {
    help: 'Where callbacks about deposits go, as the dashboard stores it. Empty: nowhere.',
    default: '',
  },
  payouts_callback_url: { help: 'Where callbacks about payouts go. Empty: nowhere.', default: '' },
  refunds_callback_url: { help: 'Where callbacks about refunds go. Empty: nowhere.', default: '' },
  signed_callbacks: { help: 'Whether callbacks are signed.', default: false },
  signature_form: {
    help: 'The form of the signatures: DER, as pawaPay sends them, or the two numbers of RFC 9421.',
    default: 'der',
    choices: ['der', 'ieee-p1363'],
  },
  signed_requests_only: {
    help: 'Whether orders without a signature are refused with HTTP_SIGNATURE_ERROR.',
    default: false,
  },
  request_public_key: {
    help: 'The public key (PEM) of the business, which the dashboard stores. Signatures of orders are checked with it. Empty: there is none.',
    default: '',
  },
  request_key_id: { help: 'The ID of that key.', default: 'KUSANYA_1' },
  status_of: { help: 'The provider that has the next three statuses, such as MTN_MOMO_UGA. any: all.', default: 'any' },
  deposits_status: { help: 'Whether the provider takes deposits.', default: 'OPERATIONAL', choices: STATUSES },
  payouts_status: {
    help: 'Whether the provider takes payouts. DELAYED: they are ENQUEUED, and go out ten minutes later.',
    default: 'OPERATIONAL',
    choices: STATUSES,
  },
  refunds_status: { help: 'The same for refunds.', default: 'OPERATIONAL', choices: STATUSES },
  deposits_allowed: {
    help: 'Whether the account may collect. Otherwise DEPOSITS_NOT_ALLOWED, and so on.',
    default: true,
  },
  payouts_allowed: { help: 'Whether the account may pay out.', default: true },
  refunds_allowed: { help: 'Whether the account may refund.', default: true },
  configuration_form: {
    help: 'How the active configuration lists operations: an object by their names, or the list of older documentation.',
    default: 'object',
    choices: ['object', 'list'],
  },
  receipts: { help: 'Whether orders show the id of the money at the provider (providerTransactionId).', default: true },
} as const

export type PawapaySwitches = ValuesOf<typeof switches>
export type PawapayWorld = WorldOf<typeof switches>
export type PawapayState = StateOf<typeof switches>

export type Status = (typeof STATUSES)[number]

/** The operations of the network, as its paths, its configuration and its ids name them. */
export const operations = {
  deposits: { type: 'DEPOSIT', id: 'depositId', verb: 'charge' },
  payouts: { type: 'PAYOUT', id: 'payoutId', verb: 'payout' },
  refunds: { type: 'REFUND', id: 'refundId', verb: 'refund' },
} as const

export type OperationName = keyof typeof operations
export const operationNames = Object.keys(operations) as OperationName[]

/** Return today's state of a provider for an operation. */
export function statusOf(switches: PawapaySwitches, provider: string, operation: OperationName): Status {
  const is_meant = switches.status_of === 'any' || switches.status_of === provider
  return is_meant ? switches[`${operation}_status`] : 'OPERATIONAL'
}

export const API_TOKEN = 'simulated-pawapay-token'

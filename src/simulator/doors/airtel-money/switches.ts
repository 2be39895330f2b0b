import type { Documented, StateOf, ValuesOf, WorldOf } from '../door.ts'

/** Differences between countries, applications and days. */
export const switches = {
  callback_url: {
    help: 'Where the network sends its callbacks, as the portal stores it for an application. Empty: nowhere.',
    default: '',
  },
  callback_hash: {
    help: 'Whether callbacks have a hash, and of which text it is made: of the transaction, or of the body without it.',
    default: 'transaction',
    choices: ['none', 'transaction', 'body'],
  },
  country: {
    help: 'The country of the application. Calls for another one are refused with ROUTER007. any: there is none to refuse.',
    default: 'any',
  },
  signatures: {
    help: 'Whether calls of v2 without a right signature are refused.',
    default: 'needed',
    choices: ['needed', 'ignored'],
  },
  charge_answer: {
    help: 'What the answer to a charge says: SUCCESS and our id, an id that is false, or TS before the customer typed the PIN.',
    default: 'id-false',
    choices: ['success', 'id-false', 'ts'],
  },
  enquiry_code: {
    help: 'Which response_code stands beside TS in an enquiry: that of success, or still that of "in process".',
    default: 'success',
    choices: ['success', 'in-process'],
  },
  enquiry_after_s: {
    help: 'For how many seconds after a charge the enquiry does not find it.',
    default: 0,
  },
  id_dashes: {
    help: 'What the enquiry does to an id with a dash, which the charge and the payout take.',
    default: 'denied',
    choices: ['denied', 'accepted'],
  },
  payout_answer: {
    help: 'What the answer to a payout says while it is on its way.',
    default: 'TIP',
    choices: ['TIP', 'TS'],
  },
  wallets: {
    help: 'Whether payouts come from the wallet of collections, or from one of their own.',
    default: 'one',
    choices: ['one', 'separate'],
  },
  refund_success: {
    help: 'The member success beside the word SUCCESS of a refund.',
    default: false,
  },
  reversed_word: {
    help: 'What an enquiry says about a payment whose money went back.',
    default: 'TR',
    choices: ['TR', 'TS'],
  },
  token_seconds: {
    help: 'For how many seconds an access token is valid.',
    default: 180,
  },
  token_seconds_type: {
    help: 'Whether expires_in is a number or a text.',
    default: 'string',
    choices: ['number', 'string'],
  },
  calls_per_minute: {
    help: 'How many calls a minute one process answers before it answers 429. 0: all. The staging of the network has 10.',
    default: 0,
  },
} as const

export type AirtelWorld = WorldOf<typeof switches>
export type AirtelSwitches = ValuesOf<typeof switches>
export type AirtelState = StateOf<typeof switches>

export const CLIENT_ID = 'simulated-airtel-client'
export const CLIENT_SECRET = 'simulated-airtel-secret'
export const PIN = '4321'
export const CALLBACK_KEY = 'simulated-airtel-callback-key'

/** Return true if the enquiry accepts this form of an order id. */
export function isReadableId({ id_dashes }: AirtelSwitches, id: string): boolean {
  return id_dashes === 'accepted' ? /^[A-Za-z0-9-]+$/.test(id) : /^[A-Za-z0-9]+$/.test(id)
}

/** The wallets of the application. */
const WALLETS = { COLL: '700000100', DISB: '700000200' }

/** The number of the wallet for a kind of money. */
export function walletOf({ wallets }: AirtelSwitches, kind: keyof typeof WALLETS): string {
  return wallets === 'separate' ? WALLETS[kind] : WALLETS.COLL
}

export const credentials: readonly Documented[] = [
  { name: 'client_id', value: CLIENT_ID },
  { name: 'client_secret', value: CLIENT_SECRET },
  { name: 'pin', value: PIN, help: 'the PIN of payouts' },
  { name: 'callback_key', value: CALLBACK_KEY, help: 'the key of the hash in callbacks' },
]

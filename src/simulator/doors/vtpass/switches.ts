import type { Documented, StateOf, TestNumber, ValuesOf, WorldOf } from '../door.ts'

/** Differences between accounts, hosts and days. */
export const switches = {
  host: {
    help: 'Which host this is. Each one takes its own keys only.',
    default: 'sandbox',
    choices: ['sandbox', 'live'],
  },
  numbers: {
    help: 'Which numbers are sold to: any without another effect, or only the documented ones, as in the sandbox of VTpass.',
    default: 'any',
    choices: ['any', 'documented'],
  },
  wallet: {
    help: 'The naira in the wallet before anything is sold. A higher number tops it up.',
    default: 1_000_000,
  },
  callback_url: {
    help: 'The callback URL of the profile. Empty: nothing is reported.',
    default: '',
  },
  duplicate_seconds: {
    help: 'For how many seconds the same service is not sold to the same account again. 0: always.',
    default: 30,
  },
  pending_seconds: {
    help: 'How long a purchase stays pending that is not delivered at once.',
    default: 10,
  },
  amounts: {
    help: 'Whether amounts of transactions are texts or numbers.',
    default: 'text',
    choices: ['text', 'number'],
  },
  transaction_date: {
    help: 'Whether the date of a transaction is an object or a text.',
    default: 'object',
    choices: ['object', 'text'],
  },
  variations: {
    help: 'How the list of variations is spelt. Older services have the misspelt one alone.',
    default: 'both',
    choices: ['both', 'variations', 'varations'],
  },
} as const

export type VtpassWorld = WorldOf<typeof switches>
export type VtpassSwitches = ValuesOf<typeof switches>
export type VtpassState = StateOf<typeof switches>

/** The keys of each host. */
export const KEYS = {
  sandbox: {
    api_key: 'simulated-vtpass-api-key',
    public_key: 'PK_simulated-vtpass-public-key',
    secret_key: 'SK_simulated-vtpass-secret-key',
  },
  live: {
    api_key: 'simulated-vtpass-live-api-key',
    public_key: 'PK_simulated-vtpass-live-public-key',
    secret_key: 'SK_simulated-vtpass-live-secret-key',
  },
} as const

export const credentials: readonly Documented[] = [
  { name: 'api_key', value: KEYS.sandbox.api_key },
  { name: 'public_key', value: KEYS.sandbox.public_key, help: 'for questions' },
  { name: 'secret_key', value: KEYS.sandbox.secret_key, help: 'for purchases' },
]

/** The account whose money pays for everything. */
export const WALLET = 'vtpass-wallet'

/** The numbers with which the sandbox of VTpass sells. */
export const DOCUMENTED: ReadonlySet<string> = new Set([
  '08011111111',
  '1111111111111',
  '1010101010101',
  '1212121212',
  '0123456789',
])

export const numbers: readonly TestNumber[] = [
  { number: '08011111111', effect: 'delivered: airtime and data' },
  { number: '1111111111111', effect: 'delivered: a prepaid meter' },
  { number: '1010101010101', effect: 'delivered: a postpaid meter' },
  { number: '1212121212', effect: 'delivered: a smartcard, and an account of spectranet' },
  { number: '0123456789', effect: 'delivered: a profile of JAMB' },
  { number: '201000000000', effect: 'pending, and delivered 10 seconds later' },
  { number: '500000000000', effect: 'an unexpected answer; delivered' },
  { number: '400000000000', effect: 'an empty answer; delivered' },
  { number: '300000000000', effect: 'no answer at all; delivered' },
  { number: '08000000010 … 08000000099', effect: 'the code of its last three digits, such as 016' },
  { number: '000…', effect: 'has no holder when it is verified' },
]

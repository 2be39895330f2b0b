import type { Documented, StateOf, ValuesOf, WorldOf } from '../door.ts'

/** Differences between providers, and double spellings in the standard itself. */
export const switches = {
  security_level: {
    help: 'What calls must have. development: HTTP Basic and the API key. standard: a token and the API key. enhanced: also X-Date, and X-Content-Hash where there is a body.',
    default: 'standard',
    choices: ['development', 'standard', 'enhanced'],
  },
  currency: { help: 'The currency of the accounts.', default: 'UGX' },
  currencies: {
    help: 'Which currencies orders may have: one, the currency of the accounts, or any. The addresses of the SDKs take any.',
    default: 'one',
    choices: ['one', 'any'],
  },
  waits: {
    help: 'Whether a question about a request waits for its end, for three seconds at most. The addresses of the SDKs do, which ask once.',
    default: false,
  },
  error_codes: {
    help: 'How codes begin: with a small letter, as in the OpenAPI files of the standard, or with a capital, as in its text.',
    default: 'small',
    choices: ['small', 'capital'],
  },
  error_description: {
    help: 'The name of the words of an error: that of the text of the standard, or that of its OpenAPI files.',
    default: 'errorDescription',
    choices: ['errorDescription', 'errordescription'],
  },
  state_error: {
    help: 'The name of the error in the state of a request.',
    default: 'errorReference',
    choices: ['errorReference', 'error'],
  },
  amounts_taken: {
    help: 'Which amounts are taken: those of the text of the standard (5.00), or those of its OpenAPI files, without zeros at the end.',
    default: 'text',
    choices: ['text', 'pattern'],
  },
  amounts_shown: {
    help: 'How amounts come back: 5, or 5.00.',
    default: 'zeros',
    choices: ['plain', 'zeros'],
  },
  phones_taken: {
    help: 'The form of phone numbers that is taken.',
    default: 'any',
    choices: ['any', 'plus', 'digits'],
  },
  responses: {
    help: 'What /responses links to: the transaction, and nothing before there is one; the state of the request; or there is no /responses.',
    default: 'transactions',
    choices: ['transactions', 'requeststates', 'none'],
  },
  duplicates: {
    help: 'What a correlation id does that was used before: it is refused, or the provider does not look at it and takes another order.',
    default: 'refused',
    choices: ['refused', 'taken'],
  },
  poll_limit: { help: 'How often one process answers about the state of one request.', default: 100 },
  partial_reversals: { help: 'Whether a part of a payment can be reversed.', default: true },
  refunded_status: {
    help: 'The status of a payment that was given back completely.',
    default: 'reversed',
    choices: ['reversed', 'completed'],
  },
  completed_word: {
    help: 'The status of a transaction that is completed. The standard leaves it to the provider.',
    default: 'completed',
  },
  expired_code: {
    help: 'The code of a prompt without an answer. The standard has none of its own.',
    default: 'requestDeclined',
    choices: ['requestDeclined', 'genericError'],
  },
  callbacks: { help: 'Whether callbacks are sent.', default: true },
  holder_names: { help: 'Whether names of account holders are given.', default: true },
  service_status: {
    help: 'What the heartbeat says; none: there is no heartbeat.',
    default: 'available',
    choices: ['available', 'degraded', 'unavailable', 'none'],
  },
  token_seconds: { help: 'For how many seconds a token is valid.', default: 3600 },
} as const

export type GsmaWorld = WorldOf<typeof switches>
export type GsmaSwitches = ValuesOf<typeof switches>
export type GsmaState = StateOf<typeof switches>

export const CONSUMER_KEY = 'simulated-gsma-key'
export const CONSUMER_SECRET = 'simulated-gsma-secret'
export const API_KEY = 'simulated-gsma-api-key'

/** The account of the business. */
export const ACCOUNT = { key: 'organisationid', value: 'simulated-shop' } as const

/** Further identifiers of the account of the business: those that the SDKs and their samples use. */
export const OTHER_IDENTIFIERS = [
  { key: 'walletid', value: '1' },
  ...['1', '2999', '15523'].map((value) => ({ key: 'accountid', value })),
]

export const credentials: readonly Documented[] = [
  { name: 'consumer_key', value: CONSUMER_KEY },
  { name: 'consumer_secret', value: CONSUMER_SECRET },
  { name: 'api_key', value: API_KEY, help: 'X-API-Key' },
  { name: 'account_type', value: ACCOUNT.key },
  {
    name: 'account_id',
    value: ACCOUNT.value,
    help: 'the account of the business, also walletid 1, and accountid 1, 2999 or 15523',
  },
]

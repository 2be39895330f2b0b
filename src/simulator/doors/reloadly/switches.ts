import type { Documented, StateOf, TestNumber, ValuesOf, WorldOf } from '../door.ts'

/** Differences between accounts, hosts and days. */
export const switches = {
  host: {
    help: 'Which hosts these are. Each has its own audiences, and tokens for no others.',
    default: 'sandbox',
    choices: ['sandbox', 'live'],
  },
  wallet: {
    help: 'The dollars in the account before anything is sold. A higher number tops it up.',
    default: 1_000,
  },
  callback_url: {
    help: 'The address of the webhook in the dashboard. Empty: nothing is reported.',
    default: '',
  },
  signatures: {
    help: 'Whether webhooks are signed.',
    default: 'signed',
    choices: ['signed', 'none'],
  },
  nigerian_bills: {
    help: 'How payments to Nigerian billers end. In the sandbox of Reloadly all of them are refunded.',
    default: 'successful',
    choices: ['successful', 'refunded'],
  },
  slow_seconds: {
    help: 'For how many seconds operator 1213 holds a call before it fails. It fails after 52 seconds at Reloadly.',
    default: 52,
  },
  race_milliseconds: {
    help: 'How long after the check of an identifier a top-up is written down. Calls in this time are sold each.',
    default: 50,
  },
  token_seconds: {
    help: 'For how many seconds an access token is valid. 60 days in the live service.',
    default: 3_600,
  },
  lists: {
    help: 'Whether reports are pages, or lists alone as in older answers.',
    default: 'pages',
    choices: ['pages', 'lists'],
  },
} as const

export type ReloadlyWorld = WorldOf<typeof switches>
export type ReloadlySwitches = ValuesOf<typeof switches>
export type ReloadlyState = StateOf<typeof switches>

export const CLIENT_ID = 'simulated-reloadly-client'
export const CLIENT_SECRET = 'simulated-reloadly-secret'
export const WEBHOOK_SECRET = 'simulated-reloadly-webhook-secret'

/** The account whose money pays for everything. */
export const WALLET = 'reloadly-account'
export const WALLET_CURRENCY = 'USD'

export const credentials: readonly Documented[] = [
  { name: 'client_id', value: CLIENT_ID },
  { name: 'client_secret', value: CLIENT_SECRET },
  { name: 'webhook_secret', value: WEBHOOK_SECRET, help: 'the secret of signatures' },
]

export const numbers: readonly TestNumber[] = [
  { number: '…900001', effect: 'FAILED: the operator does not carry it out' },
  { number: '…900002', effect: 'REFUNDED: the money goes back' },
  { number: '…900003', effect: 'PROCESSING for 10 seconds, and SUCCESSFUL then' },
  { number: '…900004', effect: '400 INVALID_RECIPIENT_PHONE' },
  { number: '…900005', effect: '400 OPERATOR_AND_RECIPIENT_PHONE_MISMATCH' },
  { number: '…900006', effect: '500 TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT, and nothing is sold' },
  { number: '…900007', effect: '500 TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT, and it is sold' },
  { number: '…900008', effect: '503 OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE' },
  { number: '…900009', effect: 'SUCCESSFUL, with a pin' },
  { number: 'operator 1213', effect: 'fails after 52 seconds with 400, and leaves no record' },
]

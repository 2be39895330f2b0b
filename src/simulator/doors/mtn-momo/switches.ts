import type { Switch, ValuesOf, WorldOf } from '../door.ts'
import { environmentNames } from './environments.ts'

/** Differences between MTN's countries, and points that are not known for certain. */
export const switches = {
  reason: {
    help: 'The form of the reason of a failed order: a word, or an object with code and message.',
    default: 'word',
    choices: ['word', 'object'],
  },
  open_status: {
    help: 'The status of an order that has not ended.',
    default: 'PENDING',
    choices: ['PENDING', 'CREATED'],
  },
  not_found_code: {
    help: 'How the code of the 404 for an unknown order is spelled.',
    default: 'RESOURCE_NOT_FOUND',
    choices: ['RESOURCE_NOT_FOUND', 'RESOURCE NOT FOUND'],
  },
  refusals: {
    help: 'Where the test numbers 57 to 62 show: in the status of the order, or as the answer to the call.',
    default: 'status',
    choices: ['status', 'call'],
  },
  active_answer: {
    help: 'The answer to whether an account is active: an object, the bare word, or an object with a text.',
    default: 'object',
    choices: ['object', 'word', 'text'],
  },
  callbacks: { help: 'Whether callbacks are sent at all. Many report none from the sandbox.', default: true },
  callback_method: { help: 'The method of callbacks.', default: 'POST', choices: ['POST', 'PUT'] },
  callback_names_reference: { help: 'Whether callbacks have the X-Reference-Id as referenceId.', default: false },
  callback_repeats: {
    help: 'Whether a callback comes once more after three minutes, as was seen once.',
    default: false,
  },
  callback_host: { help: 'The callback host of the documented API user. Empty: any.', default: '' },
  target_environment: {
    help: 'The target environment of the API users; any: they belong to all.',
    default: 'any',
    choices: ['any', ...environmentNames],
  },
  token_seconds: { help: 'For how many seconds a token is valid.', default: 3600 },
  token_body: {
    help: 'Whether the token call may have a body, as many clients send one.',
    default: 'accepted',
    choices: ['accepted', 'refused'],
  },
  wallets: {
    help: 'Whether Disbursements pays from the wallet of Collections, or from one of its own.',
    default: 'one',
    choices: ['one', 'separate'],
  },
  holder_names: { help: 'Whether names of account holders are given to partners.', default: true },
  source_is_allowed: { help: 'Whether Disbursements takes calls from this address.', default: true },
} as const satisfies Readonly<Record<string, Switch>>

export type MtnSwitches = ValuesOf<typeof switches>
export type MtnWorld = WorldOf<typeof switches>

/** The wallet of a product in a country. */
export function walletOf(
  { wallets }: MtnSwitches,
  product: 'collection' | 'disbursement',
  environment: string,
): string {
  return wallets === 'separate' && product === 'disbursement' ? `${environment} disbursement` : environment
}

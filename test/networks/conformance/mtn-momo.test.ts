import { mtnMomo } from '../../../src/networks/mtn-momo/index.ts'
import { createMtnMomoDoor } from '../../../src/simulator/doors/mtn-momo/index.ts'
import { type Failing, runConformance } from './index.ts'

const door = createMtnMomoDoor()
const credentials = Object.fromEntries(door.credentials.map(({ name, value }) => [name, value]))

/** The numbers with which every kind of order fails, and what differs between charges and transfers. */
const failing = (more: [ending: string, reason: Failing['reason'], code: string][]): Failing[] =>
  [
    ['50', 'rejected', 'INTERNAL_PROCESSING_ERROR'] as const,
    ['51', 'cancelled', 'APPROVAL_REJECTED'] as const,
    ['52', 'prompt_expired', 'EXPIRED'] as const,
    ['64', 'not_allowed', 'TRANSFER_TYPE_UNKNOWN'] as const,
    ...more,
  ].map(([ending, reason, code]) => ({ phonenumber: `+467331234${ending}`, reason, code }))

// test/simulator/doors/mtn-momo tests the effect of each switch.
runConformance({
  driver: mtnMomo,
  door,
  environment: 'simulated',
  settings: { ...credentials, target_environment: 'mtnuganda' },
  // MTN is not told the number of our wallet: the simulated one has the name of its country.
  place: { receiver: 'mtnuganda', currency: 'UGX', phone: (last_digits) => `+256772${last_digits}` },
  failing: {
    charge: failing([
      ['55', 'payer_not_found', 'PAYER_NOT_FOUND'],
      ['56', 'not_allowed', 'PAYEE_NOT_ALLOWED_TO_RECEIVE'],
      ['57', 'not_allowed', 'NOT_ALLOWED'],
      ['58', 'not_allowed', 'NOT_ALLOWED_TARGET_ENVIRONMENT'],
      ['59', 'rejected', 'INVALID_CALLBACK_URL_HOST'],
      ['60', 'rejected', 'INVALID_CURRENCY'],
      ['62', 'unreachable', 'SERVICE_UNAVAILABLE'],
      ['63', 'prompt_expired', 'COULD_NOT_PERFORM_TRANSACTION'],
    ]),
    payout: failing([
      ['55', 'insufficient_funds', 'NOT_ENOUGH_FUNDS'],
      ['56', 'limit_reached', 'PAYER_LIMIT_REACHED'],
      ['57', 'payee_not_found', 'PAYEE_NOT_FOUND'],
      ['58', 'not_allowed', 'NOT_ALLOWED'],
      ['59', 'not_allowed', 'NOT_ALLOWED_TARGET_ENVIRONMENT'],
      ['60', 'rejected', 'INVALID_CALLBACK_URL_HOST'],
      ['61', 'rejected', 'INVALID_CURRENCY'],
      ['63', 'unreachable', 'SERVICE_UNAVAILABLE'],
    ]),
  },
  silent_payee: '+46733123453',
})

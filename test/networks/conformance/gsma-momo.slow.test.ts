import { gsmaMomo } from '../../../src/networks/gsma-momo/index.ts'
import { gsmaMomoDoor } from '../../../src/simulator/doors/gsma-momo/index.ts'
import { type Failing, runConformance } from './index.ts'

const phone = (last_digits: string) => `+256772${last_digits}`
const credentials = Object.fromEntries(gsmaMomoDoor.credentials.map(({ name, value }) => [name, value]))

/** The errors with which every kind of order fails, at its end (7000) or at the call (7100). */
const failing = (more: [digits: string, reason: Failing['reason'], code: string][]): Failing[] =>
  (
    [
      ['700001', 'insufficient_funds', 'insufficientFunds'],
      ['700002', 'cancelled', 'requestDeclined'],
      ['700005', 'limit_reached', 'dailyValueLimitExceeded'],
      ['700014', 'limit_reached', 'greaterThanTransactionMaxValue'],
      ['700015', 'not_allowed', 'incorrectState'],
      ['700025', 'rejected', 'samePartiesError'],
      ['700035', 'rejected', 'genericError'],
      ['700042', 'rejected', 'walletIsAsleep'],
      ['710001', 'insufficient_funds', 'insufficientFunds'],
      ['710002', 'cancelled', 'requestDeclined'],
      ['710027', 'rejected', 'formatError'],
      ...more,
    ] as const
  ).map(([digits, reason, code]) => ({ phonenumber: phone(digits), reason, code }))

// test/simulator/doors/gsma-momo tests the effect of each switch.
runConformance({
  driver: gsmaMomo,
  door: gsmaMomoDoor,
  environment: 'simulated',
  settings: credentials,
  place: { receiver: 'simulated-shop', currency: 'UGX', phone },
  failing: {
    charge: failing([
      ['700003', 'payer_not_found', 'identifierError'],
      ['700023', 'wrong_pin', 'requestingPartyAuthorisationError'],
      ['000101', 'insufficient_funds', 'insufficientFunds'],
    ]),
    payout: failing([
      ['700003', 'payee_not_found', 'identifierError'],
      ['700023', 'not_allowed', 'requestingPartyAuthorisationError'],
      ['710003', 'payee_not_found', 'identifierError'],
    ]),
  },
  silent_payee: phone('730000'),
  sees_reversals: ['payout'],
  // Questions about all kinds of orders have the same path.
  verbs: { 'charge status': 'status', 'payout status': 'status', 'refund status': 'status' },
})

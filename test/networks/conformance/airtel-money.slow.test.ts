import { airtelMoney } from '../../../src/networks/airtel-money/index.ts'
import { airtelMoneyDoor } from '../../../src/simulator/doors/airtel-money/index.ts'
import { runConformance } from './index.ts'

const phone = (last_digits: string) => `+256752${last_digits}`
const credentials = Object.fromEntries(airtelMoneyDoor.credentials.map(({ name, value }) => [name, value]))

runConformance({
  driver: airtelMoney,
  door: airtelMoneyDoor,
  environment: 'simulated',
  settings: { country: 'UG', ...credentials },
  place: { receiver: '700000100', currency: 'UGX', phone },
  failing: {
    charge: [
      { phonenumber: phone('008002'), reason: 'wrong_pin', code: 'DP00800001002' },
      { phonenumber: phone('008003'), reason: 'limit_reached', code: 'DP00800001003' },
      { phonenumber: phone('008004'), reason: 'limit_reached', code: 'DP00800001004' },
      { phonenumber: phone('008005'), reason: 'prompt_expired', code: 'DP00800001005' },
      { phonenumber: phone('008007'), reason: 'insufficient_funds', code: 'DP00800001007' },
      { phonenumber: phone('008008'), reason: 'cancelled', code: 'DP00800001008' },
      { phonenumber: phone('008009'), reason: 'rejected', code: 'DP00800001009' },
      { phonenumber: phone('008010'), reason: 'not_allowed', code: 'DP00800001010' },
      { phonenumber: phone('008029'), reason: 'prompt_expired', code: 'TE' },
      { phonenumber: phone('008107'), reason: 'insufficient_funds', code: 'DP00800001007' },
      { phonenumber: phone('000101'), reason: 'insufficient_funds' },
    ],
    payout: [
      { phonenumber: phone('009003'), reason: 'limit_reached', code: 'DP00900001003' },
      { phonenumber: phone('009004'), reason: 'limit_reached', code: 'DP00900001004' },
      { phonenumber: phone('009005'), reason: 'rejected', code: 'DP00900001005' },
      { phonenumber: phone('009007'), reason: 'insufficient_funds', code: 'DP00900001007' },
      { phonenumber: phone('009009'), reason: 'payee_not_found', code: 'DP00900001009' },
      { phonenumber: phone('009010'), reason: 'not_allowed', code: 'DP00900001010' },
      { phonenumber: phone('009012'), reason: 'payee_not_found', code: 'DP00900001012' },
      { phonenumber: phone('009013'), reason: 'rejected', code: 'DP00900001013' },
    ],
  },
  silent_payee: phone('009006'),
  sees_reversals: ['payout'],
  // The question about a refund is the one about its charge.
  verbs: { 'refund status': 'charge status' },
  reports: { payout: false, refund: false },
  switches: [{}, { callback_hash: 'body', charge_answer: 'ts', enquiry_code: 'in-process', payout_answer: 'TS' }],
  register: (callback_url, simulator) => simulator.setSwitches(airtelMoneyDoor.code, { callback_url }),
})

import { daraja } from '../../../src/networks/daraja/index.ts'
import {
  chargeNumbers,
  FULL_SHORT_CODE,
  payoutNumbers,
  SILENT_PHONE,
} from '../../../src/simulator/doors/daraja/accounts.ts'
import { darajaDoor } from '../../../src/simulator/doors/daraja/index.ts'
import { runConformance } from './index.ts'

const documented = Object.fromEntries(darajaDoor.credentials.map(({ name, value }) => [name, value] as const))
const numberOf = (end: string) => `+25470900${end}`

runConformance({
  driver: daraja,
  door: darajaDoor,
  environment: 'sandbox',
  settings: { ...documented, short_code: FULL_SHORT_CODE, payout_short_code: FULL_SHORT_CODE },
  place: { receiver: FULL_SHORT_CODE, currency: 'KES', phone: (last_digits) => `+254700${last_digits}` },
  failing: {
    charge: Object.entries(chargeNumbers).map(([end, { code, reason }]) => ({
      phonenumber: numberOf(end),
      reason,
      code,
    })),
    // The answer to the question says only that it failed. Why is in the report of the end, as test/simulator/doors/daraja shows.
    payout: Object.keys(payoutNumbers).map((end) => ({
      phonenumber: numberOf(end),
      reason: 'rejected',
      code: 'Failed',
    })),
  },
  silent_payee: SILENT_PHONE,
  sees_reversals: ['payout'],
  // A question about a reversal has the same path as one about a payout.
  verbs: { 'refund status': 'payout status' },
  // The suite prompts one phone many times. That a phone has one prompt at a time is tested with the door.
  switches: [{ locks_subscriber: false }],
})

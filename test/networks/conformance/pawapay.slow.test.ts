import { pawapay } from '../../../src/networks/pawapay/index.ts'
import { pawapayDoor } from '../../../src/simulator/doors/pawapay/index.ts'
import { type Failing, runConformance } from './index.ts'

const credentials = Object.fromEntries(pawapayDoor.credentials.map(({ name, value }) => [name, value]))

/** MTN and Airtel in Uganda, and Airtel in Zambia: one connection reaches all of them. */
const failing = (list: [start: string, ending: string, reason: Failing['reason'], code: string][]): Failing[] =>
  list.map(([start, ending, reason, code]) => ({ phonenumber: `+${start}${ending}`, reason, code }))

runConformance({
  driver: pawapay,
  door: pawapayDoor,
  environment: 'simulated',
  settings: credentials,
  // pawaPay is not told the number of our wallet: the simulated one has the name of its country.
  place: { receiver: 'UGA', currency: 'UGX', phone: (last_digits) => `+256772${last_digits}` },
  failing: {
    charge: failing([
      ['256783', '456019', 'limit_reached', 'PAYER_LIMIT_REACHED'],
      ['256753', '456029', 'payer_not_found', 'PAYER_NOT_FOUND'],
      ['256783', '456039', 'cancelled', 'PAYMENT_NOT_APPROVED'],
      ['256783', '456049', 'insufficient_funds', 'INSUFFICIENT_BALANCE'],
      ['256783', '456059', 'unreachable', 'TRANSACTION_ALREADY_IN_PROCESS'],
      ['256753', '456069', 'rejected', 'UNSPECIFIED_FAILURE'],
      ['256783', '457001', 'unreachable', 'PAYMENT_IN_PROGRESS'],
      ['256783', '457002', 'limit_reached', 'WALLET_LIMIT_REACHED'],
      ['256783', '457003', 'cancelled', 'MANUALLY_CANCELLED'],
      ['256783', '457004', 'rejected', 'UNKNOWN_ERROR'],
      // No provider has this number, and this one is of a country with another currency.
      ['256411', '000002', 'payer_not_found', 'INVALID_PHONE_NUMBER'],
      ['260763', '456789', 'rejected', 'INVALID_CURRENCY'],
    ]),
    payout: failing([
      ['256783', '456079', 'payee_not_found', 'RECIPIENT_NOT_FOUND'],
      ['256753', '456089', 'payee_not_found', 'RECIPIENT_NOT_FOUND'],
      ['256783', '456099', 'limit_reached', 'WALLET_LIMIT_REACHED'],
      ['256783', '456109', 'limit_reached', 'RECIPIENT_LIMIT_REACHED'],
      ['256783', '456119', 'rejected', 'UNSPECIFIED_FAILURE'],
      ['256783', '457005', 'not_allowed', 'RECIPIENT_NOT_ALLOWED_TO_RECEIVE'],
      ['256783', '457006', 'rejected', 'PAWAPAY_WALLET_OUT_OF_FUNDS'],
      ['256411', '000002', 'payee_not_found', 'INVALID_PHONE_NUMBER'],
    ]),
  },
  silent_payee: '+256783456129',
  // Callbacks without a signature, and what other switches change, are tested with the driver and the door.
  switches: [{ signed_callbacks: true, configuration_form: 'list' }],
  async register(callback_url, simulator) {
    const address = (operation: string) => `${callback_url}/${operation}`
    await simulator.setSwitches(pawapayDoor.code, {
      deposits_callback_url: address('deposits'),
      payouts_callback_url: address('payouts'),
      refunds_callback_url: address('refunds'),
    })
  },
})

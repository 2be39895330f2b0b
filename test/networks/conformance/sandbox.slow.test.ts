import { sandbox } from '../../../src/networks/sandbox.ts'
import { createSandboxDoor } from '../../../src/simulator/doors/sandbox/index.ts'
import { runConformance } from './index.ts'

const SECRET = 'the secret of the sandbox network'
const REFUSES_ALL = '+80000000001'
const phone = (last_digits: string) => `+256772${last_digits}`

let callback_url: string | null = null

runConformance({
  driver: sandbox,
  door: createSandboxDoor({ secret: SECRET, callback_url: () => callback_url }),
  environment: 'sandbox',
  settings: { secret: SECRET },
  place: { receiver: '600100', currency: 'UGX', phone },
  failing: {
    charge: [
      { phonenumber: phone('000101'), reason: 'insufficient_funds' },
      { phonenumber: phone('000102'), reason: 'wrong_pin' },
      { phonenumber: REFUSES_ALL, reason: 'cancelled' },
    ],
    payout: [
      { phonenumber: phone('000101'), reason: 'insufficient_funds' },
      { phonenumber: phone('000102'), reason: 'wrong_pin' },
      { phonenumber: phone('000111'), reason: 'rejected' },
      { phonenumber: REFUSES_ALL, reason: 'payee_not_found' },
    ],
  },
  silent_payee: '+80000000009',
  sees_reversals: ['charge', 'payout'],
  register(url) {
    callback_url = url
  },
})

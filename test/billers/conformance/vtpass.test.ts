import { vtpass } from '../../../src/billers/vtpass/index.ts'
import { toRequestId } from '../../../src/billers/vtpass/request-id.ts'
import { vtpassDoor } from '../../../src/simulator/doors/vtpass/index.ts'
import { KEYS } from '../../../src/simulator/doors/vtpass/switches.ts'
import { runBillConformance } from './index.ts'
import { openDoor } from './rig.ts'
import type { VendParts } from './subject.ts'

let accounts = 0
/** Each purchase is for another account, because the same one is not sold twice within 30 seconds. */
function next(start: string): string {
  accounts += 1
  return `${start}${String(accounts).padStart(6, '0')}`
}

const airtime = (phone = next('08034')): VendParts => ({
  kind: 'airtime',
  country: 'NG',
  currency: 'NGN',
  offer: { remote_service: 'mtn', remote_product: null },
  account_number: phone,
  phone,
  amount: 1_000_000n,
  details: { plan: 'prepaid' },
})
const light = (account_number = next('0404240')): VendParts => ({
  kind: 'electricity',
  country: 'NG',
  currency: 'NGN',
  amount: 20_000_000n,
  account_number,
  offer: { remote_service: 'ikeja-electric', remote_product: 'prepaid' },
  details: { prepaid: true },
})
const meter = { kind: 'electricity', country: 'NG', prepaid: true, offer: light().offer } as const

runBillConformance({
  driver: vtpass,
  environment: 'simulated',
  settings: KEYS.sandbox,
  open: () =>
    openDoor(vtpassDoor, {
      float: { name: 'wallet', full: 1_000_000 },
      async sold(simulator, order) {
        const sale = await simulator.world('vtpass').findPayout({ key: toRequestId(order) })
        return sale && sale.state !== 'failed' && sale.details.ends === 'delivered' ? 1 : 0
      },
    }),
  order: () => airtime(),
  electricity: () => light(),
  // The code 099 by the number of the phone; the meters differ.
  pending: () => ({ ...light(), phone: '08000000099' }),
  refused: [
    { name: 'a declined purchase', order: () => airtime('08000000016'), reason: 'declined' },
    { name: 'a reversed purchase', order: () => airtime('08000000040'), reason: 'declined' },
    { name: 'too small an amount', order: () => ({ ...airtime(), amount: 10_000n }), reason: 'amount_refused' },
    { name: 'too large an amount', order: () => ({ ...airtime(), amount: 10_000_000_000n }), reason: 'amount_refused' },
    {
      name: 'a bouquet that is gone',
      order: () => ({
        ...light(),
        kind: 'cabletv',
        offer: { remote_service: 'dstv', remote_product: 'gone' },
        details: {},
      }),
      reason: 'rejected',
    },
    { name: 'a service that is switched off', order: () => airtime('08000000035'), reason: 'service_inactive' },
    { name: 'a biller that is down', order: () => airtime('08000000030'), reason: 'no_answer' },
  ],
  wrong: [
    { change: { api_key: 'another-key' }, says: /api_key/ },
    { change: { public_key: 'PK_another-key', secret_key: KEYS.live.secret_key }, says: /public_key/ },
    { change: { secret_key: KEYS.live.secret_key }, says: /secret_key/ },
    { change: { api_key: KEYS.live.api_key, public_key: KEYS.live.public_key, secret_key: 'x' }, says: /environment/ },
  ],
  holders: {
    known: { ...meter, account_number: '1111111111111' },
    unknown: { ...meter, account_number: '00012345674' },
  },
})

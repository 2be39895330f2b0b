import { reloadly } from '../../../src/billers/reloadly/index.ts'
import { reloadlyDoor } from '../../../src/simulator/doors/reloadly/index.ts'
import { findSales } from '../../../src/simulator/doors/reloadly/sales.ts'
import type { ReloadlyWorld } from '../../../src/simulator/doors/reloadly/switches.ts'
import { runBillConformance } from './index.ts'
import { openDoor } from './rig.ts'
import type { VendParts } from './subject.ts'

const airtime = (account_number = '+254712000001'): VendParts => ({
  kind: 'airtime',
  country: 'KE',
  currency: 'KES',
  offer: { remote_service: '265', remote_product: null },
  account_number,
  phone: account_number,
  amount: 1_000_000n,
  details: { plan: 'prepaid' },
})
const light = (account_number = '04042404048'): VendParts => ({
  kind: 'electricity',
  country: 'NG',
  currency: 'NGN',
  amount: 20_000_000n,
  account_number,
  offer: { remote_service: 'biller:2', remote_product: null },
  details: { prepaid: true },
})
const credentials = Object.fromEntries(reloadlyDoor.credentials.map(({ name, value }) => [name, value]))

runBillConformance({
  driver: reloadly,
  environment: 'simulated',
  settings: credentials,
  open: () =>
    openDoor(reloadlyDoor, {
      switches: { race_milliseconds: 1, slow_seconds: 0.01 },
      float: { name: 'wallet', full: 1_000 },
      async sold(simulator, order) {
        const world = simulator.world('reloadly') as unknown as ReloadlyWorld
        const found = await Promise.all([
          findSales(world, 'topup', order.reference),
          findSales(world, 'bill', order.reference),
        ])
        return found.flat().filter(({ details }) => details.ends === 'SUCCESSFUL').length
      },
    }),
  order: () => airtime(),
  electricity: () => light(),
  pending: () => airtime('+254712900003'),
  refused: [
    { name: 'an operator that fails', order: () => airtime('+254712900001'), reason: 'declined' },
    { name: 'a top-up that is refunded', order: () => airtime('+254712900002'), reason: 'declined' },
    { name: 'a bill that is refunded', order: () => light('04042900002'), reason: 'declined' },
    { name: 'a phone that is wrong', order: () => airtime('+254712900004'), reason: 'account_not_found' },
    { name: 'a phone of another operator', order: () => airtime('+254712900005'), reason: 'account_not_found' },
    { name: 'a phone of another country', order: () => airtime('+256772000001'), reason: 'account_not_found' },
    { name: 'an operator that is down', order: () => airtime('+254712900008'), reason: 'service_inactive' },
    { name: 'too small an amount', order: () => ({ ...airtime(), amount: 10_000n }), reason: 'amount_refused' },
    { name: 'too small a bill', order: () => ({ ...light(), amount: 10_000n }), reason: 'amount_refused' },
    {
      name: 'a biller that is gone',
      order: () => ({ ...light(), offer: { remote_service: 'biller:99', remote_product: null } }),
      reason: 'rejected',
    },
  ],
  wrong: [
    { change: { client_id: 'another-client' }, says: /client_id/ },
    { change: { client_secret: 'another-secret' }, says: /client_secret/ },
  ],
  forge: (callback) => ({ ...callback, headers: { ...callback.headers, 'x-reloadly-signature': 'ab'.repeat(32) } }),
})

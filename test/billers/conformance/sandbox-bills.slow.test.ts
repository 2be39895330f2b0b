import { sandboxBills } from '../../../src/billers/sandbox-bills/index.ts'
import { createTestSimulator, openDatabase, SECRET } from '../../simulator/simulator-test.ts'
import { runBillConformance } from './index.ts'
import type { VendParts } from './subject.ts'

const light = (change: Partial<VendParts> = {}): VendParts => ({
  kind: 'electricity',
  country: 'NG',
  currency: 'NGN',
  amount: 50_000_000n,
  account_number: '04042404048',
  offer: { remote_service: 'ikeja_electric_prepaid', remote_product: null },
  details: { prepaid: true, tariff: 669_000n },
  ...change,
})
const meter = { kind: 'electricity', country: 'NG', prepaid: true, offer: light().offer } as const

runBillConformance({
  driver: sandboxBills,
  environment: 'sandbox',
  settings: { secret: SECRET },
  async open() {
    const { db, drop } = await openDatabase()
    const clock = { ms: Date.now() }
    const now = () => new Date(clock.ms)
    const simulator = createTestSimulator(db, { now })
    return {
      hosts: { api: await simulator.listen() },
      now,
      callbacks: [],
      callback_base: () => 'http://127.0.0.1:2',
      async advance(seconds) {
        clock.ms += seconds * 1_000
      },
      async sold({ reference }) {
        return (await db`select from simulator_vends where reference = ${reference} and state = 'vended'`).length
      },
      async close() {
        await simulator.stop()
        await drop()
      },
    }
  },
  order: () => light(),
  electricity: () => light(),
  pending: () => light({ scenario: 'pending-success' }),
  refused: [
    { name: 'a declined purchase', order: () => light({ scenario: 'decline' }), reason: 'declined' },
    { name: 'a blocked service', order: () => light({ scenario: 'blocked' }), reason: 'service_blocked' },
    {
      name: 'an account that does not exist',
      order: () => light({ account_number: '00012345674' }),
      reason: 'account_not_found',
    },
  ],
  wrong: [{ change: { secret: 'another secret' }, says: /secret/ }],
  holders: {
    known: { ...meter, account_number: '04042404048' },
    unknown: { ...meter, account_number: '00012345674' },
  },
})

import { upstream } from '../../../src/billers/upstream/index.ts'
import { buildTestApp } from '../../test-app.ts'
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

/** The other host is another start of this service. */
const testApp = await buildTestApp()
const service = await testApp.startService()

runBillConformance({
  driver: upstream,
  environment: 'sandbox',
  settings: { key: testApp.api_key },
  open: async () => ({
    hosts: { api: `${service.url}/api/gateway` },
    now: () => testApp.clock.now(),
    callbacks: [],
    callback_base: () => 'http://127.0.0.1:2',
    async advance(seconds) {
      testApp.clock.advance(seconds)
    },
    async sold({ reference }) {
      const [row] = await testApp.db<{ count: number }[]>`
        select count(*)::int from simulator_vends v join network_orders o on o.reference = v.reference
        join bill_purchases p on p.id = o.bill_purchase
        where p.agent_reference = ${reference} and v.state = 'vended'`
      return row!.count
    },
    close: () => testApp.close(),
  }),
  order: () => light(),
  electricity: () => light(),
  refused: [
    { name: 'a declined purchase', order: () => light({ scenario: 'decline' }), reason: 'declined' },
    { name: 'too small an amount', order: () => light({ amount: 1n }), reason: 'rejected' },
    { name: 'too large an amount', order: () => light({ amount: 999_999_990_000n }), reason: 'amount_refused' },
    {
      name: 'a service that is gone',
      order: () => light({ offer: { remote_service: 'missing', remote_product: null } }),
      reason: 'service_inactive',
    },
  ],
  wrong: [{ change: { key: 'another key'.replace(' ', '-') }, says: /refuses key/ }],
  holders: {
    known: { ...meter, account_number: '04042404048' },
    unknown: { ...meter, account_number: '00012345674' },
  },
})

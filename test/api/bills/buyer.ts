import { randomUUID } from 'node:crypto'
import { checkLedger } from '../../../src/core/ledger/transfers.ts'
import type { Amount } from '../../../src/lib/money.ts'
import { createApiClient, type TestApp } from '../../test-app.ts'

/** A reference that nobody used before. */
export function freshReference(): string {
  return `order-${randomUUID()}`
}

/** A purchase of prepaid electricity that succeeds, but for what a test changes. */
export function electricityOrder(more: object = {}) {
  return {
    phone: '08031234567',
    amount: '5000',
    account_number: '04042404048',
    service_type: 'ikeja_electric_prepaid',
    agentReference: freshReference(),
    agentId: 207,
    ...more,
  }
}

/** A purchase of airtime that succeeds, but for what a test changes. */
export function airtimeOrder(more: object = {}) {
  return {
    agentReference: freshReference(),
    agentId: '207',
    plan: 'prepaid',
    service_type: 'mtn',
    amount: 100,
    phone: '08031234567',
    ...more,
  }
}

/** Buys at the counter of a testApp, and looks at what became of the money. */
export function createBuyer(testApp: TestApp, url: string) {
  const api = createApiClient(`${url}/api/gateway`, testApp.api_key)
  return {
    ...api,
    requery: (reference: string) => api.get(`/superagent/transaction/requery?agentReference=${reference}`),
    wallet: () => readBalance(testApp, 'local'),
    held: () => readBalance(testApp, 'held'),
    /** How often the simulated biller has sold something for a purchase of this reference. */
    async sold(reference: string): Promise<number> {
      const [row] = await testApp.db<{ count: number }[]>`
        select count(*) from simulator_vends v join bill_purchases p on p.reference = v.reference
        where p.agent_reference = ${reference} and v.state = 'vended'`
      return row!.count
    },
    faults: () => checkLedger(testApp.db),
  }
}

async function readBalance({ db, organization }: TestApp, kind: string): Promise<Amount> {
  const [row] = await db<{ balance: Amount }[]>`
    select balance from accounts where organization = ${organization} and kind = ${kind} and currency = 'NGN'`
  return row!.balance
}

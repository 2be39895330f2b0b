import { randomUUID } from 'node:crypto'
import { checkLedger } from '../../../src/core/ledger/transfers.ts'
import type { Amount } from '../../../src/lib/money.ts'
import { createApiClient, type TestApp } from '../../test-app.ts'

/** A new, unique reference. */
export function freshReference(): string {
  return `order-${randomUUID()}`
}

/** A successful purchase of prepaid electricity, with the changes of a test. */
export function electricityOrder(changes: object = {}) {
  return {
    phone: '08031234567',
    amount: '5000',
    account_number: '04042404048',
    service_type: 'ikeja_electric_prepaid',
    agentReference: freshReference(),
    agentId: 207,
    ...changes,
  }
}

/** A successful purchase of airtime, with the changes of a test. */
export function airtimeOrder(changes: object = {}) {
  return {
    agentReference: freshReference(),
    agentId: '207',
    plan: 'prepaid',
    service_type: 'mtn',
    amount: 100,
    phone: '08031234567',
    ...changes,
  }
}

/** A client of the bill-payment API that also reads balances, sales and the ledger. */
export function createBuyer(testApp: TestApp, url: string) {
  const api = createApiClient(`${url}/api/gateway`, testApp.api_key)
  return {
    ...api,
    requery: (reference: string) => api.get(`/superagent/transaction/requery?agentReference=${reference}`),
    wallet: () => readBalance(testApp, 'local'),
    held: () => readBalance(testApp, 'held'),
    /** Return the simulated biller's number of sales for the purchase with this reference. */
    async sold(reference: string): Promise<number> {
      const [row] = await testApp.db<{ count: number }[]>`
        select count(*) from simulator_vends v join network_orders o on o.reference = v.reference
        join bill_purchases p on p.id = o.bill_purchase
        where p.agent_reference = ${reference} and v.state = 'vended'`
      return row!.count
    },
    ledgerErrors: () => checkLedger(testApp.db),
  }
}

async function readBalance({ db, organization }: TestApp, kind: string): Promise<Amount> {
  const [row] = await db<{ balance: Amount }[]>`
    select balance from accounts where organization = ${organization} and kind = ${kind} and currency = 'NGN'`
  return row!.balance
}

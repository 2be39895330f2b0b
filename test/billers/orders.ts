import { randomUUID } from 'node:crypto'
import type { Vend } from '../../src/billers/biller.ts'

/** A purchase of prepaid electricity with the changes of a test, and a new reference at every call. */
export function buildVend(changes: Partial<Vend> = {}): Vend {
  return {
    reference: `KB${randomUUID().replaceAll('-', '')}`,
    kind: 'electricity',
    service_type: 'ikeja_electric_prepaid',
    account_number: '04042404048',
    phone: '08031234567',
    amount: 50_000_000n,
    details: { prepaid: true, tariff: 669_000n },
    scenario: null,
    ...changes,
  }
}

import type { AnyBillDriver, ProviderAccountQuery, ProviderVend } from '../../../src/billers/contract.ts'
import { providerVend } from '../../billers/recorder.ts'
import { recorder } from './rig.ts'

/*
 * Purchases and questions of the recordings of bill providers.
 */

const now = new Date('2026-11-22T08:15:30Z')
/** Open the recorder of a driver in one environment. */
export const at = (driver: AnyBillDriver, environment: string, settings: Record<string, unknown>) => {
  const api = 'https://api.example.com'
  return recorder(driver, { environment, settings, now, hosts: { api, auth: api, topups: api, utilities: api } })
}

/** A purchase of electricity. */
export const light = (changes: Partial<ProviderVend> = {}) =>
  providerVend({ kind: 'electricity', account_number: '1111111111111', details: { prepaid: true }, ...changes })
export const meter: ProviderAccountQuery = {
  country: 'NG',
  account_number: '1111111111111',
  prepaid: true,
  kind: 'electricity',
  offer: { remote_service: 'ikeja-electric', remote_product: 'prepaid' },
}
export const TOKEN = '26362054405982757802'

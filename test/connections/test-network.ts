import { z } from 'zod'
import { longText, secretSetting, setting } from '../../src/drivers/settings.ts'
import { parseAmount } from '../../src/lib/money.ts'
import {
  type AnyNetworkDriver,
  type CheckResult,
  defineNetwork,
  type NetworkOperations,
  type Place,
} from '../../src/networks/contract.ts'
import { networkDrivers } from '../../src/networks/index.ts'

const limits = { decimals: 0, min: parseAmount('500')!, max: parseAmount('5000000')! }

const PLACES: Place[] = [
  { country: 'UG', currency: 'UGX', limits, phones: /^\+2567[78]\d{7}$/ },
  { country: 'KE', currency: 'KES', limits: { ...limits, decimals: 2, min: 10_000n }, phones: /^\+2547\d{8}$/ },
]

/** The key with which the test of a connection passes. */
export const RIGHT_KEY = 'right-key-of-the-test-network'

/**
 * A driver for tests: with all kinds of settings, a test environment and a live one, and credentials that can be wrong. It
 * calls nobody: every charge is paid at once.
 */
export const testNetwork: AnyNetworkDriver = defineNetwork({
  code: 'test-network',
  name: 'Test Network',
  settings: z.object({
    short_code: setting(z.string().regex(/^\d{5,7}$/, 'must have 5 to 7 digits'), {
      title: 'Short code',
      help: 'The portal shows it.',
    }),
    mode: setting(z.enum(['fast', 'slow']).default('fast'), { title: 'Mode', help: 'How it works.' }),
    retries: setting(z.number().int().min(0).optional(), { title: 'Retries', help: 'How often.' }),
    notify: setting(z.boolean().optional(), { title: 'Notify', help: 'Whether to tell.' }),
    api_key: secretSetting(z.string().min(8), { title: 'API key', help: 'The portal makes it.' }),
    certificate: secretSetting(longText().optional(), { title: 'Certificate', help: 'From the bank.' }),
  }),
  environments: {
    test: { title: 'Test', live: false, hosts: { api: 'https://test.network.example' } },
    production: {
      title: 'Production',
      live: true,
      hosts: { api: 'https://api.network.example', sso: 'https://sso.network.example' },
    },
  },
  places: PLACES,
  traits: {
    reference: 'alphanumeric-25',
    repeat: 'same-answer',
    unseen: 'certain',
    asked_by: 'reference',
    answers: 'in-reply',
    in_flight_s: 5,
    prompt_s: 60,
    call_s: 5,
    callbacks: 'unsigned',
  },
  checkSettings: ({ settings }): Record<string, string> =>
    settings.short_code === '99999' ? { short_code: 'This short code is reserved.' } : {},
  async provision({ settings }) {
    return settings.short_code === undefined
      ? { outcome: 'failed', message: 'short_code is missing.' }
      : { outcome: 'provisioned', settings: { api_key: RIGHT_KEY } }
  },
  open({ settings }): NetworkOperations {
    const { api_key } = settings
    const answer: CheckResult =
      api_key === RIGHT_KEY
        ? { name: 'token', outcome: 'ok', message: 'A token was given.' }
        : { name: 'token', outcome: 'failed', message: `api_key is wrong: the network refused ${api_key}.` }
    return {
      test: async () => [answer],
      charge: async ({ reference }) => ({ outcome: 'accepted', remote_id: `R${reference}` }),
      chargeStatus: async ({ reference }) => ({ outcome: 'successful', remote_id: `M${reference}` }),
      payout: async ({ reference }) => ({ outcome: 'accepted', remote_id: `R${reference}` }),
      payoutStatus: async ({ reference }) => ({ outcome: 'successful', remote_id: `M${reference}` }),
    }
  },
})

/** Add a driver to those that this program knows. @returns what takes it out again, for `afterAll` */
export function addDriver(driver: AnyNetworkDriver): () => void {
  const drivers = networkDrivers as AnyNetworkDriver[]
  drivers.push(driver)
  return () => {
    drivers.splice(drivers.indexOf(driver), 1)
  }
}

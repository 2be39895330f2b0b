import type { Environment } from '../../drivers/contract.ts'
import type { Product } from './settings.ts'

const AUTH = 'https://auth.reloadly.com'

export const SIMULATED = 'simulated'

export const environments: Record<string, Environment> = {
  sandbox: {
    title: "Reloadly's sandbox",
    live: false,
    hosts: {
      auth: AUTH,
      topups: 'https://topups-sandbox.reloadly.com',
      utilities: 'https://utilities-sandbox.reloadly.com',
    },
  },
  production: {
    title: 'Production',
    live: true,
    hosts: { auth: AUTH, topups: 'https://topups.reloadly.com', utilities: 'https://utilities.reloadly.com' },
  },
  [SIMULATED]: {
    title: 'Simulated provider (kusanya networks simulate)',
    live: false,
    hosts: {
      auth: 'http://127.0.0.1:4400/reloadly/auth',
      topups: 'http://127.0.0.1:4400/reloadly/topups',
      utilities: 'http://127.0.0.1:4400/reloadly/utilities',
    },
  },
}

/** Return the audience of a token. It names the real service, even if the host is a proxy or simulated. */
export function audienceOf(environment: string, product: Product): string {
  const suffix = environment === 'production' ? '' : '-sandbox'
  return `https://${product}${suffix}.reloadly.com`
}

import { z } from 'zod'
import type { OpenedConnection } from '../../drivers/contract.ts'
import { secretSetting, setting } from '../../drivers/settings.ts'

const PORTAL = 'the dashboard of Reloadly: Developers, API settings'

/** Twenty countries in which people buy airtime most. */
const COUNTRIES = 'BF, BJ, CD, CI, CM, ET, GH, KE, MG, ML, MW, MZ, NE, NG, RW, SN, TG, TZ, UG, ZM'

/** Settings of an account at Reloadly. */
export const settings = z.object({
  client_id: setting(z.string().trim().min(1).max(200), {
    title: 'Client id',
    help: `${PORTAL}. The switch between test and live shows other keys.`,
    example: 'q7nYs0eKcA3xP5tV',
  }),
  client_secret: secretSetting(z.string().trim().min(1).max(500), {
    title: 'Client secret',
    help: `Beside the client id, in ${PORTAL}.`,
  }),
  account_currency: setting(
    z
      .string()
      .trim()
      .regex(/^[A-Z]{3}$/, 'must be a currency code such as USD')
      .default('USD'),
    {
      title: 'Currency of the account',
      help: 'The currency of the wallet at Reloadly, which was chosen when the account was opened. What is sold in another currency is ordered as a local amount.',
      example: 'USD',
    },
  ),
  countries: setting(
    z
      .string()
      .trim()
      .regex(/^[A-Z]{2}(\s*,\s*[A-Z]{2}){0,99}$/, 'must be country codes with commas between them, such as KE, UG')
      .default(COUNTRIES),
    {
      title: 'Countries',
      help: 'The countries whose operators and billers are read for the catalogue, as two capital letters each.',
      example: 'KE, NG, UG',
    },
  ),
  webhook_secret: secretSetting(z.string().trim().min(1).max(500).optional(), {
    title: 'Webhook secret',
    help: 'Dashboard of Reloadly: Developers, Webhooks, the signature secret of our address. Without it a callback only causes a question, and so does one that is signed.',
  }),
})

export type Settings = z.output<typeof settings>
export type ReloadlyConnection = OpenedConnection<Settings>

/** The services of Reloadly that we use. */
export type Product = 'topups' | 'utilities'

/** The countries of the catalogue. */
export function countriesOf({ countries }: Settings): string[] {
  return [...new Set(countries.split(',').map((code) => code.trim()))]
}

/** The words that no message may repeat. */
export function secretsOf({ settings: { client_id, client_secret, webhook_secret } }: ReloadlyConnection): string[] {
  return [client_id, client_secret, ...(webhook_secret === undefined ? [] : [webhook_secret])]
}

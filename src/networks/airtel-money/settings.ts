import { z } from 'zod'
import { secretSetting, setting } from '../../drivers/settings.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { countries } from './places.ts'

const names = Object.keys(countries) as [string, ...string[]]
const currencies = [...new Set(Object.values(countries).flatMap((country) => country.currencies))] as [
  string,
  ...string[],
]

const versions = z.enum(['v1', 'v2'])
const PORTAL = "In Airtel's developer portal under My Apps, the application, Key Management."

/** Settings of an application in Airtel's developer portal. */
export const settings = z.object({
  country: setting(z.enum(names), {
    title: 'Country',
    help: "The country of the application in Airtel's developer portal. Each country has an application of its own.",
    example: 'UG',
  }),
  currency: setting(z.enum(currencies).optional(), {
    title: 'Currency',
    help: 'Left out, it is the currency of the country. Only DR Congo has two: CDF and USD.',
    example: 'UGX',
  }),
  client_id: setting(z.string().trim().min(1), { title: 'Client ID', help: PORTAL }),
  client_secret: secretSetting(z.string().trim().min(1), { title: 'Client secret', help: PORTAL }),
  collection_version: setting(versions.default('v2'), {
    title: 'Version of Collection',
    help: 'v2 where message signing is on for the application, v1 where it is off. The documentation in the portal shows the path: /merchant/v1/payments/ or /merchant/v2/payments/.',
  }),
  payout_version: setting(versions.default('v2'), {
    title: 'Version of Disbursement',
    help: 'As for Collection: /standard/v1/disbursements/ or /standard/v2/disbursements/.',
  }),
  pin: secretSetting(
    z
      .string()
      .regex(/^\d{4}$/, getMessage('airtel.four_digits'))
      .optional(),
    {
      title: 'Disbursement PIN',
      help: 'The four digits that were chosen with Airtel for payouts. Without it the connection sends no money.',
    },
  ),
  callback_key: secretSetting(z.string().trim().min(1).optional(), {
    title: 'Callback key',
    help: 'In the portal under Application Settings, Callback URL, with callback authentication switched on: the private key. Without it callbacks only cause a question to Airtel.',
  }),
  wallets: setting(z.enum(['one', 'separate']).default('one'), {
    title: 'Wallets',
    help: 'one: Airtel tells one balance for the application. separate: it tells one balance for Collection and one for Disbursement.',
  }),
})

export type AirtelSettings = z.output<typeof settings>

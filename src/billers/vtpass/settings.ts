import { z } from 'zod'
import type { OpenedConnection } from '../../drivers/contract.ts'
import { secretSetting, setting } from '../../drivers/settings.ts'

const PORTAL = 'profile.vtpass.com (sandbox.vtpass.com for the sandbox): Profile, API Keys'

/** Key for a header, so it has no blanks. */
const key = () =>
  z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be visible ASCII characters')

/** Settings of an account at VTpass. */
export const settings = z.object({
  api_key: secretSetting(key(), {
    title: 'API key',
    help: `The static key of the account: ${PORTAL}. The sandbox and the live service have different ones.`,
  }),
  public_key: secretSetting(key(), {
    title: 'Public key',
    help: `It begins with PK_, and lets questions through: ${PORTAL}. VTpass shows it once.`,
  }),
  secret_key: secretSetting(key(), {
    title: 'Secret key',
    help: `It begins with SK_, and lets purchases through: ${PORTAL}. VTpass shows it once.`,
  }),
  phone: setting(
    z
      .string()
      .trim()
      .regex(/^0\d{10}$/, 'must have 11 digits, like 08012345678')
      .optional(),
    {
      title: 'Phone of the business',
      help: 'VTpass wants a phone number with each purchase. This one is sent where the customer gave none.',
      example: '08012345678',
    },
  ),
})

export type Settings = z.output<typeof settings>
export type VtpassConnection = OpenedConnection<Settings>

/** The words that no message may repeat. */
export function secretsOf({ settings: { api_key, public_key, secret_key } }: VtpassConnection): string[] {
  return [api_key, public_key, secret_key]
}

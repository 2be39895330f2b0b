import { z } from 'zod'
import { longText, secretSetting, setting } from '../../drivers/settings.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { OpenedConnection } from '../contract.ts'
import { readPublicKey, readSigningKey } from './keys.ts'

/** Settings of an account in pawaPay's dashboard. */
export const settings = z.object({
  api_token: secretSetting(
    z
      .string()
      .trim()
      .regex(/^[\x21-\x7e]+$/, getMessage('pawapay.blanks')),
    {
      title: 'API token',
      help: "In pawaPay's dashboard under System Configuration, API Tokens. The sandbox and production have different ones.",
    },
  ),
  delayed_payouts: setting(z.enum(['refuse', 'queue']).default('refuse'), {
    title: 'Payouts while a provider is down',
    help: 'refuse: they fail at once, and can be sent again later. queue: pawaPay keeps them and sends them when the provider is back, which may take hours.',
  }),
  callback_public_key: setting(longText().optional(), {
    title: "pawaPay's public key for callbacks",
    help: 'In PEM. Only where this service cannot fetch it: left out, it is fetched from pawaPay (GET /v2/public-key/http).',
  }),
  signing_key_id: setting(
    z
      .string()
      .trim()
      .regex(/^[\x20\x21\x23-\x5b\x5d-\x7e]{1,100}$/, getMessage('pawapay.most_100_characters'))
      .optional(),
    {
      title: 'ID of our key for requests',
      help: "The ID under which your public key is stored in pawaPay's dashboard, under System Configuration, API Tokens. Only where requests are signed.",
      example: 'KUSANYA_1',
    },
  ),
  signing_key: secretSetting(longText().optional(), {
    title: 'Our private key for requests',
    help: 'The private key (ECDSA, P-256) in PEM whose public key is in the dashboard. Where "only accept signed requests" is switched on there, nothing is taken without it.',
  }),
})

type PawapaySettings = z.output<typeof settings>

/** A merchant account at pawaPay. */
export type PawapayConnection = OpenedConnection<PawapaySettings>

/** Find faults in the settings beyond their form, by setting name. */
export function checkSettings({ settings: given }: PawapayConnection): Record<string, string> {
  const { callback_public_key, signing_key, signing_key_id } = given
  const wrong: Record<string, string> = {}
  if (callback_public_key !== undefined && !readPublicKey(callback_public_key))
    wrong.callback_public_key = getMessage('pawapay.public_key_ecdsa')
  if (signing_key !== undefined && !readSigningKey(signing_key))
    wrong.signing_key = getMessage('pawapay.private_key_ecdsa')
  if (signing_key !== undefined && signing_key_id === undefined)
    wrong.signing_key_id = getMessage('pawapay.key_requests_needs')
  if (signing_key === undefined && signing_key_id !== undefined)
    wrong.signing_key = getMessage('pawapay.id_key_requests')
  return wrong
}

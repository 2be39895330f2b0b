import { z } from 'zod'
import type { OpenedConnection } from '../../drivers/contract.ts'
import { secretSetting, setting } from '../../drivers/settings.ts'
import { getMessage } from '../../lib/messages/message.ts'

const sid = (start: string) =>
  z
    .string()
    .trim()
    .regex(new RegExp(`^${start}[0-9a-fA-F]{32}$`), getMessage('twilio.32_hexadecimal_digits', { start }))

export const settings = z.object({
  account_sid: setting(sid('AC'), {
    title: 'Account SID',
    help: 'On the first page of the Twilio console. The test credentials have one of their own.',
    example: `AC${'0'.repeat(32)}`,
  }),
  auth_token: secretSetting(z.string().trim().min(8), {
    title: 'Auth token',
    help: 'Beside the account SID. Twilio signs delivery reports with it, so it is needed also where an API key is used for calls.',
  }),
  api_key_sid: setting(sid('SK').optional(), {
    title: 'API key SID',
    help: 'Calls use this key instead of the auth token. In the Twilio console under Account, API keys & tokens; a Standard key is enough.',
  }),
  api_key_secret: secretSetting(z.string().trim().min(8).optional(), {
    title: 'API key secret',
    help: 'Shown once, when the key is made.',
  }),
  messaging_service_sid: setting(sid('MG').optional(), {
    title: 'Messaging service SID',
    help: 'Chooses the sender of an SMS for which no sender id is set. In the Twilio console under Messaging, Services.',
  }),
})
export type TwilioSettings = z.output<typeof settings>

export function checkSettings({ settings }: OpenedConnection<TwilioSettings>): Record<string, string> {
  const { api_key_sid, api_key_secret } = settings
  if (api_key_sid !== undefined && api_key_secret === undefined)
    return { api_key_secret: getMessage('twilio.api_key_needs') }
  if (api_key_sid === undefined && api_key_secret !== undefined)
    return { api_key_sid: getMessage('twilio.secret_needs_sid') }
  return {}
}

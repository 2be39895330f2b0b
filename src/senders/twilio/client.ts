import type { DriverTools, OpenedConnection } from '../../drivers/contract.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { createWords, endpoint } from '../shared/answers.ts'
import { basic } from '../shared/form.ts'
import type { TwilioSettings } from './settings.ts'

export const PROVIDER = 'Twilio'

/** A connection, and how it calls Twilio. */
export interface TwilioClient {
  settings: TwilioSettings
  tools: DriverTools
  words: ReturnType<typeof createWords>
  /**
   * Call the API.
   * @param path below the account, such as `/Messages.json`
   * @param credentials `token`: the account's own credentials, even if there is an API key
   */
  call(
    call: { verb: string; path: string; body?: string },
    credentials?: 'usual' | 'token',
  ): ReturnType<DriverTools['http']>
}

export function createClient({ settings, hosts }: OpenedConnection<TwilioSettings>, tools: DriverTools): TwilioClient {
  const { account_sid, auth_token, api_key_sid, api_key_secret } = settings
  const by_token = basic(account_sid, auth_token)
  const usual = api_key_sid && api_key_secret ? basic(api_key_sid, api_key_secret) : by_token
  return {
    settings,
    tools,
    words: createWords([auth_token, api_key_secret]),
    call: ({ verb, path, body }, credentials = 'usual') =>
      tools.http({
        verb,
        method: body === undefined ? 'GET' : 'POST',
        url: endpoint(hosts.api, `/2010-04-01/Accounts/${account_sid}${path}`),
        headers: {
          Authorization: credentials === 'token' ? by_token : usual,
          Accept: 'application/json',
          ...(body !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
        },
        ...(body !== undefined && { body }),
      }),
  }
}

/** Return the advice when Twilio refuses the credentials of a call. */
export function credentialsRepair({ api_key_sid }: TwilioSettings): string {
  return api_key_sid === undefined
    ? getMessage('twilio.refuses_account_sid_auth_token')
    : getMessage('twilio.refuses_api_key_sid_api_key_secret')
}

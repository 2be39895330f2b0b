import type { CallbackReply, DriverTools } from '../../drivers/contract.ts'
import { type AnySmsDriver, defineSmsProvider } from '../contract.ts'
import { readCallback } from './callbacks.ts'
import { balance, test } from './checks.ts'
import { createClient } from './client.ts'
import { report, send } from './messages.ts'
import { checkSettings, settings } from './settings.ts'

const API = 'https://api.twilio.com'

/** Anything else in the answer to an SMS of a customer would be sent to the customer. */
const silence: CallbackReply = { status: 200, content_type: 'text/xml', body: '<Response></Response>' }

/** SMS over Twilio's Programmable Messaging. See docs/sms/twilio.md for details and sources. */
export const twilio: AnySmsDriver = defineSmsProvider({
  code: 'twilio',
  name: 'Twilio',
  settings,
  environments: {
    test: { title: 'Test credentials: nothing is sent', live: false, hosts: { api: API } },
    production: { title: 'Production', live: true, hosts: { api: API } },
    simulated: {
      title: 'Simulated provider (kusanya networks simulate)',
      live: false,
      hosts: { api: 'http://127.0.0.1:4400/twilio' },
    },
  },
  traits: { call_s: 20, callbacks: 'signed', repeat: 'sends-again', reports: 'callback' },
  countries: null,
  checkSettings,
  open(connection, opening) {
    const client = (tools: DriverTools) => createClient(connection, tools)
    const { account_sid, auth_token } = connection.settings
    return {
      send: (sms, tools) => send(client(tools), sms),
      report: (sms, tools) => report(client(tools), sms),
      readCallback: (callback) =>
        readCallback(callback, { account_sid, auth_token, callback_url: opening.callbackUrl(null) }),
      callbackReply: () => silence,
      balance: (tools) => balance(client(tools)),
      test: (tools) => test(client(tools)),
    }
  },
})

import { z } from 'zod'
import type { BalanceAnswer, CheckResult } from '../../drivers/contract.ts'
import { parseJson } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { displayAmount, parseAmount } from '../../lib/money.ts'
import { unknown, unrecognized } from '../shared/answers.ts'
import { credentialsRepair, PROVIDER, type TwilioClient } from './client.ts'

const Balance = z.object({ currency: z.string().regex(/^[A-Z]{3}$/), balance: z.string() })

export async function balance(client: TwilioClient): Promise<BalanceAnswer> {
  const answer = await client.call({ verb: 'balance', path: '/Balance.json' })
  if (answer.outcome === 'unknown') return answer
  if (answer.incomplete !== null) return unknown(answer.incomplete)
  const found = answer.status === 200 ? Balance.safeParse(parseJson(answer.text)).data : undefined
  const number = /^-?\d+(?:\.\d{1,4})?/.exec(found?.balance ?? '')?.[0] ?? ''
  const amount = parseAmount(number)
  if (!found || amount === undefined) return unrecognized(PROVIDER, answer.status, client.words(answer.text))
  return { outcome: 'found', balances: [{ currency: found.currency, amount }] }
}

/** Try the credentials of calls, and the auth token with which reports are signed. */
export async function test(client: TwilioClient): Promise<CheckResult[]> {
  const { api_key_sid } = client.settings
  const calls = await testCredentials(client, 'usual', credentialsRepair(client.settings))
  const results = [calls]
  if (api_key_sid !== undefined) {
    const repair = getMessage('twilio.refuses_auth_token_delivery')
    results.push(await testCredentials(client, 'token', repair))
  }
  if (calls.outcome === 'ok') results.push(await testBalance(client))
  return [...results, testSender(client)]
}

async function testCredentials(
  client: TwilioClient,
  credentials: 'usual' | 'token',
  repair: string,
): Promise<CheckResult> {
  const name = credentials === 'usual' ? 'credentials' : 'auth token'
  const answer = await client.call({ verb: 'balance', path: '/Balance.json' }, credentials)
  if (answer.outcome === 'unknown') return { name, outcome: 'unknown', message: answer.message }
  if (answer.status === 401) return { name, outcome: 'failed', message: repair }
  if (answer.status === 404) return { name, outcome: 'failed', message: getMessage('twilio.knows_no_such') }
  if (answer.status !== 200 && answer.status !== 403)
    return {
      name,
      outcome: 'unknown',
      message: unrecognized(PROVIDER, answer.status, client.words(answer.text)).message,
    }
  return { name, outcome: 'ok', message: getMessage('twilio.accepts_credentials') }
}

async function testBalance(client: TwilioClient): Promise<CheckResult> {
  const name = 'balance'
  const found = await balance(client)
  // A restricted key and the test credentials may not read it.
  if (found.outcome !== 'found') return { name, outcome: 'skipped', message: getMessage('twilio.not_tell_balance') }
  const [{ amount, currency } = { amount: 0n, currency: '' }] = found.balances
  const shown = getMessage('drivers.balance', { currency, amount: displayAmount(amount) })
  if (amount <= 0n)
    return { name, outcome: 'failed', message: getMessage('twilio.add_money_console', { problem_text: shown }) }
  return { name, outcome: 'ok', message: shown }
}

function testSender({ settings, tools }: TwilioClient): CheckResult {
  const { messaging_service_sid } = settings
  const sender = messaging_service_sid
    ? getMessage('twilio.messaging_service_chooses')
    : getMessage('twilio.sms_needs_sender')
  const incoming = getMessage('twilio.receive_stop_enter', { callback_url: tools.callbackUrl(null, 'incoming') })
  return { name: 'sender and incoming SMS', outcome: 'skipped', message: `${sender} ${incoming}` }
}

import { z } from 'zod'
import { isUnauthorized } from '../../drivers/access-tokens.ts'
import type { BalanceAnswer, CheckResult, DriverTools, OpenedConnection } from '../../drivers/contract.ts'
import { spare, spareText } from '../../drivers/members.ts'
import { secretSetting, setting } from '../../drivers/settings.ts'
import { type HttpAnswer, parseJson } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { displayAmount, parseAmount } from '../../lib/money.ts'
import { type AnySmsDriver, defineSmsProvider, type OutgoingSms, type SmsAnswer, type SmsCost } from '../contract.ts'
import { createWords, endpoint, refused, unknown, unrecognized } from '../shared/answers.ts'
import { writeForm } from '../shared/form.ts'
import { readCallback } from './callbacks.ts'
import { refusals, refusalWords, taken } from './codes.ts'

const PROVIDER = "Africa's Talking"
const SANDBOX_USERNAME = 'sandbox'

const settings = z.object({
  username: setting(z.string().trim().min(1), {
    title: 'Username',
    help: "The username of the application in the dashboard of Africa's Talking, not of the person. In the sandbox it is sandbox.",
    example: 'mamasshop',
  }),
  api_key: secretSetting(z.string().trim().min(1), {
    title: 'API key',
    help: 'In the dashboard of the application under Settings, API Key. The sandbox has a key of its own. A new key counts after some minutes.',
  }),
})
type Settings = z.output<typeof settings>

/** SMS in Africa over Africa's Talking. See docs/sms/africas-talking.md for details and sources. */
export const africasTalking: AnySmsDriver = defineSmsProvider({
  code: 'africas-talking',
  name: "Africa's Talking",
  settings,
  environments: {
    sandbox: {
      title: "Africa's Talking's sandbox",
      live: false,
      hosts: { api: 'https://api.sandbox.africastalking.com' },
    },
    production: { title: 'Production', live: true, hosts: { api: 'https://api.africastalking.com' } },
    simulated: {
      title: 'Simulated provider (kusanya networks simulate)',
      live: false,
      hosts: { api: 'http://127.0.0.1:4400/africas-talking' },
    },
  },
  traits: { call_s: 20, callbacks: 'unsigned', repeat: 'sends-again', reports: 'callback' },
  countries: null,
  checkSettings,
  open(connection) {
    const client = (tools: DriverTools) => createClient(connection, tools)
    return {
      send: (sms, tools) => send(client(tools), sms),
      readCallback,
      balance: (tools) => balance(client(tools)),
      test: (tools) => test(client(tools)),
    }
  },
})

function checkSettings({ environment, settings }: OpenedConnection<Settings>): Record<string, string> {
  const is_sandbox_user = settings.username === SANDBOX_USERNAME
  if (environment === 'sandbox' && !is_sandbox_user)
    return { username: getMessage('africas_talking.sandbox_username_sandbox') }
  if (environment === 'production' && is_sandbox_user)
    return { username: getMessage('africas_talking.username_sandbox_exists') }
  return {}
}

interface Client {
  settings: Settings
  tools: DriverTools
  words: ReturnType<typeof createWords>
  call(call: { verb: string; method: 'GET' | 'POST'; path: string; body?: string }): ReturnType<DriverTools['http']>
}

function createClient({ settings, hosts }: OpenedConnection<Settings>, tools: DriverTools): Client {
  const { api_key } = settings
  return {
    settings,
    tools,
    words: createWords([api_key]),
    call: ({ path, body, ...call }) =>
      tools.http({
        ...call,
        url: endpoint(hosts.api, path),
        headers: {
          apiKey: api_key,
          Accept: 'application/json',
          ...(body !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
        },
        ...(body !== undefined && { body }),
      }),
  }
}

async function send(client: Client, sms: OutgoingSms): Promise<SmsAnswer> {
  const body = writeForm({
    username: client.settings.username,
    to: sms.phonenumber,
    message: sms.body,
    from: sms.sender ?? undefined,
    bulkSMSMode: 1,
    retryDurationInHours: Math.max(1, Math.floor(sms.valid_s / 3_600)),
  })
  const answer = await client.call({ verb: 'sms', method: 'POST', path: '/version1/messaging', body })
  return answer.outcome === 'unknown' ? answer : readAnswer(client, answer, sms)
}

const Answer = z.object({
  SMSMessageData: z.object({
    Message: spareText,
    Recipients: z.array(z.unknown()),
  }),
})
const Recipient = z.object({
  statusCode: z.union([
    z.int(),
    z
      .string()
      .regex(/^\d{3}$/)
      .transform(Number),
  ]),
  number: z.string(),
  messageId: spareText,
  messageParts: spare(z.int().min(1).max(255)),
  cost: spareText,
})

const CREDENTIALS_REPAIR = getMessage('africas_talking.refuses_username_api_key', { provider: PROVIDER })

function readAnswer(client: Client, answer: HttpAnswer, sms: OutgoingSms): SmsAnswer {
  const { status } = answer
  if (isUnauthorized(answer)) return refusedCredentials(client)
  if (answer.incomplete !== null) return unknown(answer.incomplete)
  // The operators of Nigeria make it answer so, without a body that says more.
  if (status === 409) return refused(refusals[409]!, '409')
  const parsed = [200, 201].includes(status) ? Answer.safeParse(parseJson(answer.text)) : undefined
  if (!parsed?.success) return unrecognized(PROVIDER, status, client.words(answer.text))
  const { Message = '', Recipients } = parsed.data.SMSMessageData
  if (Recipients.length === 0) return readRefusedCall(client, Message, status)
  const recipient = Recipients.map((one) => Recipient.safeParse(one).data).find(
    (one) => one?.number === sms.phonenumber,
  )
  if (!recipient) return unrecognized(PROVIDER, status, 'it is about another phone')
  const { statusCode, messageId, messageParts, cost } = recipient
  if (!taken.includes(statusCode)) return readRefusal(client, statusCode)
  const read_cost = readCost(cost)
  return {
    outcome: 'sent',
    ...(messageId && messageId !== 'None' && { remote_id: messageId }),
    ...(messageParts !== undefined && { parts: messageParts }),
    ...(read_cost && { cost: read_cost }),
  }
}

function refusedCredentials({ tools }: Client): SmsAnswer {
  tools.alarm(CREDENTIALS_REPAIR)
  const message = getMessage('africas_talking.refuses_credentials', { provider: PROVIDER })
  return { outcome: 'failed', reason: 'credentials', message, code: '401', retry: true }
}

/** The whole call is refused where no recipient is in the answer. */
function readRefusedCall(client: Client, message: string, status: number): SmsAnswer {
  const word = message.trim()
  const code = Object.hasOwn(refusalWords, word) ? refusalWords[word] : undefined
  return code === undefined ? unrecognized(PROVIDER, status, client.words(message)) : readRefusal(client, code)
}

function readRefusal({ tools }: Client, code: number): SmsAnswer {
  const refusal = Object.hasOwn(refusals, code) ? refusals[code] : undefined
  if (!refusal) return unknown(getMessage('africas_talking.answered_unknown_code', { provider: PROVIDER, code }))
  if (refusal.repair) tools.alarm(refusal.repair)
  return refused(refusal, String(code))
}

/** Read `UGX 35.0000`. An SMS that is only queued costs `0`. */
function readCost(text = ''): SmsCost | undefined {
  const { currency = '', number = '' } =
    /^(?<currency>[A-Z]{3}) (?<number>\d{1,12}(?:\.\d+)?)$/.exec(text)?.groups ?? {}
  const amount = parseAmount(number)
  return amount === undefined || amount === 0n ? undefined : { amount, currency }
}

const User = z.object({ UserData: z.object({ balance: z.string() }) })

function askBalance(client: Client) {
  const path = `/version1/user?username=${encodeURIComponent(client.settings.username)}`
  return client.call({ verb: 'balance', method: 'GET', path })
}

async function balance(client: Client): Promise<BalanceAnswer> {
  const answer = await askBalance(client)
  if (answer.outcome === 'unknown') return answer
  if (answer.incomplete !== null) return unknown(answer.incomplete)
  const user = answer.status === 200 ? User.safeParse(parseJson(answer.text)) : undefined
  const [, currency = '', number = ''] = /^([A-Z]{3}) (-?\d+(?:\.\d+)?)$/.exec(user?.data?.UserData.balance ?? '') ?? []
  const amount = parseAmount(number)
  if (amount === undefined) return unrecognized(PROVIDER, answer.status, client.words(answer.text))
  return { outcome: 'found', balances: [{ currency, amount }] }
}

async function test(client: Client): Promise<CheckResult[]> {
  return [await testBalance(client), testReports(client)]
}

async function testBalance(client: Client): Promise<CheckResult> {
  const name = 'balance'
  const answer = await askBalance(client)
  if (answer.outcome === 'answered' && answer.status === 401)
    return { name, outcome: 'failed', message: CREDENTIALS_REPAIR }
  const found = await balance(client)
  if (found.outcome !== 'found')
    return { name, outcome: 'unknown', message: found.outcome === 'asked' ? '' : found.message }
  const [{ amount, currency } = { amount: 0n, currency: '' }] = found.balances
  if (amount <= 0n)
    return {
      name,
      outcome: 'failed',
      message: getMessage('africas_talking.balance_top_account', { currency, amount: displayAmount(amount) }),
    }
  return {
    name,
    outcome: 'ok',
    message: `username and api_key are right. The balance is ${currency} ${displayAmount(amount)}.`,
  }
}

/** Report untestable addresses: they are registered by hand, and cannot be read. */
function testReports({ tools }: Client): CheckResult {
  const report = tools.callbackUrl(null, 'report')
  const incoming = tools.callbackUrl(null, 'incoming')
  const message = getMessage('africas_talking.dashboard_under_sms', { report, incoming })
  return { name: 'callback addresses', outcome: 'skipped', message }
}

import { z } from 'zod'
import { isUnauthorized } from '../../drivers/access-tokens.ts'
import type { BalanceAnswer, CheckResult, DriverTools, OpenedConnection } from '../../drivers/contract.ts'
import { spare, spareText } from '../../drivers/members.ts'
import { parseJsonAsTexts, readAmountDown } from '../../drivers/numbers.ts'
import { secretSetting } from '../../drivers/settings.ts'
import { type HttpAnswer, parseJson } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { displayAmount } from '../../lib/money.ts'
import {
  type AnySmsDriver,
  type AskedSms,
  defineSmsProvider,
  type OutgoingSms,
  type SmsAnswer,
  type SmsReport,
} from '../contract.ts'
import { createWords, endpoint, isUnusable, refused, throttled, unknown, unrecognized } from '../shared/answers.ts'
import { DUPLICATE, groups, rejections } from './codes.ts'
import { readCallback, readReport, readResults, Status } from './reports.ts'

const PROVIDER = 'Infobip'
/** Infobip keeps an SMS for 48 hours at most. */
const MAX_VALID_MIN = 48 * 60

const settings = z.object({
  api_key: secretSetting(z.string().trim().min(1), {
    title: 'API key',
    help: 'In the portal under Developer tools, API keys. It needs the scopes sms:message:send, sms:logs:read and account-management:manage.',
  }),
})
type Settings = z.output<typeof settings>

/** SMS over Infobip. See docs/sms/infobip.md for details and sources. */
export const infobip: AnySmsDriver = defineSmsProvider({
  code: 'infobip',
  name: PROVIDER,
  settings,
  environments: {
    production: { title: 'Production', live: true, hosts: { api: 'https://api.infobip.com' } },
    simulated: {
      title: 'Simulated provider (kusanya networks simulate)',
      live: false,
      hosts: { api: 'http://127.0.0.1:4400/infobip' },
    },
  },
  traits: { call_s: 20, callbacks: 'unsigned', repeat: 'sends-again', reports: 'callback' },
  countries: null,
  open(connection) {
    const client = (tools: DriverTools) => createClient(connection, tools)
    return {
      send: (sms, tools) => send(client(tools), sms),
      report: (sms, tools) => report(client(tools), sms),
      readCallback,
      balance: (tools) => balance(client(tools)),
      test: (tools) => test(client(tools)),
    }
  },
})

interface Client {
  tools: DriverTools
  words: ReturnType<typeof createWords>
  call(call: { verb: string; path: string; body?: string }): ReturnType<DriverTools['http']>
}

function createClient({ settings, hosts }: OpenedConnection<Settings>, tools: DriverTools): Client {
  const { api_key } = settings
  return {
    tools,
    words: createWords([api_key]),
    call: ({ verb, path, body }) =>
      tools.http({
        verb,
        method: body === undefined ? 'GET' : 'POST',
        url: endpoint(hosts.api, path),
        headers: {
          Authorization: `App ${api_key}`,
          Accept: 'application/json',
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
      }),
  }
}

async function send(client: Client, sms: OutgoingSms): Promise<SmsAnswer> {
  const { reference, phonenumber, body: text, sender, valid_s } = sms
  const minutes = Math.min(MAX_VALID_MIN, Math.max(1, Math.floor(valid_s / 60)))
  const message = {
    ...(sender !== null && { sender }),
    destinations: [{ to: phonenumber.replace('+', ''), messageId: reference }],
    content: { text },
    options: { validityPeriod: { amount: minutes, timeUnit: 'MINUTES' } },
    webhooks: {
      delivery: { url: client.tools.callbackUrl(null, 'report') },
      contentType: 'application/json',
      callbackData: reference,
    },
  }
  const body = JSON.stringify({ messages: [message] })
  const answer = await client.call({ verb: 'sms', path: '/sms/3/messages', body })
  return answer.outcome === 'unknown' ? answer : readAnswer(client, answer)
}

const Answer = z.object({
  messages: z
    .array(
      z.object({
        messageId: z.string().min(1).max(200),
        status: Status,
        details: spare(z.object({ messageCount: z.int().min(1).max(255) })),
      }),
    )
    .length(1),
})
/** The two forms of errors. */
const Problem = z.union([
  z.object({ requestError: z.object({ serviceException: z.object({ messageId: z.string(), text: spareText }) }) }),
  z.object({ errorCode: z.string(), description: spareText }),
])

const KEY_REPAIR = getMessage('infobip.refuses_api_key_check')
const SCOPE_REPAIR = getMessage('infobip.api_key_not_give')

function readAnswer(client: Client, answer: HttpAnswer): SmsAnswer {
  const { status } = answer
  if (isUnauthorized(answer)) return refusedKey(client, status)
  if (answer.incomplete !== null) return unknown(answer.incomplete)
  if (status === 429) return throttled(PROVIDER, answer, client.tools.now())
  if (status === 403) return refusedKey(client, status)
  if (isUnusable(status)) return unrecognized(PROVIDER, status, client.words(answer.text))
  const body = parseJson(answer.text)
  const taken = status === 200 ? Answer.safeParse(body).data?.messages[0] : undefined
  if (taken) return readTaken(client, taken)
  const problem = status === 400 ? Problem.safeParse(body).data : undefined
  return problem ? readProblem(client, problem) : unrecognized(PROVIDER, status, client.words(answer.text))
}

function refusedKey({ tools }: Client, status: number): SmsAnswer {
  tools.alarm(status === 401 ? KEY_REPAIR : SCOPE_REPAIR)
  const message = getMessage('infobip.refuses_credentials')
  return { outcome: 'failed', reason: 'credentials', message, code: String(status), retry: true }
}

/** Read an accepted or rejected message. Infobip answers 200 for both. */
function readTaken(client: Client, message: z.output<typeof Answer>['messages'][number]): SmsAnswer {
  const { messageId, status, details } = message
  const { groupId, id } = status
  if (groupId === groups.pending || groupId === groups.delivered || id === DUPLICATE)
    return { outcome: 'sent', remote_id: messageId, ...(details && { parts: details.messageCount }) }
  const rejection = groupId === groups.rejected && Object.hasOwn(rejections, id) ? rejections[id] : undefined
  if (rejection?.repair) client.tools.alarm(rejection.repair)
  if (rejection) return refused(rejection, nameOf(status))
  const report = readReport({ messageId, status })
  if (report?.state !== 'failed')
    return unknown(getMessage('infobip.answered_unknown_status', { id, group_id: groupId }))
  const { reason = 'undelivered', message: words = '', code = String(id) } = report
  return { outcome: 'failed', reason, message: words, code, retry: false }
}

function nameOf({ id, name = '' }: z.output<typeof Status>): string {
  return /^\w{1,60}$/.test(name) ? name : String(id)
}

/** The call itself was wrong: no try of the same SMS will succeed. */
function readProblem({ words, tools }: Client, problem: z.output<typeof Problem>): SmsAnswer {
  const [code, text] =
    'errorCode' in problem
      ? [problem.errorCode, problem.description]
      : [problem.requestError.serviceException.messageId, problem.requestError.serviceException.text]
  tools.alarm(getMessage('infobip.not_understand_sms', { words: words(text) }))
  return {
    outcome: 'failed',
    reason: 'rejected',
    message: `Infobip refuses the SMS: ${words(text)}`,
    code: words(code),
    retry: false,
  }
}

/**
 * Query the state of an SMS in the logs of the last 48 hours. They can be read repeatedly. A report is handed out once,
 * and would be lost with the process that reads it.
 */
async function report(client: Client, { reference, remote_id }: AskedSms): Promise<SmsReport | undefined> {
  const message_id = remote_id ?? reference
  const answer = await client.call({ verb: 'report', path: `/sms/3/logs?messageId=${encodeURIComponent(message_id)}` })
  if (answer.outcome === 'unknown' || answer.incomplete !== null || answer.status !== 200) return undefined
  const results = readResults(answer.text) ?? []
  const own = results.find((one) => (one as { messageId?: unknown } | null)?.messageId === message_id)
  const found = readReport(own)
  return found && { ...found, sms: { reference } }
}

const Balance = z.object({ balance: z.string(), currency: z.string().regex(/^[A-Z]{3}$/) })

async function balance(client: Client): Promise<BalanceAnswer> {
  const answer = await client.call({ verb: 'balance', path: '/account/1/balance' })
  return answer.outcome === 'unknown' ? answer : readBalance(client, answer)
}

function readBalance(client: Client, answer: HttpAnswer): BalanceAnswer {
  if (answer.incomplete !== null) return unknown(answer.incomplete)
  const found = answer.status === 200 ? Balance.safeParse(parseJsonAsTexts(answer.text)).data : undefined
  const amount = found && readAmountDown(found.balance)
  if (!found || amount === undefined) return unrecognized(PROVIDER, answer.status, client.words(answer.text))
  return { outcome: 'found', balances: [{ currency: found.currency, amount }] }
}

async function test(client: Client): Promise<CheckResult[]> {
  const name = 'API key'
  const answer = await client.call({ verb: 'balance', path: '/account/1/balance' })
  if (answer.outcome === 'unknown') return [{ name, outcome: 'unknown', message: answer.message }]
  if (answer.status === 401) return [{ name, outcome: 'failed', message: KEY_REPAIR }]
  const incoming = testIncoming(client)
  if (answer.status === 403)
    return [{ name, outcome: 'skipped', message: getMessage('infobip.api_key_right_but') }, incoming]
  const found = readBalance(client, answer)
  if (found.outcome === 'unknown' && (isUnusable(answer.status) || answer.status === 429))
    return [{ name, outcome: 'unknown', message: found.message }]
  if (found.outcome !== 'found') {
    const message = `Check the host api: it is the base URL in the portal. ${found.outcome === 'unknown' ? found.message : ''}`
    return [{ name, outcome: 'failed', message: message.trim() }]
  }
  const [{ amount, currency } = { amount: 0n, currency: '' }] = found.balances
  const shown = getMessage('infobip.api_key_right_balance', { currency, amount: displayAmount(amount) })
  return [{ name, outcome: 'ok', message: shown }, incoming]
}

function testIncoming({ tools }: Client): CheckResult {
  const message = getMessage('infobip.delivery_reports_need', { callback_url: tools.callbackUrl(null, 'incoming') })
  return { name: 'incoming SMS', outcome: 'skipped', message }
}

import { z } from 'zod'
import { isUnauthorized } from '../../drivers/access-tokens.ts'
import type { CheckResult, DriverTools, OpenedConnection } from '../../drivers/contract.ts'
import { secretSetting, setting } from '../../drivers/settings.ts'
import type { HttpAnswer } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type AnySmsDriver, defineSmsProvider, type OutgoingSms, type SmsAnswer } from '../contract.ts'
import { createWords, endpoint, type Refusal, refused, unknown, unrecognized } from '../shared/answers.ts'
import { readCallback } from './callbacks.ts'
import { isGsm } from './gsm.ts'

const PROVIDER = 'Kannel'

/** Return a schema for a header's text. Each setting needs its own schema. */
const headerText = () =>
  z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]{1,100}$/, getMessage('kannel.must_visible_ascii'))

const settings = z.object({
  username: setting(headerText(), {
    title: 'Username',
    help: 'username of the group sendsms-user in the configuration of Kannel.',
    example: 'kusanya',
  }),
  password: secretSetting(headerText(), {
    title: 'Password',
    help: 'password of the same group.',
  }),
  smsc: setting(headerText().optional(), {
    title: 'SMSC',
    help: 'smsc-id of the SMSC over which Kannel sends. Left out, Kannel chooses it.',
  }),
})
type Settings = z.output<typeof settings>

/** SMS over our own Kannel gateway. See docs/sms/kannel.md for details and sources. */
export const kannel: AnySmsDriver = defineSmsProvider({
  code: 'kannel',
  name: PROVIDER,
  settings,
  environments: {
    production: { title: 'A gateway of your own', live: true, hosts: { api: 'http://127.0.0.1:13013' } },
    simulated: {
      title: 'Simulated provider (kusanya networks simulate)',
      live: false,
      hosts: { api: 'http://127.0.0.1:4400/kannel' },
    },
  },
  traits: { call_s: 20, callbacks: 'unsigned', repeat: 'sends-again', reports: 'callback' },
  countries: null,
  open(connection) {
    return {
      send: (sms, tools) => send(createClient(connection, tools), sms),
      readCallback,
      test: (tools) => test(createClient(connection, tools)),
    }
  },
})

interface Client {
  tools: DriverTools
  words: ReturnType<typeof createWords>
  call(verb: string, headers: Record<string, string>, body: string): ReturnType<DriverTools['http']>
}

/** Credentials go in headers, so that they are in no address and no log of addresses. */
function createClient({ settings, hosts }: OpenedConnection<Settings>, tools: DriverTools): Client {
  const { username, password, smsc } = settings
  return {
    tools,
    words: createWords([password]),
    call: (verb, headers, body) =>
      tools.http({
        verb,
        method: 'POST',
        body,
        url: endpoint(hosts.api, '/cgi-bin/sendsms'),
        headers: {
          'Content-Type': 'text/plain; charset=UTF-8',
          'X-Kannel-Username': username,
          'X-Kannel-Password': password,
          ...(smsc !== undefined && { 'X-Kannel-SMSC': smsc }),
          ...headers,
        },
      }),
  }
}

/** Mask of all Kannel reports: delivered 1, not delivered 2, queued 4, taken by the SMSC 8, refused by the SMSC 16. */
const ALL_REPORTS = '31'
const coding = { gsm: '0', ucs2: '2' } as const

async function send(client: Client, sms: OutgoingSms): Promise<SmsAnswer> {
  const report_url = client.tools.callbackUrl(sms.reference, 'report')
  const headers = {
    'X-Kannel-To': sms.phonenumber,
    ...(sms.sender !== null && { 'X-Kannel-From': sms.sender }),
    // With the GSM alphabet, Kannel drops letters that it lacks.
    'X-Kannel-Coding': isGsm(sms.body) ? coding.gsm : coding.ucs2,
    'X-Kannel-Validity': String(Math.max(1, Math.floor(sms.valid_s / 60))),
    'X-Kannel-DLR-Mask': ALL_REPORTS,
    'X-Kannel-DLR-Url': `${report_url}?type=%d&smsc-id=%F&text=%A&at=%T`,
  }
  const answer = await client.call('sms', headers, sms.body)
  return answer.outcome === 'unknown' ? answer : readAnswer(client, answer)
}

const CREDENTIALS_REPAIR = getMessage('kannel.refuses_username_password')

/** Meanings of the texts in answers with 400 and 403. */
const refusals: readonly [RegExp, Refusal][] = [
  [/not routable/i, { reason: 'no_route', message: getMessage('kannel.no_smsc_number') }],
  [
    /sender missing/i,
    {
      reason: 'invalid_sender',
      message: getMessage('drivers.sms_no_sender'),
      repair: getMessage('kannel.needs_sender_set'),
    },
  ],
  [/denied by/i, { reason: 'not_allowed', message: getMessage('kannel.list_not_allow') }],
  [/receiver|'to' field/i, { reason: 'invalid_number', message: getMessage('drivers.phone_number_wrong') }],
  [
    /dlr-url/i,
    {
      reason: 'rejected',
      message: getMessage('kannel.refuses_address_delivery'),
      repair: getMessage('kannel.refuses_address_delivery_reports'),
    },
  ],
  [/charset|body|empty text/i, { reason: 'rejected', message: getMessage('kannel.cannot_read_text') }],
]

/** Kannel answers with lines for people. The status counts, and the line where it says more. */
function readAnswer(client: Client, answer: HttpAnswer): SmsAnswer {
  const { status } = answer
  if (isUnauthorized(answer)) return refusedCredentials(client, status)
  if (answer.incomplete !== null) return unknown(answer.incomplete)
  const words = client.words(answer.text)
  if (status === 202 && /^(?:0: Accepted for delivery|3: Queued for later delivery|Sent\.)/.test(words))
    return { outcome: 'sent', ...partsIn(words) }
  if (status === 403 && /^Authorization failed/.test(words)) return refusedCredentials(client, status)
  // Kannel has not taken it: its queue is full, or no SMSC is connected.
  if (status === 503 && /^Temporal failure/.test(words))
    return {
      outcome: 'failed',
      reason: 'throttled',
      message: `Kannel takes no SMS now: ${words}`,
      code: '503',
      retry: true,
    }
  const refusal = status === 400 || status === 403 ? refusals.find(([pattern]) => pattern.test(words))?.[1] : undefined
  if (!refusal) return unrecognized(PROVIDER, status, words)
  if (refusal.repair) client.tools.alarm(refusal.repair)
  return { ...refused(refusal, String(status)), message: `${refusal.message} (${words})` } as SmsAnswer
}

function partsIn(words: string): { parts?: number } {
  const parts = /Message splits: (\d{1,2})\b/.exec(words)?.[1]
  return parts === undefined ? {} : { parts: Number(parts) }
}

function refusedCredentials({ tools }: Client, status: number): SmsAnswer {
  tools.alarm(CREDENTIALS_REPAIR)
  return {
    outcome: 'failed',
    reason: 'credentials',
    message: getMessage('kannel.refuses_credentials'),
    code: String(status),
    retry: true,
  }
}

/** An SMS without a phone is refused after the credentials were checked. */
async function test(client: Client): Promise<CheckResult[]> {
  const name = 'credentials'
  const answer = await client.call('test', {}, '')
  if (answer.outcome === 'unknown') return [{ name, outcome: 'unknown', message: answer.message }]
  const words = client.words(answer.text)
  if (answer.status === 400 && /receiver/i.test(words))
    return [{ name, outcome: 'ok', message: getMessage('kannel.accepts_username_password') }, testIncoming(client)]
  if (answer.status === 401 || answer.status === 403) return [{ name, outcome: 'failed', message: CREDENTIALS_REPAIR }]
  if (answer.status === 404) return [{ name, outcome: 'failed', message: getMessage('kannel.no_cgi_bin') }]
  return [{ name, outcome: 'unknown', message: unrecognized(PROVIDER, answer.status, words).message }]
}

function testIncoming({ tools }: Client): CheckResult {
  const url = `${tools.callbackUrl(null, 'incoming')}?id=%I&from=%p&to=%P&charset=%C&text=%a`
  const message = getMessage('kannel.receive_stop_add', { url })
  return { name: 'incoming SMS', outcome: 'skipped', message }
}

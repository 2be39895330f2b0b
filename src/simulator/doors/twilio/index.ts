import { createHmac, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formatAmount, parseAmount } from '../../../lib/money.ts'
import type { CallbackRequest } from '../../world/world.ts'
import { defineDoor, readBodiesAsText } from '../door.ts'
import { admitSms, type SimulatedSms, type SmsWorld, smsSwitches } from '../sms-door.ts'
import { type Problem, problems, refusals, reportErrors, testNumbers, testSenders } from './codes.ts'

const ACCOUNT_SID = `AC${'5'.repeat(32)}`
const AUTH_TOKEN = 'simulated-twilio-auth-token'
const API_KEY_SID = `SK${'5'.repeat(32)}`
const API_KEY_SECRET = 'simulated-twilio-api-key-secret'
const SERVICE_SID = `MG${'5'.repeat(32)}`
/** The sender of the messaging service. */
const SERVICE_SENDER = '+15005550006'
const ROOT = `/2010-04-01/Accounts/:account`

/** Twilio: errors with a code, prices that come later, and reports that are signed over the whole address. */
export const twilioDoor = defineDoor({
  code: 'twilio',
  name: 'Twilio',
  kind: 'sms',
  hosts: { api: '' },
  credentials: [
    { name: 'account_sid', value: ACCOUNT_SID },
    { name: 'auth_token', value: AUTH_TOKEN },
    { name: 'api_key_sid', value: API_KEY_SID, help: 'Instead of the auth token.' },
    { name: 'api_key_secret', value: API_KEY_SECRET },
    { name: 'messaging_service_sid', value: SERVICE_SID },
  ],
  numbers: [
    ...Object.entries(testNumbers).map(([number, code]) => ({
      number,
      effect: `an SMS to it is refused with ${code}`,
    })),
    ...Object.entries(testSenders).map(([number, code]) => ({
      number,
      effect: `an SMS from it is refused with ${code}`,
    })),
    { number: '+15005550006', effect: 'an SMS from it is sent' },
  ],
  switches: smsSwitches,
  routes(server, world) {
    readBodiesAsText(server)
    server.setNotFoundHandler((_request, reply) => refuse(reply, problems.not_found))
    addMessages(server, world)
    addAnswers(server, world)
  },
  callbacks: () => [],
  incomingSms({ phonenumber, to, text }, { switches, forged }) {
    const sid = newSid()
    const fields = {
      MessageSid: sid,
      SmsSid: sid,
      From: phonenumber,
      To: to,
      Body: text,
      NumMedia: '0',
      NumSegments: '1',
    }
    return post(switches.incoming_url || null, { ...fields, AccountSid: ACCOUNT_SID, ApiVersion: '2010-04-01' }, forged)
  },
})

function addMessages(server: FastifyInstance, world: SmsWorld): void {
  server.post(`${ROOT}/Messages.json`, { config: { verb: 'sms' } }, async (request, reply) => {
    if (!isKnown(request)) return refuse(reply, problems.credentials)
    const form = new URLSearchParams(request.body as string)
    const service = form.get('MessagingServiceSid')
    const sms = { phonenumber: form.get('To') ?? '', sender: form.get('From') ?? '', body: form.get('Body') ?? '' }
    const problem = findProblem(sms, service)
    if (problem) return refuse(reply, problem)
    if (sms.sender === '') sms.sender = SERVICE_SENDER
    const admission = await admitSms(world, sms)
    if (admission.outcome === 'throttled') return refuse(reply, problems.too_many)
    if (admission.outcome === 'refused') return refuse(reply, refusals[admission.fault])
    const url = form.get('StatusCallback')
    const taken = await world.takeSms({ remote_id: newSid(), ...sms, behaviour: admission.behaviour }, (one, forged) =>
      reports(one, url, forged),
    )
    if (admission.never_answers) return reply.hijack()
    return reply.code(201).send({ ...resource(taken), status: 'queued', price: null })
  })
}

function findProblem(
  sms: { phonenumber: string; sender: string; body: string },
  service: string | null,
): Problem | undefined {
  const { phonenumber, sender, body } = sms
  if (phonenumber === '') return problems.no_number
  const special = testNumbers[phonenumber] ?? testSenders[sender]
  if (special !== undefined) return { status: 400, code: special, message: 'A test number asks for this error.' }
  if (!/^\+\d{6,15}$/.test(phonenumber)) return refusals.invalid_number
  if (sender === '' && service === null) return problems.no_sender
  if (sender === '' && service !== SERVICE_SID) return problems.no_service
  if (body === '') return problems.no_body
  return body.length > 1_600 ? problems.too_long : undefined
}

function addAnswers(server: FastifyInstance, world: SmsWorld): void {
  server.get(`${ROOT}/Messages/:sid.json`, { config: { verb: 'report' } }, async (request, reply) => {
    if (!isKnown(request)) return refuse(reply, problems.credentials)
    const sms = await world.findSms((request.params as { sid: string }).sid)
    return sms ? resource(sms) : refuse(reply, problems.not_found)
  })
  server.get(`${ROOT}/Messages.json`, { config: { verb: 'report' } }, async (request, reply) => {
    if (!isKnown(request)) return refuse(reply, problems.credentials)
    const { To } = request.query as { To?: string }
    const messages = (await world.listSms({ phonenumber: To })).map(resource)
    return { page: 0, page_size: 50, next_page_uri: null, messages }
  })
  server.get(`${ROOT}/Balance.json`, { config: { verb: 'balance' } }, async (request, reply) => {
    if (!isKnown(request)) return refuse(reply, problems.credentials)
    return { account_sid: ACCOUNT_SID, balance: '41.2875', currency: 'USD' }
  })
}

/** A key opens the account that it belongs to; so does the token. */
function isKnown({ headers, params }: FastifyRequest): boolean {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  const accepted = [`${ACCOUNT_SID}:${AUTH_TOKEN}`, `${API_KEY_SID}:${API_KEY_SECRET}`]
  const { account } = params as { account?: string }
  return accepted.includes(Buffer.from(encoded, 'base64').toString()) && account === ACCOUNT_SID
}

function refuse(reply: FastifyReply, { status, code, message }: Problem) {
  const more_info = `https://www.twilio.com/docs/errors/${code}`
  return reply.code(status).send({ code, message, more_info, status })
}

function newSid(): string {
  return `SM${randomBytes(16).toString('hex')}`
}

/** The price of one SMS. */
const PRICE = parseAmount('0.0079')!

function resource({ remote_id, phonenumber, sender, body, parts, state, reason, created }: SimulatedSms) {
  return {
    sid: remote_id,
    account_sid: ACCOUNT_SID,
    status: wordOf(state),
    to: phonenumber,
    from: sender,
    body,
    direction: 'outbound-api',
    num_segments: String(parts),
    num_media: '0',
    error_code: reason === null ? null : reportErrors[reason],
    error_message: null,
    price: state === 'sent' ? null : `-${formatAmount(PRICE * BigInt(parts))}0`,
    price_unit: 'USD',
    date_created: created.toUTCString().replace('GMT', '+0000'),
    api_version: '2010-04-01',
    uri: `/2010-04-01/Accounts/${ACCOUNT_SID}/Messages/${remote_id}.json`,
  }
}

function wordOf(state: SimulatedSms['state']): string {
  return state === 'failed' ? 'undelivered' : state
}

/** `sent` first, and then the end. */
function reports(sms: SimulatedSms, url: string | null, forged: boolean): CallbackRequest[] {
  const { remote_id, phonenumber, sender, state, reason } = sms
  const common = { MessageSid: remote_id, SmsSid: remote_id, To: phonenumber, From: sender, AccountSid: ACCOUNT_SID }
  const fields = (word: string) => ({ ...common, MessageStatus: word, SmsStatus: word, ApiVersion: '2010-04-01' })
  const end = { ...fields(wordOf(state)), ...(reason !== null && { ErrorCode: String(reportErrors[reason]) }) }
  return [...post(url, fields('sent'), forged).map((one) => ({ ...one, after_s: -1 })), ...post(url, end, forged)]
}

function post(url: string | null, fields: Record<string, string>, forged: boolean): CallbackRequest[] {
  if (url === null) return []
  const key = forged ? 'another token' : AUTH_TOKEN
  const text = Object.keys(fields)
    .sort()
    .map((name) => name + fields[name])
    .join('')
  const headers = {
    'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
    'x-twilio-signature': createHmac('sha1', key)
      .update(url + text)
      .digest('base64'),
    'user-agent': 'TwilioProxy/1.1',
  }
  return [{ url, headers, body: new URLSearchParams(fields).toString() }]
}

import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { formatAmount, parseAmount } from '../../../lib/money.ts'
import type { CallbackRequest } from '../../world/world.ts'
import { defineDoor, readBodiesAsText, type WorldOf } from '../door.ts'
import { type Admission, admitSms, countParts, type SimulatedSms, type SmsWorld, smsSwitches } from '../sms-door.ts'

const USERNAME = 'simulated'
const API_KEY = 'simulated-africas-talking-api-key'

const switches = {
  delivery_reports_url: {
    help: 'Where delivery reports go, as the dashboard stores it. Empty: nowhere.',
    default: '',
  },
  ...smsSwitches,
} as const
type AfricasTalkingWorld = WorldOf<typeof switches>

/**
 * Africa's Talking: HTTP 201 even for refusals, plain text instead of JSON for a wrong key, unsigned delivery reports.
 */
export const africasTalkingDoor = defineDoor({
  code: 'africas-talking',
  name: "Africa's Talking",
  kind: 'sms',
  hosts: { api: '' },
  credentials: [
    { name: 'username', value: USERNAME },
    { name: 'api_key', value: API_KEY },
  ],
  numbers: [],
  switches,
  routes(server, world) {
    readBodiesAsText(server)
    server.post('/version1/messaging', { config: { verb: 'sms' } }, async (request, reply) => {
      const form = new URLSearchParams(request.body as string)
      if (!isKnown(request, form.get('username'))) return refuseKey(reply)
      return sendSms(world, form, reply)
    })
    server.get('/version1/messaging', { config: { verb: 'inbox' } }, async (request, reply) => {
      const { username, lastReceivedId } = request.query as { username?: string; lastReceivedId?: string }
      if (!isKnown(request, username)) return refuseKey(reply)
      const kept = await world.inbox(Number.parseInt(lastReceivedId ?? '0', 10) || 0, INBOX_PAGE)
      const Messages = kept.map(({ id, phonenumber: from, to, text, received: date }) => {
        return { id, from, to, text, date, linkId: '' }
      })
      return { SMSMessageData: { Messages } }
    })
    server.get('/version1/user', { config: { verb: 'balance' } }, async (request, reply) => {
      const { username } = request.query as { username?: string }
      if (!isKnown(request, username)) return refuseKey(reply)
      return { UserData: { balance: 'UGX 184250.5000' } }
    })
  },
  callbacks: () => [],
  keeps_sms: true,
  incomingSms: ({ phonenumber, to, text }, { switches, now }) => {
    const date = now.toISOString().slice(0, 19).replace('T', ' ')
    const id = randomBytes(16).toString('hex')
    return post(switches.incoming_url, { date, from: phonenumber, id, linkId: '', text, to, networkCode: '99999' })
  },
})

/** Inbound SMS per fetch. */
const INBOX_PAGE = 10

function isKnown({ headers }: FastifyRequest, username: string | null | undefined): boolean {
  return headers.apikey === API_KEY && username === USERNAME
}

function refuseKey(reply: FastifyReply) {
  return reply.code(401).type('text/plain').send('The supplied authentication is invalid')
}

async function sendSms(world: AfricasTalkingWorld, form: URLSearchParams, reply: FastifyReply) {
  const [to, message, from] = [form.get('to') ?? '', form.get('message') ?? '', form.get('from') ?? 'AFRICASTKNG']
  if (to === '' || message === '')
    return reply.code(400).type('text/plain').send('Request is missing required form field')
  const admitted = []
  for (const phonenumber of to.split(',').map((one) => one.trim())) {
    const admission = await admitSms(world as unknown as SmsWorld, { phonenumber, sender: from })
    admitted.push({ phonenumber, admission })
  }
  if (admitted.some(({ admission }) => admission.outcome === 'throttled'))
    return reply.code(429).type('text/plain').send('Too many requests')
  // A wrong sender refuses the whole call, and there are no recipients.
  if (admitted.some(({ admission }) => admission.outcome === 'refused' && admission.fault === 'invalid_sender'))
    return reply.code(201).send({ SMSMessageData: { Message: 'InvalidSenderId', Recipients: [] } })
  const { delivery_reports_url } = await world.switches()
  const recipients: Recipient[] = []
  for (const { phonenumber, admission } of admitted) {
    const fault = refusalOf(phonenumber, admission)
    if (fault) {
      recipients.push({ number: phonenumber, ...refusals[fault] })
      continue
    }
    const sms = { remote_id: `ATXid_${randomBytes(16).toString('hex')}`, phonenumber, sender: from, body: message }
    const behaviour = admission.outcome === 'taken' ? admission.behaviour : {}
    await world.takeSms({ ...sms, behaviour }, (taken) => reports(taken, delivery_reports_url))
    recipients.push(taken(sms))
  }
  const is_answered = !admitted.some(({ admission }) => admission.outcome === 'taken' && admission.never_answers)
  return is_answered ? answer(reply, recipients) : reply.hijack()
}

interface Recipient {
  statusCode: number
  number: string
  status: string
  cost: string
  messageId: string
  messageParts?: number
}

function refusalOf(phonenumber: string, admission: Admission): keyof typeof refusals | undefined {
  if (!/^\+\d{6,15}$/.test(phonenumber)) return 'invalid_number'
  if (admission.outcome !== 'refused' || admission.fault === 'invalid_sender') return undefined
  return admission.fault
}

function taken({ remote_id, phonenumber, body }: { remote_id: string; phonenumber: string; body: string }): Recipient {
  const [cost, messageParts] = [priceOf(phonenumber, body), countParts(body)]
  return { statusCode: 101, number: phonenumber, status: 'Success', cost, messageId: remote_id, messageParts }
}

const none = { cost: '0', messageId: 'None' }
const refusals = {
  invalid_number: { statusCode: 403, status: 'InvalidPhoneNumber', ...none },
  opted_out: { statusCode: 406, status: 'UserInBlacklist', ...none },
  no_credit: { statusCode: 405, status: 'InsufficientBalance', ...none },
  no_route: { statusCode: 407, status: 'CouldNotRoute', ...none },
  not_allowed: { statusCode: 409, status: 'DoNotDisturbRejection', ...none },
  unreachable: { statusCode: 501, status: 'GatewayError', ...none },
  expired: { statusCode: 500, status: 'InternalServerError', ...none },
  rejected: { statusCode: 502, status: 'RejectedByGateway', ...none },
}

function answer(reply: FastifyReply, Recipients: readonly Recipient[]) {
  const sent = Recipients.filter(({ statusCode }) => statusCode === 101)
  const Message = `Sent to ${sent.length}/${Recipients.length} Total Cost: ${totalOf(sent)}`
  return reply.code(201).send({ SMSMessageData: { Message, Recipients } })
}

/** The sum of prices: one for each currency, because nothing is exchanged here. */
function totalOf(sent: readonly Recipient[]): string {
  const sums = new Map<string, bigint>()
  for (const { cost } of sent) {
    const [currency, price] = cost.split(' ') as [string, string]
    sums.set(currency, (sums.get(currency) ?? 0n) + parseAmount(price)!)
  }
  return Array.from(sums, ([currency, sum]) => `${currency} ${formatAmount(sum)}`).join(' + ') || '0'
}

/** The price of one SMS, by the beginning of the number. */
const prices: readonly [string, string, string][] = [
  ['+256', 'UGX', '35'],
  ['+254', 'KES', '0.8'],
  ['+234', 'NGN', '4.2'],
  ['+', 'USD', '0.02'],
]

function priceOf(phonenumber: string, text: string): string {
  const [, currency, price] = prices.find(([start]) => phonenumber.startsWith(start))!
  return `${currency} ${formatAmount(parseAmount(price)! * BigInt(countParts(text)))}`
}

/** First that the operator has it, which is no end; then the end. */
function reports(sms: SimulatedSms, url: string): CallbackRequest[] {
  const fields = { id: sms.remote_id, phoneNumber: sms.phonenumber, networkCode: '99999', retryCount: '0' }
  const [status, failureReason] = sms.state === 'delivered' ? ['Success', ''] : endings[sms.reason ?? 'unreachable']
  const end = { ...fields, status, ...(failureReason && { failureReason }) }
  return [...post(url, { ...fields, status: 'Submitted' }).map((one) => ({ ...one, after_s: -1 })), ...post(url, end)]
}

const endings: Readonly<Record<NonNullable<SimulatedSms['reason']>, [string, string]>> = {
  unreachable: ['AbsentSubscriber', ''],
  expired: ['Expired', ''],
  rejected: ['Rejected', ''],
  opted_out: ['Failed', 'UserInBlackList'],
  invalid_number: ['Failed', 'UserDoesNotExist'],
  no_credit: ['Failed', 'InsufficientCredit'],
  no_route: ['Failed', 'NotNetworkSubcriber'],
  not_allowed: ['Failed', 'DoNotDisturbRejection'],
}

function post(url: string, fields: Record<string, string>): CallbackRequest[] {
  if (url === '') return []
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return [{ url, headers, body: new URLSearchParams(fields).toString() }]
}

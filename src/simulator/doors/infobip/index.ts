import { randomBytes, randomInt } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { parseJson } from '../../../lib/http/http-call.ts'
import type { CallbackRequest } from '../../world/world.ts'
import { defineDoor, readBodiesAsText } from '../door.ts'
import {
  admitSms,
  countParts,
  type NewSms,
  type SimulatedSms,
  type SmsFault,
  type SmsWorld,
  smsSwitches,
} from '../sms-door.ts'
import { addAuthorization, credentials } from './authorization.ts'

/** Infobip: HTTP 200 even for rejections, statuses in groups, unsigned delivery reports. */
export const infobipDoor = defineDoor({
  code: 'infobip',
  name: 'Infobip',
  kind: 'sms',
  hosts: { api: '' },
  credentials,
  numbers: [],
  switches: smsSwitches,
  routes(server, world) {
    readBodiesAsText(server)
    addAuthorization(server, world)
    server.post('/sms/3/messages', { config: { verb: 'sms' } }, async (request, reply) => {
      const call = Call.safeParse(parseJson(request.body as string)).data
      return call ? sendMany(world, call.messages.flatMap(toOrders), { version: 3 }, reply) : refuseCall(reply)
    })
    server.post('/sms/2/text/advanced', { config: { verb: 'sms' } }, async (request, reply) => {
      const call = AdvancedCall.safeParse(parseJson(request.body as string)).data
      if (!call) return refuseCall(reply)
      return sendMany(world, call.messages.flatMap(toAdvancedOrders), { version: 2, bulkId: call.bulkId }, reply)
    })
    for (const version of [1, 3] as const) {
      server.get(`/sms/${version}/logs`, { config: { verb: 'report' } }, async ({ query }) => ({
        results: (await findMany(world, query as Query))
          .slice(0, limitOf(query as Query))
          .map((sms) => describeForLog(sms, version)),
      }))
      server.get(`/sms/${version}/reports`, { config: { verb: 'report' } }, async ({ query }) => ({
        results: (await takeReports(world, query as Query)).map((sms) => describe(sms, version)),
      }))
    }
    server.get('/account/1/balance', { config: { verb: 'balance' } }, async () => ({
      balance: 47.79134,
      currency: 'EUR',
    }))
  },
  callbacks: () => [],
  incomingSms({ phonenumber, to, text }, { now, switches }) {
    if (switches.incoming_url === '') return []
    const messageId = String(randomInt(2 ** 47))
    const sms = {
      messageId,
      from: phonenumber.slice(1),
      to,
      text,
      cleanText: text,
      keyword: '',
      receivedAt: zoned(now),
      smsCount: 1,
    }
    return [
      { url: switches.incoming_url, body: JSON.stringify({ results: [sms], messageCount: 1, pendingMessageCount: 0 }) },
    ]
  },
})

const Destinations = z
  .array(z.object({ to: z.string(), messageId: z.string().max(200).optional() }))
  .min(1)
  .max(100)
const CallbackData = z.string().max(4_000).optional()
const SENDER = z.string().max(16).default('InfoSMS')

const Call = z.object({
  messages: z
    .array(
      z.object({
        sender: SENDER,
        destinations: Destinations,
        content: z.object({ text: z.string().min(1) }),
        webhooks: z.object({ delivery: z.object({ url: z.url() }), callbackData: CallbackData }).optional(),
      }),
    )
    .min(1)
    .max(100),
})

/** The older call, which most client libraries still make. */
const AdvancedCall = z.object({
  bulkId: z.string().max(200).optional(),
  messages: z
    .array(
      z.object({
        from: SENDER,
        destinations: Destinations,
        text: z.string().min(1),
        notifyUrl: z.url().optional(),
        callbackData: CallbackData,
      }),
    )
    .min(1)
    .max(100),
})

/** An SMS to one phone, as both versions of the call ask for it. */
interface Order {
  to: string
  own_id: string | undefined
  sender: string
  text: string
  report_url: string | undefined
  callback_data: string | undefined
}

function toOrders({ sender, destinations, content, webhooks }: z.output<typeof Call>['messages'][number]): Order[] {
  return destinations.map(({ to, messageId }) => ({
    to,
    own_id: messageId,
    sender,
    text: content.text,
    report_url: webhooks?.delivery.url,
    callback_data: webhooks?.callbackData,
  }))
}

function toAdvancedOrders(message: z.output<typeof AdvancedCall>['messages'][number]): Order[] {
  return message.destinations.map(({ to, messageId }) => ({
    to,
    own_id: messageId,
    sender: message.from,
    text: message.text,
    report_url: message.notifyUrl,
    callback_data: message.callbackData,
  }))
}

function refuseCall(reply: FastifyReply) {
  const serviceException = {
    messageId: 'BAD_REQUEST',
    text: 'Bad Request',
    validationErrors: { messages: ['is wrong'] },
  }
  return reply.code(400).send({ requestError: { serviceException } })
}

interface Sending {
  version: 2 | 3
  /** The caller's name of the call. */
  bulkId?: string | undefined
}

/**
 * Send an SMS to each phone. The call is refused as a whole where there are too many, and answers each phone otherwise.
 */
async function sendMany(world: SmsWorld, orders: Order[], sending: Sending, reply: FastifyReply) {
  const { version, bulkId = randomBytes(10).toString('hex') } = sending
  const admitted = []
  for (const order of orders) {
    const phonenumber = `+${order.to.replace(/^\+/, '')}`
    admitted.push({ order, phonenumber, admission: await admitSms(world, { phonenumber, sender: order.sender }) })
  }
  if (admitted.some(({ admission }) => admission.outcome === 'throttled')) return tooMany(reply)
  const messages = []
  let is_answered = true
  for (const { order, phonenumber, admission } of admitted) {
    const messageId = order.own_id ?? randomBytes(16).toString('hex')
    const recipient = version === 3 ? { messageId, destination: order.to } : { messageId, to: order.to }
    if (admission.outcome !== 'taken' || !/^\+\d{6,15}$/.test(phonenumber)) {
      const fault = admission.outcome === 'refused' ? admission.fault : 'invalid_number'
      messages.push({ ...recipient, status: rejected[fault] })
      continue
    }
    await take(world, order, { bulkId, messageId, phonenumber, behaviour: admission.behaviour })
    is_answered &&= !admission.never_answers
    const pending = { ...recipient, status: status(1, 'PENDING', 26, 'PENDING_ACCEPTED') }
    const messageCount = countParts(order.text)
    messages.push(version === 3 ? { ...pending, details: { messageCount } } : { ...pending, smsCount: messageCount })
  }
  return is_answered ? reply.send({ bulkId, messages }) : reply.hijack()
}

interface Taken {
  bulkId: string
  messageId: string
  phonenumber: string
  behaviour: NewSms['behaviour']
}

/** Store an SMS. A repeated message id is a new SMS, so the simulation gives each a name of its own. */
async function take(world: SmsWorld, order: Order, { bulkId, messageId, phonenumber, behaviour = {} }: Taken) {
  const twin = await world.findSms(messageId)
  await world.takeSms(
    {
      remote_id: twin ? `${messageId} ${randomBytes(4).toString('hex')}` : messageId,
      reference: messageId,
      phonenumber,
      sender: order.sender,
      body: order.text,
      behaviour,
      details: { bulkId, messageId, callbackData: order.callback_data ?? null },
    },
    (sms) => reports(sms, order.report_url),
  )
}

interface Query {
  messageId?: string
  bulkId?: string
  limit?: string
}

/** Maximum SMS in one answer of Infobip. */
const MAX_RESULTS = 1_000

function limitOf({ limit }: Query): number {
  return Math.min(MAX_RESULTS, Math.max(1, Number(limit) || 50))
}

/** Find SMS, newest first: with an id, of one call, or all. */
async function findMany(world: SmsWorld, { messageId, bulkId }: Query): Promise<SimulatedSms[]> {
  if (messageId !== undefined) {
    const sms = await world.findSms(messageId)
    return sms ? [sms] : []
  }
  const found = await world.listSms({ limit: MAX_RESULTS })
  return found.filter(({ details }) => bulkId === undefined || details.bulkId === bulkId)
}

/** Find the ended SMS that were not reported before: Infobip gives each report once. */
async function takeReports(world: SmsWorld, query: Query): Promise<SimulatedSms[]> {
  const fresh: SimulatedSms[] = []
  for (const sms of await findMany(world, query)) {
    if (fresh.length === limitOf(query)) break
    const name = `reported ${sms.remote_id}`
    if (sms.state === 'sent' || (await world.recall(name)) === true) continue
    await world.remember(name, true)
    fresh.push(sms)
  }
  return fresh
}

function tooMany(reply: FastifyReply) {
  const serviceException = { messageId: 'TOO_MANY_REQUESTS', text: 'Too many requests' }
  return reply.code(429).send({ requestError: { serviceException } })
}

type Status = ReturnType<typeof status>

function status(groupId: number, groupName: string, id: number, name: string) {
  return { groupId, groupName, id, name, description: name.toLowerCase().replaceAll('_', ' ') }
}

const rejection = (id: number, name: string) => status(5, 'REJECTED', id, `REJECTED_${name}`)

/** Refusals of an SMS at the call. */
const rejected: Readonly<Record<SmsFault | 'invalid_sender', Status>> = {
  invalid_number: rejection(52, 'DESTINATION'),
  opted_out: rejection(13, 'SENDER'),
  no_credit: rejection(12, 'NOT_ENOUGH_CREDITS'),
  no_route: rejection(19, 'ROUTE_NOT_AVAILABLE'),
  not_allowed: rejection(10, 'DND'),
  unreachable: rejection(6, 'NETWORK'),
  expired: rejection(21, 'SYSTEM_ERROR'),
  rejected: rejection(20, 'FLOODING_FILTER'),
  invalid_sender: rejection(11, 'SOURCE'),
}

interface OperatorError {
  groupId: number
  groupName: string
  id: number
  name: string
  permanent: boolean
}

function operatorError(id: number, name: string, permanent: boolean): OperatorError {
  return { groupId: id === 0 ? 0 : 1, groupName: id === 0 ? 'OK' : 'HANDSET_ERRORS', id, name, permanent }
}

const NO_ERROR = operatorError(0, 'NO_ERROR', false)
const undeliverable = status(2, 'UNDELIVERABLE', 9, 'UNDELIVERABLE_NOT_DELIVERED')

/** Final states of an undelivered SMS. */
const endings: Readonly<Record<SmsFault, [Status, OperatorError]>> = {
  unreachable: [undeliverable, operatorError(27, 'EC_ABSENT_SUBSCRIBER', false)],
  expired: [status(4, 'EXPIRED', 15, 'EXPIRED_EXPIRED'), NO_ERROR],
  rejected: [status(2, 'UNDELIVERABLE', 4, 'UNDELIVERABLE_REJECTED_OPERATOR'), NO_ERROR],
  opted_out: [undeliverable, operatorError(13, 'EC_CALL_BARRED', true)],
  invalid_number: [undeliverable, operatorError(1, 'EC_UNKNOWN_SUBSCRIBER', true)],
  no_credit: [rejected.no_credit, NO_ERROR],
  no_route: [rejected.no_route, NO_ERROR],
  not_allowed: [rejected.not_allowed, NO_ERROR],
}

/** The price of one SMS, in euros. */
const PRICE = 0.0382

function describe(sms: SimulatedSms, version: 1 | 3 = 3) {
  const { state, reason, parts, phonenumber, created, ended, details } = sms
  const delivered: [Status, OperatorError] = [status(3, 'DELIVERED', 5, 'DELIVERED_TO_HANDSET'), NO_ERROR]
  const pending: [Status, OperatorError] = [status(1, 'PENDING', 7, 'PENDING_ENROUTE'), NO_ERROR]
  const [state_of, error] =
    state === 'sent' ? pending : state === 'delivered' ? delivered : endings[reason ?? 'unreachable']
  return {
    bulkId: details.bulkId,
    messageId: details.messageId,
    to: phonenumber.slice(1),
    sentAt: zoned(created),
    ...(ended && { doneAt: zoned(ended) }),
    [version === 3 ? 'messageCount' : 'smsCount']: parts,
    price: { pricePerMessage: PRICE, currency: 'EUR' },
    status: state_of,
    error,
    ...(details.callbackData !== null && { callbackData: details.callbackData }),
  }
}

/** Describe an SMS with its text. The older log names the phone `to`, as reports do. */
function describeForLog(sms: SimulatedSms, version: 1 | 3) {
  const { to, ...report } = describe(sms, version)
  const text =
    version === 3
      ? { destination: to, sender: sms.sender, content: { text: sms.body } }
      : { to, from: sms.sender, text: sms.body }
  return { ...report, ...text }
}

/** Infobip repeats a report that was not taken. */
const REPORT_ATTEMPTS = 5

function reports(sms: SimulatedSms, url: string | undefined): CallbackRequest[] {
  if (url === undefined) return []
  return [{ url, body: JSON.stringify({ results: [describe(sms)] }), max_attempts: REPORT_ATTEMPTS }]
}

/** `2026-11-22T09:30:00.000+0000` */
function zoned(date: Date): string {
  return date.toISOString().replace('Z', '+0000')
}

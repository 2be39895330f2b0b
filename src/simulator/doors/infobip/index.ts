import { randomBytes, randomInt } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { parseJson } from '../../../lib/http/http-call.ts'
import type { CallbackRequest } from '../../world/world.ts'
import { defineDoor, readBodiesAsText } from '../door.ts'
import { admitSms, countParts, type SimulatedSms, type SmsTrouble, type SmsWorld, smsSwitches } from '../sms-door.ts'

const API_KEY = 'simulated-infobip-api-key'

/** Infobip: 200 also for what is rejected, a status in groups, and reports without a signature. */
export const infobipDoor = defineDoor({
  code: 'infobip',
  name: 'Infobip',
  kind: 'sms',
  hosts: { api: '' },
  credentials: [{ name: 'api_key', value: API_KEY }],
  numbers: [],
  switches: smsSwitches,
  routes(server, world) {
    readBodiesAsText(server)
    server.addHook('preHandler', async (request, reply) => (isKnown(request) ? undefined : refuseKey(reply)))
    server.post('/sms/3/messages', { config: { verb: 'sms' } }, async (request, reply) => {
      const call = Call.safeParse(parseJson(request.body as string))
      return call.success ? sendSms(world, call.data.messages[0]!, reply) : refuseCall(reply)
    })
    server.get('/sms/3/logs', { config: { verb: 'report' } }, async (request) => {
      const { messageId = '' } = request.query as { messageId?: string }
      const sms = await world.findSms(messageId)
      return { results: sms ? [describe(sms)] : [] }
    })
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

const Call = z.object({
  messages: z
    .array(
      z.object({
        sender: z.string().max(16).default('InfoSMS'),
        destinations: z.array(z.object({ to: z.string(), messageId: z.string().max(200).optional() })).length(1),
        content: z.object({ text: z.string().min(1) }),
        webhooks: z
          .object({ delivery: z.object({ url: z.url() }), callbackData: z.string().max(4_000).optional() })
          .optional(),
      }),
    )
    .length(1),
})
type Message = z.output<typeof Call>['messages'][number]

function isKnown({ headers }: FastifyRequest): boolean {
  return headers.authorization === `App ${API_KEY}`
}

function refuseKey(reply: FastifyReply) {
  const serviceException = { messageId: 'UNAUTHORIZED', text: 'Invalid login details' }
  return reply.code(401).send({ requestError: { serviceException } })
}

function refuseCall(reply: FastifyReply) {
  const serviceException = {
    messageId: 'BAD_REQUEST',
    text: 'Bad Request',
    validationErrors: { messages: ['is wrong'] },
  }
  return reply.code(400).send({ requestError: { serviceException } })
}

async function sendSms(world: SmsWorld, message: Message, reply: FastifyReply) {
  const { sender, destinations, content, webhooks } = message
  const { to, messageId: own } = destinations[0]!
  const phonenumber = `+${to.replace(/^\+/, '')}`
  const admission = await admitSms(world, { phonenumber, sender })
  const messageId = own ?? randomBytes(16).toString('hex')
  const answer = (status: Status, details?: object) =>
    reply.send({
      bulkId: randomBytes(10).toString('hex'),
      messages: [{ messageId, status, destination: to, ...details }],
    })
  if (admission.outcome === 'throttled') return tooMany(reply)
  if (!/^\+\d{6,15}$/.test(phonenumber)) return answer(rejected.invalid_number)
  if (admission.outcome === 'refused') return answer(rejected[admission.trouble])
  // The same message id twice is two SMS. The simulation keeps them apart under names of its own.
  const twin = await world.findSms(messageId)
  await world.takeSms(
    {
      ...{ remote_id: twin ? `${messageId} ${randomBytes(4).toString('hex')}` : messageId, reference: messageId },
      ...{ phonenumber, sender, body: content.text, behaviour: admission.behaviour },
      details: { messageId, callbackData: webhooks?.callbackData ?? null },
    },
    (sms) => reports(sms, webhooks?.delivery.url),
  )
  if (admission.never_answers) return reply.hijack()
  return answer(status(1, 'PENDING', 26, 'PENDING_ACCEPTED'), { details: { messageCount: countParts(content.text) } })
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

/** How an SMS is refused at the call. */
const rejected: Readonly<Record<SmsTrouble | 'invalid_sender', Status>> = {
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

/** How an SMS ends that is not delivered. */
const endings: Readonly<Record<SmsTrouble, [Status, OperatorError]>> = {
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

function describe({ state, reason, parts, phonenumber, created, ended, details }: SimulatedSms) {
  const delivered: [Status, OperatorError] = [status(3, 'DELIVERED', 5, 'DELIVERED_TO_HANDSET'), NO_ERROR]
  const pending: [Status, OperatorError] = [status(1, 'PENDING', 7, 'PENDING_ENROUTE'), NO_ERROR]
  const [state_of, error] =
    state === 'sent' ? pending : state === 'delivered' ? delivered : endings[reason ?? 'unreachable']
  return {
    bulkId: 'simulated',
    messageId: details.messageId,
    to: phonenumber.slice(1),
    sentAt: zoned(created),
    ...(ended && { doneAt: zoned(ended) }),
    messageCount: parts,
    price: { pricePerMessage: PRICE, currency: 'EUR' },
    status: state_of,
    error,
    ...(details.callbackData !== null && { callbackData: details.callbackData }),
  }
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

import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CallbackRequest } from '../../world/world.ts'
import { defineDoor, readBodiesAsText, type WorldOf } from '../door.ts'
import { admitSms, countParts, type SimulatedSms, type SmsFault, type SmsWorld, smsSwitches } from '../sms-door.ts'

const USERNAME = 'simulated'
const PASSWORD = 'simulated-kannel-password'

const switches = {
  max_messages: {
    help: 'max-messages of the sendsms-user: how many SMS a long text may become. The rest of the text is cut off.',
    default: 10,
  },
  ...smsSwitches,
} as const
type KannelWorld = WorldOf<typeof switches>

/** The smsbox of Kannel: answers without an id, reports by GET, and a text that is cut where the configuration is too small. */
export const kannelDoor = defineDoor({
  code: 'kannel',
  name: 'Kannel',
  kind: 'sms',
  hosts: { api: '' },
  credentials: [
    { name: 'username', value: USERNAME },
    { name: 'password', value: PASSWORD },
  ],
  numbers: [],
  switches,
  routes(server, world) {
    readBodiesAsText(server)
    server.route({
      method: ['GET', 'POST'],
      url: '/cgi-bin/sendsms',
      config: { verb: 'sms' },
      handler: async (request, reply) => sendSms(world, readCall(request), reply),
    })
  },
  callbacks: () => [],
  incomingSms: ({ phonenumber, to, text }, { switches }) =>
    get(switches.incoming_url, incomingFields(phonenumber, to, text)),
})

/** The fields of a call, by the names of the query. */
type Call = Record<string, string | undefined>

/** Read a call from its query, or from headers with the text as body. */
function readCall({ method, headers, query, body }: FastifyRequest): Call {
  if (method === 'GET') return query as Call
  const named = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith('x-kannel-') ? [[name.slice('x-kannel-'.length), String(value)]] : [],
  )
  const charset = /charset=([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1]
  return { ...Object.fromEntries(named), text: body as string, charset }
}

async function sendSms(world: KannelWorld, call: Call, reply: FastifyReply) {
  const answer = (status: number, text: string) => reply.code(status).type('text/html').send(text)
  const { username, password, to, from: sender, text = '', coding = '0', 'dlr-url': url = '' } = call
  if (username !== USERNAME || password !== PASSWORD) return answer(403, 'Authorization failed for sendsms')
  if (to === undefined) return answer(400, 'Missing receiver(s) number(s), rejected')
  if (!/^[0-9 +-]+$/.test(to)) return answer(400, "Garbage 'to' field, rejected.")
  if (sender === undefined) return answer(400, 'Sender missing and no global set, rejected')
  if (url !== '' && !/^https?:\/\//i.test(url)) return answer(400, 'DLR-URL field misformed, rejected')
  const phonenumber = `+${to.replaceAll(/\D/g, '')}`
  const admission = await admitSms(world as unknown as SmsWorld, { phonenumber, sender: '' })
  if (admission.outcome === 'throttled') return answer(503, 'Temporal failure, try again later.')
  const fault = admission.outcome === 'refused' ? admission.fault : null
  if (fault === 'no_route') return answer(403, 'Not routable. Do not try again.')
  if (fault === 'opted_out' || fault === 'not_allowed')
    return answer(400, 'Number(s) has/have been denied by white- and/or black-lists.')
  const body = await asSent(world, text, coding)
  // Only the SMSC knows of other wrong numbers. It refuses them later.
  const refused = { ends: 'failed' as const, reason: 'invalid_number' as const }
  const behaviour = admission.outcome === 'taken' ? admission.behaviour : refused
  await world.takeSms({ remote_id: randomUUID(), phonenumber, sender, body, behaviour }, (sms) =>
    reports(sms, url, Number(call['dlr-mask'] ?? 0)),
  )
  if (admission.outcome === 'taken' && admission.never_answers) return reply.hijack()
  return answer(202, '0: Accepted for delivery')
}

const GSM = /[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€\f]/

/** Return the text as the phone receives it: without letters that the coding lacks, and cut at the maximum length. */
async function asSent(world: KannelWorld, text: string, coding: string): Promise<string> {
  const { max_messages } = await world.switches()
  const letters = [...text].filter((letter) => coding === '2' || GSM.test(letter))
  while (countParts(letters.join('')) > max_messages) letters.pop()
  return letters.join('')
}

const reportTypes = { delivered: 1, undelivered: 2, accepted: 8, refused: 16 } as const

/** First that the SMSC has taken it, then the end; or at once that it has not. */
function reports(sms: SimulatedSms, url: string, mask: number): CallbackRequest[] {
  const report = (type: number, text: string) =>
    (mask & type) === 0 || url === '' ? [] : get(fillTemplate(url, sms, type, text), {})
  if (sms.reason === 'invalid_number') return report(reportTypes.refused, 'NACK/11/Invalid Destination Address')
  const accepted = report(reportTypes.accepted, 'ACK/').map((one) => ({ ...one, after_s: -1 }))
  const type = sms.state === 'delivered' ? reportTypes.delivered : reportTypes.undelivered
  return [...accepted, ...report(type, receipt(sms))]
}

const stats: Readonly<Record<SmsFault, [string, string]>> = {
  unreachable: ['UNDELIV', '027'],
  expired: ['EXPIRED', '000'],
  rejected: ['REJECTD', '008'],
  opted_out: ['UNDELIV', '013'],
  invalid_number: ['UNDELIV', '001'],
  no_credit: ['REJECTD', '090'],
  no_route: ['UNDELIV', '011'],
  not_allowed: ['REJECTD', '013'],
}

/** The receipt of the SMSC, in the form of SMPP. */
function receipt({ state, reason, remote_id }: SimulatedSms): string {
  const [stat, err] = state === 'delivered' ? ['DELIVRD', '000'] : stats[reason ?? 'unreachable']
  const id = remote_id.slice(0, 8)
  return `id:${id} sub:001 dlvrd:00${state === 'delivered' ? 1 : 0} submit date:2611220930 done date:2611220931 stat:${stat} err:${err} text:`
}

function fillTemplate(
  url: string,
  { remote_id, phonenumber, ended, created }: SimulatedSms,
  type: number,
  text: string,
): string {
  const values: Record<string, string> = {
    d: String(type),
    F: remote_id.slice(0, 8),
    p: phonenumber,
    T: String(Math.floor((ended ?? created).getTime() / 1_000)),
    A: text,
    I: remote_id,
  }
  return url.replaceAll(/%([A-Za-z])(?![0-9A-Fa-f])/g, (whole, letter: string) =>
    values[letter] === undefined ? whole : encodeURIComponent(values[letter]),
  )
}

/** The letters of GSM come in UTF-8, and others in UTF-16, whose bytes are escaped. */
function incomingFields(from: string, to: string, text: string): Record<string, string> {
  const utf16 = Buffer.from(text, 'utf16le').swap16()
  const is_gsm = [...text].every((letter) => GSM.test(letter))
  const escaped = (is_gsm ? Buffer.from(text) : utf16).toString('hex').replaceAll(/../g, (hex) => `%${hex}`)
  const charset = is_gsm ? 'UTF-8' : 'UTF-16BE'
  return { id: randomUUID(), from: encodeURIComponent(from), to: encodeURIComponent(to), charset, text: escaped }
}

function get(url: string, fields: Record<string, string>): CallbackRequest[] {
  if (url === '') return []
  const query = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
  const full = query.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${query.join('&')}`
  return [{ url: full, method: 'GET', body: '' }]
}

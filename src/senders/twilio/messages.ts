import { z } from 'zod'
import { isUnauthorized } from '../../drivers/access-tokens.ts'
import { spare, spareText } from '../../drivers/members.ts'
import type { UnknownOutcome } from '../../lib/adapter-types.ts'
import { type HttpAnswer, parseJson } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { AskedSms, OutgoingSms, SmsAnswer, SmsCost, SmsReport } from '../contract.ts'
import { isUnusable, refused, throttled, unknown, unrecognized } from '../shared/answers.ts'
import { writeForm } from '../shared/form.ts'
import { readPrice } from '../shared/price.ts'
import { credentialsRepair, PROVIDER, type TwilioClient } from './client.ts'
import { deliveryErrors, refusals, states } from './codes.ts'

/** Minimum and maximum time for which Twilio keeps an SMS. */
const VALIDITY_S = { min: 1, max: 36_000 }

const Message = z.object({
  sid: z.string().regex(/^(SM|MM)[0-9a-f]{32}$/),
  status: z.string(),
  num_segments: spareText,
  price: spareText,
  price_unit: spareText,
  error_code: spare(z.number()),
})
type Message = z.output<typeof Message>

const Problem = z.object({
  code: z.union([
    z.int(),
    z
      .string()
      .regex(/^\d{5}$/)
      .transform(Number),
  ]),
  message: spareText,
})

export async function send(client: TwilioClient, sms: OutgoingSms): Promise<SmsAnswer> {
  const { settings, tools } = client
  const service = sms.sender === null ? settings.messaging_service_sid : undefined
  if (sms.sender === null && service === undefined) return withoutSender(client)
  const body = writeForm({
    To: sms.phonenumber,
    From: sms.sender ?? undefined,
    MessagingServiceSid: service,
    Body: sms.body,
    StatusCallback: tools.callbackUrl(sms.reference, 'report'),
    ValidityPeriod: Math.min(VALIDITY_S.max, Math.max(VALIDITY_S.min, Math.floor(sms.valid_s))),
  })
  const answer = await client.call({ verb: 'sms', path: '/Messages.json', body })
  return answer.outcome === 'unknown' ? answer : readAnswer(client, answer)
}

function withoutSender({ tools }: TwilioClient): SmsAnswer {
  const repair = getMessage('twilio.needs_sender_set')
  tools.alarm(repair)
  return { outcome: 'failed', reason: 'invalid_sender', message: repair, retry: false }
}

function readAnswer(client: TwilioClient, answer: HttpAnswer): SmsAnswer {
  const { status } = answer
  if (isUnauthorized(answer)) return refusedCredentials(client)
  if (answer.incomplete !== null) return unknown(answer.incomplete)
  const body = parseJson(answer.text)
  if (status === 429) return throttled(PROVIDER, answer, client.tools.now())
  if (isUnusable(status)) return unrecognized(PROVIDER, status, client.words(answer.text))
  const message = status === 200 || status === 201 ? Message.safeParse(body).data : undefined
  if (message) return readTaken(message)
  const problem = status >= 400 ? Problem.safeParse(body).data : undefined
  return problem ? readProblem(client, problem, status) : unrecognized(PROVIDER, status, client.words(answer.text))
}

function refusedCredentials({ settings, tools }: TwilioClient): SmsAnswer {
  tools.alarm(credentialsRepair(settings))
  return {
    outcome: 'failed',
    reason: 'credentials',
    message: getMessage('twilio.refuses_credentials'),
    code: '20003',
    retry: true,
  }
}

/** An SMS may have failed already in the answer that takes it. */
function readTaken(message: Message): SmsAnswer {
  const report = readMessage(message)
  if (report?.state === 'failed') {
    const { reason = 'undelivered', message: words = getMessage('drivers.sms_not_delivered'), code } = report
    return { outcome: 'failed', reason, message: words, retry: false, ...(code !== undefined && { code }) }
  }
  if (!report) return unknown(getMessage('twilio.answered_unknown_status', { value: message.status.slice(0, 40) }))
  const { parts, cost } = report
  return { outcome: 'sent', remote_id: message.sid, ...(parts && { parts }), ...(cost && { cost }) }
}

function readProblem(client: TwilioClient, { code, message }: z.output<typeof Problem>, status: number): SmsAnswer {
  if (code === 20003) return refusedCredentials(client)
  const refusal = Object.hasOwn(refusals, code) ? refusals[code] : undefined
  if (!refusal) return unrecognized(PROVIDER, status, `${code} ${client.words(message)}`.trim())
  if (refusal.repair) client.tools.alarm(refusal.repair)
  return refused(refusal, String(code))
}

/** Read the state of an SMS from Twilio's resource. Undefined for an unknown status word. */
function readMessage({
  sid,
  status,
  num_segments = '',
  price,
  price_unit,
  error_code,
}: Message): SmsReport | undefined {
  const state = Object.hasOwn(states, status) ? states[status] : undefined
  if (!state) return undefined
  const cost = readCost(price, price_unit)
  return {
    sms: { remote_id: sid },
    state,
    ...(state === 'failed' && failureOf(status, String(error_code ?? ''))),
    ...(/^[1-9]\d?$/.test(num_segments) && { parts: Number(num_segments) }),
    ...(cost && { cost }),
  }
}

/** Return the reason why an SMS was not delivered. */
export function failureOf(status: string, code: string): Pick<SmsReport, 'reason' | 'message' | 'code'> {
  const known = Object.hasOwn(deliveryErrors, code) ? deliveryErrors[Number(code)] : undefined
  if (known) return { ...known, message: `${known.message} (${code})`, code }
  if (/^\d{5}$/.test(code))
    return { reason: 'undelivered', message: getMessage('twilio.reports_error', { code }), code }
  return { reason: 'undelivered', message: getMessage('twilio.reports', { code: status }), code: status }
}

/** The price comes after the SMS was sent, and is below zero: `-0.00750`. */
function readCost(price: string | null | undefined, unit: string | null | undefined): SmsCost | undefined {
  const amount = readPrice(price ?? '')
  const currency = unit?.toUpperCase() ?? ''
  return amount && /^[A-Z]{3}$/.test(currency) ? { amount, currency } : undefined
}

const Page = z.object({ messages: z.array(z.unknown()) })
const Listed = Message.extend({ body: z.string(), to: z.string(), direction: z.string(), date_created: spareText })
/** Difference that the clocks of Twilio and of this machine may have. */
const MAX_SKEW_MS = 60_000

/**
 * Query the state of an SMS. Without Twilio's id it is found by its whole text in the list of SMS to this phone since
 * the sending.
 */
export async function report(client: TwilioClient, sms: AskedSms): Promise<SmsReport | undefined> {
  const found = sms.remote_id === null ? await findInList(client, sms) : await findById(client, sms.remote_id)
  const report = found && readMessage(found)
  return report && { ...report, sms: { reference: sms.reference } }
}

async function findById(client: TwilioClient, sid: string): Promise<Message | undefined> {
  const answer = await client.call({ verb: 'report', path: `/Messages/${encodeURIComponent(sid)}.json` })
  const message = readComplete(answer, Message)
  return message?.sid === sid ? message : undefined
}

async function findInList(client: TwilioClient, { phonenumber, body, sent }: AskedSms): Promise<Message | undefined> {
  if (phonenumber === undefined || body === undefined || sent === undefined) return undefined
  const query = new URLSearchParams({ To: phonenumber, 'DateSent>': sent.toISOString().slice(0, 10), PageSize: '100' })
  const answer = await client.call({ verb: 'report', path: `/Messages.json?${query}` })
  const listed = readComplete(answer, Page)?.messages.flatMap((one) => Listed.safeParse(one).data ?? []) ?? []
  const same = listed.filter(
    (one) =>
      one.to === phonenumber &&
      one.body === body &&
      one.direction.startsWith('outbound') &&
      // An earlier one with the same text is another SMS.
      !(Date.parse(one.date_created ?? '') < sent.getTime() - MAX_SKEW_MS),
  )
  return same.length === 1 ? same[0] : undefined
}

function readComplete<Schema extends z.ZodType>(
  answer: HttpAnswer | UnknownOutcome,
  schema: Schema,
): z.output<Schema> | undefined {
  if (answer.outcome === 'unknown' || answer.incomplete !== null || answer.status !== 200) return undefined
  return schema.safeParse(parseJson(answer.text)).data
}

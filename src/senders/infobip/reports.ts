import { z } from 'zod'
import { spare, spareText } from '../../drivers/members.ts'
import { parseJsonAsTexts } from '../../drivers/numbers.ts'
import type { RawCallback } from '../../drivers/raw-callback.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { IncomingSms, SmsCallback, SmsCost, SmsReport } from '../contract.ts'
import { toE164 } from '../shared/answers.ts'
import { readPrice } from '../shared/price.ts'
import { deliveryErrors, groups, NO_ERROR, rejections } from './codes.ts'

/** A number, also where numbers are read as texts because there are prices among them. */
const int = z.union([
  z.int(),
  z
    .string()
    .regex(/^-?\d{1,9}$/)
    .transform(Number),
])

/** The group decides; the id says why. */
export const Status = z.object({ groupId: int, id: int.catch(0), name: spareText })

const count = spare(int.pipe(z.int().min(1).max(255)))

const Report = z.object({
  messageId: z.string().min(1).max(200),
  callbackData: spareText,
  doneAt: spareText,
  smsCount: count,
  messageCount: count,
  price: spare(z.object({ pricePerMessage: z.string().max(40), currency: z.string().regex(/^[A-Z]{3}$/) })),
  status: Status,
  error: spare(z.object({ id: int, name: spareText })),
})

const Incoming = z.object({ messageId: z.string().min(1).max(200), from: z.string(), to: z.string(), text: z.string() })

const Body = z.object({ results: z.array(z.unknown()).max(1_000) })

/** Read delivery reports, or SMS of customers. Nothing is signed: who knows the secret of the address is Infobip. */
export function readCallback({ body }: RawCallback): SmsCallback {
  const results = readResults(body)
  const reports = results?.flatMap((one) => readReport(one) ?? []) ?? []
  if (reports.length > 0) return { subject: 'reports', verified: true, reports }
  const messages = results?.flatMap((one) => readIncoming(one) ?? []) ?? []
  if (messages.length > 0) return { subject: 'incoming', verified: true, messages }
  return { subject: 'unrecognized', message: getMessage('infobip.not_callback'), verified: true }
}

/** The members of `results`, which reports and logs share, with every number as the text that was sent. */
export function readResults(text: string): readonly unknown[] | undefined {
  return Body.safeParse(parseJsonAsTexts(text)).data?.results
}

/** Read one report. Undefined for other content, or a status of an unknown group. */
export function readReport(result: unknown): SmsReport | undefined {
  const report = Report.safeParse(result).data
  const state = report && stateOf(report.status.groupId)
  if (!report || !state) return undefined
  const { messageId, callbackData, doneAt, status, error } = report
  const parts = report.smsCount ?? report.messageCount
  const cost = readCost(report.price, parts ?? 1)
  const at = state === 'sent' ? undefined : readDate(doneAt)
  return {
    sms: isReference(callbackData) ? { reference: callbackData } : { remote_id: messageId },
    state,
    ...(state === 'failed' && failureOf(status, error)),
    ...(parts !== undefined && { parts }),
    ...(cost && { cost }),
    ...(at && { at }),
  }
}

/** Our references are letters and digits. */
function isReference(text: string | undefined): text is string {
  return /^[0-9A-Za-z]{24}$/.test(text ?? '')
}

function stateOf(group: number): SmsReport['state'] | undefined {
  if (group === groups.pending) return 'sent'
  if (group === groups.delivered) return 'delivered'
  return [groups.undeliverable, groups.expired, groups.rejected].some((one) => one === group) ? 'failed' : undefined
}

type Failure = Pick<SmsReport, 'reason' | 'message' | 'code'>

function failureOf(status: z.output<typeof Status>, error: z.output<typeof Report>['error']): Failure {
  const code = codeOf(status, error)
  const known = error && Object.hasOwn(deliveryErrors, error.id) ? deliveryErrors[error.id] : undefined
  const by_status = Object.hasOwn(rejections, status.id) ? rejections[status.id] : undefined
  const { reason, message } = known ?? by_status ?? byGroup(status)
  return { reason, message: `${message} (${code})`, code }
}

function byGroup({ groupId, id }: z.output<typeof Status>): Required<Pick<Failure, 'reason' | 'message'>> {
  if (groupId === groups.expired) return { reason: 'expired', message: getMessage('drivers.sms_waited_longer') }
  if (groupId === groups.rejected) return { reason: 'rejected', message: getMessage('infobip.rejected_sms') }
  // UNDELIVERABLE_REJECTED_OPERATOR
  if (id === 4) return { reason: 'rejected', message: getMessage('infobip.operator_rejected_sms') }
  return { reason: 'undelivered', message: getMessage('drivers.sms_not_delivered') }
}

function codeOf(status: z.output<typeof Status>, error: z.output<typeof Report>['error']): string {
  const named = error && error.id !== NO_ERROR ? error : status
  return /^\w{1,60}$/.test(named.name ?? '') ? named.name! : String(named.id)
}

function readCost(price: z.output<typeof Report>['price'], parts: number): SmsCost | undefined {
  const amount = price && readPrice(price.pricePerMessage, parts)
  return amount ? { amount, currency: price.currency } : undefined
}

/** `2026-11-22T09:30:00.000+0000`: the zone has no colon. */
function readDate(text = ''): Date | undefined {
  const date = new Date(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  const is_possible = date.getUTCFullYear() >= 2000 && date.getUTCFullYear() < 10_000
  return is_possible ? date : undefined
}

function readIncoming(result: unknown): IncomingSms | undefined {
  const sms = Incoming.safeParse(result).data
  const from = toE164(sms?.from)
  return sms && from ? { remote_id: sms.messageId, from, to: sms.to, text: sms.text } : undefined
}

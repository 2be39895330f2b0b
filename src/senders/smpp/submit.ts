import type { DriverTools } from '../../drivers/contract.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { ESM, type FieldValues, TLV, type Tlvs, textField } from '../../lib/smpp/pdu.ts'
import { encodeText, fitsDefault, partHeader } from '../../lib/smpp/texts.ts'
import { splitText } from '../../lib/sms-text.ts'
import type { OutgoingSms, SmsAnswer, SmsFailureReason } from '../contract.ts'
import { isThrottled, readSubmitStatus } from './codes.ts'
import type { Pace } from './pace.ts'
import type { SentList, SentSms } from './sent.ts'
import type { SmppSession } from './session.ts'
import type { SmppSettings, Waits } from './settings.ts'

/** Parts of an open connection that sending needs. */
export interface Sending {
  settings: SmppSettings
  waits: Waits
  tools: Pick<DriverTools, 'alarm'>
  pace: Pace
  sent: SentList
  session(): SmppSession | undefined
}

interface Message {
  fields: FieldValues
  tlvs: Tlvs
}

/**
 * Send the parts of an SMS one after the other, so that nothing follows a refused part. A repeated call sends only the
 * parts that the provider has not taken.
 */
export async function sendSms(sending: Sending, sms: OutgoingSms): Promise<SmsAnswer> {
  const { settings, waits, sent } = sending
  const parts = partsOf(sms.body, settings)
  const progress = sent.open(sms.reference, sms.phonenumber, messagesOf(parts, settings))
  const messages = toMessages(sms, parts, progress, settings)
  const deadline = performance.now() + waits.send
  for (const [index, message] of messages.entries()) {
    if (progress.taken.has(index)) continue
    const failure = await sendPart(sending, { sms, progress, index, message, deadline })
    if (!failure) continue
    if (failure.outcome === 'failed' && !failure.retry) sent.forget(progress)
    return failure
  }
  const remote_id = progress.taken.get(messages.length - 1)
  return { outcome: 'sent', ...(remote_id && { remote_id: remote_id.slice(0, 100) }), parts: parts.length }
}

interface Part {
  sms: OutgoingSms
  progress: SentSms
  index: number
  message: Message
  deadline: number
}

type Failure = Exclude<SmsAnswer, { outcome: 'sent' }>

/** Send one part until it is taken or refused. Undefined: it is taken. */
async function sendPart(sending: Sending, part: Part): Promise<Failure | undefined> {
  const { pace, sent, waits } = sending
  const { progress, index, message, deadline } = part
  let throttled: Failure | undefined
  for (;;) {
    await sending.session()?.tried
    const endTurn = await pace.enter(deadline)
    if (progress.taken.has(index)) {
      endTurn?.()
      return undefined
    }
    const link = endTurn && sending.session()?.link()
    if (!endTurn || !link) {
      endTurn?.()
      return throttled ?? notSent(sending)
    }
    const answer = await link.request('submit_sm', message, (late) => {
      if (late.status === 0) sent.take(progress, index, textField(late, 'message_id'))
    })
    endTurn()
    if (answer.outcome === 'closed' && !answer.was_sent) return notSent(sending)
    if (answer.outcome === 'closed') return unknown(`The session ended before the provider answered: ${answer.reason}`)
    if (answer.outcome === 'late')
      return unknown(getMessage('smpp.provider_not_answer', { seconds: Math.round(waits.response / 1_000) }))
    if (answer.status === 0) {
      pace.speedUp()
      sent.take(progress, index, textField(answer.pdu, 'message_id'))
      return undefined
    }
    const { answer: failure, setting } = readSubmitStatus(answer.status)
    if (!isThrottled(answer.status)) {
      alertOperator(sending, part, failure, setting)
      // The provider has forgotten the bind.
      if (failure.outcome === 'failed' && failure.code === 'ESME_RINVBNDSTS') link.destroy(failure.message)
      return failure
    }
    const pause_ms = pace.slowDown()
    throttled = { ...failure, retry_after_s: Math.max(Math.ceil(pause_ms / 1_000), 1) } as Failure
    if (performance.now() + pause_ms >= deadline) return throttled
  }
}

/** Return a failure for an unsent SMS. The next try may find a session, or a turn. */
function notSent(sending: Sending): Failure {
  const session = sending.session()
  if (session?.is_open()) return later('throttled', getMessage('smpp.sms_wait_session'))
  const fault = session?.fault()
  const is_refused = fault?.outcome === 'refused' && fault.is_ours
  return later(is_refused ? 'credentials' : 'no_route', fault?.message ?? getMessage('smpp.session_provider_not_open'))
}

const later = (reason: SmsFailureReason, message: string): Failure => ({
  outcome: 'failed',
  reason,
  message,
  retry: true,
  retry_after_s: 10,
})

const unknown = (message: string): Failure => ({ outcome: 'unknown', message })

function alertOperator({ tools }: Sending, { sms }: Part, failure: Failure, setting: string | undefined): void {
  if (setting !== undefined) tools.alarm(getMessage('smpp.check', { problem_text: failure.message, setting }))
  else if (failure.outcome === 'failed' && failure.reason === 'invalid_sender')
    tools.alarm(
      getMessage('smpp.sender_provider_must', {
        problem_text: failure.message,
        sender: sms.sender ?? 'that of the account',
      }),
    )
}

/** Split a text into its SMS. */
function partsOf(body: string, settings: SmppSettings): string[] {
  return splitText(body, fitsDefault(body, settings.default_alphabet) ? 'gsm' : 'ucs-2').parts
}

/** Count the packets of these parts. */
const messagesOf = (parts: string[], { long_texts }: SmppSettings): number =>
  long_texts === 'payload' ? 1 : parts.length

function toMessages(sms: OutgoingSms, parts: string[], progress: SentSms, settings: SmppSettings): Message[] {
  const { long_texts, default_alphabet } = settings
  const common = commonFields(sms, settings)
  const encode = (text: string) => encodeText(text, sms.body, default_alphabet)
  if (parts.length > 1 && long_texts === 'payload') {
    const { data_coding, octets } = encode(sms.body)
    return [{ fields: { ...common, data_coding }, tlvs: { [TLV.message_payload]: octets } }]
  }
  return parts.map((part, index) => {
    const { data_coding, octets } = encode(part)
    const fields = { ...common, data_coding, short_message: octets }
    if (parts.length === 1) return { fields, tlvs: {} }
    if (long_texts === 'sar') return { fields, tlvs: sarOf(progress.part_reference, parts.length, index + 1) }
    const header = partHeader(progress.part_reference, parts.length, index + 1)
    return { fields: { ...fields, esm_class: ESM.udh, short_message: Buffer.concat([header, octets]) }, tlvs: {} }
  })
}

const sarOf = (reference: number, total: number, number: number): Tlvs => ({
  [TLV.sar_msg_ref_num]: Uint8Array.of(reference >> 8, reference & 0xff),
  [TLV.sar_total_segments]: Uint8Array.of(total),
  [TLV.sar_segment_seqnum]: Uint8Array.of(number),
})

function commonFields({ phonenumber, sender, valid_s }: OutgoingSms, settings: SmppSettings): FieldValues {
  const { service_type, delivery_reports, validity, dest_ton, dest_npi } = settings
  return {
    service_type,
    ...senderFields(sender, settings),
    dest_addr_ton: dest_ton,
    dest_addr_npi: dest_npi,
    destination_addr: phonenumber.replace(/\D/g, ''),
    validity_period: validity ? relativeTime(valid_s) : '',
    registered_delivery: delivery_reports ? 1 : 0,
  }
}

/** A name (5/0), a number with its country (1/1), a short code (3/0), or nothing, which is the account's own (0/0). */
function senderFields(sender: string | null, { source_ton, source_npi }: SmppSettings): FieldValues {
  const text = sender?.trim() ?? ''
  const digits = /^\+?\d+$/.test(text) ? text.replace('+', '') : undefined
  const is_short = digits !== undefined && digits.length <= 8 && !text.startsWith('+')
  const [ton, npi] = text === '' ? [0, 0] : digits === undefined ? [5, 0] : is_short ? [3, 0] : [1, 1]
  return {
    source_addr_ton: source_ton ?? ton,
    source_addr_npi: source_npi ?? npi,
    source_addr: (digits ?? text).slice(0, 20),
  }
}

const MAX_DAYS = 30

/** Seconds from now, as SMPP writes a relative time: YYMMDDhhmmss000R. */
export function relativeTime(seconds: number): string {
  const whole = Math.min(Math.max(Math.round(seconds), 1), MAX_DAYS * 86_400)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const [days, hours, minutes] = [whole / 86_400, (whole % 86_400) / 3_600, (whole % 3_600) / 60]
  return `0000${two(days)}${two(hours)}${two(minutes)}${two(whole % 60)}000R`
}

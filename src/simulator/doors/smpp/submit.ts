import type { Link } from '../../../lib/smpp/link.ts'
import { messageOctets, octetField, type Pdu, textField } from '../../../lib/smpp/pdu.ts'
import { MESSAGE_STATES, type MessageState } from '../../../lib/smpp/receipts.ts'
import { type StatusName, statusCode } from '../../../lib/smpp/statuses.ts'
import { type ReceivedText, readText } from '../../../lib/smpp/texts.ts'
import type { CallbackRequest } from '../../world/world.ts'
import { admitSms, type SimulatedSms, type SmsFault, type SmsWorld } from '../sms-door.ts'
import { newMessageNumber, writeId } from './ids.ts'
import type { SmppSwitches, SmppWorld } from './switches.ts'

/** Message for the bound client: a delivery report or an inbound SMS. */
export type Handover =
  | {
      kind: 'report'
      message_id: string
      phonenumber: string
      sender: string
      state: MessageState
      error: string
      submitted: string
      done: string
      text: string
    }
  | { kind: 'incoming'; phonenumber: string; to: string; text: string }

/** SMS of which not all parts have come. `reported`: the parts whose end the client wants to know. */
export type IncompleteSms = Map<string, { texts: Map<number, string>; reported: bigint[] }>

const REFUSALS: Record<SmsFault | 'invalid_sender', StatusName> = {
  invalid_number: 'ESME_RINVDSTADR',
  invalid_sender: 'ESME_RINVSRCADR',
  opted_out: 'ESME_RX_R_APPN',
  no_credit: 'ESME_RSUBMITFAIL',
  no_route: 'ESME_RSUBMITFAIL',
  not_allowed: 'ESME_RX_P_APPN',
  unreachable: 'ESME_RSUBMITFAIL',
  expired: 'ESME_RSUBMITFAIL',
  rejected: 'ESME_RX_R_APPN',
}

const ALPHANUMERIC = 5
/** The sender of SMS that name none. */
const OWN_SENDER = '8080'

/** Take `submit_sm` or `data_sm`, and answer it. */
export async function takeSubmit(world: SmppWorld, link: Link, pdu: Pdu, incomplete: IncompleteSms): Promise<void> {
  const switches = await world.switches()
  const phonenumber = `+${textField(pdu, 'destination_addr').replace(/^\+/, '')}`
  const sender = textField(pdu, 'source_addr') || OWN_SENDER
  const content = readText(pdu, switches.alphabet)
  const fault = faultOf(pdu, { phonenumber, sender, content })
  if (fault) return link.respond(pdu, statusCode(fault))
  const admission = await admitSms(world as unknown as SmsWorld, { phonenumber, sender })
  if (admission.outcome === 'throttled') return link.respond(pdu, statusCode('ESME_RTHROTTLED'))
  if (admission.outcome === 'refused') return link.respond(pdu, statusCode(REFUSALS[admission.fault]))
  const number = newMessageNumber()
  const reported = (octetField(pdu, 'registered_delivery') & 0x03) === 1 ? [number] : []
  const whole = assemble(incomplete, `${phonenumber} ${sender}`, content!, reported)
  if (whole)
    await world.takeSms(
      { remote_id: String(number), phonenumber, sender, body: whole.text, behaviour: admission.behaviour },
      (sms) => reportsOf(sms, whole.reported, switches),
    )
  if (switches.responses === 'connection lost') return link.destroy('As the switch says.')
  if (admission.never_answers || switches.responses === 'lost') return
  link.respond(pdu, 0, { message_id: writeId(number, 'answer', switches.message_ids) })
}

function faultOf(
  pdu: Pdu,
  { phonenumber, sender, content }: { phonenumber: string; sender: string; content: ReceivedText | undefined },
): StatusName | undefined {
  if (!/^\+\d{8,15}$/.test(phonenumber)) return 'ESME_RINVDSTADR'
  const is_name = octetField(pdu, 'source_addr_ton') === ALPHANUMERIC
  if (sender.length > (is_name ? 11 : 15) || (!is_name && !/^\+?\d+$/.test(sender))) return 'ESME_RINVSRCADR'
  if (!content) return 'ESME_RSUBMITFAIL'
  const most = octetField(pdu, 'data_coding') === 8 ? 140 : 160
  return messageOctets(pdu).length > most && !hasPayload(pdu) ? 'ESME_RINVMSGLEN' : undefined
}

/** Texts in `message_payload` are divided by the centre itself. */
const hasPayload = ({ fields }: Pdu): boolean =>
  fields.short_message instanceof Uint8Array && fields.short_message.length === 0

/** The whole SMS, when this was the last of its parts. */
function assemble(
  incomplete: IncompleteSms,
  from_to: string,
  { text, part }: ReceivedText,
  reported: bigint[],
): { text: string; reported: bigint[] } | undefined {
  if (!part) return { text, reported }
  const key = `${from_to} ${part.reference} ${part.total}`
  const one = incomplete.get(key) ?? { texts: new Map<number, string>(), reported: [] }
  incomplete.set(key, one)
  one.texts.set(part.number, text)
  one.reported.push(...reported)
  if (one.texts.size < part.total) return undefined
  incomplete.delete(key)
  const texts = [...one.texts].sort(([a], [b]) => a - b).map(([, each]) => each)
  return { text: texts.join(''), reported: one.reported }
}

/** The states and error numbers of SMS that were not delivered, as many operators have them. */
const FAILURES: Record<SmsFault, [MessageState, string]> = {
  invalid_number: ['UNDELIV', '001'],
  unreachable: ['UNDELIV', '027'],
  no_route: ['UNDELIV', '004'],
  no_credit: ['REJECTD', '060'],
  expired: ['EXPIRED', '034'],
  opted_out: ['REJECTD', '086'],
  not_allowed: ['REJECTD', '088'],
  rejected: ['REJECTD', '069'],
}

/** Make a report for each part. */
function reportsOf(sms: SimulatedSms, numbers: readonly bigint[], switches: SmppSwitches): CallbackRequest[] {
  const [state, error] = sms.state === 'delivered' ? (['DELIVRD', '000'] as const) : FAILURES[sms.reason ?? 'rejected']
  return numbers.map((number) => {
    const report: Handover = {
      kind: 'report',
      message_id: writeId(number, 'report', switches.message_ids),
      phonenumber: sms.phonenumber,
      sender: sms.sender,
      state,
      error,
      submitted: sms.created.toISOString(),
      done: (sms.ended ?? sms.created).toISOString(),
      text: sms.body,
    }
    return handoverRequest(report)
  })
}

/** Maximum offers of a message while no client is bound. */
const MAX_ATTEMPTS = 20

/** The request that the centre makes to itself when something is due. */
export const handoverRequest = (handover: Handover): CallbackRequest => ({
  url: null,
  body: JSON.stringify(handover),
  max_attempts: MAX_ATTEMPTS,
})

export const stateNumber = (state: MessageState): number => MESSAGE_STATES[state]

import { comparePhone } from '../../lib/phone.ts'
import type { SmppSettings } from './settings.ts'

/** State in this process of an SMS that it sends or has sent. */
export interface SentSms {
  /** Ours. */
  reference: string
  phonenumber: string
  /** The number that its parts have in their headers. */
  part_reference: number
  /** Number of parts. */
  total: number
  /** The ids of the parts that the provider has taken, by their index. '' where it gave no id. */
  taken: Map<number, string>
  /** The indexes of the parts that are reported as delivered. */
  delivered: Set<number>
}

/** Part that a delivery report names. */
interface FoundPart {
  sms: SentSms
  index: number
}

/** The SMS that this process has sent lately. */
export interface SentList {
  /** The SMS with this reference; a new one, of which nothing is sent, where there is none. */
  open(reference: string, phonenumber: string, total: number): SentSms
  /** The provider has taken a part. Returns the id, as it is stored. */
  take(sms: SentSms, index: number, message_id: string): string
  /** The part that a report is about. `phonenumbers`: the addresses of the report. */
  find(reported_id: string, phonenumbers: readonly string[]): FoundPart | undefined
  /** Forget an SMS of which nothing more will be sent. */
  forget(sms: SentSms): void
}

/** More would be of use only to reports that come very late: they name the SMS by the provider's id. */
const MAX_SENT = 20_000

export function createSentList(mode: SmppSettings['message_ids']): SentList {
  const by_reference = new Map<string, SentSms>()
  const by_id = new Map<string, FoundPart>()
  let part_reference = Math.floor(Math.random() * 0xffff)

  return {
    open(reference, phonenumber, total) {
      const known = by_reference.get(reference)
      if (known?.total === total && known.phonenumber === phonenumber) return known
      part_reference = (part_reference + 1) & 0xffff
      const sms = { reference, phonenumber, part_reference, total, taken: new Map(), delivered: new Set<number>() }
      remember(by_reference, reference, sms)
      return sms
    },
    take(sms, index, message_id) {
      const id = storedId(mode, message_id)
      sms.taken.set(index, id)
      for (const key of keysOf(mode, id)) remember(by_id, key, { sms, index })
      return id
    },
    find(reported_id, phonenumbers) {
      for (const key of lookupKeys(mode, reported_id)) {
        const found = by_id.get(key)
        if (found && comparePhone(found.sms.phonenumber, phonenumbers) !== 'other') return found
      }
      return undefined
    },
    forget(sms) {
      by_reference.delete(sms.reference)
    },
  }
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= MAX_SENT) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}

const isDecimal = (id: string): boolean => /^\d{1,30}$/.test(id)
const isHex = (id: string): boolean => /^[0-9a-f]{1,30}$/i.test(id)
const fromHex = (id: string): string => BigInt(`0x${id}`).toString()

/** The id of an answer, as the service stores it: in the form that reports have, where a setting says which one that is. */
function storedId(mode: SmppSettings['message_ids'], message_id: string): string {
  return mode === 'hex-then-decimal' && isHex(message_id) ? fromHex(message_id) : message_id
}

/** Return the id of a report in the form in which the answer's id is stored. */
export function reportedId(mode: SmppSettings['message_ids'], reported_id: string): string {
  return mode === 'decimal-then-hex' && isHex(reported_id) ? fromHex(reported_id) : reported_id
}

/** Return other forms of the reported number that may be stored. */
export function otherIds(mode: SmppSettings['message_ids'], reported_id: string): string[] {
  if (mode !== 'automatic') return []
  const forms = new Set<string>()
  if (isDecimal(reported_id)) {
    const hex = BigInt(reported_id).toString(16)
    for (const form of [hex, hex.padStart(8, '0')]) forms.add(form).add(form.toUpperCase())
    forms.add(BigInt(reported_id).toString())
  }
  if (isHex(reported_id)) {
    const decimal = fromHex(reported_id)
    forms.add(decimal).add(decimal.padStart(10, '0')).add(reported_id.toLowerCase()).add(reported_id.toUpperCase())
  }
  forms.delete(reported_id)
  return [...forms]
}

/** Return the names under which a stored id is found: its text and, if it may be a number, its value in either form. */
function keysOf(mode: SmppSettings['message_ids'], id: string): string[] {
  if (id === '') return []
  return [
    `is ${id}`,
    ...(mode !== 'same' && isDecimal(id) ? [`decimal ${BigInt(id)}`] : []),
    ...(mode === 'automatic' && isHex(id) ? [`hex ${fromHex(id)}`] : []),
  ]
}

/** By which names the id of a report is looked for: the nearest form first. */
function lookupKeys(mode: SmppSettings['message_ids'], reported: string): string[] {
  const id = reportedId(mode, reported)
  return [
    `is ${id}`,
    ...(mode !== 'same' && isDecimal(id) ? [`decimal ${BigInt(id)}`] : []),
    ...(mode === 'automatic' && isHex(id) ? [`hex ${fromHex(id)}`] : []),
    ...(mode === 'automatic' && isDecimal(id) ? [`hex ${BigInt(id)}`] : []),
    ...(mode === 'automatic' && isHex(id) ? [`decimal ${fromHex(id)}`] : []),
  ]
}

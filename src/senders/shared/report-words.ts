import { type MessageState, readStateWord } from '../../lib/smpp/receipts.ts'
import type { SmsReport } from '../contract.ts'

const states: Readonly<Record<MessageState, SmsReport['state']>> = {
  ENROUTE: 'sent',
  ACCEPTD: 'sent',
  UNKNOWN: 'sent',
  DELIVRD: 'delivered',
  EXPIRED: 'failed',
  DELETED: 'failed',
  UNDELIV: 'failed',
  REJECTD: 'failed',
}

/** What a word of a report means in the language of message centres, in any case and spelling; undefined for another word. */
export function stateOfWord(word: string): SmsReport['state'] | undefined {
  const state = readStateWord(word)
  return state && states[state]
}

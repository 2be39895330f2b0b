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

/**
 * Return the meaning of a report's word in the language of message centres, in any case and spelling. Undefined for
 * other words.
 */
export function stateOfWord(word: string): SmsReport['state'] | undefined {
  const state = readStateWord(word)
  return state && states[state]
}

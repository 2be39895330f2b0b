import type { ValuesOf, WorldOf } from '../door.ts'
import { smsSwitches } from '../sms-door.ts'

const { outcome, throttled, refused_sender } = smsSwitches

export const switches = {
  bind: {
    help: 'What becomes of a bind with the right credentials.',
    default: 'accepted',
    choices: ['accepted', 'wrong password', 'wrong system id', 'failed', 'bound already'],
  },
  responses: {
    help: 'What becomes of the answer to an SMS that was taken.',
    default: 'given',
    choices: ['given', 'lost', 'connection lost'],
  },
  message_ids: {
    help: 'How message ids are written in answers and in delivery reports.',
    default: 'decimal',
    choices: ['decimal', 'hexadecimal', 'answers hexadecimal, reports decimal', 'answers decimal, reports hexadecimal'],
  },
  reports: {
    help: 'How delivery reports say what they say.',
    default: 'text and parameters',
    choices: ['text and parameters', 'text', 'parameters'],
  },
  alphabet: { help: 'What data_coding 0 means.', default: 'gsm', choices: ['gsm', 'latin-1'] },
  outcome,
  throttled,
  refused_sender,
} as const

export type SmppWorld = WorldOf<typeof switches>
export type SmppSwitches = ValuesOf<typeof switches>

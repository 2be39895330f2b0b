import { type SmsBehaviour, type SmsFault, smsBehaviourOf } from '../world/sms-behaviours.ts'
import type { World } from '../world/world.ts'
import type { ValuesOf, WorldOf } from './door.ts'

export { countParts, type SmsFault } from '../world/sms-behaviours.ts'
export type { NewSms, SimulatedSms } from '../world/sms-records.ts'

/*
 * Parts that the mocks of SMS providers share.
 */

/** The switches of every SMS provider. */
export const smsSwitches = {
  incoming_url: {
    help: 'Where SMS of customers are handed over, as the portal of the provider stores it. Empty: nowhere.',
    default: '',
  },
  outcome: {
    help: 'What becomes of SMS: as the phone number says, or the same for every phone.',
    default: 'by number',
    choices: ['by number', 'delivered', 'undelivered', 'late report', 'no report'],
  },
  throttled: { help: 'Whether every SMS is refused, because there are too many.', default: false },
  refused_sender: { help: 'A sender id that the provider does not know.', default: 'NOTMINE' },
} as const

export type SmsWorld = WorldOf<typeof smsSwitches>
type SmsSwitches = ValuesOf<typeof smsSwitches>

/** Decision on an SMS. `behaviour` is its outcome, if a switch decides that. */
export type Admission =
  | { outcome: 'taken'; never_answers: boolean; behaviour: Partial<SmsBehaviour> }
  | { outcome: 'throttled' }
  | { outcome: 'refused'; fault: SmsFault | 'invalid_sender' }

/** Decide by switches, phone number and sender whether the provider takes an SMS. */
export async function admitSms(world: SmsWorld, sms: { phonenumber: string; sender: string }): Promise<Admission> {
  const switches = await world.switches()
  if (switches.throttled || (await isThrottled(world, sms.phonenumber))) return { outcome: 'throttled' }
  if (sms.sender === switches.refused_sender) return { outcome: 'refused', fault: 'invalid_sender' }
  const { refusal, never_answers } = smsBehaviourOf(sms.phonenumber)
  if (refusal) return { outcome: 'refused', fault: refusal }
  return { outcome: 'taken', never_answers, behaviour: behaviourBySwitch(switches) }
}

/** The first calls for some phones are too many. The count begins anew when one was taken. */
async function isThrottled(world: Pick<World, 'recall' | 'remember'>, phonenumber: string): Promise<boolean> {
  const { throttled } = smsBehaviourOf(phonenumber)
  if (throttled === 0) return false
  const name = `throttled ${phonenumber}`
  const done = Number((await world.recall(name)) ?? 0)
  await world.remember(name, done < throttled ? done + 1 : undefined)
  return done < throttled
}

function behaviourBySwitch({ outcome }: SmsSwitches): Partial<SmsBehaviour> {
  switch (outcome) {
    case 'delivered':
      return { ends: 'delivered', reason: null, after_s: 2, reports: 1 }
    case 'undelivered':
      return { ends: 'failed', reason: 'unreachable', after_s: 2, reports: 1 }
    case 'late report':
      return { ends: 'delivered', reason: null, after_s: 600, reports: 1 }
    case 'no report':
      return { reports: 0 }
    default:
      return {}
  }
}

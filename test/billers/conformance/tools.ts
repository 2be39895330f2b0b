import type { DriverTools, OutgoingCall } from '../../../src/drivers/contract.ts'
import type { HttpAnswer } from '../../../src/lib/http/http-call.ts'
import type { UnknownOutcome } from '../../../src/networks/contract.ts'
import { createRecordingTools, type RecordingTools } from '../../networks/conformance/tools.ts'

/** Fault of a call. `taken`: the provider receives it all the same. */
export interface Fault {
  verb: string
  taken: boolean
  answer: HttpAnswer | UnknownOutcome
  /** Number of calls with the fault. Default: one. */
  times?: number
}

/** Tools that remember what was done with them, and with which calls can go wrong. */
export interface FaultyTools extends DriverTools {
  recorded: RecordingTools
  /** The next call with this verb has this fault. */
  fault(fault: Fault): void
  /** Forget faults that have not happened. */
  clear(): void
  /** Return the number of calls with this verb. */
  count(verb: string): number
}

/** Tools over real HTTP for the driver of a bill provider. */
export function createFaultyTools(options: { now(): Date; callback_base(): string }): FaultyTools {
  const recorded = createRecordingTools({ ...options, timeout_s: TIMEOUT_S })
  const verbs: string[] = []
  let waiting: Fault[] = []
  return {
    ...recorded,
    recorded,
    fault: (fault) => void waiting.push({ ...fault }),
    clear() {
      waiting = []
    },
    count: (verb) => verbs.filter((one) => one === verb).length,
    async http(call: OutgoingCall) {
      verbs.push(call.verb)
      const fault = waiting.find(({ verb }) => verb === call.verb)
      if (!fault) return recorded.http(call)
      fault.times = (fault.times ?? 1) - 1
      if (fault.times === 0) waiting = waiting.filter((one) => one !== fault)
      if (fault.taken) await recorded.http(call)
      return fault.answer
    },
  }
}

/** No call takes this long, even on a slow machine. */
const TIMEOUT_S = 20

export function answerOf(status: number, text: string): HttpAnswer {
  return { outcome: 'answered', status, headers: new Headers(), text, incomplete: null }
}

const broken = { ...answerOf(200, '{"co'), incomplete: 'The connection broke.' }

/** Faults that may hit any call, by name. They leave the outcome unknown. */
export const faults: readonly { name: string; answer: HttpAnswer | UnknownOutcome }[] = [
  { name: 'no answer', answer: { outcome: 'unknown', message: 'The provider did not answer: time-out' } },
  { name: 'an answer that breaks off', answer: broken },
  { name: 'HTTP 500', answer: answerOf(500, '{"message":"Internal server error"}') },
  { name: 'the page of a proxy', answer: answerOf(502, '<html><h1>502 Bad Gateway</h1></html>') },
  { name: 'a page with HTTP 200', answer: answerOf(200, '<html><h1>Maintenance</h1></html>') },
  { name: 'HTTP 429', answer: answerOf(429, '{"message":"Rate limit is exceeded."}') },
  { name: 'an empty answer', answer: answerOf(200, '') },
  { name: 'half of an answer', answer: answerOf(200, '{"code":"0') },
  { name: 'an empty object', answer: answerOf(200, '{}') },
  { name: 'HTTP 403', answer: answerOf(403, '{"message":"Forbidden"}') },
]

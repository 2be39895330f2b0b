import { callHttp, type HttpAnswer } from '../../../src/lib/http/http-call.ts'
import { openSocket } from '../../../src/lib/http/reach.ts'
import type { AccessToken, DriverTools, OutgoingCall, UnknownOutcome } from '../../../src/networks/contract.ts'

/** Tools of a driver that remember what it did with them. */
export interface RecordingTools extends DriverTools {
  /** The calls that were made, with their answers. */
  calls: { call: OutgoingCall; answer: HttpAnswer | UnknownOutcome }[]
  /** The alarms that were raised. */
  alarms: string[]
  token_fetches: number
}

/**
 * Tools over real HTTP, without limits, breaker and database: what a driver test needs. Tokens are fetched once for all callers
 * and are kept in memory.
 * @param change changes an answer before the driver gets it
 */
export function createRecordingTools(options: {
  now(): Date
  /** The address for callbacks, without what the driver adds to it. */
  callback_base(): string
  timeout_s?: number
  /** The seconds that the next call with this verb may take, where it is to be given up sooner. */
  limits?: Map<string, number>
  change?(call: OutgoingCall, answer: HttpAnswer | UnknownOutcome): HttpAnswer | UnknownOutcome
}): RecordingTools {
  const { now } = options
  const kept = new Map<string, { token: string; expires: number }>()
  const fetching = new Map<string, Promise<AccessToken | UnknownOutcome>>()
  const tools: RecordingTools = {
    calls: [],
    alarms: [],
    token_fetches: 0,
    async http(call) {
      const { verb, timeout_s: wanted_s = 20, ...rest } = call
      const timeout_ms = Math.min(options.limits?.get(verb) ?? options.timeout_s ?? wanted_s, wanted_s) * 1_000
      options.limits?.delete(verb)
      const given = await callHttp({ headers: {}, ...rest, timeout_ms, callee: 'network' })
      const answer = options.change ? options.change(call, given) : given
      tools.calls.push({ call, answer })
      return answer
    },
    openSocket,
    tokens: {
      async get(name, fetch) {
        const known = kept.get(name)
        if (known && known.expires > now().getTime()) return { outcome: 'token', token: known.token }
        const first = !fetching.has(name)
        if (first) {
          tools.token_fetches += 1
          fetching.set(name, fetch())
        }
        const fetched = await fetching.get(name)!
        fetching.delete(name)
        if ('outcome' in fetched) return fetched
        if (first) kept.set(name, { token: fetched.token, expires: now().getTime() + fetched.expires_in_s * 900 })
        return { outcome: 'token', token: fetched.token }
      },
      refuse(name, token) {
        if (kept.get(name)?.token === token) kept.delete(name)
      },
    },
    now,
    callbackUrl: (reference, purpose) =>
      [options.callback_base(), reference, purpose].filter((part) => part !== null && part !== undefined).join('/'),
    alarm: (message) => void tools.alarms.push(message),
  }
  return tools
}

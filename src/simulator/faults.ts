import { z } from 'zod'
import { type CallbackFault, callbackFaults, type Faults } from './world/world.ts'

/** Faults that may hit a call of the business to a network. */
const callFaults = [
  'no_answer',
  'hang_up_before',
  'hang_up_after',
  'error_500',
  'html',
  'empty',
  'truncated',
  'rate_limited',
  'rate_limited_retry_after',
  'token_expired',
  'slow',
] as const
type CallFaultKind = (typeof callFaults)[number]

/** True if the network carries out the call, unless the fault says otherwise. */
const takesCall: Record<CallFaultKind, boolean> = {
  no_answer: true,
  hang_up_before: false,
  hang_up_after: true,
  error_500: false,
  html: false,
  empty: true,
  truncated: true,
  rate_limited: false,
  rate_limited_retry_after: false,
  token_expired: true,
  slow: true,
}

/**
 * Body of `POST /simulator/faults`. `verb` names a route (`token`, `charge`, `charge status`, …); default: every call.
 * `times` is the number of calls or callbacks with the fault. `seconds` is for `slow`, `late` and `clock_skew`; a
 * clock skew stays until it is set to 0. `taken`: the network carries out the call.
 */
export const FaultBody = z.object({
  door: z.string().min(1),
  verb: z.string().min(1).optional(),
  kind: z.enum([...callFaults, ...callbackFaults, 'clock_skew']),
  times: z.int().min(1).max(1_000_000).default(1),
  seconds: z.number().min(-86_400).max(86_400).optional(),
  taken: z.boolean().optional(),
})
export type FaultBody = z.input<typeof FaultBody>

export interface CallFault {
  kind: CallFaultKind
  seconds: number
  /** True if the network carries out the call. */
  taken: boolean
}

interface PendingFault extends Required<Omit<FaultBody, 'verb' | 'taken'>> {
  verb: string | undefined
  taken: boolean | undefined
}

/** Faults that tests and people request. They are kept in the memory of one process. */
export interface FaultList extends Faults {
  add(fault: FaultBody): void
  /** Take the fault for a call of this door, if there is one. */
  takeForCall(door: string, verb: string | undefined): CallFault | undefined
  /** Faults that have not happened as often as was asked. */
  list(): { door: string; verb?: string | undefined; kind: string; times: number; seconds: number }[]
  /** Forget all faults, clock skews included. */
  clear(): void
}

const DEFAULT_SECONDS = 2
const DEFAULT_LATE_S = 60

export function createFaults(): FaultList {
  let waiting: PendingFault[] = []
  const skews = new Map<string, number>()

  function take(wanted: PendingFault | undefined): PendingFault | undefined {
    if (!wanted) return undefined
    wanted.times -= 1
    if (wanted.times === 0) waiting = waiting.filter((one) => one !== wanted)
    return wanted
  }

  return {
    add(body) {
      const { door, verb, kind, times, taken, seconds } = FaultBody.parse(body)
      if (kind === 'clock_skew') {
        skews.set(door, seconds ?? 0)
        return
      }
      const default_s = kind === 'late' ? DEFAULT_LATE_S : DEFAULT_SECONDS
      waiting.push({ door, verb, kind, times, taken, seconds: Math.max(0, seconds ?? default_s) })
    },
    takeForCall(door, verb) {
      const found = take(
        waiting.find(
          (one) => one.door === door && isCallFault(one.kind) && (one.verb === undefined || one.verb === verb),
        ),
      )
      if (!found) return undefined
      const kind = found.kind as CallFaultKind
      return { kind, seconds: found.seconds, taken: found.taken ?? takesCall[kind] }
    },
    takeForCallback(door) {
      const found = take(waiting.find((one) => one.door === door && !isCallFault(one.kind)))
      return found && { kind: found.kind as CallbackFault['kind'], seconds: found.seconds }
    },
    clockSkew: (door) => skews.get(door) ?? 0,
    list: () => [
      ...waiting.map(({ door, verb, kind, times, seconds }) => ({ door, verb, kind, times, seconds })),
      ...[...skews].map(([door, seconds]) => ({ door, kind: 'clock_skew', times: 1, seconds })),
    ],
    clear() {
      waiting = []
      skews.clear()
    },
  }
}

function isCallFault(kind: string): boolean {
  return (callFaults as readonly string[]).includes(kind)
}

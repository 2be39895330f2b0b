import { type CallFigures, createCallWindow } from './call-window.ts'

/** `degraded`: most calls of the last minute had no answer, so that only one call at a time is sent. */
export type BreakerState = 'healthy' | 'degraded'

export interface EndedCall {
  answered: boolean
  duration_ms: number
  /** True if the call fetched a token. Its answer does not say whether the network carries orders. */
  is_token: boolean
}

/** The one call that may be sent while the breaker is open. */
export interface Trial {
  /** The call has ended, or was not sent after all. */
  end(was_sent: boolean): void
}

/** Keep orders from a network that does not answer. */
interface Breaker {
  /** State for people, and for the choice of a connection. */
  state(): BreakerState
  /** Since when this process has found by its own calls that the network does not answer; null if it has not. */
  openSince(): Date | null
  record(call: EndedCall): void
  /** `pass` while healthy; while degraded a trial, if one is due, and otherwise undefined. */
  enter(): 'pass' | Trial | undefined
  /** Return the milliseconds until the breaker lets the next call pass; 0 for now. */
  nextEntry(): number
  /**
   * Follow other processes: degraded since this time by their calls, or not at all.
   * @param last_answer when a call of this process was answered last, other than for a token
   */
  follow(others_since: Date | null, last_answer: Date | null): void
}

interface BreakerOptions {
  /** Monotonic clock, in milliseconds. */
  now_ms: () => number
  real: () => Date
  /** Maximum milliseconds of a trial; after this time another one may be sent. */
  call_ms: number
  /** Called when this process changes the state by its own calls. */
  onChange: (state: BreakerState, figures: Pick<CallFigures, 'calls' | 'unanswered'>) => void
}

/** The breaker judges by the calls of this time. */
const JUDGED_MS = 60_000
/** Fewer calls than this say nothing. */
const MIN_CALLS = 10
/** While the breaker is open, one call is sent every so often. */
const TRIAL_EVERY_MS = 5_000

/**
 * Create the breaker of one connection. It opens when more than half of the calls of the last minute had no answer, if
 * there were at least ten. Then it lets through one call every five seconds, and closes when that one is answered. A
 * refusal (4xx) is an answer. After a minute without calls an open breaker is no longer shown as degraded, because
 * nothing recent says so; the next call is a trial all the same.
 */
export function createBreaker({ now_ms, real, call_ms, onChange }: BreakerOptions): Breaker {
  const window = createCallWindow({ periods: 6, period_ms: JUDGED_MS / 6, now_ms })
  let open: { at_ms: number; since: Date; own: boolean } | null = null
  let last_unanswered_ms = Number.NEGATIVE_INFINITY
  const trials = createTrials(now_ms, call_ms)

  function close(): void {
    open = null
    // Earlier unanswered calls say nothing about the present network.
    window.clear()
  }

  function recordAnswer(call: EndedCall): void {
    // A call sent earlier may be answered late by a network that has since stopped.
    if (!open || call.is_token || now_ms() - call.duration_ms < open.at_ms) return
    const was_own = open.own
    close()
    if (was_own) onChange('healthy', { calls: 0, unanswered: 0 })
  }

  function recordSilence(): void {
    last_unanswered_ms = now_ms()
    if (open?.own) return
    const { calls, unanswered } = window.figures()
    if (calls < MIN_CALLS || unanswered * 2 <= calls) return
    open = { at_ms: open?.at_ms ?? now_ms(), since: real(), own: true }
    trials.putOff()
    onChange('degraded', { calls, unanswered })
  }

  return {
    state: () => (open && (!open.own || now_ms() - last_unanswered_ms < JUDGED_MS) ? 'degraded' : 'healthy'),
    openSince: () => (open?.own && now_ms() - last_unanswered_ms < JUDGED_MS ? open.since : null),
    record(call) {
      if (!call.answered || !call.is_token) window.add(call.answered, call.duration_ms)
      if (call.answered) recordAnswer(call)
      else recordSilence()
    },
    enter: () => (open ? trials.begin() : 'pass'),
    nextEntry: () => (open ? trials.nextMs() : 0),
    follow(others_since, last_answer) {
      if (open?.own) return
      if (others_since && (!last_answer || last_answer < others_since)) {
        open ??= { at_ms: now_ms(), since: others_since, own: false }
      } else if (open) close()
    },
  }
}

/** The calls that are sent while the breaker is open: one at a time, and one every five seconds. */
function createTrials(now_ms: () => number, call_ms: number) {
  let running: { began_ms: number } | null = null
  let next_ms = 0
  /** Return the time at which a trial that never ends is given up. */
  const giveUpMs = () => (running ? running.began_ms + call_ms + TRIAL_EVERY_MS : 0)
  const nextMs = () => Math.max(0, next_ms - now_ms(), giveUpMs() - now_ms())
  return {
    nextMs,
    putOff() {
      running = null
      next_ms = now_ms() + TRIAL_EVERY_MS
    },
    begin(): Trial | undefined {
      if (nextMs() > 0) return undefined
      const mine = { began_ms: now_ms() }
      running = mine
      next_ms = now_ms() + TRIAL_EVERY_MS
      return {
        end(was_sent) {
          if (running !== mine) return
          running = null
          if (!was_sent) next_ms = now_ms()
        },
      }
    },
  }
}

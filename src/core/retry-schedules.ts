/** The waits between the attempts of an operation. */
interface RetrySchedule {
  /** Seconds before the second attempt, the third, and so on. */
  waits_s: readonly number[]
  /** Seconds before every later attempt. Without it there are no later attempts. */
  then_every_s?: number
}

const HOUR_S = 3_600

/** All retry waits of the program. */
export const retrySchedules = {
  /**
   * Asks the network for the state of an open charge or refund (interface-gaps: Collection requests). Each
   * minute at first: the callback may have come to a process that was killed, and only a status query finds that out.
   */
  order_check: { waits_s: [5, 15, 60, 60, 60, 60, 60, 60, 60, 60, 300, 900], then_every_s: HOUR_S },
  payout_check: { waits_s: [5, 15, 60, 60, 60, 60, 60, 60, 60, 60, 300, 900], then_every_s: HOUR_S },
  /** The first checks follow quickly, because the caller still waits for the response. */
  vend_check: { waits_s: [1, 2, 5, 10, 30, 60, 60, 60, 60, 60, 60, 60, 300, 900], then_every_s: HOUR_S },
  /** The network did not respond to a check of an unverified callback. */
  callback_check: { waits_s: [5, 30, 60, 60, 60, 60, 60, 60, 60, 300, 1_800, HOUR_S, HOUR_S, HOUR_S] },
  /** Short, because the network waits one minute for the decision. */
  acceptance_check: { waits_s: [1, 2, 5], then_every_s: 10 },
  account_holder_lookup: { waits_s: [60, 600, HOUR_S, 6 * HOUR_S] },
  mail: { waits_s: [60, 600, HOUR_S, 6 * HOUR_S, 24 * HOUR_S] },
  sms: { waits_s: [30, 120, 600, HOUR_S, 6 * HOUR_S] },
  /** Asks an SMS provider for the outcome of an SMS if it does not report by itself. */
  sms_report: { waits_s: [30, 120, 600, HOUR_S, 6 * HOUR_S, 24 * HOUR_S] },
  /** Ten attempts in all (interface-gaps: Webhooks). */
  webhook_delivery: { waits_s: [10, 30, 120, 600, 1_800, HOUR_S, 2 * HOUR_S, 4 * HOUR_S, 8 * HOUR_S] },
  /** Callbacks that must be processed before they can be erased. */
  message_erasure: { waits_s: [], then_every_s: HOUR_S },
} as const satisfies Record<string, RetrySchedule>

/** Seconds to wait after this many attempts (at least 1), or null when the schedule has no further attempt. */
export function waitAfter({ waits_s, then_every_s }: RetrySchedule, attempts: number): number | null {
  return waits_s[attempts - 1] ?? then_every_s ?? null
}

/** Returns the time of the next attempt after this many attempts (at least 1), or null when there is none. */
export function nextAttemptAt(now: Date, schedule: RetrySchedule, attempts: number): Date | null {
  const wait_s = waitAfter(schedule, attempts)
  return wait_s === null ? null : new Date(now.getTime() + wait_s * 1_000)
}

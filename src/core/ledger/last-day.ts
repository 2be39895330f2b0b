const DAY_MS = 86_400_000

/**
 * The moment from which what was spent counts against limits: 24 hours ago. A limit of a calendar day would begin anew with each
 * change of the time zone (docs/decisions/0078).
 */
export function startOfLimits(now: Date): Date {
  return new Date(now.getTime() - DAY_MS)
}

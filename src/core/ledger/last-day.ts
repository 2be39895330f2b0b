const DAY_MS = 86_400_000

/**
 * Returns the start of the 24 hours that count against limits. A limit of a calendar day would restart with each change
 * of the time zone (docs/decisions/0078).
 */
export function startOfLimits(now: Date): Date {
  return new Date(now.getTime() - DAY_MS)
}

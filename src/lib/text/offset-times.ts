const MINUTE_MS = 60_000

/**
 * Writes a time as the clocks of a place show it, with their distance from UTC: `2030-01-31T15:00:00+03:00`.
 * @param local display of the clocks, as a date that shows the same in UTC
 */
export function offsetTimestamp(at: Date, local: Date): string {
  const ahead_min = Math.round((local.getTime() - at.getTime()) / MINUTE_MS)
  const minutes = Math.abs(ahead_min)
  const pad = (number: number) => String(number).padStart(2, '0')
  const offset = `${ahead_min < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
  return `${local.toISOString().slice(0, 19)}${offset}`
}

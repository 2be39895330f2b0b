/*
 * Request id of VTpass: the date and time of the purchase in Lagos, and our reference. Its parts never change, so a
 * query on the next day has the same id. VTpass refuses a new purchase whose id is not of today.
 */

/** Lagos has no summer time. */
const LAGOS_AHEAD_MS = 3_600_000
const DAY_MS = 86_400_000

/** `YYYYMMDDHHmm` of the purchase, and the reference in letters and digits. */
export function toRequestId({ reference, created }: { reference: string; created: Date }): string {
  return inLagos(created).toISOString().slice(0, 16).replace(/\D/g, '') + encodeReference(reference)
}

/** Our reference in a request id; undefined for a text that is none. */
export function referenceOf(request_id: string): string | undefined {
  const encoded = /^\d{12}([0-9A-Za-z]{1,300})$/.exec(request_id)?.[1]
  if (encoded === undefined) return undefined
  try {
    const reference = decodeURIComponent(encoded.replaceAll(ESCAPE, '%'))
    return encodeReference(reference) === encoded ? reference : undefined
  } catch {
    return undefined
  }
}

/** Return true if the day of a purchase is over, so that VTpass refuses its request id. */
export function isOfEarlierDay(created: Date, now: Date): boolean {
  return dayOf(created) < dayOf(now)
}

/** Return the milliseconds since midnight in Lagos. */
export function sinceMidnightMs(now: Date): number {
  return inLagos(now).getTime() % DAY_MS
}

function dayOf(time: Date): number {
  return Math.floor(inLagos(time).getTime() / DAY_MS)
}

function inLagos(time: Date): Date {
  return new Date(time.getTime() + LAGOS_AHEAD_MS)
}

/** Stand-in for the percent sign of URL encoding, which VTpass does not accept. */
const ESCAPE = 'Z'

function encodeReference(reference: string): string {
  return [...reference].map((one) => (/^[0-9A-Ya-z]$/.test(one) ? one : encodeCharacter(one))).join('')
}

function encodeCharacter(one: string): string {
  const bytes = [...Buffer.from(one)]
  return bytes.map((byte) => ESCAPE + byte.toString(16).padStart(2, '0')).join('')
}

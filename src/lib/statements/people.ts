import { parseLocalPhone, parsePhone } from '../phone.ts'

/** Other side of a payment, if a statement names it. */
export interface Person {
  /** E.164, or with hidden digits as the network writes it; null where there is none. */
  phonenumber: string | null
  name: string | null
}

/** A number that may have hidden digits, with a name behind it: `2547****1234 - ANN`, `FRI:256772000001/MSISDN`. */
const NUMBERED = /^(?:fri:|tel:)?(\+?[\d*x•][\d*x• ]{4,18}[\d*x•])(?:\/msisdn)?(?=$|[\s–:/-])/i
/** A name begins with no digit, unless a sign stands before it. */
const NAME = /^(?:[–:/-]|\D)/

/**
 * Reads who stands in a cell of a statement.
 * @param country ISO 3166-1, for numbers without country code
 */
export function readPerson(text: string, country: string | null): Person {
  const cell = text.trim()
  const parts = NUMBERED.exec(cell)
  const rest = cell.slice(parts?.[0].length).trim()
  if (!parts || (rest !== '' && !NAME.test(rest))) return { phonenumber: null, name: cell || null }
  const written = parts[1]!.replaceAll(' ', '')
  const phone = country === null ? parsePhone(written) : parseLocalPhone(written, country)
  return { phonenumber: phone?.number ?? written, name: rest.replace(/^[–:/-]/, '').trim() || null }
}

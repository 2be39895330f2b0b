import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'

/**
 * A phone number in E.164 (`+256772000001`) and its country in ISO 3166-1 alpha-2; `XX` is the sandbox's test country.
 */
export interface Phone {
  readonly number: string
  readonly country: string
}

/**
 * Reads a phone number with country code as people write it: `+256 772 000 001`, `256772000001`, `00256 (0)772-000001`.
 * A number is valid if libphonenumber says it is possible for its country, or if it is `+800` and 8 digits (sandbox).
 * Returns undefined for anything else, including numbers without a country code.
 */
export function parsePhone(text: string): Phone | undefined {
  const digits = INTERNATIONAL_DIGITS.exec(text.length > MAX_TEXT_LENGTH ? '' : text.replace(SEPARATORS, ''))?.[1]
  if (!digits) return undefined
  if (TEST_COUNTRY.test(digits)) return { number: `+${digits}`, country: 'XX' }
  let phone = phoneCache.get(digits)
  if (phone === undefined) {
    if (phoneCache.size >= MAX_CACHED_PHONES) phoneCache.clear()
    phone = parseWithLibrary(digits)
    phoneCache.set(digits, phone)
  }
  return phone ?? undefined
}

/**
 * Reads a phone number as people of a country write it: `0772 000 001` in Uganda. A number with a country code is read as
 * `parsePhone` does, also without its plus sign.
 * @param country ISO 3166-1; `XX`, the test country, has numbers of eight digits
 */
export function parseLocalPhone(text: string, country: string): Phone | undefined {
  const digits = text.length > MAX_TEXT_LENGTH ? '' : text.replace(SEPARATORS, '')
  if (!/^\d{4,15}$/.test(digits)) return parsePhone(text)
  if (country === 'XX') return parsePhone(digits.length === 8 ? `+800${digits}` : text)
  const found = parsePhoneNumberFromString(digits, country as CountryCode)
  const local = found?.isPossible() ? parsePhone(found.number) : undefined
  return local ?? parsePhone(text)
}

/** Writes a phone number as people of a country do: `0772 000001` in Uganda, and with its country code elsewhere. */
export function formatLocalPhone(number: string, country: string): string {
  const phone = parsePhone(number)
  if (phone?.country === 'XX') return country === 'XX' ? number.slice(4) : number
  const found = parsePhoneNumberFromString(number)
  if (!found) return number
  return phone?.country === country ? found.formatNational() : found.formatInternational()
}

/**
 * Reads a Nigerian mobile number in the form that bill payments use: 11 digits, `08031234567`. `+234…` and `234…` are
 * accepted too. The prefix does not show the network, because customers keep their number when they change networks.
 */
export function parseNigerianPhone(text: string): string | undefined {
  const digits = NIGERIAN.exec(text.length > MAX_TEXT_LENGTH ? '' : text.replace(SEPARATORS, ''))?.[1]
  return digits && `0${digits}`
}

/**
 * Reads a phone number of a country for a purchase there, with or without its country code: `0712 345 678` or
 * `+254712345678` in Kenya. A Nigerian number has the form that bill payments use, any other one is in E.164.
 * @param country ISO 3166-1
 * @returns undefined for what is no number, or a number of another country
 */
export function parsePhoneOf(country: string, text: string): string | undefined {
  if (country === 'NG') return parseNigerianPhone(text)
  const phone = parsePhone(text)
  if (phone?.country === country && /^\s*\+/.test(text)) return phone.number
  if (text.length > MAX_TEXT_LENGTH || !isSupportedCountry(country)) return undefined
  const found = parsePhoneNumberFromString(text.replace(SEPARATORS, ''), country)
  if (!found?.isPossible() || !E164.test(found.number)) return undefined
  // The countries that share a calling code share their numbers.
  const is_there =
    found.country === undefined ? found.getPossibleCountries().includes(country) : found.country === country
  return is_there ? found.number : undefined
}

/** A phone number of bill payments in E.164: `08031234567` becomes `+2348031234567`. Undefined for what is none. */
export function toInternational(text: string): string | undefined {
  const nigerian = parseNigerianPhone(text)
  return nigerian ? `+234${nigerian.slice(1)}` : text.trim().startsWith('+') ? parsePhone(text)?.number : undefined
}

/** Masks a phone number for a log: `+256772000001` becomes `+25677*****01`. */
export function maskPhone(number: string): string {
  return number.length < 10
    ? '*'.repeat(number.length)
    : number.slice(0, 6) + number.slice(6, -2).replace(/./gs, '*') + number.slice(-2)
}

/** A number as people of a country write it, with the middle hidden: a page or a paper with it may be shown around. */
export function hideMiddle(number: string, country: string): string {
  const local = formatLocalPhone(number, country)
  const digits = local.replace(/\D/g, '').length
  let seen = 0
  return local.replace(/\d/g, (digit) => {
    seen += 1
    return seen <= 4 || seen > digits - 2 ? digit : '•'
  })
}

/** The country code before the numbers of a country: `256` for Uganda. Undefined for an unknown country. */
export function callingCode(country: string): string | undefined {
  if (country === 'XX') return '800'
  return isSupportedCountry(country) ? getCountryCallingCode(country) : undefined
}

/**
 * Converts the phone number of a list filter to the stored form (interface section 4.3.2). It adds a plus sign where it
 * is missing or where the URL turned it into a blank.
 */
export function normalizePhoneFilter(text: string): string {
  const number = text.trim()
  return number.startsWith('+') ? number : `+${number}`
}

const MAX_TEXT_LENGTH = 40
const SEPARATORS = /[\s().\-\u2010-\u2015/]/g
/** No country code starts with 0; E.164 has at most 15 digits, and one more may be the 0 of a national number. */
const INTERNATIONAL_DIGITS = /^(?:\+|00)?([1-9]\d{6,15})$/
const E164 = /^\+[1-9]\d{6,14}$/
const NIGERIAN = /^(?:0|\+?2340?)([789][01]\d{8})$/
const TEST_COUNTRY = /^800\d{8}$/

/**
 * Earlier answers of libphonenumber; null: not a phone number. A business asks the same customers many times, and one
 * look-up costs more than the rest of a request's validation. The cache is emptied when it is full.
 */
const phoneCache = new Map<string, Phone | null>()
const MAX_CACHED_PHONES = 10_000

function parseWithLibrary(digits: string): Phone | null {
  const found = parsePhoneNumberFromString(`+${digits}`)
  if (!found?.isPossible()) return null
  // libphonenumber drops the 0 of a national number, and allows some countries more digits than E.164 does.
  if (!E164.test(found.number)) return null
  // The result must stay the same number when it is read again.
  const changed = found.number !== `+${digits}`
  if (changed && parsePhoneNumberFromString(found.number)?.number !== found.number) return null
  // Several countries may share a code. If the digits fit none of them, the first one, the main country, is used.
  const country = found.country ?? found.getPossibleCountries()[0]
  return country ? { number: found.number, country } : null
}

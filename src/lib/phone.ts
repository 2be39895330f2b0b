import {
  type CountryCode,
  getCountryCallingCode,
  getExampleNumber,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'

/**
 * A phone number in E.164 (`+256772000001`) and its country in ISO 3166-1 alpha-2; `XX` is the sandbox's test country.
 */
export interface Phone {
  readonly number: string
  readonly country: string
}

/**
 * Reads a phone number with country code as people write it: `+256 772 000 001`, `256772000001`, `00256 (0)772-000001`.
 * A number is valid if a mobile phone of its country can have it (`isMobile`), or if it is `+800` and 8 digits (sandbox).
 * Returns undefined for anything else, including numbers without a country code.
 */
export function parsePhone(text: string): Phone | undefined {
  const digits = INTERNATIONAL_DIGITS.exec(plainDigits(text))?.[1]
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
  const digits = plainDigits(text)
  if (!/^\d{4,15}$/.test(digits)) return parsePhone(text)
  if (country === 'XX') return parsePhone(digits.length === 8 ? `+800${digits}` : text)
  const found = parsePhoneNumberFromString(digits, country as CountryCode)
  return (found && parsePhone(found.number)) ?? parsePhone(text)
}

/**
 * Reads a number that was stored, or that a network reports, with its country. It need not belong to a mobile phone:
 * the mobile prefixes change over the years. Undefined for a text that is no number.
 */
export function readKnownPhone(number: string): Phone | undefined {
  const phone = parsePhone(number)
  if (phone) return phone
  const found = E164.test(number) ? parsePhoneNumberFromString(number) : undefined
  const country = found?.isPossible() ? countryOf(found) : undefined
  return country === undefined ? undefined : { number, country }
}

/** Writes a phone number as people of a country do: `0772 000001` in Uganda, and with its country code elsewhere. */
export function formatLocalPhone(number: string, country: string): string {
  const phone = readKnownPhone(number)
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
  const digits = NIGERIAN.exec(plainDigits(text))?.[1]
  return digits && `0${digits}`
}

/**
 * Reads a phone number of a country for a purchase there, with or without its country code: `0712 345 678` or
 * `+254712345678` in Kenya. A Nigerian number has the form that bill payments use, any other one is in E.164.
 * @param country ISO 3166-1
 * @returns undefined for a text that is no number, or a number of another country
 */
export function parsePhoneOf(country: string, text: string): string | undefined {
  if (country === 'NG') return parseNigerianPhone(text)
  const digits = plainDigits(text)
  const phone = digits.startsWith('+') ? parsePhone(digits) : undefined
  if (phone?.country === country) return phone.number
  if (!isSupportedCountry(country)) return undefined
  const found = parsePhoneNumberFromString(digits, country)
  if (!found || !E164.test(found.number) || !isMobile(found)) return undefined
  // The countries that share a calling code share their numbers.
  const is_there =
    found.country === undefined ? found.getPossibleCountries().includes(country) : found.country === country
  return is_there ? found.number : undefined
}

/**
 * Converts a phone number of bill payments to E.164: `08031234567` becomes `+2348031234567`. Undefined for other texts.
 */
export function toInternational(text: string): string | undefined {
  const nigerian = parseNigerianPhone(text)
  return nigerian
    ? `+234${nigerian.slice(1)}`
    : plainDigits(text).startsWith('+')
      ? parsePhone(text)?.number
      : undefined
}

/** Masks a phone number for a log: `+256772000001` becomes `+25677*****01`. */
export function maskPhone(number: string): string {
  return number.length < 10
    ? '*'.repeat(number.length)
    : number.slice(0, 6) + number.slice(6, -2).replace(/./gs, '*') + number.slice(-2)
}

/**
 * Returns a number as people of a country write it, with the middle hidden: a page or a paper with it may be shown
 * around.
 */
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
 * Converts the phone number of a list filter to the stored form (interface section 4.3.2). If `parsePhone` cannot read
 * it, it returns the text with the plus sign that is missing or that the URL turned into a blank.
 */
export function normalizePhoneFilter(text: string): string {
  const number = text.trim()
  return parsePhone(number)?.number ?? (number.startsWith('+') ? number : `+${number}`)
}

/** A typed number without the signs that nobody sees and without `tel:`, in the digits `0` to `9`. */
export function cleanPhoneText(text: string): string {
  return text
    .replace(INVISIBLE, '')
    .trim()
    .replace(/^tel:/i, '')
    .replace('＋', '+')
    .replace(/\p{Nd}/gu, asciiDigit)
}

/**
 * Returns the digits of a typed number, with the plus sign in front if there is one. Signs between them for the eye are
 * left out, as in `cleanPhoneText`; anything else, such as a letter, stays. A number that went through a spreadsheet or
 * a program as a float, `254712345678.0`, has no digits that can be trusted.
 */
function plainDigits(text: string): string {
  if (text.length > MAX_TEXT_LENGTH) return ''
  const seen = cleanPhoneText(text)
  return FLOAT.test(seen) ? '' : seen.replace(SEPARATORS, '')
}

/** Maximum length of a text: enough for every digit with a mark of direction on both sides. */
const MAX_TEXT_LENGTH = 60
/** Marks of direction, joiners, soft hyphens, byte order marks; the signs that make an emoji of a digit. */
const INVISIBLE = /\p{Cf}|[\ufe00-\ufe0f]|\u20e3/gu
const SEPARATORS = /[\s().\-\u2010-\u2015\u2212/]/g
const FLOAT = /^\+?\d{7,}\.0{1,2}$/
/** The zeros of scripts in use: Arabic, Persian, N'Ko, of India, Thai, Lao, Tibetan, Myanmar, Khmer, Adlam, fullwidth. */
const ZEROS = [...'٠۰߀०০੦૦୦௦౦೦൦๐໐༠၀០𞥐０'].map((zero) => zero.codePointAt(0)!)

function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!
  const zero = ZEROS.find((one) => code >= one && code <= one + 9)
  return zero === undefined ? digit : String(code - zero)
}

/**
 * True if a mobile phone can have the number. Either libphonenumber knows it as one; or it does not know its prefix,
 * and the number is as long as the country's mobile numbers. Networks open new prefixes before libraries know them; a
 * digit too many or too few is refused. Uganda's 031 and 039 are lines to the library, and wallets to MTN and Airtel.
 */
/**
 * Reads the number of a customer as SMS providers write it: with its country, and with or without a plus sign or zeros before it.
 * Returns undefined for a name, a short code, and digits that are no number of any country, such as a number without its country.
 */
export function readSenderPhone(text: string): string | undefined {
  const digits = /^(?:\+|00)?([1-9]\d{6,14})$/.exec(text.trim())?.[1]
  return digits && readKnownPhone(`+${digits}`)?.number
}

/**
 * Returns the relation of a phone to the addresses of a report. Providers write numbers with and without their country, with a
 * plus sign or zeros before them. `unknown`: no address is the number of a phone, but a name or a short code.
 * @param number E.164
 */
export function comparePhone(number: string, reported: readonly string[]): 'same' | 'other' | 'unknown' {
  const phones = reported.flatMap((one) => LONG_NUMBER.exec(plainDigits(one))?.[1] ?? [])
  if (phones.length === 0) return 'unknown'
  return phones.some((digits) => number.endsWith(digits)) ? 'same' : 'other'
}

/** The digits of a number that is no short code. */
const LONG_NUMBER = /^\+?0*([1-9]\d{6,14})$/

function isMobile(found: PhoneNumber): boolean {
  if (!found.isPossible()) return false
  const type = found.getType()
  if (type !== undefined) return MOBILE_TYPES.has(type) || /^\+2563[19]/.test(found.number)
  const country = countryOf(found)
  const usual = country && getExampleNumber(country, examples)
  return usual?.nationalNumber.length === found.nationalNumber.length
}

const MOBILE_TYPES: ReadonlySet<string> = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE', 'PERSONAL_NUMBER', 'VOIP'])

/** Several countries may share a code. If the digits fit none of them, the first one, the main country, is used. */
function countryOf(found: PhoneNumber): CountryCode | undefined {
  return found.country ?? found.getPossibleCountries()[0]
}

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
  if (!found || !isMobile(found)) return null
  // libphonenumber drops the 0 of a national number, and allows some countries more digits than E.164 does.
  if (!E164.test(found.number)) return null
  // The result must stay the same number when it is read again.
  const changed = found.number !== `+${digits}`
  if (changed && parsePhoneNumberFromString(found.number)?.number !== found.number) return null
  const country = countryOf(found)
  return country ? { number: found.number, country } : null
}

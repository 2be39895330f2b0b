import { getMessage } from '../../lib/messages/message.ts'
import { type Language, languages } from '../../lib/text/languages.ts'
import { dayIn, isoDay } from '../../lib/text/time-zones.ts'
import { isTimestamp, parseTimestamp } from '../../lib/time.ts'

/** Time at which a day is read, and the time zone of the organization. */
export interface ReadAt {
  now: Date
  time_zone: string
}

export const DAY_MESSAGE = getMessage('invoices.due_date')

/** True if `readDay` reads a text, at some time. */
export function isDay(text: string): boolean {
  return isTimestamp(text) || readNamedDay(text, '2000-01-01') !== undefined
}

/**
 * The day that a person means: `2030-01-31`, `31/01/2030`, `31.01.2030`, `31 January`, `Jan 31, 2030` with months in English, Swahili or French,
 * or a time from now such as `14 days`. A day without a year is the next one. Undefined for other texts.
 */
export function readDay(text: string, { now, time_zone }: ReadAt): string | undefined {
  const named = readNamedDay(text, dayIn(now, time_zone))
  if (named !== undefined) return named
  const at = parseTimestamp(text, now)
  // A date stands for itself; a time from now for the day in the time zone.
  return at && (/^\s*\d+[/-]/.test(text) ? at.toISOString().slice(0, 10) : dayIn(at, time_zone))
}

const ORDINAL = '(?:st|nd|rd|th|er)?'
const FORMS = [
  new RegExp(`^(?<day>\\d{1,2})${ORDINAL} (?:of )?(?<month>\\p{L}{3,})(?: (?<year>\\d{4}))?$`, 'u'),
  new RegExp(`^(?<month>\\p{L}{3,}) (?<day>\\d{1,2})${ORDINAL}(?: (?<year>\\d{4}))?$`, 'u'),
  /^(?<day>\d{1,2}) (?<digits>\d{1,2}) (?<year>\d{4})$/,
]
/** Maximum length of a text: longer than every date. */
const MAX_LENGTH = 40

/** @param today such as `2030-01-31` */
function readNamedDay(text: string, today: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const plain = withoutAccents(text)
    .replace(/[.,\s-]+/g, ' ')
    .trim()
  for (const form of FORMS) {
    const { day, month, digits, year } = form.exec(plain)?.groups ?? {}
    const number = digits === undefined ? monthOf(month ?? '') : Number(digits)
    if (day === undefined || number === undefined) continue
    const inYear = (one: string) => isoDay(`${one}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`)
    if (year !== undefined) return inYear(year)
    // Four years on, also the 29th of February has come again.
    const years = Array.from({ length: 5 }, (_, more) => String(Number(today.slice(0, 4)) + more))
    return years.map(inYear).find((one) => one !== undefined && one >= today)
  }
  return undefined
}

function monthOf(word: string): number | undefined {
  if (word.length < 3) return undefined
  const found = new Set(
    languages.flatMap((language) =>
      monthsIn(language).flatMap((name, index) => (name.startsWith(word) ? [index + 1] : [])),
    ),
  )
  return found.size === 1 ? [...found][0] : undefined
}

const months = new Map<Language, string[]>()

function monthsIn(language: Language): string[] {
  const known = months.get(language)
  if (known) return known
  const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
  const names = Array.from({ length: 12 }, (_, index) => withoutAccents(format.format(Date.UTC(2000, index, 1))))
  months.set(language, names)
  return names
}

function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

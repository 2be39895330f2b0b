import { formatDay, formatLocalTime, type Language } from './languages.ts'
import { clockIn, dayIn } from './time-zones.ts'

/** Forms of days other than 31/01/2030, with the countries (ISO 3166-1) that write them. */
const FORMS: readonly (readonly [form: string, countries: string])[] = [
  ['D.M.Y', 'AL AM AT AZ BA BG BY CH CZ DE DK EE FI GE HR IS KG KZ LI LV MD ME MK NO PL RO RS RU SI SK TJ TM TR UA UZ'],
  ['D-M-Y', 'NL SR'],
  ['Y-M-D', 'CA HU KR LT MN SE'],
  ['Y/M/D', 'CN JP TW ZA'],
  ['M/D/Y', 'AS FM GU MH MP PH PR PW UM US VI'],
]

const formOf = new Map(FORMS.flatMap(([form, countries]) => countries.split(' ').map((country) => [country, form])))

/** A day such as `2030-01-31` in the form of a country: `31/01/2030`. Without a country it stays as it is. */
export function countryDay(day: string, country: string | null): string {
  if (country === null) return day
  const [year = '', month = '', date = ''] = day.split('-')
  const parts: Readonly<Record<string, string>> = { D: date, M: month, Y: year }
  return (formOf.get(country) ?? 'D/M/Y').replace(/[DMY]/g, (letter) => parts[letter]!)
}

/** A day on a document: in the form of the organization's country, without one in words. */
export function documentDay(day: string, language: Language, country: string | null): string {
  return country === null ? formatDay(day, language) : countryDay(day, country)
}

/** A time on a document: in the form of the organization's country, without one in words. */
export function documentTime(at: Date, language: Language, place: { country: string | null; time_zone: string }) {
  const { country, time_zone } = place
  if (country === null) return formatLocalTime(at, language, time_zone)
  const names = new Intl.DateTimeFormat(language, { timeZone: time_zone, timeZoneName: 'short' }).formatToParts(at)
  // Swahili writes `GMT +3`, which would break between lines.
  const zone = names.find(({ type }) => type === 'timeZoneName')!.value.replace(' ', '')
  return `${countryDay(dayIn(at, time_zone), country)}, ${clockIn(at, time_zone).slice(0, 5)} ${zone}`
}

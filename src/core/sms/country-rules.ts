import type { Reader, Tx } from '../../db/client.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { Invalid, NotFound } from '../refusals.ts'

/** Rule of a country for SMS that are not transactional: hours and consent. */
export type CountryRule = Row<typeof ruleTable>
const ruleTable = table('sms_country_rules', {
  /** ISO 3166-1. */
  country: column.text().key(),
  /** An IANA name, such as `Africa/Lagos`. */
  time_zone: column.text(),
  /** `HH:MM` of the country's clock, from which none is sent; null for no quiet hours. */
  quiet_from: column.time().nullable(),
  quiet_until: column.time().nullable(),
  /** True if the person must have said START, or an operator on the person's behalf. */
  consent_required: column.boolean().default(false).given(),
})

/**
 * Rules of the program. Nigeria's networks refuse promotional SMS at night. The operator enters further rules of a
 * country's law with `sms rules set`.
 */
const defaultRules: Readonly<Record<string, CountryRule>> = Object.fromEntries(
  (
    [
      ['BI', 'Africa/Bujumbura'],
      ['CD', 'Africa/Kinshasa'],
      ['CI', 'Africa/Abidjan'],
      ['CM', 'Africa/Douala'],
      ['ET', 'Africa/Addis_Ababa'],
      ['GH', 'Africa/Accra'],
      ['KE', 'Africa/Nairobi'],
      ['MW', 'Africa/Blantyre'],
      ['MZ', 'Africa/Maputo'],
      ['NG', 'Africa/Lagos', '20:00', '08:00'],
      ['RW', 'Africa/Kigali'],
      ['SN', 'Africa/Dakar'],
      ['SS', 'Africa/Juba'],
      ['TZ', 'Africa/Dar_es_Salaam'],
      ['UG', 'Africa/Kampala'],
      ['ZA', 'Africa/Johannesburg'],
      ['ZM', 'Africa/Lusaka'],
      ['ZW', 'Africa/Harare'],
    ] as [string, string, string?, string?][]
  ).map(([country, time_zone, quiet_from = null, quiet_until = null]) => [
    country,
    { country, time_zone, quiet_from, quiet_until, consent_required: false },
  ]),
)

/** Reads the rules of all countries that have any, by country: the program's, and those that were set. */
export async function readCountryRules(db: Reader): Promise<Map<string, CountryRule & { is_set: boolean }>> {
  const set = await db<CountryRule[]>`
    select country, time_zone, to_char(quiet_from, 'HH24:MI') as quiet_from, to_char(quiet_until, 'HH24:MI') as quiet_until,
      consent_required
    from sms_country_rules order by country`
  return new Map<string, CountryRule & { is_set: boolean }>([
    ...Object.values(defaultRules).map((rule) => [rule.country, { ...rule, is_set: false }] as const),
    ...set.map((rule) => [rule.country, { ...rule, is_set: true }] as const),
  ])
}

const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/

/** Sets the rules of a country. Missing members stay as they are. @throws Invalid */
export async function setCountryRule(
  tx: Tx,
  country: string,
  change: Partial<Omit<CountryRule, 'country'>>,
): Promise<CountryRule> {
  const before = (await readCountryRules(tx)).get(country)
  const { time_zone, quiet_from, quiet_until, consent_required } = {
    time_zone: '',
    quiet_from: null,
    quiet_until: null,
    consent_required: false,
    ...before,
    ...change,
  }
  if (!/^[A-Z]{2}$/.test(country)) throw new Invalid({ country: [getMessage('sms.country')] })
  if (!isTimeZone(time_zone)) throw new Invalid({ time_zone: [getMessage('sms.give_time_zone')] })
  for (const time of [quiet_from, quiet_until])
    if (time !== null && !TIME_OF_DAY.test(time)) throw new Invalid({ quiet: [getMessage('sms.give_times_such')] })
  if (quiet_from !== null && quiet_from === quiet_until)
    throw new Invalid({ quiet: [getMessage('sms.quiet_hours_must')] })
  const rule = { country, time_zone, quiet_from, quiet_until, consent_required }
  await tx`
    ${insert(ruleTable, [rule], {})}
    ${ruleTable.replace(['time_zone', 'quiet_from', 'quiet_until', 'consent_required'])}`
  return rule
}

/** Removes the rules that were set for a country; the program's rules count again. @throws NotFound */
export async function removeCountryRule(tx: Tx, country: string): Promise<void> {
  const { count } = await tx`delete from sms_country_rules where country = ${country}`
  if (count === 0) throw new NotFound(getMessage('sms.no_rules_set', { country }))
}

/** A part of the day, `HH:MM` of the country's clock. It may go over midnight. */
export interface QuietHours {
  from: string
  until: string
}

/** Reads quiet hours such as `21:00-07:00`; undefined for a text that has no such hours. */
export function readQuietHours(text: string): QuietHours | undefined {
  const [from = '', until = '', ...more] = text.split('-')
  const is_valid = more.length === 0 && [from, until].every((time) => TIME_OF_DAY.test(time)) && from !== until
  return is_valid ? { from, until } : undefined
}

/** The rule of a country, with these quiet hours if the program and the operator have set none. */
export function withQuietHours(rule: CountryRule & { is_set: boolean }, hours: QuietHours | null): CountryRule {
  if (hours === null || rule.is_set || rule.quiet_from !== null) return rule
  return { ...rule, quiet_from: hours.from, quiet_until: hours.until }
}

/** Returns the end of the quiet hours that a moment lies in; undefined outside of them. */
export function endOfQuietHours(rule: CountryRule | undefined, now: Date): Date | undefined {
  if (!rule || rule.quiet_from === null || rule.quiet_until === null) return undefined
  const [from, until] = [minutesOf(rule.quiet_from), minutesOf(rule.quiet_until)]
  const at = minutesOfDay(now, rule.time_zone)
  const is_quiet = from < until ? at >= from && at < until : at >= from || at < until
  if (!is_quiet) return undefined
  const wait_minutes = (until - at + 1_440) % 1_440
  // To the full minute. A change of the clock in between moves it by an hour, after which it is checked again.
  return new Date(Math.floor(now.getTime() / 60_000) * 60_000 + wait_minutes * 60_000)
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number) as [number, number]
  return hours * 60 + minutes
}

function minutesOfDay(now: Date, time_zone: string): number {
  const text = new Intl.DateTimeFormat('en-GB', {
    timeZone: time_zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(now)
  return minutesOf(text)
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return name !== ''
  } catch {
    return false
  }
}

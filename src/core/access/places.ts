import countries from 'i18n-iso-countries/index.js'
import { getCountries } from 'libphonenumber-js/min'
import type { Reader, Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { DEFAULT_TIME_ZONE, readTimeZone } from '../../lib/text/time-zones.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { notifyRuleChange } from '../rule-changes.ts'
import { announceAccessChange } from './api-keys.ts'

/** Location of an organization: its time zone for counting days, and the country of its phone numbers. */
export interface Place {
  /** A name of the IANA time zone database. Days of charts, plans and invoices begin and end in it. */
  time_zone: string
  /** ISO 3166-1, two letters: phone numbers without country code belong to it. Null: they need the country code. */
  country: string | null
}

/** Default of organizations that have chosen none. */
export const NO_PLACE: Place = { time_zone: DEFAULT_TIME_ZONE, country: null }

/** Place of the sandbox's own organization: its networks are Ugandan, and so are most examples. */
export const SANDBOX_PLACE: Place = { time_zone: 'Africa/Kampala', country: 'UG' }

/** The time zones of the countries that Kusanya has networks for. Each of them has one. */
const ZONES_OF_COUNTRIES: Readonly<Record<string, string>> = {
  UG: 'Africa/Kampala',
  KE: 'Africa/Nairobi',
  NG: 'Africa/Lagos',
}

/** Returns the place that follows from a country alone; undefined for other countries. @param country ISO 3166-1 */
export function placeInCountry(country: string): Place | undefined {
  const time_zone = ZONES_OF_COUNTRIES[country]
  return time_zone === undefined ? undefined : { time_zone, country }
}

/**
 * Reads a time zone and a country as people type them: `africa/kampala` and `ug`. An empty country is none.
 * @throws Invalid
 */
export function readPlace(input: { time_zone: string; country: string | null }): Place {
  const time_zone = readTimeZone(input.time_zone)
  const country = input.country?.trim().toUpperCase() || null
  const errors: Record<string, string[]> = {}
  if (time_zone === undefined) errors.time_zone = [getMessage('fields.time_zone')]
  if (country !== null && !isCountry(country)) errors.country = [getMessage('fields.country')]
  if (time_zone === undefined || Object.keys(errors).length > 0) throw new Invalid(errors)
  return { time_zone, country }
}

/** True if two letters are the code of a country (ISO 3166-1). */
function isCountry(code: string): boolean {
  return /^[A-Z]{2}$/.test(code) && countries.alpha2ToNumeric(code) !== undefined
}

/** The codes of all countries whose numbers can be read without country code. */
export function countryCodes(): string[] {
  return getCountries().filter(isCountry).sort()
}

/** Reads the time zone and the country of an organization. @throws NotFound */
export async function readPlaceOf(db: Reader, organization: number): Promise<Place> {
  const [row] = await db<Place[]>`select time_zone, country from organizations where id = ${organization}`
  if (!row) throw new NotFound(getMessage('access.no_organization_with', { organization }))
  return row
}

/**
 * Sets the time zone and the country of an organization. Existing times stay: dates of plans, due dates of issued
 * invoices. Limits know no days, so a change restarts none.
 * @returns the former values
 * @throws NotFound
 */
export async function setPlace(tx: Tx, now: Date, organization: number, place: Place): Promise<Place> {
  await tx`select id from organizations where id = ${organization} for update`
  const before = await readPlaceOf(tx, organization)
  // Callers carry the time zone, and processes remember callers.
  await announceAccessChange(tx)
  await notifyRuleChange(tx, organization)
  await tx`
    update organizations set time_zone = ${place.time_zone}, country = ${place.country},
      modified = ${truncateToSecond(now)}
    where id = ${organization}`
  return before
}

/** A change of time zone and country for the audit log. */
export function changeOfPlace(before: Place, { time_zone, country }: Place) {
  return { time_zone, country, time_zone_before: before.time_zone, country_before: before.country }
}

import { type SheetLimits, uploadLimits } from '../../lib/sheets/sheet.ts'
import type { Portal } from '../../lib/statements/portal.ts'
import { type OpenedStatement, openStatement } from '../../lib/statements/read-statement.ts'
import type { DateOrder } from '../../lib/statements/stated-dates.ts'
import type { StatementColumn } from '../../lib/statements/statement-line.ts'
import type { Place } from '../access/places.ts'

const MEGABYTE = 1_048_576

/** The limits of a statement that is uploaded: some 80,000 lines. */
export const uploadedStatement: SheetLimits = {
  ...uploadLimits,
  bytes: 8 * MEGABYTE,
  rows: 200_000,
  characters: 60_000_000,
  unpacked_bytes: 128 * MEGABYTE,
  time_ms: 60_000,
  memory_mb: 512,
}

/** The limits of a statement in a file of the server: some 2,000,000 lines. */
export const localStatement: SheetLimits = {
  ...uploadLimits,
  bytes: 256 * MEGABYTE,
  rows: 3_000_000,
  characters: 1_000_000_000,
  unpacked_bytes: 1_024 * MEGABYTE,
  time_ms: 30 * 60_000,
  memory_mb: 2_048,
}

/** Connection of a statement, with the facts that its files depend on. */
export interface StatementSource {
  driver: {
    portal?: Portal
    places: readonly { country: string | null; currency: string | null; environments?: readonly string[] }[]
  }
  environment: string
  /** The wallets that use it; null where all do. */
  places: readonly { country: string | null; currency: string }[] | null
}

/** Choices of a person about the file. */
interface StatementChoices {
  names?: Partial<Record<StatementColumn, string>>
  dates?: DateOrder | undefined
  sheet?: string | undefined
  /** The time zone of a file that has another one than its network. */
  time_zone?: string | undefined
}

/**
 * Opens the statement of a connection with the formats of its network's portal. Times without a zone are the network's,
 * or the organization's if the network is in several countries, or in none.
 * @param home place of the organization
 * @throws WrongStatement, StatementQuestion
 */
export function openStatementFile(
  bytes: Uint8Array,
  source: StatementSource,
  { home, limits, ...choices }: StatementChoices & { home: Place; limits: SheetLimits },
): Promise<OpenedStatement> {
  const { time_zone, ...rest } = choices
  return openStatement(bytes, {
    ...rest,
    limits,
    portal: source.driver.portal ?? {},
    zone: time_zone ?? zoneOf(source, home),
    country: countryOf(source) ?? home.country,
  })
}

/**
 * Returns the time zone of the statements of a connection: the one that its portal writes, the country's, or the
 * organization's.
 */
export function zoneOf(source: StatementSource, home: Place): string {
  const country = countryOf(source)
  return source.driver.portal?.zone ?? (country === undefined ? undefined : zoneOfCountry(country)) ?? home.time_zone
}

/** The currency of a connection that has only one. */
export function currencyOf({ places, driver, environment }: StatementSource): string | undefined {
  return only((places ?? placesIn(driver, environment)).map(({ currency }) => currency))
}

/** The country of a connection that serves only one. */
function countryOf({ driver, environment, places }: StatementSource): string | undefined {
  const own = only((places ?? []).map(({ country }) => country))
  if (own !== undefined) return own
  const currencies = new Set(places?.map(({ currency }) => currency))
  const served = placesIn(driver, environment).filter(
    ({ currency }) => currencies.size === 0 || currency === null || currencies.has(currency),
  )
  return only(served.map(({ country }) => country))
}

function placesIn({ places }: StatementSource['driver'], environment: string) {
  return places.filter(({ environments }) => environments === undefined || environments.includes(environment))
}

/** The value that all have, if it is not null. */
function only(values: readonly (string | null)[]): string | undefined {
  const [first, ...others] = new Set(values)
  return others.length === 0 ? (first ?? undefined) : undefined
}

/** Locale with properties that Node has beyond the types of the compiler. */
interface ZonedLocale extends Intl.Locale {
  getTimeZones(): string[] | undefined
}

/** The time zone of a country that has only one, by the rules of Node. */
function zoneOfCountry(country: string): string | undefined {
  const zones = /^[A-Z]{2}$/.test(country)
    ? (new Intl.Locale('und', { region: country }) as ZonedLocale).getTimeZones()
    : undefined
  return zones?.length === 1 ? zones[0] : undefined
}

/** The languages in which customers are spoken to. */
export const languages = ['en', 'sw', 'fr'] as const
export type Language = (typeof languages)[number]

const TIME_ZONES: Readonly<Record<string, string>> = { UG: 'Africa/Kampala', KE: 'Africa/Nairobi', NG: 'Africa/Lagos' }

/** The time zone of a country, by its code in ISO 3166-1; an unknown one gets UTC. */
export function timeZoneOf(country: string | undefined): string {
  return TIME_ZONES[country ?? ''] ?? 'UTC'
}

/** A day such as `2030-01-31` as people read it. */
export function formatDay(day: string, language: Language): string {
  const format = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(language, format).format(new Date(`${day}T00:00:00Z`))
}

/** A time as people of a country read it, with its time zone. @param country ISO 3166-1; an unknown one gets UTC */
export function formatLocalTime(date: Date, language: Language, country: string | undefined): string {
  const format = { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const
  return new Intl.DateTimeFormat(language, { ...format, timeZone: timeZoneOf(country), timeZoneName: 'short' }).format(
    date,
  )
}

/** The languages in which customers are spoken to. */
export const languages = ['en', 'sw', 'fr'] as const
export type Language = (typeof languages)[number]

const TIME_ZONES: Readonly<Record<string, string>> = { UG: 'Africa/Kampala', KE: 'Africa/Nairobi', NG: 'Africa/Lagos' }

/** A time as people of a country read it, with its time zone. @param country ISO 3166-1; an unknown one gets UTC */
export function formatLocalTime(date: Date, language: Language, country: string | undefined): string {
  const format = { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const
  const timeZone = TIME_ZONES[country ?? ''] ?? 'UTC'
  return new Intl.DateTimeFormat(language, { ...format, timeZone, timeZoneName: 'short' }).format(date)
}

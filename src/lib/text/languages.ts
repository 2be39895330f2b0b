/** The languages in which customers are spoken to. */
export const languages = ['en', 'sw', 'fr'] as const
export type Language = (typeof languages)[number]

/** A day such as `2030-01-31` as people read it. */
export function formatDay(day: string, language: Language): string {
  const format = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(language, format).format(new Date(`${day}T00:00:00Z`))
}

/** A time as people of a time zone read it, with its short name. */
export function formatLocalTime(date: Date, language: Language, time_zone: string): string {
  const format = { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const
  return new Intl.DateTimeFormat(language, { ...format, timeZone: time_zone, timeZoneName: 'short' }).format(date)
}

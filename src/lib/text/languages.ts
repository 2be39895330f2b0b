/** The languages in which customers are spoken to. */
export const languages = ['en', 'sw', 'fr'] as const
export type Language = (typeof languages)[number]

/**
 * Return the language of a page or a file: the one that the person has chosen, or the first of the browser's that there is,
 * or English.
 * @param chosen such as the parameter `lang` of an address
 * @param accepted the header Accept-Language
 */
export function chooseLanguage(chosen: string | undefined, accepted: string | undefined): Language {
  const known = (code: string | undefined) => languages.find((one) => one === code)
  const choices = (accepted ?? '')
    .slice(0, 500)
    .split(',')
    .map((choice) => {
      const [range = '', ...parameters] = choice.trim().toLowerCase().split(';')
      const quality = Number(/q=([\d.]+)/.exec(parameters.join(';'))?.[1] ?? 1)
      return { language: known(range.split('-')[0]), quality: Number.isNaN(quality) ? 0 : quality }
    })
    .filter(({ language, quality }) => language && quality > 0)
    .sort((a, b) => b.quality - a.quality)
  return known(chosen) ?? choices[0]?.language ?? 'en'
}

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

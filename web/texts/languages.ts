/** The languages of the console, by their own names. */
export const languages = { en: 'English', sw: 'Kiswahili', fr: 'Français' } as const
export type Language = keyof typeof languages

const KEY = 'language'

/** Return the language of this browser: the user's choice, or the first in its settings that the console has. */
export function readLanguage(): Language {
  const wanted = [localStorage.getItem(KEY), ...navigator.languages]
  return wanted.map((tag) => tag?.split('-')[0]?.toLowerCase()).find(isLanguage) ?? 'en'
}

/**
 * Return the locale for dates and numbers in a language: as in the country of the browser, such as `en-KE`. English
 * without a country is East Africa's, where the day comes before the month.
 */
export function readLocale(language: Language): string {
  const regional = navigator.languages.find((tag) => tag.split('-')[0]?.toLowerCase() === language && tag.includes('-'))
  return regional ?? (language === 'en' ? 'en-KE' : language)
}

/** Keep the language for the next load of a page in this browser. */
export function keepLanguage(language: Language): void {
  localStorage.setItem(KEY, language)
}

function isLanguage(tag: string | undefined): tag is Language {
  return tag !== undefined && Object.hasOwn(languages, tag)
}

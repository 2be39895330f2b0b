/** The languages of the console, by their own names. */
export const languages = { en: 'English', sw: 'Kiswahili', fr: 'Français' } as const
export type Language = keyof typeof languages

const KEY = 'language'

/** The language of this browser: what its user chose, or the first that its settings name and the console has. */
export function readLanguage(): Language {
  const wanted = [localStorage.getItem(KEY), ...navigator.languages]
  return wanted.map((tag) => tag?.split('-')[0]?.toLowerCase()).find(isLanguage) ?? 'en'
}

/** Shows the console in another language from now on. Texts are read once, when the page loads, so it loads again. */
export function changeLanguage(language: Language): void {
  localStorage.setItem(KEY, language)
  location.reload()
}

function isLanguage(tag: string | undefined): tag is Language {
  return tag !== undefined && Object.hasOwn(languages, tag)
}

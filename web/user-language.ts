import { api } from './api.ts'
import { language } from './texts/index.ts'
import { keepLanguage, type Language } from './texts/languages.ts'

/** Show the console in another language from now on. Texts are read once, when the page loads, so it loads again. */
export function changeLanguage(code: Language): void {
  keepLanguage(code)
  location.reload()
}

/** Store the language of the user, and show the console in it. @throws ApiError */
export async function storeLanguage(code: Language): Promise<void> {
  await api.put('/account/language', { language: code })
  changeLanguage(code)
}

/** Show the console in the language that the user has chosen, maybe in another browser. */
export function adoptLanguage(code: Language | null | undefined): void {
  if (code && code !== language) changeLanguage(code)
}

import { api } from './api.ts'
import { language } from './texts/index.ts'
import { changeLanguage, type Language } from './texts/languages.ts'

/** Stores the language of the user, and shows the console in it. @throws ApiError */
export async function storeLanguage(code: Language): Promise<void> {
  await api.put('/account/language', { language: code })
  changeLanguage(code)
}

/** Shows the console in the language that the user has chosen, maybe in another browser. */
export function adoptLanguage(code: Language | null | undefined): void {
  if (code && code !== language) changeLanguage(code)
}

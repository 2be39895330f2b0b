import { chooseLanguage, type Language, languages } from '../../lib/text/languages.ts'
import { english } from './english.ts'
import { french } from './french.ts'
import { swahili } from './swahili.ts'
import type { Texts } from './words.ts'

export { chooseLanguage, type Language, languages }

const texts: Record<Language, Texts> = { en: english, sw: swahili, fr: french }

export function textsOf(language: Language): Texts {
  return texts[language]
}

import type { Language } from '../text/languages.ts'
import english from './en.json' with { type: 'json' }
import french from './fr.json' with { type: 'json' }
import swahili from './sw.json' with { type: 'json' }
import { createTranslator } from './translate.ts'

/** Codes, such as a state in a message, stay as they are. */
const sameCode = (code: string) => code

const translators: Record<Language, (text: string) => string> = {
  en: (text) => text,
  fr: createTranslator(english, french, sameCode),
  sw: createTranslator(english, swahili, sameCode),
}

/** Return a message of the service in the language of a person, for a file. Other texts stay as they are. */
export function translateMessage(language: Language, text: string): string {
  return translators[language](text)
}

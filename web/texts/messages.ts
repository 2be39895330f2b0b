import { createTranslator, type MessageCatalogue } from '../../src/lib/messages/translate.ts'
import { translateAmount } from '../../src/lib/text/amount-texts.ts'
import type { Language } from './languages.ts'

/** Messages of the service in languages other than English. */
const catalogues: Partial<Record<Language, () => Promise<{ default: MessageCatalogue }>>> = {
  fr: () => import('../../src/lib/messages/fr.json'),
  sw: () => import('../../src/lib/messages/sw.json'),
}

let translate = (text: string): string => text

/** Return a message of the service in the language of the console. Texts that are not ours stay as they are. */
export function translateMessage(text: string): string {
  return translate(text)
}

/** Load the messages of the service. @param findWord the word for a code, such as a state */
export async function loadMessages(language: Language, findWord: (code: string) => string | undefined): Promise<void> {
  const load = catalogues[language]
  if (!load) return
  const [{ default: english }, { default: other }] = await Promise.all([
    import('../../src/lib/messages/en.json'),
    load(),
  ])
  translate = createTranslator(
    english,
    other,
    (code) => (findWord(code) ?? code).toLocaleLowerCase(language),
    (amount) => translateAmount(amount, language),
  )
}

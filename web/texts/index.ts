import 'dayjs/locale/fr.js'
import 'dayjs/locale/sw.js'
import dayjs from 'dayjs'
import i18next, { type FormatterModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Amount } from '../../src/lib/money.ts'
import { amountInWords, type ToCardinal } from '../../src/lib/text/amount-words.ts'
import type { StateNoun } from './agreement.ts'
import type { Catalogue } from './catalogue.ts'
import { en } from './en/index.ts'
import { type Language, readLanguage, readLocale } from './languages.ts'
import { loadMessages } from './messages.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en }
  }
}

/** Catalogues. Each language but English is loaded only on use. */
const catalogues: Record<Language, () => Promise<Catalogue>> = {
  en: async () => en,
  sw: async () => (await import('./sw/index.ts')).default,
  fr: async () => (await import('./fr/index.ts')).default,
}

/** Whole numbers in the words of each language. */
const cardinals: Record<Language, () => Promise<{ toCardinal: ToCardinal }>> = {
  en: () => import('n2words/en-GB'),
  sw: () => import('n2words/sw-KE'),
  fr: () => import('n2words/fr-FR'),
}
let toCardinal = String as ToCardinal

/** An amount in the words of the language that is shown. */
export function inWords(amount: Amount): string {
  return amountInWords(amount, toCardinal)
}

/** The language that is shown. */
export let language: Language = 'en'
/** The locale of dates and numbers, such as `en-KE` (BCP 47). */
export let locale = 'en'

/** Separate the thousands of `count`. Other numbers, such as ids, stay as they are. */
const counts: FormatterModule = {
  type: 'formatter',
  init() {},
  add() {},
  addCached() {},
  format: (value: unknown, _format, _language, { interpolationkey } = {}) =>
    (typeof value === 'number' && interpolationkey === 'count' ? value.toLocaleString(locale) : value) as string,
}

/**
 * Load the texts. It ends before any page is loaded, so that texts can be read everywhere, also while a module is
 * loaded; that is why another language loads the page again.
 */
export async function loadTexts(): Promise<void> {
  language = readLanguage()
  locale = readLocale(language)
  toCardinal = (await cardinals[language]()).toCardinal
  await i18next
    .use(initReactI18next)
    .use(counts)
    .init({
      lng: language,
      resources: { [language]: { translation: await catalogues[language]() } },
      interpolation: { escapeValue: false, alwaysFormat: true }, // React escapes.
    })
  await loadMessages(language, findWord)
  dayjs.locale(language)
}

/**
 * A text by its key, such as `t('payments.approve')`. Values stand in double braces; `count` chooses the plural form.
 * https://www.i18next.com/translation-function/essentials
 */
export const t = i18next.t

/**
 * Return the word for a code of the interface, such as `instructions_sent`; undefined if the catalogue has none.
 * @param noun noun with which the word agrees
 */
export function findWord(code: string, noun?: StateNoun): string | undefined {
  const name = code.toLowerCase().replaceAll(/[ -]/g, '_')
  const kind = noun && findText(`agreement.nouns.${noun}`)
  return (kind && findText(`agreement.forms.${kind}.${name}`)) ?? findText(`words.${name}`)
}

/**
 * Return a text whose key comes from the service, which may be newer than the catalogue; undefined if the catalogue has
 * none.
 */
export function findText(key: string, values: Record<string, string | number> = {}): string | undefined {
  return i18next.exists(key, values) ? i18next.t(key as 'words.successful', values) : undefined
}

/**
 * A text with elements in it: `<Trans i18nKey="home.look" components={{ a: <Link to="…" /> }} />` for `Look <a>there</a>`.
 * https://react.i18next.com/latest/trans-component
 */
export { Trans } from 'react-i18next'

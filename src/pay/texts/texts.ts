import { type Language, languages } from '../../lib/text/languages.ts'
import { english } from './english.ts'
import { french } from './french.ts'
import { swahili } from './swahili.ts'
import type { Texts } from './words.ts'

export { type Language, languages }

const texts: Record<Language, Texts> = { en: english, sw: swahili, fr: french }

export function textsOf(language: Language): Texts {
  return texts[language]
}

/**
 * The language of a page: the one that the customer has chosen, or the first of the browser's that there is, or English.
 * @param chosen the parameter `lang` of the address
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

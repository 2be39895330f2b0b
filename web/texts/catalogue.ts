import type { Agreement } from './agreement.ts'
import type { en } from './en/index.ts'

/**
 * The texts of one area in another language: every key of the English texts. A language with more plural forms has more
 * keys: French needs `_many` beside `_other` (https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html).
 */
type Translation<Texts> = {
  [Key in keyof Texts]: Texts[Key] extends string ? string : Translation<Texts[Key]>
} & { [Key in keyof Texts as Key extends `${infer Stem}_other` ? `${Stem}_many` : never]?: string }

/** Texts of the console in one language. */
export type Catalogue = Translation<typeof en> & { agreement: Partial<Agreement> }

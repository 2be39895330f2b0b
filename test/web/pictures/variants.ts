/** A language, window and color scheme in which pictures are taken. */
export interface Variant {
  language: string
  window: keyof typeof WINDOWS
  scheme: string
  /** Such as `sw-phone-dark`. */
  name: string
}

export const WINDOWS = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
const LANGUAGES = ['en', 'sw', 'fr']
const SCHEMES = ['light', 'dark']

export const VARIANTS: readonly Variant[] = Object.keys(WINDOWS).flatMap((window) =>
  SCHEMES.flatMap((scheme) =>
    LANGUAGES.map((language): Variant => {
      const name = `${language}-${window}-${scheme}`
      return { language, window: window as Variant['window'], scheme, name }
    }),
  ),
)

/** The variants whose names contain all words of one of these choices: `sw`, `phone-dark`, `fr-desk-light`. @throws Error if there are none */
export function chooseVariants(choices: readonly string[]): readonly Variant[] {
  if (choices.length === 0) return VARIANTS
  const chosen = (choice: string) =>
    VARIANTS.filter(({ name }) => choice.split('-').every((word) => name.split('-').includes(word)))
  const unknown = choices.find((choice) => chosen(choice).length === 0)
  if (unknown !== undefined)
    throw new Error(`${unknown} is no variant; these are ${VARIANTS.map(({ name }) => name).join(', ')}`)
  return [...new Set(choices.flatMap(chosen))]
}

import { describe, expect, it } from 'vitest'
import { chooseLanguage, languages, textsOf } from '../../../src/pay/texts/texts.ts'

describe('the language of a page', () => {
  it.each([
    [undefined, undefined, 'en'],
    [undefined, '', 'en'],
    [undefined, 'sw', 'sw'],
    [undefined, 'fr-CH, fr;q=0.9, en;q=0.8', 'fr'],
    [undefined, 'de, en;q=0.5, sw;q=0.7', 'sw'],
    [undefined, 'fr;q=0, en;q=0.1', 'en'],
    [undefined, ';;q=,,sw;q=x', 'sw'],
    [undefined, `${'x,'.repeat(10_000)}fr`, 'en'],
    ['fr', 'sw', 'fr'],
    ['<script>', 'sw', 'sw'],
  ])('that was chosen as %s, of a browser that prefers %s, is %s', (chosen, accepted, language) => {
    expect(chooseLanguage(chosen, accepted)).toBe(language)
  })
})

/** All texts with their names, such as `refusals.phone`. */
function flatten(value: object, prefix = ''): [name: string, text: string][] {
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string' ? [[prefix + name, inner] as [string, string]] : flatten(inner, `${prefix}${name}.`),
  )
}

const blanksOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()

it.each(languages)('every text in %s fills in the same values as the English one', (language) => {
  const english = flatten(textsOf('en'))
  const texts = new Map(flatten(textsOf(language)))
  expect([...texts.keys()]).toEqual(english.map(([name]) => name))
  for (const [name, text] of english) {
    expect([name, blanksOf(texts.get(name)!)]).toEqual([name, blanksOf(text)])
    expect(texts.get(name)).not.toBe('')
  }
})

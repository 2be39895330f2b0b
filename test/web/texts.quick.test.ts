import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import i18next from 'i18next'
import { describe, expect, it } from 'vitest'
import { UserLanguage } from '../../src/core/access/user-language.ts'
import checklistTexts from '../../src/lib/messages/checklist/en.json' with { type: 'json' }
import { formatPair, formatWord, joinParts } from '../../web/format.ts'
import { describeItem } from '../../web/pages/connections/checklist-words.ts'
import { formatPurpose } from '../../web/pages/sms/purposes.ts'
import { stateNouns } from '../../web/texts/agreement.ts'
import { en } from '../../web/texts/en/index.ts'
import fr from '../../web/texts/fr/index.ts'
import { languages } from '../../web/texts/languages.ts'
import sw from '../../web/texts/sw/index.ts'
import { readSourceTexts } from './source-texts.ts'

const WEB = join(import.meta.dirname, '../../web')
const sources = globSync('**/*.{ts,tsx}', { cwd: WEB, exclude: ['dist/**', 'texts/**', 'vite.config.ts'] })
  .map(String)
  .sort()
const texts = new Map(sources.map((path) => [path, readSourceTexts(join(WEB, path))]))
const catalogues = Object.entries({ en, sw, fr } satisfies Record<keyof typeof languages, object>).map(
  ([language, catalogue]) => ({ language, entries: new Map(flatten(catalogue)) }),
)
const english = catalogues[0]!.entries
const keys = new Set(english.keys())

/** Messages of errors that only a mistake in a page can cause, and a name of the API that pages leave out. */
const FOR_PROGRAMMERS = ['The session must be loaded before a page is shown.', 'Anonymous Contact']

describe('the source of the pages', () => {
  it('has no text of its own: all are in the catalogue', () => {
    const found = sources.flatMap((path) => texts.get(path)!.literals.map((literal) => `web/${path}:${literal}`))
    expect(found.filter((one) => !FOR_PROGRAMMERS.some((text) => one.endsWith(text)))).toEqual([])
  })

  it('uses keys that the catalogue has', () => {
    const missing = sources.flatMap((path) =>
      texts
        .get(path)!
        .keys.filter((key) => !keys.has(key) && !keys.has(`${key}_other`))
        .map((key) => `web/${path}: ${key}`),
    )
    expect(missing).toEqual([])
  })

  it('gives every value that a text names', () => {
    const lacking = sources.flatMap((path) =>
      texts.get(path)!.calls.flatMap(({ key, values }) => {
        const needed = slotsOf(key, english.get(key) ?? english.get(`${key}_other`) ?? '')
        const missing = needed.filter((slot) => slot.startsWith('{{') && !values.includes(slot.slice(2, -2)))
        return missing.map((slot) => `web/${path}: ${key} needs ${slot}`)
      }),
    )
    expect(lacking).toEqual([])
  })

  it('uses every key of the catalogue', () => {
    const strings = new Set(sources.flatMap((path) => [...texts.get(path)!.strings]))
    const patterns = sources.flatMap((path) => texts.get(path)!.templates)
    const isUsed = (key: string) => strings.has(key) || patterns.some((pattern) => pattern.test(key))
    const unused = [...keys].filter((key) => !key.startsWith('words.') && !isUsed(key) && !isUsed(stemOf(key)))
    expect(unused).toEqual([])
  })
})

it('no key looks like a plural form, and is none', () => {
  expect([...keys].filter((key) => key !== stemOf(key) && !isPlural(key))).toEqual([])
})

describe.each(catalogues)('the texts in $language', ({ language, entries }) => {
  it('have the same values and elements as in English', () => {
    const different = [...entries].flatMap(([key, text]) => {
      const original = english.get(key) ?? english.get(key.replace(/_many$/, '_other'))
      if (key.startsWith('agreement.')) return []
      return original !== undefined && String(slotsOf(key, text)) === String(slotsOf(key, original)) ? [] : [key]
    })
    expect(different).toEqual([])
  })

  it('have every plural form of the language', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    const stems = [...keys].filter((key) => isPlural(key)).map(stemOf)
    const missing = [...new Set(stems)].flatMap((stem) =>
      pluralCategories.map((category) => `${stem}_${category}`).filter((key) => !entries.has(key)),
    )
    expect(missing).toEqual([])
  })

  it('have other forms of known words alone, for every class of nouns', () => {
    const forms = [...entries.keys()].filter((key) => key.startsWith('agreement.forms.'))
    expect(forms.filter((key) => !keys.has(`words.${key.split('.').at(-1)}`))).toEqual([])
    const nouns = [...entries.keys()].flatMap((key) => /^agreement\.nouns\.(.+)$/.exec(key)?.[1] ?? [])
    expect(nouns.filter((noun) => !stateNouns.some((one) => one === noun))).toEqual([])
    const classes = [...entries].filter(([key]) => key.startsWith('agreement.nouns.')).map(([, text]) => text)
    expect(new Set(classes)).toEqual(new Set(forms.map((key) => key.split('.')[2])))
  })

  it('have every key of the English ones, and only the plural forms of the language besides', () => {
    const own = (key: string) => key.startsWith('agreement.') || keys.has(key.replace(/_many$/, '_other'))
    expect([...keys].filter((key) => !entries.has(key))).toEqual([])
    expect([...entries.keys()].filter((key) => !own(key))).toEqual([])
  })

  it('are not empty, and have no space at the ends', () => {
    expect([...entries].filter(([, text]) => text === '' || text !== text.trim())).toEqual([])
  })
})

describe('the texts in English', () => {
  const { entries } = catalogues.find(({ language }) => language === 'en')!

  it('have at most 25 words in a sentence', () => {
    const sentences = [...entries].flatMap(([key, text]) => text.split(/(?<=[.!?:])\s+/).map((one) => ({ key, one })))
    expect(sentences.filter(({ one }) => one.split(/\s+/).length > 25)).toEqual([])
  })

  it('have no phrase that has to be read twice', () => {
    const banned = /\b(that of|those of|became of|the most that|given back|left out|mend\w*|says? its end)\b/i
    expect([...entries].filter(([, text]) => banned.test(text))).toEqual([])
  })
})

it('no line of a French text begins with a sign that belongs to the previous word', () => {
  const { entries } = catalogues.find(({ language }) => language === 'fr')!
  expect([...entries].filter(([, text]) => / [:;?!%»]|« /.test(text))).toEqual([])
})

/** Codes that pages do not show as words: countries, orders of lists, formats, choices of partners' contracts. */
const NOT_WORDS = /^(-.*|[A-Z_]+|id|created|modified|json|csv|xlsx|pdf|gsm|ucs-2)$/

it('the catalogue has a word for every code that the API answers', () => {
  const document = JSON.parse(readFileSync(join(WEB, '../openapi.json'), 'utf8'))
  // Only programs ask for the permissions of a key; the console has sentences for them.
  delete document.components.schemas.Key
  const codes = new Set([...enumsOf(document)].filter((code) => !NOT_WORDS.test(code)))
  expect(codes.size).toBeGreaterThan(60)
  expect([...codes].filter((code) => !keys.has(`words.${code}`))).toEqual([])
})

it('a code is shown as its word, or as it is', async () => {
  await i18next.init({ lng: 'sw', resources: { sw: { translation: sw } } })
  const words = ['instructions_sent', 'sandbox-mtn', 'two_words'].map((code) => formatWord(code))
  // Other tests share the library.
  await i18next.changeLanguage('en')
  expect(words).toEqual(['Maelekezo yametumwa', 'Sandbox-mtn', 'Two words'])
})

it('a state agrees with its noun', async () => {
  await i18next.init({ lng: 'fr', resources: { fr: { translation: fr }, sw: { translation: sw } } })
  const french = [formatWord('issued', 'invoice'), formatWord('cancelled', 'payment'), formatWord('paused', 'plan')]
  await i18next.changeLanguage('sw')
  const swahili = [formatWord('paid', 'paymentlink'), formatWord('failed', 'payment'), formatWord('failed', 'invoice')]
  const answer = formatWord('success', 'answer')
  await i18next.changeLanguage('en')
  expect([...french, ...swahili, answer]).toEqual([
    'Émise',
    'Annulé',
    'En pause',
    'Kimelipiwa',
    'Yameshindwa',
    'Imeshindwa',
    'Limefaulu',
  ])
})

it('an SMS that says that a payment arrived is a confirmation, which a purchase that went well is not', async () => {
  await i18next.init({ lng: 'en', resources: { en: { translation: en } } })
  expect([formatPurpose('success'), formatPurpose('payment_link'), formatWord('success', 'purchase')]).toEqual([
    'Confirmation',
    'Payment link',
    'Successful',
  ])
})

describe('the go-live checklist', () => {
  const item = { name: 'connection', state: 'open', found: 'Drafts only.', todo: 'npx a, then npx b' } as const
  const drafts = { ...item, variant: 'drafts_only', values: { connections: ['mtn'] }, commands: ['npx a', 'npx b'] }

  it('has a text for every item and variant in every language', () => {
    const found = (entries: Map<string, string>) =>
      new Set([...entries.keys()].filter((key) => key.startsWith('checklist.')).map(stemOf))
    const wanted = new Set(flatten(checklistTexts).map(([key]) => stemOf(`checklist.${key}`)))
    for (const { entries } of catalogues) expect(found(entries)).toEqual(wanted)
  })

  it('speaks the language of the reader, and leaves commands as they are', async () => {
    await i18next.init({ lng: 'fr', resources: { fr: { translation: fr } } })
    const said = [
      describeItem(drafts),
      describeItem({ ...drafts, values: { connections: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] } }),
      describeItem({ ...item, name: 'organization', variant: 'done', values: { count: 2 }, commands: [], todo: null }),
      describeItem({ ...item, name: 'mail', variant: 'missing', values: {}, commands: [] }),
    ]
    await i18next.changeLanguage('en')
    expect(said).toEqual([
      { found: 'Brouillons seulement\u00a0: mtn.', todo: 'npx a, puis npx b' },
      { found: expect.stringMatching(/: a, b, c, d, e,? \p{L}+ 2 autres\.$/u), todo: 'npx a, puis npx b' },
      { found: 'Il y a 2 organisations.', todo: null },
      { found: expect.stringContaining('aucun e-mail'), todo: 'Définir SMTP_URL et MAIL_FROM' },
    ])
  })

  it("shows codes that the catalogue lacks in the service's words", () => {
    for (const newer of [{ name: 'rockets' }, { variant: 'two_drafts' }])
      expect(describeItem({ ...drafts, ...newer })).toEqual({ found: item.found, todo: item.todo })
  })
})

it('signs between words have the spaces of the language', async () => {
  await i18next.init({ lng: 'fr', resources: { en: { translation: en }, fr: { translation: fr } } })
  const write = () => joinParts([formatPair('a', '1'), formatPair('b', '2'), 'c'])
  const french = write()
  await i18next.changeLanguage('en')
  expect([french, write(), joinParts([])]).toEqual(['a\u00a0: 1\u00a0; b\u00a0: 2\u00a0; c', 'a: 1; b: 2; c', ''])
})

it('users can choose every language of the catalogue', () => {
  expect(Object.keys(languages)).toEqual(UserLanguage.options)
})

function flatten(node: object, path: string[] = []): [string, string][] {
  return Object.entries(node).flatMap(([name, value]) =>
    typeof value === 'string' ? [[[...path, name].join('.'), value]] : flatten(value, [...path, name]),
  )
}

function stemOf(key: string): string {
  return key.replace(/_(zero|one|two|few|many|other)$/, '')
}

/** Return true if a key is a plural form: one of several. `words.other` is none. */
function isPlural(key: string): boolean {
  return key !== stemOf(key) && keys.has(`${stemOf(key)}_one`) && keys.has(`${stemOf(key)}_other`)
}

/** The values and elements of a text. A plural form may leave out the count. */
function slotsOf(key: string, text: string): string[] {
  const slots = text.match(/\{\{\w+\}\}|<\/?\w+\/?>/g) ?? []
  const plural = key !== stemOf(key)
  return [...new Set(slots)].filter((slot) => !(plural && slot === '{{count}}')).sort()
}

function* enumsOf(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return
  if ('enum' in node && Array.isArray(node.enum)) yield* node.enum.filter((one) => typeof one === 'string')
  for (const value of Object.values(node)) yield* enumsOf(value)
}

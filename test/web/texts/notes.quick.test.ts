import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

/** The files of English texts, each with its file of notes for translators. */
const files = [
  { area: 'checklist', texts: 'src/lib/messages/checklist/en.json', notes: 'src/lib/messages/checklist/notes.json' },
  ...globSync('**/*.json', { cwd: join(ROOT, 'web/texts/en') })
    .map(String)
    .sort()
    .map((path) => ({ area: path.slice(0, -5), texts: `web/texts/en/${path}`, notes: `web/texts/notes/${path}` })),
]

/** Names of things on a page, before their text. */
const QUOTE =
  /\b(?:page|title|form|dialog|field|switch|checkbox|badge|choice|warning|notice|button|after|opens) “([^”]+)”/gi

describe.each(files)('the notes of $area', ({ texts, notes }) => {
  const english = read(texts)
  const explained = read(notes)

  it('tell about every English text, and about nothing else', () => {
    const stems = new Set([...english.keys()].map((key) => stemOf(key, english)))
    expect([...stems].filter((key) => !explained.has(key)).map((key) => `${notes} lacks ${key}`)).toEqual([])
    expect([...explained.keys()].filter((key) => !stems.has(key)).map((key) => `${notes} has ${key}`)).toEqual([])
  })

  it('are short, are no repetition, and name only values of the text', () => {
    const wrong = [...explained].filter(([key, note]) => {
      const text = english.get(key) ?? english.get(`${key}_other`) ?? ''
      const values = note.match(/\{\{\w+\}\}/g) ?? []
      return !/^\S.*\.$/.test(note) || wordsIn(note) > 20 || note === text || values.some((one) => !text.includes(one))
    })
    expect(wrong).toEqual([])
  })
})

it('a note quotes titles, buttons and fields as they are', () => {
  const texts = files.flatMap((file) => [...read(file.texts).values()])
  const known = new Set(texts.map(quotable))
  const quotes = files.flatMap(({ notes }) =>
    [...read(notes)].flatMap(([key, note]) =>
      [...note.matchAll(QUOTE)].filter(([, quote]) => !known.has(quote!)).map(() => `${notes}: ${key}: ${note}`),
    ),
  )
  expect(quotes).toEqual([])
})

it('no notes are left of a file of texts that is gone', () => {
  const left = globSync('**/*.json', { cwd: join(ROOT, 'web/texts/notes') }).map(String)
  expect(left.filter((path) => !existsSync(join(ROOT, 'web/texts/en', path)))).toEqual([])
})

/** The texts or notes of a file, by their keys. A file that is not there has none. */
function read(path: string): Map<string, string> {
  return new Map(existsSync(join(ROOT, path)) ? flatten(JSON.parse(readFileSync(join(ROOT, path), 'utf8'))) : [])
}

function flatten(node: object, path: string[] = []): [string, string][] {
  return Object.entries(node).flatMap(([name, value]) =>
    typeof value === 'string' ? [[[...path, name].join('.'), value]] : flatten(value, [...path, name]),
  )
}

/** Return a text as notes quote it: without values and elements. */
function quotable(text: string): string {
  const plain = text.replaceAll(/\{\{\w+\}\}/g, '…').replaceAll(/<\/?\w+\/?>/g, '')
  return plain.replaceAll('“', '‘').replaceAll('”', '’')
}

/** Both plural forms have one note. `words.other` is no plural form. */
function stemOf(key: string, english: Map<string, string>): string {
  const stem = key.replace(/_(one|other)$/, '')
  return english.has(`${stem}_one`) && english.has(`${stem}_other`) ? stem : key
}

function wordsIn(note: string): number {
  return note.split(/\s+/).length
}

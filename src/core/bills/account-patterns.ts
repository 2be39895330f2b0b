import { getMessage } from '../../lib/messages/message.ts'

/*
 * Forms of account numbers with letters, as a catalogue writes them: `A` is a letter, `9` a digit, `X` a letter or a
 * digit. A text in single quotes stands for itself, and so do the separators. `'ZA'-999/99` has numbers such as
 * ZA-123/45.
 */

const MAX_LENGTH = 60

/** Part of a pattern: characters of one kind, or a constant text. */
interface Part {
  kind: 'letter' | 'digit' | 'either' | 'same'
  /** Characters for `same`; for the others the signs of the pattern. */
  text: string
}

const KINDS = { A: 'letter', 9: 'digit', X: 'either' } as const
const CLASSES = { letter: 'A-Za-z', digit: '\\d', either: 'A-Za-z\\d' } as const
const PART = /A+|9+|X+|'[A-Za-z\d./_-]+'|[./_-]/y

/** Returns the fault of a pattern; undefined for a valid one. */
export function checkPattern(pattern: string): string | undefined {
  const parts = readParts(pattern)
  if (typeof parts === 'string')
    return `${JSON.stringify(parts)} means nothing in a pattern: A is a letter, 9 a digit, X either; what is always the same is in single quotes.`
  if (parts.every(({ kind }) => kind === 'same')) return getMessage('bills.pattern_must_least')
  return parts.reduce((sum, { text }) => sum + text.length, 0) > MAX_LENGTH
    ? getMessage('bills.pattern_most_characters', { max: MAX_LENGTH })
    : undefined
}

/** Describes a pattern in words: `2 letters, "-", 3 digits`. */
export function describePattern(pattern: string): string {
  return partsOf(pattern)
    .map(({ kind, text }) => {
      if (kind === 'same') return JSON.stringify(text)
      if (kind === 'either') return `${text.length} ${text.length === 1 ? 'letter or digit' : 'letters or digits'}`
      return `${text.length} ${text.length === 1 ? kind : `${kind}s`}`
    })
    .join(', ')
}

/** A number of this form: `AB-123/45`. */
export function examplePattern(pattern: string): string {
  let letters = 0
  let digits = 0
  const next = (kind: Part['kind']) =>
    kind === 'digit' ? String((digits++ % 9) + 1) : String.fromCharCode(65 + (letters++ % 26))
  return partsOf(pattern)
    .map(({ kind, text }) => (kind === 'same' ? text : [...text].map(() => next(kind)).join('')))
    .join('')
}

/**
 * The account number in the form of the pattern that it fits. Where none fits as it stands, its separators may be missing or
 * be others, unless two patterns would fit then.
 */
export function matchPatterns(patterns: readonly string[], text: string, keeps_case: boolean): string | undefined {
  const parts = patterns.map(partsOf)
  const exact = parts.some((one) => regexOf(one, keeps_case).test(text))
  if (exact) return text
  const bare = text.replaceAll(SEPARATORS, '')
  const fits = parts.flatMap((one) => {
    const found = regexOf(withoutSeparators(one), keeps_case).exec(bare)
    return found ? [insertSeparators(one, bare)] : []
  })
  return new Set(fits).size === 1 ? fits[0] : undefined
}

const SEPARATORS = /[./_-]/g

function withoutSeparators(parts: readonly Part[]): Part[] {
  return parts.map((part) => (part.kind === 'same' ? { ...part, text: part.text.replaceAll(SEPARATORS, '') } : part))
}

function insertSeparators(parts: readonly Part[], bare: string): string {
  let used = 0
  return parts
    .flatMap(({ text }) => [...text])
    .map((sign) => (/[./_-]/.test(sign) ? sign : bare[used++]))
    .join('')
}

function regexOf(parts: readonly Part[], keeps_case: boolean): RegExp {
  const source = parts
    .map(({ kind, text }) => (kind === 'same' ? text.replaceAll('.', '\\.') : `[${CLASSES[kind]}]{${text.length}}`))
    .join('')
  return new RegExp(`^${source}$`, keeps_case ? '' : 'i')
}

/** The parts of a pattern that has been checked. */
function partsOf(pattern: string): Part[] {
  const parts = readParts(pattern)
  if (typeof parts === 'string') throw new Error(`The pattern ${pattern} cannot be read.`)
  return parts
}

/** The parts of a pattern, or the first character that means nothing. */
function readParts(pattern: string): Part[] | string {
  const parts: Part[] = []
  let position = 0
  while (position < pattern.length) {
    PART.lastIndex = position
    const [found] = PART.exec(pattern) ?? []
    if (found === undefined) return pattern[position]!
    const kind = KINDS[found[0] as keyof typeof KINDS]
    parts.push(kind ? { kind, text: found } : { kind: 'same', text: found.replaceAll("'", '') })
    position += found.length
  }
  return parts
}

/*
 * Numbers that payers type by hand: `INV-000002` comes as `inv 2`, `INV2` or `000002 Betty`. A number has keys, and a typed text
 * has keys; they are compared key by key, the surest first.
 */

/** The keys of one number, or of one typed text. */
interface NumberKeys {
  /** Words and digits without leading zeros, with points between: `p.5.17` for `P5-017`. Numbers differ by this key. */
  whole: string
  /** The same without anything between, with and without leading zeros: `p5017` and `p517`. */
  joined: string[]
  /** The keys without the letters at the beginning: `17` for `STU-0017`. Empty where nothing else is left. */
  bare: string[]
}

/** Letters at the beginning of a typed number that only mark it as one. Others are a part of it. */
const PREFIXES = new Set(
  [
    'no',
    'nr',
    'num',
    'number',
    'ref',
    'reference',
    'id',
    'code',
    'acc',
    'acct',
    'account',
    'adm',
    'admission',
    'reg',
    'student',
    'std',
    'pupil',
    'cust',
    'customer',
    'client',
    'namba',
    'nambari',
    'akaunti',
    'mwanafunzi',
    'mteja',
    'numero',
    'compte',
    'eleve',
  ].flat(),
)

/** The letters that begin the numbers of documents, as payers write them. */
const DOCUMENT_PREFIXES = {
  invoice: new Set(['inv', 'invoice', 'bill', 'ankara', 'facture', 'fact']),
  payment_link: new Set(['lnk', 'link', 'pl', 'kiungo', 'lien']),
} as const
export type NumberedDocument = keyof typeof DOCUMENT_PREFIXES

/** The longest text that is read: nobody types more. */
const MAX_LENGTH = 100
/** A number that is written in more words than this is none. */
const MAX_WORDS = 3
/** Fewer digits among other words may count something else: term 1, 2 children. */
const MIN_DIGITS_AMONG_WORDS = 3

/** The keys of a number that an organization gave. Undefined if it has neither a letter nor a digit. */
export function keysOfNumber(number: string): NumberKeys | undefined {
  return buildKeys(readTokens(number))
}

/** Text that may be a number: the whole typed text, or some words of it. */
export interface TypedNumber {
  keys: NumberKeys
  /** The document whose number it is, where its letters say so. */
  document: NumberedDocument | undefined
  /** The digits without letters before them: the number of a document, or a customer number without its prefix. */
  digits: string | undefined
  /** True if the letters before the digits carry no meaning, or there are none. Then a prefix may be missing. */
  is_bare: boolean
}

/** Some words of a text that may be a number: those from `from` up to `to`. */
export type TypedPart = TypedNumber & { from: number; to: number }

/** A typed text, as the whole and as the parts that may be numbers. Parts may overlap. */
interface TypedReference {
  whole: TypedNumber | undefined
  parts: TypedPart[]
}

export function readReference(reference: string): TypedReference {
  const text = joinPadded(reference.slice(0, MAX_LENGTH))
  const whole = readTyped(text)
  const words = text.split(/[\s,;]+/).filter(Boolean)
  const parts: TypedPart[] = []
  for (let from = 0; from < words.length; from++)
    for (let to = from + 1; to <= Math.min(words.length, from + MAX_WORDS); to++) {
      const some = words.slice(from, to).join(' ')
      const part = to - from === words.length ? undefined : readTyped(some)
      if (part && isPlainAmongWords(part)) parts.push({ ...part, from, to })
      const joined = isGroup(words[to]) ? undefined : readGroups(some)
      if (joined) parts.push({ ...joined, from, to })
    }
  return { whole, parts }
}

/** The six digits of a document in two groups, as in `INV 001 234`. They are one number. */
const PADDED_GROUPS = /(?<!\d)0\d\d(?:\s\d{3})+(?!\d)/g

function joinPadded(text: string): string {
  return text.replace(PADDED_GROUPS, (groups, at: number) => {
    const word = text
      .slice(0, at)
      .trimEnd()
      .split(/[\s,;]/)
      .at(-1)!
    const [letters = '', ...others] = readTokens(word)
    const marks = PREFIXES.has(letters) || documentOf(letters) !== undefined || letters === ''
    return marks && others.length === 0 ? withoutBlanks(groups) : groups
  })
}

/** Digits in groups of three, as in `INV 1 234`. They may be one number, or a number and something else. */
const GROUPS = /(?<!\d)[1-9]\d{0,2}(?:\s\d{3})+(?!\d)/

/** Reads words as the number of a document whose digits stand in groups. */
function readGroups(text: string): TypedNumber | undefined {
  const joined = text.replace(GROUPS, withoutBlanks)
  const typed = joined === text ? undefined : readTyped(joined)
  return typed?.document && typed
}

/** True if a word goes on with the digits before it. */
function isGroup(word: string | undefined): boolean {
  return word !== undefined && /^\d{3}$/.test(word)
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s/g, '')
}

function documentOf(letters: string): NumberedDocument | undefined {
  return (Object.keys(DOCUMENT_PREFIXES) as NumberedDocument[]).find((kind) => DOCUMENT_PREFIXES[kind].has(letters))
}

/** True if a text looks like a number, known or not: it has a digit. */
export function hasDigits(reference: string): boolean {
  return /\p{Nd}/u.test(reference)
}

function isPlainAmongWords({ keys, document, digits }: TypedNumber): boolean {
  if (document) return true
  if (digits !== undefined && keys.whole === digits) return digits.length >= MIN_DIGITS_AMONG_WORDS
  return /\d/.test(keys.whole)
}

function readTyped(text: string): TypedNumber | undefined {
  const tokens = readTokens(text)
  const keys = buildKeys(tokens)
  if (!keys) return undefined
  const digits_at = tokens.findIndex(isDigits)
  const letters = tokens.slice(0, Math.max(digits_at, 0)).filter((token) => !PREFIXES.has(token))
  const document = letters.length === 1 ? documentOf(letters[0]!) : undefined
  const is_last = digits_at >= 0 && digits_at === tokens.length - 1
  return {
    keys,
    document: is_last ? document : undefined,
    digits: is_last ? withoutZeros(tokens[digits_at]!) : undefined,
    is_bare: letters.length === 0,
  }
}

/** The runs of letters and of digits, in lower case and with plain digits. */
function readTokens(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const digits = plain.replace(/\p{Nd}/gu, (digit) => String(digitValue(digit)))
  return digits.match(/\p{L}+|\d+/gu) ?? []
}

/** Decimal digits of every script stand in rows of ten that begin with zero. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0)!
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return code - zero
}

function buildKeys(tokens: readonly string[]): NumberKeys | undefined {
  if (tokens.length === 0) return undefined
  const short = tokens.map(withoutZeros)
  const rest = isDigits(tokens[0]!) ? [] : tokens.slice(1)
  return {
    whole: short.join('.'),
    joined: distinct([tokens.join(''), short.join('')]),
    bare: rest.some(isDigits)
      ? distinct([rest.map(withoutZeros).join('.'), rest.join(''), rest.map(withoutZeros).join('')])
      : [],
  }
}

function isDigits(token: string): boolean {
  return /^\d/.test(token)
}

function withoutZeros(token: string): string {
  return token.replace(/^0+(?=\d)/, '')
}

function distinct(keys: readonly string[]): string[] {
  return [...new Set(keys)]
}

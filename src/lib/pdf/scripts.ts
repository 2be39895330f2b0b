import anyAscii from 'any-ascii'
import bidiFactory from 'bidi-js'
import { pdfFont, type Script } from './fonts.ts'

/** A part of a line that is drawn with one font, from left to right as its letters stand on paper. */
export interface Piece {
  text: string
  script: Script
}

export type Direction = 'ltr' | 'rtl'

// Its types promise a module of ES; the package is the function itself.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Text that needs no look: the common font has all of it. */
const PLAIN = /^[\n\x20-\x7e\xa0-\u024f]*$/
/** Signs that turn text around. They show nothing, and a name must not move the amount beside it. */
const DIRECTION_SIGNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const LINE_BREAKS = /\r\n?|[\u0085\u2028\u2029]/g

/** True if some of the text needs more than the common font. */
export const hasOwnScript = (text: string) => /[\p{Script_Extensions=Arabic}\p{Script_Extensions=Ethiopic}]/u.test(text)

/**
 * Text that the fonts can show. A sign that they do not have is written in a simpler form of itself, else in Latin letters, else as `?`.
 */
export function showableText(text: string): string {
  if (PLAIN.test(text)) return text
  const clean = text.replace(DIRECTION_SIGNS, '').replace(LINE_BREAKS, '\n')
  return Array.from(graphemes.segment(clean), ({ segment }) => showableSign(segment)).join('')
}

function showableSign(sign: string): string {
  if (sign === '\n') return sign
  if (/^\p{Cc}+$/u.test(sign)) return ' '
  const simpler = sign.normalize('NFKC')
  const forms = [sign, sign.normalize('NFC'), simpler, simpler.replace(/[\p{M}\p{Cf}]/gu, '')]
  const form = forms.find((one) => scriptOf(one) !== undefined)
  return form ?? (anyAscii(simpler).trim() || '?')
}

const scriptsOfLetters = new Map<string, Script | undefined>()

/** The script whose font has all letters of a sign. */
function scriptOf(sign: string): Script | undefined {
  if (sign.length !== 1) return findScript(sign)
  if (!scriptsOfLetters.has(sign)) scriptsOfLetters.set(sign, findScript(sign))
  return scriptsOfLetters.get(sign)
}

function findScript(sign: string): Script | undefined {
  const hasAll = (script: Script) =>
    Array.from(sign).every((letter) => pdfFont(script, 'regular').hasGlyphForCodePoint(letter.codePointAt(0)!))
  if (hasAll('common')) return 'common'
  if (!hasOwnScript(sign)) return undefined
  return (['arabic', 'ethiopic'] as const).find(hasAll)
}

/** Returns the direction of a text as a whole: the direction of its first letter. */
export function directionOf(text: string): Direction {
  if (!hasOwnScript(text)) return 'ltr'
  return bidi.getEmbeddingLevels(text, 'auto').paragraphs[0]?.level === 1 ? 'rtl' : 'ltr'
}

/** The pieces of a line of showable text, in the order in which they stand on paper (Unicode's annex 9). */
export function visualPieces(line: string, direction: Direction): Piece[] {
  // The plus of a phone number stands with its digits, also between words from right to left.
  const embedding = bidi.getEmbeddingLevels(line.replace(/\+(?=\d)/g, '0'), direction)
  const signs = new Map(Array.from(graphemes.segment(line), ({ index, segment }) => [index, segment]))
  const pieces: (Piece & { joins: 'before' | 'after' | undefined })[] = []
  for (const index of bidi.getReorderedIndices(line, embedding)) {
    const sign = signs.get(index)
    // The other units of a sign.
    if (sign === undefined) continue
    const is_rtl = embedding.levels[index]! % 2 === 1
    const text = (is_rtl && bidi.getMirroredCharacter(sign)) || sign
    const script = scriptOf(text) ?? 'common'
    const joins = joinsOf(text, script, is_rtl)
    const last = pieces.at(-1)
    if (!last || joins === undefined || last.script !== script || last.joins !== joins)
      pieces.push({ text, script, joins })
    else last.text = joins === 'after' ? last.text + text : text + last.text
  }
  return pieces.map(({ text, script }) => ({ text, script }))
}

/**
 * Returns the side on which a sign joins the piece at its left. The font itself turns Arabic letters around and joins
 * them; all else stands alone if its direction is not the font's.
 */
function joinsOf(text: string, script: Script, is_rtl: boolean): 'before' | 'after' | undefined {
  if (is_rtl) return script === 'arabic' && /[\p{Script=Arabic}\u0640]/u.test(text) ? 'before' : undefined
  return script === 'arabic' ? undefined : 'after'
}

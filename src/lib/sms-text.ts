/*
 * Encoding of an SMS: the default alphabet of GSM 03.38 (3GPP TS 23.038) with its extension table, seven bits a letter.
 * A text with any other letter goes as UCS-2, sixteen bits a letter. A text that is too long for one SMS is sent in
 * parts, each with a header that names it.
 */

type SmsEncoding = 'gsm' | 'ucs-2'

/** Number of SMS that a text takes. */
interface SmsLength {
  encoding: SmsEncoding
  /** The SMS that are sent, and that the provider counts. */
  parts: number
  /** The length of the whole text without headers: septets (`gsm`) or UTF-16 units (`ucs-2`). */
  units: number
}

/** The units that one SMS holds, and each part of a longer text: its header takes the rest. */
export const smsUnits = {
  gsm: { single: 160, part: 153 },
  'ucs-2': { single: 70, part: 67 },
} as const satisfies Record<SmsEncoding, { single: number; part: number }>

const ESCAPE = 0x1b
/** Letters by their codes. U+FFFF stands for the escape to the extension table, and is no letter. */
const BASIC = [
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\uFFFFÆæßÉ',
  ' !"#¤%&\'()*+,-./0123456789:;<=>?',
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§',
  '¿abcdefghijklmnopqrstuvwxyzäöñüà',
].join('')
const EXTENSION: Readonly<Record<string, number>> = {
  '\f': 0x0a,
  '^': 0x14,
  '{': 0x28,
  '}': 0x29,
  '\\': 0x2f,
  '[': 0x3c,
  '~': 0x3d,
  ']': 0x3e,
  '|': 0x40,
  '€': 0x65,
}

const SEPTETS: ReadonlyMap<string, readonly number[]> = new Map<string, readonly number[]>([
  ...[...BASIC].flatMap((letter, code): [string, number[]][] => (code === ESCAPE ? [] : [[letter, [code]]])),
  ...Object.entries(EXTENSION).map(([letter, code]): [string, number[]] => [letter, [ESCAPE, code]]),
])
const EXTENSION_LETTERS: ReadonlyMap<number, string> = new Map(
  Object.entries(EXTENSION).map(([letter, code]) => [code, letter]),
)

/** Letters that differ from GSM letters in their look alone. */
const LOOK_ALIKES: readonly (readonly [RegExp, string])[] = [
  [/[`´ʹʻʼʽˈˊˋ‘’‚‛′‵‹›]/g, "'"],
  [/[«»ʺ“”„‟″‶〝〞〟]/g, '"'],
  [/[‐‑‒–—―⁃−﹘﹣]/g, '-'],
  [/…/g, '...'],
  [/‥/g, '..'],
  [/[⁄∕]/g, '/'],
  [/∶/g, ':'],
  [/[∗⁎]/g, '*'],
  [/[˜∼]/g, '~'],
  [/¦/g, '|'],
  [/[\t\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/g, ' '],
]
/** Forms of plain letters: full-width, ligatures, and the bold, italic and other letters of mathematics. */
const FORMS = /[\uFB00-\uFB06\uFF01-\uFF5E\uFFE0-\uFFE6]|[\u{1D400}-\u{1D7FF}]/gu
const LINE_ENDS = /[\u2028\u2029\v\u0085]/g
/** Invisible signs that no script needs: among them those that change the order of a text. */
const NOTHING = /\u00AD|\u180E|\u200B|[\u202A-\u202E]|[\u2060-\u206F]|\uFEFF|[\u{E0000}-\u{E007F}]/gu
/** Invisible signs that join letters of other scripts, show their direction, or choose the look of the sign before. */
const JOINERS = /\u034F|[\u200C-\u200F]|[\uFE00-\uFE0F]/g
/** All control characters but those that break a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it removes
const CONTROLS = /[\x00-\x08\x0E-\x1F\x7F-\x84\x86-\x9F]/g

/**
 * Returns the text as it is sent. If that keeps it in the alphabet of GSM, letters that only look different are
 * replaced: curly quotes, long dashes, the ellipsis, unusual blanks, full-width letters, invisible signs. All letters
 * of GSM stay, such as é, à, ñ and ü. A text with a letter that GSM lacks is sent in UCS-2 and keeps its quotes and
 * dashes.
 */
export function prepareText(text: string): string {
  const lines = text.replace(LINE_ENDS, '\n').replace(CONTROLS, '').replace(NOTHING, '')
  const composed = lines.normalize('NFC')
  let plain = composed.replace(JOINERS, '').replace(FORMS, (letter) => letter.normalize('NFKC'))
  for (const [letters, replacement] of LOOK_ALIKES) plain = plain.replace(letters, replacement)
  plain = plain.normalize('NFC')
  return isGsm(plain) ? plain : composed
}

/** True if the alphabet of GSM and its extension table hold every letter of a text. */
export function isGsm(text: string): boolean {
  for (const letter of text) if (!SEPTETS.has(letter)) return false
  return true
}

/** Counts the SMS that a text takes. An empty text takes one. */
export function countParts(text: string): SmsLength {
  const { encoding, parts } = splitText(text)
  return { encoding, parts: parts.length, units: unitsOf(text, encoding) }
}

/**
 * Splits a text into the texts of each SMS. Neither a letter of the extension table nor a surrogate pair is divided.
 * The parts joined are the text.
 * @param encoding the shortest that holds all letters unless given
 */
export function splitText(
  text: string,
  encoding: SmsEncoding = isGsm(text) ? 'gsm' : 'ucs-2',
): { encoding: SmsEncoding; parts: string[] } {
  const { single, part: max_units } = smsUnits[encoding]
  if (unitsOf(text, encoding) <= single) return { encoding, parts: [text] }
  const parts: string[] = []
  let part = ''
  let used = 0
  for (const letter of text) {
    const units = unitsOf(letter, encoding)
    if (used + units > max_units) {
      parts.push(part)
      part = ''
      used = 0
    }
    part += letter
    used += units
  }
  return { encoding, parts: [...parts, part] }
}

/**
 * The codes of a text in the alphabet of GSM, one octet for each septet, as SMPP carries them.
 * @throws RangeError for a letter that GSM lacks
 */
export function encodeGsm(text: string): Uint8Array {
  return Uint8Array.from(
    [...text].flatMap((letter) => {
      const septets = SEPTETS.get(letter)
      if (!septets) throw new RangeError(`GSM 03.38 has no letter ${JSON.stringify(letter)}.`)
      return septets
    }),
  )
}

/**
 * Reads codes of the alphabet of GSM, one octet for each septet. As the standard wants it, an unknown letter of the extension
 * table is read as the letter of the same code in the alphabet. U+FFFD stands for an octet that is no septet.
 */
export function decodeGsm(octets: Uint8Array): string {
  let text = ''
  for (let at = 0; at < octets.length; at += 1) {
    let code = octets[at] ?? 0
    if (code === ESCAPE) {
      at += 1
      code = octets[at] ?? 0x20
      const letter = EXTENSION_LETTERS.get(code)
      if (letter !== undefined) {
        text += letter
        continue
      }
    }
    text += code === ESCAPE ? ' ' : (BASIC[code] ?? '\uFFFD')
  }
  return text
}

/** A text in UCS-2 with surrogate pairs, big-endian, as SMPP carries it. */
export function encodeUcs2(text: string): Uint8Array {
  return Buffer.from(text, 'utf16le').swap16()
}

/** Reads UCS-2, big-endian. A last octet without its other half is left out. */
export function decodeUcs2(octets: Uint8Array): string {
  const even = Buffer.from(octets.subarray(0, octets.length - (octets.length % 2)))
  return even.swap16().toString('utf16le')
}

function unitsOf(text: string, encoding: SmsEncoding): number {
  if (encoding === 'ucs-2') return text.length
  let units = 0
  for (const letter of text) units += SEPTETS.get(letter)?.length ?? 1
  return units
}

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  countParts,
  decodeGsm,
  decodeUcs2,
  encodeGsm,
  encodeUcs2,
  isGsm,
  prepareText,
  smsUnits,
  splitText,
} from '../../src/lib/sms-text.ts'

const EXTENSION = '^{}\\[~]|€\f'
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const gsmText = fc.array(fc.constantFrom(...BASIC, ...EXTENSION), { maxLength: 700 }).map((letters) => letters.join(''))
const anyText = fc.string({ unit: 'binary', maxLength: 400 })

test('encodes each letter of GSM as the standard lists it', () => {
  expect([...BASIC]).toHaveLength(127)
  expect([...encodeGsm(BASIC)]).toEqual(Array.from({ length: 128 }, (_, code) => code).filter((code) => code !== 0x1b))
  expect(Buffer.from(encodeGsm('^{}\\[~]|€\f')).toString('hex')).toBe('1b141b281b291b2f1b3c1b3d1b3e1b401b651b0a')
  expect(() => encodeGsm('ç')).toThrow('GSM 03.38 has no letter "ç".')
})

test('reads what is not quite GSM as a phone does', () => {
  expect(decodeGsm(Uint8Array.of(0x1b, 0x65, 0x41))).toBe('€A')
  expect(decodeGsm(Uint8Array.of(0x1b, 0x41))).toBe('A')
  expect(decodeGsm(Uint8Array.of(0x1b))).toBe(' ')
  expect(decodeGsm(Uint8Array.of(0x80))).toBe('\uFFFD')
})

test.each([
  ['Don’t', "Don't"],
  ['“5 000” – ‘now’ — …', '"5 000" - \'now\' - ...'],
  ['«oui»', '"oui"'],
  ['UGX\u00A05\u202F000\t.', 'UGX 5 000 .'],
  ['a\u200Bb\uFEFFc\u200Dd\u00ADe', 'abcde'],
  ['ＰＡＹ　１２３', 'PAY 123'],
  ['𝗣𝗮𝗶𝗱 ﬁne', 'Paid fine'],
  ['e\u0301te\u0301 n\u0303 u\u0308', 'été ñ ü'],
  ['été à la señora über Øre', 'été à la señora über Øre'],
  ['\0ok\x07', 'ok'],
  ['one\r\ntwo\u2028three', 'one\r\ntwo\nthree'],
])('%j is sent as %j, in the alphabet of GSM', (text, prepared) => {
  expect(prepareText(text)).toBe(prepared)
  expect(countParts(prepared).encoding).toBe('gsm')
})

test.each(['Pay ₦500 – “now”', 'Asante 🙏…', 'garçon’s', 'Ndiẹ – ọ', 'شكرا', '👩\u200D🌾', '❤\uFE0F'])(
  '%j has a letter that GSM lacks, and stays as it is',
  (text) => {
    expect(prepareText(text)).toBe(text)
    expect(countParts(text).encoding).toBe('ucs-2')
  },
)

test.each([
  ['', 'gsm', 1, 0],
  ['a'.repeat(160), 'gsm', 1, 160],
  ['a'.repeat(161), 'gsm', 2, 161],
  ['a'.repeat(306), 'gsm', 2, 306],
  ['a'.repeat(307), 'gsm', 3, 307],
  ['€'.repeat(80), 'gsm', 1, 160],
  [`a${'€'.repeat(80)}`, 'gsm', 2, 161],
  // 153 is odd: a part that would end with half of a letter ends one unit earlier.
  ['€'.repeat(153), 'gsm', 3, 306],
  ['я'.repeat(70), 'ucs-2', 1, 70],
  ['я'.repeat(71), 'ucs-2', 2, 71],
  ['я'.repeat(134), 'ucs-2', 2, 134],
  ['я'.repeat(135), 'ucs-2', 3, 135],
  ['🙏'.repeat(35), 'ucs-2', 1, 70],
  ['🙏'.repeat(67), 'ucs-2', 3, 134],
] as const)('counts the SMS of a text (%#)', (text, encoding, parts, units) => {
  expect(countParts(text)).toEqual({ encoding, parts, units })
})

test('loses nothing of a text, divides no letter, and fills no SMS too far', () => {
  fc.assert(
    fc.property(fc.oneof(gsmText, anyText), (text) => {
      const { encoding, parts } = splitText(text)
      expect(parts.join('')).toBe(text)
      expect(countParts(text)).toMatchObject({ encoding, parts: parts.length })
      const { single, part: most } = smsUnits[encoding]
      for (const part of parts) {
        const octets = encoding === 'gsm' ? encodeGsm(part) : encodeUcs2(part)
        expect(octets.length / (encoding === 'gsm' ? 1 : 2)).toBeLessThanOrEqual(parts.length === 1 ? single : most)
        expect(encoding === 'gsm' ? decodeGsm(octets) : decodeUcs2(octets)).toBe(part)
        expect(part.isWellFormed() || !text.isWellFormed()).toBe(true)
      }
    }),
  )
})

test('prepares a text once and for all, never to more SMS, and keeps every letter of GSM', () => {
  fc.assert(
    fc.property(fc.oneof(gsmText, anyText), (text) => {
      const prepared = prepareText(text)
      expect(prepareText(prepared)).toBe(prepared)
      expect(isGsm(prepared) || countParts(prepared).encoding === 'ucs-2').toBe(true)
      if (isGsm(text)) expect(prepared).toBe(text)
    }),
  )
})

test('never needs more SMS after the preparation', () => {
  const mixed = fc.string({ unit: fc.constantFrom(...'abc é’“”…–  ＡＢ🙏я'), maxLength: 500 })
  fc.assert(
    fc.property(mixed, (text) => {
      expect(countParts(prepareText(text)).parts).toBeLessThanOrEqual(countParts(text).parts)
    }),
  )
})

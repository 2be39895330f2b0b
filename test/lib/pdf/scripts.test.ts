import { describe, expect, it } from 'vitest'
import { directionOf, showableText, visualPieces } from '../../../src/lib/pdf/scripts.ts'

describe('text for a PDF', () => {
  it.each([
    ['Latin', 'Ẹ̀kọ́ Ŋŋoma Wàṣíù ½ €'],
    ['Amharic', 'ሰላማዊት ተስፋዬ፣ ኢትዮጵያ።'],
    ['Tigrinya and Ge’ez letters', 'ኣስመራ ቐ ⶀ'],
    ['Arabic with its marks', 'مُحَمَّدٌ عبد الله ١٢٣،'],
    ['Persian and Urdu', 'می‌خواهم پژوهش ٹھیک'],
    ['Cyrillic', 'Наталья Иванова, Ґанна Їжак, Ђорђе'],
    ['Greek', 'Ελένη'],
  ])('stays as it is where a font has it: %s', (_, text) => {
    expect(showableText(text)).toBe(text)
  })

  it.each([
    ['Chinese', '王小明', 'WangXiaoMing'],
    ['Hebrew', 'שלום', 'slvm'],
    ['Devanagari', 'राम', 'ram'],
    ['an emoji', 'Grace 😀', 'Grace :grinning:'],
    ['a family of emoji', '👩‍👧', ':woman::girl:'],
    ['wide and mathematical letters', 'Ｊｏｈｎ 𝐉𝐨𝐡𝐧', 'John John'],
    ['a mark that no font has', 'ሰ\u20dd', 'ሰ'],
    ['a sign for private use', 'a\ue000b', 'a?b'],
    ['half of a sign', 'a\ud800b', 'a?b'],
    ['control characters', 'a\tb\u0000c', 'a b c'],
    ['other line breaks', 'a\r\nb\u2028c', 'a\nb\nc'],
    ['signs that turn text around', 'a\u202e001 XGU\u202c\u2067b', 'a001 XGUb'],
  ])('is written with letters that a font has: %s', (_, text, shown) => {
    expect(showableText(text)).toBe(shown)
    expect(showableText(shown)).toBe(shown)
  })

  it('has the direction of its first letter', () => {
    expect(directionOf('محمد Ltd')).toBe('rtl')
    expect(directionOf('123 محمد')).toBe('rtl')
    expect(directionOf('Ltd محمد')).toBe('ltr')
    expect(directionOf('ሰላማዊት')).toBe('ltr')
  })
})

describe('a line on paper', () => {
  const texts = (line: string) => visualPieces(line, directionOf(line)).map(({ text }) => text)

  it('has a piece for each script', () => {
    expect(visualPieces('Ato ሰላም 5', 'ltr')).toEqual([
      { text: 'Ato ', script: 'common' },
      { text: 'ሰላም', script: 'ethiopic' },
      { text: ' 5', script: 'common' },
    ])
  })

  it('has the words of Arabic from right to left, each with its letters joined', () => {
    expect(texts('محمد عبد الله')).toEqual(['الله', ' ', 'عبد', ' ', 'محمد'])
  })

  it('keeps numbers and Latin words within Arabic from left to right', () => {
    expect(texts('محمد 0772 UGX').join('')).toBe('UGX 0772 محمد')
    expect(texts('محمد +256772').join('')).toBe('+256772 محمد')
    expect(texts('رقم ١٢٣').join('')).toBe('١٢٣ رقم')
    expect(texts('رقم ۱۲۳').join('')).toBe('۱۲۳ رقم')
  })

  it('turns Arabic around within a Latin line, and mirrors its brackets', () => {
    expect(texts('Paid by محمد عبد today').join('')).toBe('Paid by عبد محمد today')
    expect(texts('(محمد) علي').join('')).toBe('علي (محمد)')
  })

  it('keeps marks at their letters', () => {
    expect(texts('مُحَمَّدٌ')).toEqual(['مُحَمَّدٌ'])
  })
})

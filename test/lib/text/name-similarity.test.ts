import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameSimilarity } from '../../../src/lib/text/name-similarity.ts'

describe('the similarity of two names', () => {
  it('is 100 for the same name in other case, with accents, in another order or with other punctuation', () => {
    for (const other of ['Grace Akello', 'AKELLO GRACE', 'Akello, Grâce', ' grace   akello ', 'Ａkello Grace'])
      expect(nameSimilarity('Grace Akello', other)).toBe(100)
    expect(nameSimilarity("Sinéad O'Brien", 'OBRIEN SINEAD')).toBe(100)
  })

  it('falls with every character that differs', () => {
    expect(nameSimilarity('Grace Akello', 'Grace Akelo')).toBe(91.7)
    expect(nameSimilarity('Jane Doe', 'Jane Mary Doe')).toBe(61.5)
    expect(nameSimilarity('Grace Akello', 'Brian Wanjiru')).toBeLessThan(40)
  })

  it('is 0 where there is nothing to compare', () => {
    expect(nameSimilarity('', '')).toBe(0)
    expect(nameSimilarity('--', '!')).toBe(0)
    expect(nameSimilarity('Grace', '')).toBe(0)
  })

  it('is the same both ways and between 0 and 100, whatever the names are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
        const score = nameSimilarity(one, other)
        expect(nameSimilarity(other, one)).toBe(score)
        expect(score >= 0 && score <= 100).toBe(true)
      }),
    )
  })
})

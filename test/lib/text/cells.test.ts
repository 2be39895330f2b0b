import { describe, expect, it } from 'vitest'
import { createDocumentCode, isDocumentCode } from '../../../src/core/documents/codes.ts'
import { cellMark, cellOf, cellOfKey, IDS_PER_CELL, MAX_CELL } from '../../../src/lib/text/cells.ts'

describe('the mark of a cell', () => {
  it('stands before each code, and cell 0 has none', () => {
    expect([0, 1, 42, MAX_CELL].map(cellMark)).toEqual(['', '1.', '42.', '899.'])
    for (const cell of [0, 1, 42, MAX_CELL]) {
      const code = createDocumentCode(cell)
      expect(cellOf(code)).toBe(cell)
      expect(isDocumentCode(code)).toBe(true)
    }
  })

  it('is never the beginning of a code of cell 0, which has no point', () => {
    for (let count = 0; count < 1_000; count += 1) expect(createDocumentCode(0)).not.toContain('.')
    expect(['', '3', '3x.y', '03.y', '900.y', '1000.y', 'a3.y'].map(cellOf)).toEqual([0, 0, 0, 0, 0, 0, 0])
  })

  it('follows the prefix of an API key, and a key that somebody chose has no cell', () => {
    expect(['ksy_3.abc', 'ksy_abc', '3.abc', 'demo-key-of-mine'].map(cellOfKey)).toEqual([3, 0, undefined, undefined])
  })

  it('leaves the ids of the last cell exact in JSON', () => {
    expect(Number.isSafeInteger((MAX_CELL + 1) * IDS_PER_CELL)).toBe(true)
  })
})

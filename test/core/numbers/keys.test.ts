import { describe, expect, it } from 'vitest'
import { keysOfNumber, readReference } from '../../../src/core/numbers/keys.ts'

describe('the keys of a number', () => {
  it.each(['INV-000002', 'inv 2', 'INV2', 'Inv/0002', 'ＩＮＶ－２', 'inv ٢'])('are the same for %s', (number) => {
    expect(keysOfNumber(number)?.whole).toBe('inv.2')
  })

  it('keep apart what only a dash keeps apart', () => {
    expect(keysOfNumber('P1-11')?.whole).not.toBe(keysOfNumber('P11-1')?.whole)
    expect(keysOfNumber('P1-11')?.joined).toEqual(keysOfNumber('P11-1')?.joined)
  })

  it('have the forms without dashes, with and without leading zeros', () => {
    expect(keysOfNumber('P5-017')).toEqual({
      whole: 'p.5.17',
      joined: ['p5017', 'p517'],
      bare: ['5.17', '5017', '517'],
    })
  })

  it('do not exist for signs only', () => {
    expect(keysOfNumber(' -/ ')).toBeUndefined()
  })
})

describe('a typed reference', () => {
  it.each([
    ['INV-000002', 'invoice', '2', false],
    ['invoice no 2', 'invoice', '2', false],
    ['Ankara 0002', 'invoice', '2', false],
    ['LNK 7', 'payment_link', '7', false],
    ['000042', undefined, '42', true],
    ['Acc 42', undefined, '42', true],
    ['fees 42', undefined, '42', false],
  ] as const)('%s is read', (text, document, digits, is_bare) => {
    expect(readReference(text).whole).toMatchObject({ document, digits, is_bare })
  })

  it('has parts that may be numbers, but not the term or the count of children', () => {
    const parts = readReference('INV-000002 Betty term 1').parts.map(({ keys }) => keys.whole)
    expect(parts).toContain('inv.2')
    expect(parts).not.toContain('1')
  })

  it.each([
    ['INV 001 234', 'inv.1234'],
    ['Invoice No. 001 234', 'invoice.no.1234'],
    ['INV-001 234 Betty', 'inv.1234.betty'],
    ['001 234', '1234'],
    ['P5 017 018', 'p.5.17.18'],
    ['STU 017 018', 'stu.17.18'],
    ['INV 0012 345', 'inv.12.345'],
  ])('%s has the number of a document in one piece', (text, whole) => {
    expect(readReference(text).whole?.keys.whole).toBe(whole)
  })

  it.each([
    ['INV 1 234', ['1', '1234']],
    ['fees INV 1 234', ['1', '1234']],
    ['INV 001 234', []],
    ['INV 12 34', ['12']],
    ['INV 12 345 678 Betty', ['12']],
    ['STU 1 234', []],
  ])('%s may name the documents %j', (text, numbers) => {
    const { parts } = readReference(text)
    expect(parts.flatMap(({ document, digits }) => (document ? digits : []))).toEqual(numbers)
  })

  it('has no part that has no digit', () => {
    expect(readReference('school fees Betty').parts).toEqual([])
  })
})

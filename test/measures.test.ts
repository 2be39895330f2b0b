import { describe, expect, it } from 'vitest'
import { measure } from './measures.ts'

const measureText = (...lines: string[]) => measure('src/a.ts', lines.join('\n'))

describe('the measures of a source file', () => {
  it('count statements, without imports, types and blocks, however they are laid out', () => {
    expect(measureText("import { a } from './a.ts'", 'type B = 1', 'const c = {', '  d: 1,', '}').statements).toBe(1)
    expect(measureText('if (a) {', '  b()', '} else c()').statements).toBe(3)
    expect(measureText('a(); b()').statements).toBe(2)
  })

  it('count the statements of each function for itself, also of one inside another', () => {
    const text = ['function one() {', '  two()', '  return () => {', '    three()', '    four()', '  }', '}']
    expect(measureText(...text).functions).toEqual([
      { line: 1, statements: 2 },
      { line: 3, statements: 2 },
    ])
    expect(measureText('const a = {', '  b() {', '    c()', '  },', '}').functions).toEqual([
      { line: 2, statements: 1 },
    ])
  })

  it('pass over the table of contents that a describe block is', () => {
    const contents = ["  it('y', () => {", '    z()', '  })', '})']
    for (const opening of ["describe('x', () => {", "describe.each([1])('x', { timeout: 1 }, (n) => {"])
      expect(measureText(opening, ...contents).functions).toEqual([{ line: 2, statements: 1 }])
  })

  it('find spreads that only pack the parts of a literal', () => {
    expect(measureText('a = {', '  ...{b, c},', '}', 'd = [...[1, 2]]', 'e(...[1, 2])').packed).toEqual([2, 4, 5])
    expect(measureText('a = { ...b, ...(c && { d }), ...e() }', 'f = [...g, ...(h ? [i] : [])]').packed).toEqual([])
    expect(measureText("a = [...[...'text'].map(b)]", 'c = { ...[d] }').packed).toEqual([])
  })

  it('refuse a file that cannot be parsed', () => {
    expect(() => measureText('const = 1')).toThrow('src/a.ts cannot be parsed')
  })
})

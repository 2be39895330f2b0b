import { describe, expect, it } from 'vitest'
import { fillTemplate } from '../../src/lib/template.ts'

describe('fillTemplate', () => {
  it.each([
    ['Hello {name}', 'Hello Ada'],
    ['{name}{name} {sum}', 'AdaAda $& {name}'],
    ['{other} {} { name } {{name}}', '{other} {} { name } {Ada}'],
    ['{constructor} {toString}', '{constructor} {toString}'],
    ['', ''],
  ])('turns %j into %j', (template, filled) => {
    expect(fillTemplate(template, { name: 'Ada', sum: '$& {name}' })).toBe(filled)
  })
})

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { spans } from '../../../src/lib/tracing/spans.ts'

it('the table of docs/operating/tracing.md has every span, with its kind and its attributes', () => {
  const page = readFileSync(new URL('../../../docs/operating/tracing.md', import.meta.url), 'utf8')
  const section = page.split('\n## ').find((text) => text.startsWith('What the spans are\n'))!
  const rows = section.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim())
    return /^`.+`$/.test(cells[1] ?? '') ? [cells.slice(1, -1)] : []
  })
  expect(rows.map(([name, kind, , , attributes]) => ({ name, kind, attributes: attributes?.split(', ') }))).toEqual(
    Object.values(spans).map(({ name, kind, attributes }) => ({
      name: `\`${name}\``,
      kind,
      attributes: attributes.map((attribute) => `\`${attribute}\``),
    })),
  )
})

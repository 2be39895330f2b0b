import { expect, it } from 'vitest'
import { spans } from '../../../src/lib/tracing/spans.ts'

it('have names of their own, and say what they show', () => {
  const all = Object.values(spans)
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  for (const { name, shows } of all) expect(shows, name).toMatch(/^[A-Z].{20,}[^.]$/)
})

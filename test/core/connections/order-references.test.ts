import { expect, it } from 'vitest'
import { createReference } from '../../../src/core/connections/order-references.ts'

it.each([
  ['uuid-v4', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
  ['alphanumeric-25', /^[A-Z][0-9A-Z]{24}$/],
  ['ascii-12', /^[A-Z][0-9A-Z]{11}$/],
] as const)('%s: every reference has the form, and each is another', (form, pattern) => {
  const references = Array.from({ length: 2_000 }, () => createReference(form))
  for (const reference of references) expect(reference).toMatch(pattern)
  expect(new Set(references).size).toBe(references.length)
})

it('uses all letters and digits about equally often', () => {
  const counts = new Map<string, number>()
  for (let n = 0; n < 2_000; n += 1)
    for (const character of createReference('alphanumeric-25').slice(1))
      counts.set(character, (counts.get(character) ?? 0) + 1)
  expect(counts.size).toBe(36)
  // 48,000 characters: 1,333 of each, and four standard deviations are 144.
  for (const count of counts.values()) expect(Math.abs(count - 48_000 / 36)).toBeLessThan(220)
})

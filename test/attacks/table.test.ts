import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/*
 * `npm run attacks` runs every attack on the service, and prints its figures. Each one has a row in docs/security.md.
 */
it('the table of docs/security.md has a row for every attack, and no other', () => {
  const files = readdirSync('test/attacks', { recursive: true, encoding: 'utf8' })
  const scripts = files.filter((file) => file.endsWith('.test.ts') && file !== 'table.test.ts')
  const named = readFileSync('docs/security.md', 'utf8').matchAll(/`test\/attacks\/([^`]+)`/g)
  expect([...new Set(Array.from(named, ([, file]) => file))].sort()).toEqual(scripts.sort())
})

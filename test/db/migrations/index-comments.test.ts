import { describe, expect, it } from 'vitest'
import { listMigrations, readMigration } from '../../../src/db/migration-files.ts'

/** The names of the indexes in a migration that have no line of comment above them. */
function withoutComment(text: string): string[] {
  const lines = text.split('\n')
  return lines.flatMap((line, at) => {
    const name = /^\s*create (?:unique )?index (?:concurrently )?(?:if not exists )?(\w+)/i.exec(line)?.[1]
    return name === undefined || /^-- (?!Kind:)./.test(lines[at - 1] ?? '') ? [] : [name]
  })
}

describe('an index', () => {
  it('names the query that needs it', async () => {
    const names = await listMigrations()
    const found = await Promise.all(names.map(async (name) => withoutComment(await readMigration(name))))
    expect(found.flat(), 'Say in a line of comment above the index what is read by it, or remove it.').toEqual([])
  })

  it('is found where nothing says what needs it', () => {
    const sample = `-- Kind: widen
create index first on things (id);
-- The list, newest first.
create index second on things (id desc);
create unique index third on things (name);

CREATE INDEX CONCURRENTLY fourth on things (name);`
    expect(withoutComment(sample)).toEqual(['first', 'third', 'fourth'])
  })
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repeatFaults } from './repeatable-work.ts'

const ROOT = join(import.meta.dirname, '..')

describe('the work of transactions', () => {
  it('can be repeated everywhere', () => {
    const files = globSync('src/**/*.ts', { cwd: ROOT })
    expect(files.length).toBeGreaterThan(500)
    expect(files.flatMap((path) => repeatFaults(path, readFileSync(join(ROOT, path), 'utf8')))).toEqual([])
  })

  const faultsOf = (work: string) => repeatFaults('src/a.ts', `await begin(db, async (tx) => {\n${work}\n})`).length

  it('must not make changes that a second run would repeat', () => {
    const refused = [
      'ids.push(1)',
      'count += 1',
      'count++',
      'all = [...all, 1]',
      'seen.of.add(1)',
      'await tx`…`; map.set(1, 2)',
    ]
    expect(refused.map(faultsOf)).toEqual(refused.map(() => 1))
  })

  it('may use what is made inside, what is set anew, and writes to the database', () => {
    const accepted = ['const ids = []; ids.push(1)', 'id = 1', 'attempt.clear(tx)', 'rows.map((row) => { row.n += 1 })']
    expect(accepted.map(faultsOf)).toEqual(accepted.map(() => 0))
  })
})

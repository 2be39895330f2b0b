import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/* ARCHITECTURE.md promises that one can follow money by opening few files. */

const MAX_FILES = 25

const text = readFileSync('ARCHITECTURE.md', 'utf8')
const chapter = text.slice(text.indexOf('## Four walks'), text.indexOf('## Errors, money, time'))

/** Maximum number of files of a walk that call a file which is not on it: nouns that pass by, such as contacts and events. */
const MAX_USERS = 6

/** The files of each walk, in order, below src. */
const walks = chapter
  .split('\n### ')
  .slice(1)
  .map((walk) => [walk.slice(0, walk.indexOf('\n')), filesIn(walk)] as const)

function filesIn(walk: string): string[] {
  return [...new Set([...walk.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file]) => file!))]
}

/** Something begins in these: a door, an action, a job, or the server in front of the doors. */
function isEntrance(file: string): boolean {
  return /^(http|jobs|pay|api|console)\/|\/actions\.ts$/.test(file)
}

/** The files that a file imports, below src. */
function importsOf(file: string): string[] {
  const source = readFileSync(join('src', file), 'utf8')
  return [...source.matchAll(/ from '(\.[^']+)'/g)].map(([, path]) => join(file, '..', path!))
}

/** The files of which a file imports more than types. */
function calledBy(file: string): string[] {
  const source = readFileSync(join('src', file), 'utf8')
  const calls = (names: string) => names.split(',').some((name) => name.trim() !== '' && !/^\s*type /.test(name))
  return [...source.matchAll(/^import \{([^}]*)\} from '(\.[^']+)'/gm)].flatMap(([, names, path]) =>
    calls(names!) ? [join(file, '..', path!)] : [],
  )
}

describe('the walks of ARCHITECTURE.md', () => {
  it('are those of a request, a payout, a bill and a payment link', () => {
    expect(walks.map(([title]) => title)).toEqual([
      'A request, from POST to webhook',
      'A payout or refund',
      'A bill',
      'A payment link',
    ])
  })

  it.each(walks)('%s: files that exist, few, and each used by another one', (_, files) => {
    expect(files.filter((file) => !existsSync(join('src', file)))).toEqual([])
    expect(files.length).toBeGreaterThan(10)
    expect(files.length).toBeLessThanOrEqual(MAX_FILES)
    const used = new Set(files.flatMap(importsOf))
    expect(files.filter((file) => !isEntrance(file) && !used.has(file))).toEqual([])
    const beside = [...used].filter((file) => file.startsWith('core/') && !files.includes(file))
    const usersOf = (file: string) => files.filter((user) => calledBy(user).includes(file))
    expect(beside.filter((file) => usersOf(file).length > MAX_USERS)).toEqual([])
  })
})

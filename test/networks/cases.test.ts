import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/* docs/networks.md says what is right in each case, and names the tests of it. */

interface NamedTest {
  file: string
  title: string
}

const rows = readFileSync('docs/networks.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Case '))

/** The tests in the last cell of a row: a file, and the titles behind it until the next file. */
function namedTests(row: string): NamedTest[] {
  const cell = row.split(' | ').at(-1)!
  return cell
    .split('`test/')
    .slice(1)
    .flatMap((part) => {
      const [path, titles = ''] = part.split('`')
      return [...titles.matchAll(/\*([^*]+)\*/g)].map(([, title]) => ({ file: `test/${path}`, title: title! }))
    })
}

describe('the cases of late money and late answers', () => {
  it('each name a test', () => {
    expect(rows.length).toBeGreaterThan(30)
    expect(rows.filter((row) => namedTests(row).length === 0)).toEqual([])
  })

  it('name only tests that exist', () => {
    const isMissing = ({ file, title }: NamedTest) =>
      !existsSync(file) || !['it', ')'].some((call) => readFileSync(file, 'utf8').includes(`${call}('${title}'`))
    expect(rows.flatMap(namedTests).filter(isMissing)).toEqual([])
  })
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

/** Something that `networks scaffold` has left to the person who writes the driver. */
interface ToDo {
  /** Relative to the root of the repository, with its line: `docs/networks/plum-money.md:3`. */
  place: string
  text: string
}

/**
 * Declare a failing test for each line of a network's files that says `To do: …`, and one that passes when there is
 * none. Returns whether nothing is left: until then the conformance suite would test guesses.
 */
export function testToDos(code: string): boolean {
  const left = findToDos(code)
  if (left.length === 0) it('has no to-dos', () => {})
  for (const { place, text } of left)
    it(`to do: ${place} ${text}`, () => {
      throw new Error(`${place}\n${text}`)
    })
  return left.length === 0
}

function findToDos(code: string): ToDo[] {
  const folders = [`src/networks/${code}`, `src/simulator/doors/${code}`, `test/networks/${code}`]
  const files = [
    ...folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: ROOT }).sort()),
    ...[`test/simulator/doors/${code}`].flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: ROOT }).sort()),
    ...globSync(`docs/networks/${code}.md`, { cwd: ROOT }),
  ]
  return files.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const text = /\bTo do: (.*?)(?: -->)?$/.exec(line)?.[1]
        return text === undefined ? [] : { place: `${file.replaceAll('\\', '/')}:${index + 1}`, text }
      }),
  )
}

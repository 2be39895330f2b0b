import { readFileSync } from 'node:fs'
import { basename, dirname, relative } from 'node:path'

/*
 * `npm run test:times -- before.json after.json` prints the seconds of the test files by folder, in a column for each report of
 * `npm run test:rest -- --reporter=json --outputFile=after.json` or another lane.
 */

interface Report {
  testResults: { name: string; startTime: number; endTime: number }[]
}

/** `test` and two folders. */
const DEPTH = 3

/** Sum the seconds of files by their folder, such as `test/cli/commands`. */
function sumByFolder({ testResults }: Report): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { name, startTime, endTime } of testResults) {
    const folder = relative('.', dirname(name)).split(/[\\/]/).slice(0, DEPTH).join('/')
    sums.set(folder, (sums.get(folder) ?? 0) + (endTime - startTime) / 1_000)
  }
  return sums
}

const paths = process.argv.slice(2)
const columns = paths.map((path) => sumByFolder(JSON.parse(readFileSync(path, 'utf8')) as Report))
const folders = [...new Set(columns.flatMap((sums) => [...sums.keys()]))]
const sumOf = (values: Iterable<number>) => [...values].reduce((sum, one) => sum + one, 0)
const rows = folders.map((folder) => ({ folder, seconds: columns.map((sums) => sums.get(folder) ?? 0) }))
rows.sort((a, b) => Math.max(...b.seconds) - Math.max(...a.seconds))
rows.push({ folder: 'all', seconds: columns.map((sums) => sumOf(sums.values())) })

const line = (cells: readonly string[], name: string) =>
  process.stdout.write(`${cells.map((cell) => cell.padStart(14)).join('')}  ${name}\n`)
line(
  paths.map((path) => basename(path, '.json')),
  'folder',
)
for (const { folder, seconds } of rows)
  line(
    seconds.map((one) => one.toFixed(1)),
    folder,
  )

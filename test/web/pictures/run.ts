import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/* `npm run console:pictures -- --out DIR`: pictures of every page and dialog of the console, and a check of each. */

const { values } = parseArgs({ options: { out: { type: 'string' } } })
if (!values.out) {
  console.error('Usage: npm run console:pictures -- --out DIR')
  process.exit(2)
}
const env = { ...process.env, KUSANYA_PICTURES: resolve(values.out) }
const { status } = spawnSync('npx', ['vitest', 'run', 'test/web/pictures.test.ts', '-t', 'pictures'], {
  stdio: 'inherit',
  env,
})
process.exit(status ?? 1)

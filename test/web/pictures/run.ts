import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chooseVariants, VARIANTS } from './variants.ts'

/*
 * `npm run console:pictures -- --out DIR`: pictures of every page and dialog of the console, and a check of each.
 * `npm run pictures`: one contact sheet for each page, also for the pages of visitors.
 */

const USAGE = `Usage: npm run console:pictures -- --out DIR [--only VARIANT…] [--pages TEXT…] [--no-dialogs]
       npm run pictures [-- --pages TEXT…]

  --out DIR        the folder of the pictures: DIR/<variant>/<page>.png
  --sheets         also one contact sheet for each page: DIR/sheets/<page>.png
  --only VARIANT   a variant or a part of its name, such as sw or phone-dark; may be repeated
  --pages TEXT     only pages whose address contains this text, such as /bills; may be repeated
  --no-dialogs     no pictures of dialogs

Variants: ${VARIANTS.map(({ name }) => name).join(', ')}
The pages are checked with axe in English alone, because other languages have the same elements and colors.`

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    pages: { type: 'string', multiple: true, default: [] },
    'no-dialogs': { type: 'boolean', default: false },
    sheets: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help || !values.out) {
  console.error(USAGE)
  process.exit(values.help ? 0 : 2)
}
const order = {
  dir: resolve(values.out),
  variants: chooseVariants(values.only),
  pages: values.pages,
  dialogs: !values['no-dialogs'],
  sheets: values.sheets,
}
const { status } = spawnSync(
  'npx',
  ['vitest', 'run', 'test/web/pictures.slow.test.ts', '-t', 'pictures of every page'],
  {
    stdio: 'inherit',
    env: { ...process.env, KUSANYA_PICTURES: JSON.stringify(order) },
  },
)
process.exit(status ?? 1)

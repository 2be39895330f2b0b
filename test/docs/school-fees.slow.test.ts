import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShell } from '../cli/shell.ts'
import { buildTestApp, eventually, type TestApp } from '../test-app.ts'
import { blocksOf, ROOT } from './blocks/pages.ts'

/* Follows the guide for school fees: makes its file, types its commands in their order, and looks who has paid. */

const PAGE = 'docs/guides/school-fees.md'

let testApp: TestApp
let folder: string
beforeAll(async () => {
  testApp = await buildTestApp()
  await testApp.startService()
  folder = await mkdtemp(join(tmpdir(), 'school-fees-'))
})
afterAll(async () => {
  await testApp.close()
  await rm(folder, { recursive: true })
})

/** The words of a command, with the files of the page in their folder. */
function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)
  return words.slice(2).map((word) => (/^\w+\.(csv|xlsx)$/.test(word) ? join(folder, word) : word))
}

it('goes from the list of pupils to the class list with who has paid', async () => {
  const blocks = blocksOf(PAGE, await readFile(join(ROOT, PAGE), 'utf8'))
  for (const { info, text } of blocks)
    if (info.startsWith('csv ')) await writeFile(join(folder, info.slice('csv '.length)), text)
  const { DATABASE_URL, DATA_DIR } = testApp.app.config
  const kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR, LOG_LEVEL: 'silent' })
  const read = async (...args: string[]) => JSON.parse((await kusanya([...args, '--json'])).out)
  const outputs = new Map<string, string>()
  for (const { info, text } of blocks) {
    if (info !== 'sh') continue
    for (const line of text.trim().split('\n')) {
      const { code, out, err } = await kusanya(wordsOf(line))
      expect([line, code, err]).toEqual([line, 0, ''])
      outputs.set(line.split(' ').slice(2, 4).join(' '), out)
    }
    if (text.includes('simulate pay'))
      await eventually('all money to be looked at', async () => {
        const [left] = await testApp.db<{ count: number }[]>`
          select count(*) from collections c where c.allocated = c.amount or c.reference = 'P5-009'`
        return left!.count === 4 || undefined
      })
  }
  const customers = await read('invoices', 'customers', '--tag', 'P5')
  expect(JSON.stringify(customers)).toContain('P5-002')
  const invoices = await testApp.db<{ number: string; state: string; paid: string; credit: string }[]>`
    select c.number, i.state, i.amount_paid::text as paid, coalesce((
      select sum(a.amount) from allocations a where a.contact = c.id and a.ended is null), 0)::text as credit
    from invoices i join contacts c on c.id = i.contact order by c.number`
  expect(invoices).toEqual([
    { number: 'P5-001', state: 'paid', paid: '850.0000', credit: '0' },
    { number: 'P5-002', state: 'paid', paid: '850.0000', credit: '50.0000' },
  ])
  expect(outputs.get('reports unmatched')).toContain('P5-009')
  expect(outputs.get('invoices customers')).toContain('P5-001')
})

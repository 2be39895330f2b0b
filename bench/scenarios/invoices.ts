import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { buildPages } from '../../scripts/built-pages.ts'
import { keysOfNumber } from '../../src/core/numbers/keys.ts'
import { rows } from '../../src/db/rows.ts'
import { openBrowser } from '../../test/console/browser.ts'
import { type BenchService, startPostgres } from '../postgres.ts'
import { endChildren } from '../processes.ts'
import { CURRENCY } from '../shops.ts'

/*
 * Invoices from a file, as people in the console make them: a class list of customers with numbers is checked, becomes drafts, and the
 * drafts are issued; the same again for customers who are not known yet, and for all customers with a tag.
 *
 *   npm run bench:invoices -- [--rows 10000]
 */

const PASSWORD = 'a password of the bench'
/** Maximum time from a file to its invoices; more makes the run fail. */
const MAX_FILE_MS = 20_000

type Person = ReturnType<typeof openBrowser>

await main()

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { rows: { type: 'string', default: '10000' } } })
  const count = Number(values.rows)
  buildPages()
  const postgres = await startPostgres(1)
  let wrong: string[] = []
  try {
    const service = await postgres.startService([], 1, { SANDBOX_PASSWORD: PASSWORD })
    const person = openBrowser(service.url)
    const { status } = await person.signIn('owner@demo.example', PASSWORD)
    if (status >= 300) throw new Error(`The owner cannot sign in: ${status}`)
    await addCustomers(service, count)
    wrong = await measure(service, person, count)
    await service.close()
  } finally {
    await endChildren()
    await postgres.close()
  }
  for (const one of wrong) print(`  WRONG: ${one}`)
  process.exitCode = wrong.length > 0 ? 1 : 0
}

function phoneOf(index: number): string {
  return `+800${String(30_000_000 + index)}`
}

function numberOf(index: number): string {
  return `STU-${String(index + 1).padStart(5, '0')}`
}

/** Customers with numbers, of whom each has a phone and the tag of a class. */
async function addCustomers({ db, shops }: BenchService, count: number): Promise<void> {
  const { organization, author } = shops[0]!
  const given = Array.from({ length: count }, (_, index) => ({ number: numberOf(index), phone_number: phoneOf(index) }))
  const made = await db<{ id: number; number: string }[]>`
    insert into contacts (organization, first_name, last_name, phone_number, type, status, phone_is_supported,
      phone_is_mm_registered, name_on_network, name_matches_network_status, name_matches_network_score, network_name, created,
      modified, author, number)
    select ${organization}, 'Ann', 'Other', c.phone_number, 'other', 'active', 'yes', 'unknown', '', 'unchecked', 0, '', now(),
      now(), ${author}, c.number
    from ${rows(given, { number: 'text', phone_number: 'text' }).as('c')} returning id, number`
  const keys = made.map(({ id: contact, number }) => ({ contact, key: keysOfNumber(number)!.whole }))
  const source = rows(keys, { contact: 'bigint', key: 'text' })
  await db`
    insert into contact_number_keys (contact, organization, key, is_whole)
    select contact, ${organization}, key, true from ${source.as('k')}`
  await db`insert into contact_tags (contact, organization, tag) select contact, ${organization}, 'P5' from ${source.as('k')}`
}

/** Run each case and print its duration. @returns the faults */
async function measure({ db }: BenchService, person: Person, count: number): Promise<string[]> {
  const wrong: string[] = []
  const run = async (
    name: string,
    body: (answer: { status: number; body: Record<string, unknown> }) => boolean,
    call: () => ReturnType<Person['post']>,
  ) => {
    const start = performance.now()
    const answer = await call()
    const ms = performance.now() - start
    print(`${name.padEnd(44)} ${(ms / 1_000).toFixed(1)} s`)
    if (!body(answer)) wrong.push(`${name}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`)
    return ms
  }
  const has = (name: string) => (answer: { body: Record<string, unknown> }) => answer.body?.[name] === count
  for (const [title, first, identify] of [
    ['Customer number', 'known customers', numberOf],
    ['Phone', 'new customers', (index: number) => phoneOf(count + index)],
  ] as const) {
    const lines = Array.from({ length: count }, (_, index) => `${identify(index)},Term 1,${1_000 + index}`)
    const content = Buffer.from([`${title},Text,Amount`, ...lines].join('\n')).toString('base64')
    const body = { file_name: 'class.csv', content, currency: CURRENCY, due_date: '30 days' }
    let ms = await run(
      `${first}: check`,
      ({ status }) => status === 200,
      () => person.post('/invoices/files/check', body),
    )
    ms += await run(`${first}: make`, has('made'), () =>
      person.post('/invoices/files', { ...body, duplicates: 'skip', issue: false }),
    )
    if (ms > MAX_FILE_MS) wrong.push(`${first}: the file took ${(ms / 1_000).toFixed(1)} s.`)
    await run(`${first}: issue`, has('done'), () => person.post('/invoices/issue', { filter: { state: 'draft' } }))
  }
  const term = { tag: 'P5', text: 'Term 2', amount: '850', currency: CURRENCY, due_date: '30 days', issue: true }
  await run(
    'a tag: preview',
    ({ status }) => status === 200,
    () => person.post('/invoices/batches/preview', term),
  )
  await run('a tag: make and issue', has('made'), () => person.post('/invoices/batches', term))
  await run(
    'sums by tag',
    ({ status }) => status === 200,
    () => person.get('/invoices/tags'),
  )
  await run(
    'class list',
    ({ status }) => status === 200,
    () => person.get('/invoices/customers?tag=P5&limit=1000'),
  )
  const [gaps] = await db<{ missing: number }[]>`select max(number) - count(number) as missing from invoices`
  if (gaps!.missing !== 0) wrong.push(`${gaps!.missing} numbers are missing.`)
  return wrong
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

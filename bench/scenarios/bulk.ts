import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import writeXlsx from 'write-excel-file/node'
import { buildPages } from '../../scripts/built-pages.ts'
import { allPermissions } from '../../src/core/access/api-keys.ts'
import { createUser, setMembership, setPassword } from '../../src/core/access/organizations.ts'
import { fundAccount } from '../../src/core/ledger/accounts.ts'
import { checkLedger } from '../../src/core/ledger/transfers.ts'
import { setApprovalRule } from '../../src/core/spending/approval-rules.ts'
import { begin } from '../../src/db/client.ts'
import { type Amount, displayAmount, formatAmount, parseAmount } from '../../src/lib/money.ts'
import { hashPassword } from '../../src/lib/secrets.ts'
import { openBrowser } from '../../test/console/browser.ts'
import { sendReviewed } from '../../test/console/reviewed.ts'
import { type BenchService, startPostgres } from '../postgres.ts'
import { endChildren, listMemory, type ProcessMemory } from '../processes.ts'
import { CURRENCY } from '../shops.ts'

/*
 * Files of payments, as people in the console pay them. A CSV and an Excel file are uploaded, checked for names,
 * started, approved by a second person, and paid by the simulated network. Meanwhile a page of the file is read as an
 * open window reads it. In the end the rows of the files are compared with the network's payments.
 *
 *   npm run bench:bulk -- [--rows 10000]
 */

const PASSWORD = 'a password of the bench'
/** Maximum time of an upload; more makes the run fail. */
const MAX_UPLOAD_MS = 10_000
/** Maximum time of a page; more makes the run fail. */
const MAX_PAGE_MS = 1_000
/** The service has no more to build when it has built nothing for so long. */
const BUILD_PAUSE_MS = 5_000
/** Time after which an unfinished phase is given up. */
const MAX_PHASE_MS = 1_800_000

interface Row {
  phone: string
  name: string
  amount: Amount
}

type Person = ReturnType<typeof openBrowser>

await main()

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { rows: { type: 'string', default: '10000' } } })
  const rows = Number(values.rows)
  buildPages()
  const postgres = await startPostgres(1)
  let wrong: string[] = []
  try {
    const service = await postgres.startService([], 1, { SANDBOX_PASSWORD: PASSWORD })
    await waitForBuilds(service)
    const people = await prepare(service)
    print(`memory of the service before the first file: ${describe(listMemory(service.child))}`)
    for (const [index, kind] of (['csv', 'xlsx'] as const).entries())
      wrong = [...wrong, ...(await payFile(service, people, kind, makeRows(rows, index * rows)))]
    wrong = [...wrong, ...(await checkLedger(service.db)).map(String)]
    await service.close()
  } finally {
    await endChildren()
    await postgres.close()
  }
  for (const one of wrong) print(`  WRONG: ${one}`)
  process.exitCode = wrong.length > 0 ? 1 : 0
}

/**
 * Wait for the builds of pages and documentation. The service starts them on changed sources, in separate processes
 * that take a processor and a gigabyte for a minute or two.
 */
async function waitForBuilds({ child }: BenchService): Promise<void> {
  for (let quiet_since = performance.now(); performance.now() - quiet_since < BUILD_PAUSE_MS; ) {
    await sleep(250)
    if (listMemory(child).length > 1) quiet_since = performance.now()
  }
}

/** Prepare two people, money for all rows, and a rule that requires the second person for each file. */
async function prepare({ url, db, shops }: BenchService): Promise<{ author: Person; approver: Person }> {
  const { organization, account, author: user } = shops[0]!
  const now = new Date()
  const password_hash = await hashPassword(PASSWORD)
  await begin(db, async (tx) => {
    await fundAccount(tx, now, { account, amount: parseAmount('1000000000')!, description: 'Bench', author: user })
    await setApprovalRule(tx, { organization, currency: CURRENCY, threshold: parseAmount('1')! })
    const grace = await createUser(tx, now, { name: 'Grace', email: 'grace@shop.example' })
    await setPassword(tx, grace.id, password_hash)
    await setMembership(tx, now, { organization, user: grace.id, permissions: allPermissions })
  })
  const [author, approver] = [openBrowser(url), openBrowser(url)]
  for (const [person, email] of [
    [author, 'owner@demo.example'],
    [approver, 'grace@shop.example'],
  ] as const) {
    const { status } = await person.signIn(email, PASSWORD)
    if (status >= 300) throw new Error(`${email} cannot sign in: ${status}`)
  }
  return { author, approver }
}

/** Make rows for phones of the sandbox whose payments succeed: their last digits have no special behaviour. */
function makeRows(count: number, first: number): Row[] {
  return Array.from({ length: count }, (_, index) => ({
    phone: `+800${String(20_000_000 + (first + index) * 100 + 50)}`,
    name: `Ann ${index} Other`,
    amount: parseAmount(`${100 + (index % 900)}.${String(index % 100).padStart(2, '0')}`)!,
  }))
}

async function makeFile(kind: 'csv' | 'xlsx', rows: readonly Row[]): Promise<Buffer> {
  const titles = ['phone number', 'name', 'amount', 'currency']
  const cells = rows.map(({ phone, name, amount }) => [phone, name, formatAmount(amount).slice(0, -2), CURRENCY])
  if (kind === 'csv') return Buffer.from([titles, ...cells].map((line) => line.join(',')).join('\n'))
  const data = [titles, ...cells].map((line, index) =>
    line.map((text, column) => (column === 2 && index > 0 ? { value: Number(text) } : { value: text })),
  )
  return writeXlsx(data).toBuffer()
}

/** Pay one file, print the duration of each phase, and return the faults. */
async function payFile(
  service: BenchService,
  { author, approver }: { author: Person; approver: Person },
  kind: 'csv' | 'xlsx',
  rows: readonly Row[],
): Promise<string[]> {
  const file = await makeFile(kind, rows)
  print(`${rows.length.toLocaleString('en')} rows as ${kind.toUpperCase()}, ${(file.length / 1_024).toFixed(0)} KB`)
  const watch = watchPages(service, author)
  const { wrong } = watch
  try {
    const body = { file_name: `wages.${kind}`, content: file.toString('base64'), description: 'Wages' }
    const draft = await watch.phase('upload', () => author.post('/bulk-payments', body))
    if (draft.body?.with_problems !== 0 || draft.body.rows !== rows.length)
      return [...wrong, `The upload answered ${draft.status}: ${JSON.stringify(draft.body).slice(0, 300)}`]
    const upload_ms = watch.last_ms
    if (upload_ms > MAX_UPLOAD_MS) wrong.push(`The upload took ${format(upload_ms)}.`)
    const path = `/bulk-payments/${draft.body.id}`
    watch.open(path)
    const read = async (): Promise<Detail> => (await author.get(path)).body
    const until = async (done: (detail: Detail) => boolean) => {
      const from = performance.now()
      for (let detail = await read(); !done(detail); detail = await read()) {
        if (performance.now() - from > MAX_PHASE_MS) throw new Error(`The file stays ${JSON.stringify(detail.states)}.`)
        await sleep(250)
      }
    }
    await watch.phase('ask for names', () => author.post(`${path}/names`))
    await watch.phase('names known', () => until(({ names }) => names?.pending === 0))
    await watch.phase('rows checked again', () => author.post(`${path}/check`))
    const started = await watch.phase('review and start', () => sendReviewed(author, `${path}/start`))
    if (started.status !== 200) return [...wrong, `The start answered ${JSON.stringify(started.body)}`]
    await watch.phase('payments created', () => until(({ state }) => state === 'created'))
    const approved = await watch.phase('approve', () => approver.post(`${path}/approve`))
    if (approved.status !== 200) return [...wrong, `The approval answered ${JSON.stringify(approved.body)}`]
    await watch.phase('paid', () => until(({ states }) => states.paid + states.failed + states.refused === rows.length))
    await watch.close()
    return [...wrong, ...(await compare(service, rows))]
  } finally {
    await watch.close()
  }
}

interface Detail {
  state: string
  states: { paid: number; failed: number; refused: number }
  names: { pending: number } | null
}

/**
 * Measure phases, and meanwhile read the data of open windows: the file with its first rows, the list of files, the
 * payments and the queue of approvals.
 */
function watchPages({ child }: BenchService, person: Person) {
  const wrong: string[] = []
  const longest = new Map<string, number>()
  let page: string | undefined
  let closed = false
  let most: readonly ProcessMemory[] = []
  const reading = (async () => {
    while (!closed) {
      const memory = listMemory(child)
      if (sumOf(memory) > sumOf(most)) most = memory
      const paths = ['/bulk-payments?limit=25', '/payment-summaries?limit=25', '/approvals', '/approvals/count']
      for (const path of page === undefined ? paths : [page, `${page}/rows?limit=100`, ...paths]) {
        const from = performance.now()
        const { status } = await person.get(path)
        if (status !== 200) wrong.push(`${path} answered ${status}.`)
        const name = path.replace(/\d+(?=\/|$)/, ':id')
        longest.set(name, Math.max(longest.get(name) ?? 0, performance.now() - from))
      }
      await sleep(1_000)
    }
  })()
  const watch = {
    wrong,
    last_ms: 0,
    open(path: string) {
      page = path
    },
    async phase<Answer>(name: string, work: () => Promise<Answer>): Promise<Answer> {
      const from = performance.now()
      const answer = await work()
      watch.last_ms = performance.now() - from
      print(`  ${name.padEnd(24)} ${format(watch.last_ms)}`)
      return answer
    },
    async close() {
      if (closed) return
      closed = true
      await reading
      for (const [path, ms] of longest) {
        print(`    longest ${path.padEnd(34)} ${format(ms)}`)
        if (ms > MAX_PAGE_MS) wrong.push(`${path} took ${format(ms)}.`)
      }
      print(`    memory of the service: ${describe(most)} at most`)
    },
  }
  return watch
}

function describe(memory: readonly ProcessMemory[]): string {
  const parts = memory.map(({ command, mb }) => `${command} ${mb.toFixed(0)}`)
  return `${sumOf(memory).toFixed(0)} MB${parts.length > 1 ? ` (${parts.join(', ')})` : ''}`
}

function sumOf(memory: readonly ProcessMemory[]): number {
  return memory.reduce((sum, { mb }) => sum + mb, 0)
}

/** Compare the rows of the file with the simulated network's payments: each phone once, with its amount. */
async function compare({ db }: BenchService, rows: readonly Row[]): Promise<string[]> {
  const paid = await db<{ phonenumber: string; amount: Amount }[]>`
    select phonenumber, amount from simulator_payouts
    where state = 'paid' and ltrim(phonenumber, '+') = any(${rows.map(({ phone }) => phone.slice(1))}::text[])`
  const byPhone = Map.groupBy(paid, ({ phonenumber }) => `+${phonenumber.replace('+', '')}`)
  const differing = rows.filter(({ phone, amount }) => {
    const found = byPhone.get(phone) ?? []
    return found.length !== 1 || found[0]!.amount !== amount
  })
  const sum = paid.reduce((all, { amount }) => all + amount, 0n)
  print(`  in: ${rows.length} rows, out: ${paid.length} payments of ${CURRENCY} ${displayAmount(sum)}`)
  return differing.slice(0, 5).map(({ phone }) => `${phone} was paid ${JSON.stringify(byPhone.get(phone), toText)}.`)
}

function toText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? formatAmount(value) : value
}

function format(ms: number): string {
  return `${ms < 10_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1_000).toFixed(1)} s`}`.padStart(9)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

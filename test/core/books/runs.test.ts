import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compareStatement, newComparison } from '../../../src/core/books/compare.ts'
import {
  askAboutFinding,
  claimAskedFindings,
  explainFinding,
  finishAskedFindings,
  listFindings,
} from '../../../src/core/books/findings.ts'
import { findingsTable } from '../../../src/core/books/findings-table.ts'
import { getRun, insertRun, listRuns, type ReconciliationRun } from '../../../src/core/books/runs.ts'
import { openStatementFile, uploadedStatement } from '../../../src/core/books/statement-file.ts'
import type { Finding } from '../../../src/core/ledger/reconciliation.ts'
import { begin } from '../../../src/db/client.ts'
import { csvFile } from '../../../src/lib/table-files/csv-file.ts'
import { readPdfTable } from '../../../src/lib/table-files/pdf-file.ts'
import { writeTablePdf } from '../../../src/lib/table-files/pdf-pages.ts'
import { drawPages, textBounds } from '../../lib/pdf/pictures.ts'
import { LETTERHEAD } from '../../lib/table-files/day-of-statement.ts'
import { amount, openShop, type Shop } from '../shop.ts'

let shop: Shop
let by: { user: number; name: string }
let run: ReconciliationRun
beforeAll(async () => {
  shop = await openShop()
  by = { user: (await shop.wallet()).author, name: 'Ann' }
  await shop.ingest(shop.paymentReport(), shop.paymentReport(), shop.paymentReport({ amount: amount('70') }))
  run = await compare()
})
afterAll(() => shop.close())

const page = { limit: 10, offset: 0 }

/** Compare a statement that lists one payment rightly, one with another amount, lacks one, and has one that the books lack. */
async function compare(): Promise<ReconciliationRun> {
  const [first, second] = await shop.collections()
  const at = shop.now().toISOString()
  const text = [
    'remote_id,amount,status,currency,paid_at,fee',
    `${first!.remote_transaction_id},1500,successful,BXC,${at},`,
    `${second!.remote_transaction_id},1499,successful,BXC,${at},12.5`,
    `+0700,33,successful,BXC,${at},`,
  ].join('\n')
  const comparison = newComparison({ slug: 'sandbox', code: 'sandbox' }, {}, false)
  const connection = await shop.db.reserve('reconciliation')
  const findings: Finding[] = []
  try {
    const source = { driver: { places: [] }, environment: 'sandbox', places: null }
    const home = { time_zone: 'UTC', country: null }
    const statement = await openStatementFile(Buffer.from(text), source, { home, limits: uploadedStatement })
    const compared = compareStatement(connection, statement.chunks(), {}, comparison)
    for await (const chunk of compared) findings.push(...chunk)
  } finally {
    connection.release()
  }
  const id = await begin(shop.db, (tx) =>
    insertRun(tx, shop.now(), {
      organization: shop.organization,
      file_name: 'may.csv',
      file_sha256: 'a'.repeat(64),
      comparison,
      findings,
      notes: [],
      author: by,
    }),
  )
  return getRun(shop.db, shop.organization, id)
}

const read = async () => (await listFindings(shop.db, run, {}, page)).rows
const finding = async (kind: string) => (await read()).find((one) => one.kind === kind)!

describe('a comparison of a statement', () => {
  it('is kept with who made it, the digest of the file, and what differs', async () => {
    expect(run).toMatchObject({
      connection: 'sandbox',
      file_name: 'may.csv',
      file_sha256: 'a'.repeat(64),
      author_name: 'Ann',
      lines: 3,
      agreeing: 1,
      sent: false,
      differences: 4,
      open: 4,
    })
    expect(await listRuns(shop.db, shop.organization, page)).toEqual({ rows: [run], count: 1 })
    const kinds = (await read()).map(({ kind }) => kind)
    expect(kinds).toEqual(['amount_differs', 'fee_differs', 'missing_in_books', 'missing_at_network'])
    const [, second, third] = await shop.collections()
    expect(await finding('amount_differs')).toMatchObject({
      stated_amount: amount('1499'),
      booked_amount: amount('1500'),
      collection: second!.id,
      unmatched: true,
      line: 3,
      can_ask: false,
      state: 'open',
    })
    expect(await finding('missing_at_network')).toMatchObject({ line: null, collection: third!.id, can_ask: false })
    expect(await finding('missing_in_books')).toMatchObject({ booked_what: null, collection: null, can_ask: true })
    expect((await listFindings(shop.db, run, { kind: 'fee_differs', state: 'open' }, page)).count).toBe(1)
  })

  it('belongs to its organization', async () => {
    await expect(getRun(shop.db, shop.organization + 1, run.id)).rejects.toThrow('There is no reconciliation')
    expect(await listRuns(shop.db, shop.organization + 1, page)).toEqual({ rows: [], count: 0 })
  })

  it('lets a person write down why something differs, once', async () => {
    const { id } = await finding('missing_at_network')
    const explain = () =>
      begin(shop.db, (tx) => explainFinding(tx, shop.now(), { run: run.id, finding: id, note: 'Cut off', by }))
    await explain()
    const explained = { state: 'explained', note: 'Cut off', decided_by_name: 'Ann' }
    expect(await finding('missing_at_network')).toMatchObject(explained)
    await expect(explain()).rejects.toThrow('already explained')
    await expect(
      begin(shop.db, (tx) => explainFinding(tx, shop.now(), { run: run.id + 1, finding: id, note: 'No', by })),
    ).rejects.toThrow('There is no difference')
    expect((await getRun(shop.db, shop.organization, run.id)).open).toBe(3)
  })

  it('lets the network be asked about what it can settle, and is open again with the reason when it refuses', async () => {
    const ask = (id: number) =>
      begin(shop.db, (tx) => askAboutFinding(tx, shop.now(), { run: run.id, finding: id, by }))
    await expect(ask((await finding('amount_differs')).id)).rejects.toThrow('cannot settle')
    const { id } = await finding('missing_in_books')
    await ask(id)
    await expect(ask(id)).rejects.toThrow('already asked')
    const real = shop.testApp.clock.real()
    const times = { now: shop.now(), real, lease_end: new Date(real.getTime() + 60_000) }
    const claimed = await begin(shop.db, (tx) => claimAskedFindings(tx, times, 5))
    expect(claimed).toMatchObject([
      {
        id,
        connection: 'sandbox',
        finding: { kind: 'missing_in_books', statement: { amount: amount('33') }, books: null },
      },
    ])
    expect(await begin(shop.db, (tx) => claimAskedFindings(tx, times, 5))).toEqual([])
    await begin(shop.db, (tx) => finishAskedFindings(tx, [{ id, refused: 'Not known' }]))
    expect(await finding('missing_in_books')).toMatchObject({ state: 'open', answer: 'Not known' })
    await ask(id)
    await begin(shop.db, (tx) => claimAskedFindings(tx, times, 5))
    await begin(shop.db, (tx) => finishAskedFindings(tx, [{ id, refused: null }]))
    expect(await finding('missing_in_books')).toMatchObject({ state: 'resolved', answer: '' })
  })

  it('is a file of plain cells', async () => {
    const about = { organization: 'Shop', now: shop.now(), zone: 'UTC' }
    let text = ''
    for await (const chunk of csvFile(findingsTable(shop.db, run, about))) text += chunk
    const lines = text.trimEnd().split('\r\n')
    expect(lines).toHaveLength(5)
    expect(lines[3]).toMatch(/^missing in books,'\+0700,4,,,2030-01-15T12:00:00\+00:00,BXC,successful,33.0000,/)
  })

  it('has eight columns on paper: each side with its amount, fee and status', async () => {
    const about = { organization: 'Shop', now: shop.now(), zone: 'UTC', country: 'KE' }
    const { columns, rows, facts } = await readPdfTable(findingsTable(shop.db, run, about))
    expect(columns).toHaveLength(8)
    expect(facts.find(([name]) => name === 'Period')![1]).toMatch(/^\d\d\/01\/2030 \d\d:\d\d:\d\d to /)
    const missing = rows.find(([, , reference]) => reference === '+0700')!
    expect(missing.slice(4, 7)).toEqual(['missing in books', 'BXC 33\nsuccessful', ''])
    expect(rows.map((row) => row[7])).toContain('explained by Ann: Cut off')
  })

  it('has titles and words in the language of the reader', async () => {
    const about = { organization: 'Shop', now: shop.now(), zone: 'UTC', country: 'KE', language: 'sw' as const }
    const table = findingsTable(shop.db, run, about)
    expect(table.title).toBe(`Ulinganisho ${run.id}`)
    expect(table.columns.map(({ title }) => title)).toContain('Kiasi (taarifa)')
    const { columns, rows, facts } = await readPdfTable(table)
    expect(columns.map(({ title }) => title)).toContain('Hali na maelezo')
    expect(facts.map(([name]) => name)).toContain('Kipindi')
    const missing = rows.find(([, , reference]) => reference === '+0700')!
    expect(missing.slice(4, 7)).toEqual(['haimo kwenye leja', 'BXC 33\nimefaulu', ''])
    expect(rows.map((row) => row[7])).toContain('imeelezwa na Ann: Cut off')
  })

  it('is a page with the letterhead and nothing over the edge', async () => {
    const about = { organization: 'Shop', now: shop.now(), zone: 'UTC', country: 'KE', letterhead: LETTERHEAD }
    const pdf = await writeTablePdf(await readPdfTable(findingsTable(shop.db, run, about)))
    const [page, ...more] = await drawPages(pdf, 'pdf-reconciliation')
    expect(more).toEqual([])
    const { left, right, bottom } = textBounds(page!)
    expect([left >= 29, right <= 842 - 29, bottom <= 595 - 15]).toEqual([true, true, true])
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { newComparison } from '../../../src/core/books/compare.ts'
import { askAboutFinding, listFindings } from '../../../src/core/books/findings.ts'
import { insertRun } from '../../../src/core/books/runs.ts'
import type { BookEntry } from '../../../src/core/ledger/reconciliation.ts'
import { begin } from '../../../src/db/client.ts'
import { askAboutFindings } from '../../../src/jobs/books/ask-about-findings.ts'
import type { StatementLine } from '../../../src/lib/statements/statement-line.ts'
import { amount, openShop, type Shop } from '../../core/shop.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
  await shop.testApp.app.startSimulator()
})
afterAll(() => shop.close())

it('records a fee that a statement lists, and leaves open what the network does not know, with the reason', async () => {
  await shop.ingest(shop.paymentReport())
  const [known] = await shop.collections()
  const author = { user: known!.author, name: 'Ann' }
  const line: StatementLine = {
    line: 2,
    remote_id: known!.remote_transaction_id,
    amount: amount('1500'),
    sent: false,
    status: 'successful',
    currency: 'BXC',
    paid_at: shop.now(),
    reversal_of: null,
    fee: amount('9'),
  }
  const books: BookEntry = {
    id: known!.id,
    what: 'collection',
    remote_id: line.remote_id,
    status: 'successful',
    amount: amount('1500'),
    currency: 'BXC',
    paid_at: shop.now(),
    network_fee: null,
  }
  const unknown = { ...line, line: 3, remote_id: 'NEVER1', fee: null }
  const part = { from: shop.now(), to: shop.now() }
  const run = await begin(shop.db, (tx) =>
    insertRun(tx, shop.now(), {
      organization: shop.organization,
      file_name: 'may.csv',
      file_sha256: 'b'.repeat(64),
      author,
      comparison: newComparison({ slug: 'sandbox', code: 'sandbox' }, part, false),
      notes: [],
      findings: [
        { kind: 'fee_differs', remote_id: line.remote_id, statement: line, books },
        { kind: 'missing_in_books', remote_id: 'NEVER1', statement: unknown, books: null },
      ],
    }),
  )
  const read = async () =>
    (await listFindings(shop.db, { id: run, connection: 'sandbox' }, {}, { limit: 10, offset: 0 })).rows
  for (const { id: finding } of await read())
    await begin(shop.db, (tx) => askAboutFinding(tx, shop.now(), { run, finding, by: author }))
  const job = askAboutFindings(shop.testApp.app)
  expect(await job.nextDue()).toEqual(shop.now())
  await job.run(await job.claim(5))
  expect(await job.nextDue()).toBeNull()
  expect(await read()).toMatchObject([
    { state: 'resolved', answer: '' },
    { state: 'open', answer: 'The network does not know this payment.' },
  ])
  const [fee] = await shop.db<{ amount: bigint }[]>`
    select amount from transfers where reference = ${`network_fee:collection:${known!.id}`}`
  expect(fee).toEqual({ amount: amount('9') })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compareStatement, newComparison } from '../../../src/core/books/compare.ts'
import { type EntryContext, enterFinding, entryApproval } from '../../../src/core/books/entries.ts'
import { listFindings } from '../../../src/core/books/findings.ts'
import { insertRun } from '../../../src/core/books/runs.ts'
import type { Finding } from '../../../src/core/ledger/reconciliation.ts'
import { begin } from '../../../src/db/client.ts'
import type { StatementLine } from '../../../src/lib/statements/statement-line.ts'
import { answer, sendOrder } from '../charges.ts'
import { amount, openShop, type Shop } from '../shop.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const connection = { slug: 'sandbox', code: 'sandbox', name: 'Sandbox' }
const page = { limit: 10, offset: 0 }

/** Compare a statement with one line of received money. @returns the run, and its difference */
async function compare(changes: Partial<StatementLine>) {
  const line: StatementLine = {
    line: 2,
    remote_id: 'S1',
    amount: amount('1500'),
    sent: false,
    status: 'successful',
    currency: 'BXC',
    paid_at: shop.now(),
    reversal_of: null,
    ...changes,
  }
  const comparison = newComparison(connection, {}, false)
  const reserved = await shop.db.reserve('reconciliation')
  const findings: Finding[] = []
  try {
    const chunks = (async function* () {
      yield { lines: [line], unreadable: [], row: 2 }
    })()
    for await (const chunk of compareStatement(reserved, chunks, {}, comparison)) findings.push(...chunk)
  } finally {
    reserved.release()
  }
  const { organization } = shop
  const kept = { organization, file_name: 'may.csv', file_sha256: 'a'.repeat(64), comparison, findings, notes: [] }
  const author = { user: (await shop.wallet()).author, name: 'Ann' }
  const run = await begin(shop.db, (tx) => insertRun(tx, shop.now(), { ...kept, author }))
  const { rows } = await listFindings(shop.db, { id: run, connection: 'sandbox' }, { kind: 'missing_in_books' }, page)
  expect(rows).toMatchObject([{ remote_id: line.remote_id, can_enter: true }])
  return { run, finding: rows[0]!.id, author }
}

/** Enter the money of a line, and approve it. */
async function enter({ run, finding, author: by }: Awaited<ReturnType<typeof compare>>, phonenumber: string) {
  const { organization, now } = shop
  const context: EntryContext = { now: now(), organization, run, finding, by, in_service: true, connection }
  const { id: account } = await shop.wallet()
  await begin(shop.db, (tx) => enterFinding(tx, context, { account, phonenumber, note: 'Page 1' }))
  await begin(shop.db, async (tx) => {
    const decision = { id: finding, verdict: 'approve', by: { ...by, organization } } as const
    const row = await entryApproval.lock(tx, context, decision)
    await entryApproval.approve(tx, context, row, decision)
  })
}

describe('money that two persons enter from a line of a statement', () => {
  it('is a new collection', async () => {
    const { balance } = await shop.wallet()
    await enter(await compare({ remote_id: 'S1' }), '+80000000071')
    expect((await shop.wallet()).balance - balance).toBe(amount('1500'))
    expect(await shop.collections()).toMatchObject([{ remote_transaction_id: 'S1', phonenumber: '+80000000071' }])
  })

  it('is in the books once when they have it under our reference, and gives it the id of the network', async () => {
    const request = await shop.createRequest()
    const order = await sendOrder(shop, request.id)
    await answer(shop, order, { outcome: 'successful' })
    const before = await shop.collections()
    expect(before.at(-1)).toMatchObject({ remote_transaction_id: order.reference, collection_request: request.id })
    const { balance } = await shop.wallet()
    await enter(await compare({ remote_id: 'S2' }), order.phonenumber)
    expect((await shop.wallet()).balance).toBe(balance)
    const after = await shop.collections()
    expect(after).toHaveLength(before.length)
    expect(after.at(-1)).toMatchObject({ remote_transaction_id: 'S2', collection_request: request.id })
  })
})

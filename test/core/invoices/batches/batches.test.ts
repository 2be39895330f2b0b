import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { beginBatch, digestOf, GROUP_SIZE, readBatch } from '../../../../src/core/batches/batches.ts'
import type { PlannedInvoice } from '../../../../src/core/invoices/batches/batch.ts'
import { makeNextInvoices } from '../../../../src/core/invoices/batches/batches.ts'
import type { Draft } from '../../../../src/core/invoices/new-invoice.ts'
import { begin } from '../../../../src/db/client.ts'
import { parsePhone } from '../../../../src/lib/phone.ts'
import { amount, openShop, type Shop } from '../../shop.ts'

let shop: Shop
let author: number

beforeAll(async () => {
  shop = await openShop()
  author = (await shop.db<{ id: number }[]>`select id from users where kind = 'person'`)[0]!.id
})
beforeEach(async () => {
  await shop.db`delete from invoice_batch_items`
  await shop.db`delete from invoices`
})
afterAll(() => shop.close())

const draft: Draft = {
  currency: 'BXC',
  account: null,
  due_date: '2030-12-31',
  notes: '',
  language: 'en',
  reminder_days: [1],
  reminder_prompts: false,
  min_part: null,
  lines: [{ text: 'Fees', quantity: amount('1'), unit_price: amount('100'), tax_rate: null }],
}

/** Invoices for customers who do not exist yet. */
function plan(count: number, first = 0): PlannedInvoice[] {
  return Array.from({ length: count }, (_, index) => ({
    row: index + 2,
    customer: { phone: parsePhone(`+8000003${String(first + index).padStart(4, '0')}`)!, first_name: 'Ann' },
    draft,
    is_repeated: false,
  }))
}

async function start(planned: readonly PlannedInvoice[], changes: object = {}): Promise<number> {
  const batch = {
    kind: 'invoices' as const,
    organization: shop.organization,
    author,
    source: 'file' as const,
    name: 'class.csv',
  }
  const rest = {
    digest: digestOf({ a: 1 }),
    duplicates: 'skip' as const,
    issue: false,
    rows: planned.length,
    refused: 0,
  }
  const { id } = await begin(shop.db, (tx) =>
    beginBatch(tx, shop.now(), { ...batch, ...rest, asked: digestOf(changes), ...changes }, undefined),
  )
  return id
}

const options = () => ({ now: shop.now(), base_url: 'https://pay.example', user: author, networkName: () => null })
const next = (id: number, planned: readonly PlannedInvoice[]) =>
  begin(shop.db, (tx) => makeNextInvoices(tx, { organization: shop.organization, id }, planned, options()))

async function finish(id: number, planned: readonly PlannedInvoice[]): Promise<void> {
  let more = true
  while (more) more = (await next(id, planned)).more
}

const count = async () => (await shop.db<{ count: number }[]>`select count(*) from invoices`)[0]!.count

describe('a batch', () => {
  it('goes on after the last invoice when it was interrupted, and makes each once', async () => {
    const planned = plan(GROUP_SIZE + 3)
    const id = await start(planned)
    expect(await next(id, planned)).toEqual({ more: true, finished: false })
    expect(await readBatch(shop.db, { kind: 'invoices', organization: shop.organization, id })).toMatchObject({
      made: GROUP_SIZE,
      finished: null,
    })
    const lost = begin(shop.db, async (tx) => {
      await makeNextInvoices(tx, { organization: shop.organization, id }, planned, options())
      throw new Error('The process ends here.')
    })
    await expect(lost).rejects.toThrow('The process ends here.')
    expect(await count()).toBe(GROUP_SIZE)
    await Promise.all([finish(id, planned), finish(id, planned)])
    expect(await count()).toBe(planned.length)
    expect(await next(id, planned)).toEqual({ more: false, finished: false })
    expect(await readBatch(shop.db, { kind: 'invoices', organization: shop.organization, id })).toMatchObject({
      made: planned.length,
      skipped: 0,
      finished: shop.now(),
    })
  })

  it('leaves out what another one makes at the same time', async () => {
    const planned = plan(40, 1_000)
    const ids = await Promise.all([start(planned), start(planned)])
    await Promise.all(ids.map((id) => finish(id, planned)))
    const batches = await Promise.all(
      ids.map((id) => readBatch(shop.db, { kind: 'invoices', organization: shop.organization, id })),
    )
    expect(batches.map(({ made, skipped }) => made + skipped)).toEqual([40, 40])
    expect(await count()).toBe(40)
  })

  it('makes one more where people want it', async () => {
    const planned = plan(3, 2_000)
    await finish(await start(planned), planned)
    await finish(await start(planned, { duplicates: 'create' }), planned)
    expect(await count()).toBe(6)
  })

  it('issues in the order of the rows, with numbers without gaps and an event each', async () => {
    const planned = plan(GROUP_SIZE + 2, 3_000)
    await finish(await start(planned, { issue: true }), planned)
    const numbers = await shop.db<{ number: number; phone_number: string; due: boolean }[]>`
      select i.number, c.phone_number, i.due_at is not null as due from invoices i join contacts c on c.id = i.contact
      order by i.number`
    expect(numbers.map(({ number }) => number - numbers[0]!.number)).toEqual(planned.map((_, index) => index))
    expect(numbers.map(({ phone_number }) => phone_number)).toEqual(
      planned.map(({ customer }) => ('phone' in customer ? customer.phone.number : '')),
    )
    expect(numbers.every(({ due }) => due)).toBe(true)
    expect(await shop.events('invoice.issued')).toHaveLength(planned.length)
  })

  it('looks up new customers some at a time', async () => {
    const planned = plan(40, 4_000)
    const id = await start(planned)
    await begin(shop.db, (tx) =>
      makeNextInvoices(tx, { organization: shop.organization, id }, planned, {
        ...options(),
        networkName: () => 'Sandbox',
      }),
    )
    const times = await shop.db<{ count: number }[]>`
      select count(*) from contacts where phone_number like '+80000034%' group by due_at order by due_at`
    expect(times.map((row) => row.count)).toEqual([32, 8])
  })

  it('leaves out what is paid until it is due: after that it was for an earlier month', async () => {
    const planned = plan(2, 4_000)
    await finish(await start(planned, { issue: true }), planned)
    await shop.db`update invoices set state = 'paid', amount_paid = total, paid = ${shop.now()}, due_at = null`
    await finish(await start(planned), planned)
    expect(await count()).toBe(2)
    await shop.db`update invoices set due_date = ${shop.now()}, overdue_at = ${shop.now()}`
    await finish(await start(planned, { name: 'next-month.csv' }), planned)
    expect(await count()).toBe(4)
  })
})

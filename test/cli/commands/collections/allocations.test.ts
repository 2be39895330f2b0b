import { afterAll, beforeAll, expect, it } from 'vitest'
import { type InvoiceShop, openInvoiceShop } from '../../../core/invoices/invoice-shop.ts'
import { amount } from '../../../core/shop.ts'
import { openShell } from '../../shell.ts'

let invoices: InvoiceShop
let kusanya: ReturnType<typeof openShell>

beforeAll(async () => {
  invoices = await openInvoiceShop()
  const { DATABASE_URL, DATA_DIR } = invoices.shop.testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR })
})
afterAll(() => invoices.close())

it('money is suggested, split, moved and taken back', async () => {
  const { shop } = invoices
  const { id: betty, contact } = await invoices.issue()
  const { id: aisha } = await invoices.issue()
  await shop.ingest(shop.paymentReport({ amount: amount('2000'), phonenumber: '+80000000044', reference: 'INV 3' }))
  const collection = `${(await shop.collections()).at(-1)!.id}`
  expect((await kusanya(['collections', 'suggest', collection])).out.split('\n')).toEqual([
    'near_number: invoice INV-000001 (Jane), BXC 1,770 of 1,770',
    'near_number: invoice INV-000002 (Jane), BXC 1,770 of 1,770',
  ])
  const split = ['--invoice', 'INV-1=1000', '--contact', `${contact}=15`, '--note', 'Betty called.']
  expect((await kusanya(['collections', 'allocate', collection, ...split])).out.split('\n')).toEqual([
    `Allocation 1: BXC 1,000 for invoice ${betty} (person)`,
    `Allocation 2: BXC 15 for contact ${contact} (person)`,
    `BXC 985 of collection ${collection} is not matched.`,
  ])
  const moved = await kusanya([
    'collections',
    'allocate',
    collection,
    '--instead-of',
    '1',
    '--invoice',
    'inv-2',
    '--json',
  ])
  expect(JSON.parse(moved.out)).toMatchObject({
    allocations: [
      { id: 2, contact },
      { invoice: aisha, amount: '1770.0000' },
    ],
    amount_unmatched: '215.0000',
  })
  expect((await kusanya(['collections', 'unallocate', collection, '3', '--by', 'Grace'])).out.split('\n')).toEqual([
    `Allocation 2: BXC 15 for contact ${contact} (person)`,
    `BXC 1,985 of collection ${collection} is not matched.`,
  ])
  const [entry] = await shop.db`select action, details from audit_log order by id desc limit 1`
  expect(entry).toMatchObject({ action: 'end allocation', details: { by: 'Grace' } })
})

it('names an impossible part', async () => {
  const allocate = (...args: string[]) => kusanya(['collections', 'allocate', '1', ...args])
  expect(await allocate()).toMatchObject({ code: 1, err: 'Give --invoice, --contact or --link.' })
  expect(await allocate('--invoice', 'INV-77')).toMatchObject({ code: 1, err: 'There is no invoice INV-77.' })
  expect((await allocate('--invoice', 'INV-1=9999')).err).toContain('Only BXC 1,985 of the money is left.')
  expect((await allocate('--invoice', 'INV-1=lots')).code).toBe(1)
  expect((await allocate('--link', '5=1')).err).toContain('There is no payment link 5.')
  expect(await kusanya(['collections', 'unallocate', '1', '99'])).toMatchObject({
    code: 1,
    err: 'Collection 1 has no allocation 99.',
  })
  expect(await kusanya(['collections', 'suggest', '99'])).toMatchObject({ code: 1, err: 'There is no collection 99.' })
})

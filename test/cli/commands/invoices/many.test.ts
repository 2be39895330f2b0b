import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addCustomers } from '../../../core/invoices/customers.ts'
import { openShop, type Shop } from '../../../core/shop.ts'
import { openShell } from '../../shell.ts'

let shop: Shop
let kusanya: ReturnType<typeof openShell>

beforeAll(async () => {
  shop = await openShop()
  const { DATABASE_URL, DATA_DIR } = shop.testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR, PUBLIC_URL: 'https://pay.example' })
  await addCustomers(shop.db, shop.organization, [
    { number: 'P5-001', tags: ['P5'], phone: '+80000000051' },
    { number: 'P5-002', tags: ['P5'], phone: '+80000000052' },
  ])
})
afterAll(() => shop.close())

it('invoices for a tag are previewed, made, issued, reminded of and voided', async () => {
  const create = [
    'invoices',
    'create-many',
    '--tag',
    'P5',
    '--text',
    'Term 1',
    '--amount',
    '850,000',
    '--currency',
    'UGX',
  ]
  const preview = await kusanya([...create, '--due', '60 days', '--preview'])
  expect(preview.out.trim().split('\n')).toEqual([
    '2 customers have the tag P5.',
    expect.stringMatching(/^2 invoices would be created: UGX 1,700,000, due \d{4}-\d\d-\d\d\.$/),
  ])
  expect((await kusanya([...create, '--due', '60 days'])).out.trim()).toBe('Batch 1: 2 invoices were made as drafts.')
  expect((await kusanya([...create, '--due', '60 days'])).out.trim()).toBe(
    'Batch 2: 0 invoices were made as drafts. 2 were skipped: the customer already has the same.',
  )
  expect((await kusanya(['invoices', 'issue', '--batch', '1'])).out.trim()).toBe('2 invoices are issued.')
  expect((await kusanya(['invoices', 'list', '--tag', 'p5', '--state', 'unpaid'])).out).toMatch(
    /INV-000002.*P5-002 +P5/,
  )
  expect((await kusanya(['invoices', 'remind', '--customer', 'P5 1'])).out.trim()).toBe(
    '1 invoices are due for a reminder.',
  )
  expect((await kusanya(['invoices', 'tags'])).out).toMatch(/P5 +UGX 1,700,000 +UGX 0 +UGX 1,700,000/)
  expect((await kusanya(['invoices', 'customers', '--tag', 'P5'])).out).toMatch(/P5-001 +Jane Doe 0 +UGX 850,000/)
  expect((await kusanya(['invoices', 'batches'])).out).toMatch(/P5 +2 +2 +0 +0 +no/)
  const voided = await kusanya(['invoices', 'void', '--tag', 'P5', '--reason', 'Wrong term'])
  expect(voided.out.trim()).toBe('2 invoices are void.')
  expect((await kusanya(['invoices', 'issue'])).code).toBe(1)
  expect((await kusanya(['invoices', 'issue', '1', '--tag', 'P5'])).code).toBe(1)
})

it('a file is checked and becomes invoices', async () => {
  const path = join(shop.testApp.app.config.DATA_DIR, 'class.csv')
  await writeFile(path, 'Customer number,Amount\nP5-001,100\nP5-001,100\nX,5\n')
  const run = ['invoices', 'import', path, '--currency', 'BXC', '--text', 'Lunch', '--due', '30 days']
  expect((await kusanya([...run, '--preview'])).out).toContain('1 invoices would be created: BXC 100')
  const made = await kusanya([...run, '--issue'])
  expect(made.out.trim().split('\n')).toEqual([
    'Row 3 has the same customer, text and amount as row 2.',
    'Row 4 is refused: No customer has the number X.',
    'Batch 3: 1 invoices were issued. 1 were skipped: the customer already has the same. 1 rows were refused.',
  ])
  expect(await kusanya(['invoices', 'import', 'nowhere.csv', '--currency', 'BXC'])).toMatchObject({ code: 1 })
})

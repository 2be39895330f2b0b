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
    { number: 'P5-002', tags: ['P5'], first_name: 'Eve', last_name: 'Other' },
  ])
})
afterAll(() => shop.close())

it('a file is checked and becomes requests', async () => {
  const path = join(shop.testApp.app.config.DATA_DIR, 'fees.csv')
  await writeFile(path, 'Phone,Amount\n+80000000052,100\n+80000000052,100\n12,5\n')
  const run = ['requests', 'import', path, '--currency', 'BXC', '--reason', 'Lunch', '--expiry', '3 days']
  expect((await kusanya([...run, '--preview'])).out).toMatch(/1 requests would be created through .+: BXC 100\./)
  const made = await kusanya(run)
  expect(made.out.trim().split('\n')).toEqual([
    'Row 3 has the same phone, amount and reason as row 2.',
    'Row 4 is refused: This is not a phone number. Use a format such as 0772 000001 or +256772000001.',
    'Batch 1. Requests made: 1. Skipped, because the same request exists: 1. Refused: 1.',
  ])
  const again = await kusanya([...run, '--json'])
  expect(JSON.parse(again.out)).toMatchObject({ made: 0, skipped: 2, refused: 1 })
  expect((await kusanya(['requests', 'batches'])).out).toMatch(/fees\.csv +3 +1 +1 +1/)
  expect(await kusanya(['requests', 'import', 'nowhere.csv', '--currency', 'BXC'])).toMatchObject({ code: 1 })
})

it('the customers with a tag are asked, and one without a phone is named', async () => {
  const run = ['requests', 'create-many', '--tag', 'P5', '--amount', '1,000', '--currency', 'BXC']
  const made = await kusanya(run)
  expect(made.out.trim().split('\n')).toEqual([
    expect.stringMatching(/^Customer \d+, Eve Other, is refused: This customer has no phone number\.$/),
    'Batch 3. Requests made: 1. Refused: 1.',
  ])
  expect((await kusanya(['requests', 'list'])).out).toMatch(/\+80000000051/)
})

it('an amount with decimals after a comma is not asked a hundred times over', async () => {
  const words = ['--tag', 'P5', '--currency', 'BXC', '--preview', '--json']
  const sums = async (noun: string, ...more: string[]) => {
    const { out, err } = await kusanya([noun, 'create-many', ...words, ...more])
    expect(err).toBe('')
    return JSON.parse(out).all.map(({ total }: { total: string }) => total)
  }
  expect(await sums('requests', '--amount', '1,50')).toEqual(['1.5000'])
  const invoices = ['--text', 'Fees', '--due', '14 days', '--min-part', '1 000']
  expect(await sums('invoices', '--amount', '2 500,50', ...invoices)).toEqual(['5001.0000'])
  const doubtful = await kusanya(['requests', 'create-many', ...words, '--amount', '1.500'])
  expect([doubtful.code, doubtful.err]).toEqual([1, expect.stringContaining('1500')])
})

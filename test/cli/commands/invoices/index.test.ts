import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDraft } from '../../../../src/core/invoices/drafts.ts'
import { begin } from '../../../../src/db/client.ts'
import { parsePhone } from '../../../../src/lib/phone.ts'
import { amount, openShop, PHONE, type Shop } from '../../../core/shop.ts'
import { openShell } from '../../shell.ts'

let shop: Shop
let kusanya: ReturnType<typeof openShell>

beforeAll(async () => {
  shop = await openShop()
  const { DATABASE_URL, DATA_DIR } = shop.testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR, PUBLIC_URL: 'https://pay.example' })
})
afterAll(() => shop.close())

it('invoices are listed, issued, sent and voided', async () => {
  expect((await kusanya(['invoices', 'list'])).out).toContain('There are no such invoices.')
  const [user] = await shop.db<{ id: number }[]>`select id from users where kind = 'person'`
  const draft = {
    currency: 'BXC',
    account: null,
    due_date: '2999-01-31',
    notes: '',
    language: 'en' as const,
    reminder_days: [],
    reminder_prompts: false,
    min_part: null,
    customer: { phone: parsePhone(PHONE)! },
    lines: [{ text: 'Fees', quantity: amount('2'), unit_price: amount('750'), tax_rate: null }],
  }
  const author = { organization: shop.organization, user: user!.id }
  const id = await begin(shop.db, (tx) => createDraft(tx, shop.now(), author, draft, () => null))
  const issued = await kusanya(['invoices', 'issue', `${id}`])
  expect([issued.code, issued.out.trim()]).toEqual([
    0,
    expect.stringMatching(/^Invoice INV-000001: https:\/\/pay\.example\/pay\/invoices\/[\w-]{24}$/),
  ])
  expect((await kusanya(['invoices', 'send', `${id}`])).out).toContain('Invoice INV-000001 is on its way.')
  expect((await kusanya(['invoices', 'list', '--number', 'inv-1'])).out).toMatch(
    /INV-000001 +issued +BXC 1,500 +BXC 1,500 +2999-01-31/,
  )
  expect((await kusanya(['invoices', 'void', `${id}`, '--reason', 'wrong'])).out).toContain(
    'Invoice INV-000001 is void.',
  )
  expect(await kusanya(['invoices', 'void', '99'])).toMatchObject({ code: 1 })
  const [entry] = await shop.db`select action, object from audit_log order by id desc limit 1`
  expect(entry).toMatchObject({ action: 'void invoice', object: id })
})

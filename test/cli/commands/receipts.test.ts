import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, PHONE, type Shop } from '../../core/shop.ts'
import { openShell } from '../shell.ts'

let shop: Shop
let kusanya: ReturnType<typeof openShell>

beforeAll(async () => {
  shop = await openShop()
  const { DATABASE_URL, DATA_DIR } = shop.testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR, PUBLIC_URL: 'https://pay.example' })
  await shop.ingest(shop.paymentReport())
})
afterAll(() => shop.close())

it('receipts are made, sent and listed', async () => {
  const { id } = (await shop.collections())[0]!
  expect((await kusanya(['receipts', 'list'])).out).toContain('There are no such receipts.')
  const made = await kusanya(['receipts', 'issue', `${id}`])
  expect([made.code, made.out.trim()]).toEqual([
    0,
    expect.stringMatching(/^Receipt R-000001: https:\/\/pay\.example\/pay\/receipts\/[\w-]{24}$/),
  ])
  expect((await kusanya(['receipts', 'issue', `${id}`])).out).toBe(made.out)
  expect(await kusanya(['receipts', 'issue', '99'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('no collection 99'),
  })
  const [receipt] = JSON.parse((await kusanya(['receipts', 'list', '--number', 'r-1', '--json'])).out)
  expect(receipt).toMatchObject({ number: 'R-000001', amount: '1500.0000', collection: id })
  const sent = await kusanya(['receipts', 'send', `${receipt.id}`])
  expect([sent.code, sent.out.trim()]).toEqual([0, `Receipt R-000001 goes to ${PHONE}. The running service sends it.`])
  expect(await kusanya(['receipts', 'send', `${receipt.id}`, '--email'])).toMatchObject({ code: 1 })
  const listed = (await kusanya(['receipts', 'list', '--phonenumber', PHONE])).out
  expect(listed).toMatch(/R-000001 +BXC 1,500 .* paid .* sms waiting /)
  const entries = await shop.db`select action, details from audit_log order by id desc limit 1`
  expect(entries).toEqual([{ action: 'send receipt', details: { by: 'an operator', channel: 'sms' } }])
})

it('an organization has receipts made and sent automatically', async () => {
  const automatic = async (...options: string[]) => (await kusanya(['receipts', 'automatic', ...options])).out.trim()
  expect(await automatic()).toBe('Demo Shop makes a receipt when one is asked for.')
  expect(await automatic('--sms', 'on', '--language', 'sw')).toBe(
    'Demo Shop makes a receipt for every payment, and sends it by SMS (sw).',
  )
  expect(await automatic('--email', 'on')).toContain('by SMS and by e-mail (sw)')
  expect(await automatic('--every', 'off')).toBe('Demo Shop makes a receipt when one is asked for.')
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type Shop } from '../../../core/shop.ts'
import { openShell } from '../../shell.ts'

let shop: Shop
let kusanya: ReturnType<typeof openShell>
const matching = (...args: string[]) => kusanya(['organizations', 'matching', ...args])

beforeAll(async () => {
  shop = await openShop()
  const { DATABASE_URL, DATA_DIR } = shop.testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR })
})
afterAll(() => shop.close())

it('the rules for unrequested money are shown and changed one by one', async () => {
  expect((await matching('show')).out).toContain('more than an invoice asks for stays unmatched.')
  expect((await matching('set', '--overpayment', 'credit')).out).toContain('becomes credit of the customer.')
  expect((await matching('set', '--unknown-number', 'reject')).out).toContain('is rejected before it is taken')
  expect(JSON.parse((await matching('show', '--json')).out)).toEqual({
    overpayment: 'credit',
    unknown_number: 'reject',
    two_persons_above: [],
  })
  expect((await matching('set', '--overpayment', 'sometimes')).code).toBe(1)
  const [entry] = await shop.db`select action, details from audit_log order by id desc limit 1`
  expect(entry).toMatchObject({ action: 'change matching settings', details: { by: 'an operator' } })
})

it('the amount for two persons is set, shown and removed', async () => {
  const set = await matching('set', '--two-persons-above', 'bxc=2,000,000')
  expect(set.out).toContain('Two persons match more than BXC 2,000,000 by hand.')
  const [entry] = await shop.db`select action, details from audit_log order by id desc limit 1`
  expect(entry).toMatchObject({ action: 'set matching threshold', details: { currency: 'BXC', by: 'an operator' } })
  expect((await matching('set', '--two-persons-above', 'ZZZ=5')).code).toBe(1)
  expect((await matching('set', '--two-persons-above', 'BXC=none')).out).not.toContain('Two persons')
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBuyer, electricityOrder } from '../../../api/bills/buyer.ts'
import { buildTestApp, type TestApp } from '../../../test-app.ts'
import { openShell } from '../../shell.ts'

let testApp: TestApp
let shop: ReturnType<typeof createBuyer>
let kusanya: ReturnType<typeof openShell>
const bought = electricityOrder({ amount: '2000' })
const open = electricityOrder({ amount: '1000', phone: '08031000203' })

beforeAll(async () => {
  testApp = await buildTestApp()
  const { url } = await testApp.startService()
  shop = createBuyer(testApp, url)
  const { DATABASE_URL, DATA_DIR } = testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR })
  for (const body of [bought, open]) await shop.post('/services/electricity/request', body)
})
afterAll(() => testApp.close())

async function idOf(reference: string): Promise<string> {
  const { out } = await kusanya(['bills', 'list', '--reference', reference, '--json'])
  return String(JSON.parse(out)[0].id)
}

describe('bills list', () => {
  it('lists the newest first, and filters', async () => {
    const { code, out } = await kusanya(['bills', 'list'])
    expect(code).toBe(0)
    expect(out.split('\n').slice(1)).toEqual([
      expect.stringContaining(open.agentReference),
      expect.stringContaining(bought.agentReference),
    ])
    const pending = await kusanya(['bills', 'list', '--status', 'pending', '--json'])
    expect(JSON.parse(pending.out)).toMatchObject([
      { agent_reference: open.agentReference, amount: '1000.0000', status: 'pending' },
    ])
    expect((await kusanya(['bills', 'list', '--kind', 'epin'])).out).toBe('There are no purchases.')
  })
})

describe('bills show', () => {
  it('shows the goods of the customer', async () => {
    const { out } = await kusanya(['bills', 'show', await idOf(bought.agentReference)])
    const { body } = await shop.requery(bought.agentReference)
    expect(out).toContain('NGN 2,000, success')
    expect(out).toContain(body.data.tokenCode)
  })

  it('refuses an unknown purchase', async () => {
    const { code, err } = await kusanya(['bills', 'show', '999'])
    expect(code).not.toBe(0)
    expect(err).toContain('There is no purchase 999.')
  })
})

describe('bills requery', () => {
  it('makes the requery of an open purchase due at once, and does nothing for a settled one', async () => {
    const id = await idOf(open.agentReference)
    await testApp.db`update network_orders set due_at = ${new Date('2031-01-01T00:00:00Z')} where bill_purchase = ${id}`
    const { out } = await kusanya(['bills', 'requery', id])
    expect(out).toContain(`The jobs requery purchase ${id} next.`)
    const [row] = await testApp.db`select due_at < '2030-12-31' as soon from network_orders where bill_purchase = ${id}`
    expect(row).toEqual({ soon: true })
    const settled = await kusanya(['bills', 'requery', await idOf(bought.agentReference), '--json'])
    expect(JSON.parse(settled.out)).toMatchObject({ asked: false, status: 'success' })
  })
})

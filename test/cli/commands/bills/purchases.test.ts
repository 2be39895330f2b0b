import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBuyer, electricityOrder } from '../../../api/bills/buyer.ts'
import { buildTestApp, type TestApp } from '../../../test-app.ts'
import { openShell } from '../../shell.ts'

let house: TestApp
let shop: ReturnType<typeof createBuyer>
let kusanya: ReturnType<typeof openShell>
const bought = electricityOrder({ amount: '2000' })
const open = electricityOrder({ amount: '1000', phone: '08031000203' })

beforeAll(async () => {
  house = await buildTestApp()
  const { url } = await house.startService()
  shop = createBuyer(house, url)
  const { DATABASE_URL, DATA_DIR } = house.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR })
  for (const body of [bought, open]) await shop.post('/services/electricity/request', body)
})
afterAll(() => house.close())

async function idOf(reference: string): Promise<string> {
  const { out } = await kusanya(['bills', 'list', '--reference', reference, '--json'])
  return String(JSON.parse(out)[0].id)
}

describe('bills list', () => {
  it('shows the newest first, and those that are asked for', async () => {
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
    expect((await kusanya(['bills', 'list', '--kind', 'epin'])).out).toBe('There is none.')
  })
})

describe('bills show', () => {
  it('tells what the customer got', async () => {
    const { out } = await kusanya(['bills', 'show', await idOf(bought.agentReference)])
    const { body } = await shop.requery(bought.agentReference)
    expect(out).toContain('NGN 2,000, success')
    expect(out).toContain(body.data.tokenCode)
  })

  it('knows only what was bought', async () => {
    const { code, err } = await kusanya(['bills', 'show', '999'])
    expect(code).not.toBe(0)
    expect(err).toContain('There is no purchase 999.')
  })
})

describe('bills requery', () => {
  it('has an open purchase asked about at once, and leaves a settled one alone', async () => {
    const id = await idOf(open.agentReference)
    await house.db`update bill_purchases set due_at = ${new Date('2031-01-01T00:00:00Z')} where id = ${id}`
    const { out } = await kusanya(['bills', 'requery', id])
    expect(out).toContain(`The biller is asked about purchase ${id}`)
    const [row] = await house.db`select due_at < '2030-12-31' as soon from bill_purchases where id = ${id}`
    expect(row).toEqual({ soon: true })
    const settled = await kusanya(['bills', 'requery', await idOf(bought.agentReference), '--json'])
    expect(JSON.parse(settled.out)).toMatchObject({ asked: false, status: 'success' })
  })
})

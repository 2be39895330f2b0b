import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount, fundAccount } from '../../src/core/ledger/accounts.ts'
import { begin } from '../../src/db/client.ts'
import { parseAmount } from '../../src/lib/money.ts'
import { callRaw, openTestService, type TestService } from '../interface/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ jobs: false })
})
afterAll(() => service.close())

describe('GET /api/accounts', () => {
  it('lists the wallets with their balances, and no other accounts of the ledger', async () => {
    const { body } = await service.shop.get('/api/accounts?ordering=id')
    expect(body.results.map((one: Record<string, unknown>) => [one.currency, one.balance])).toEqual([
      ['BXC', 100_000],
      ['UGX', 10_000_000],
      ['KES', 500_000],
      ['NGN', 5_000_000],
    ])
    expect(body.results[0]).toEqual({
      id: expect.any(Number),
      organization: service.organization,
      name: 'BXC wallet',
      kind: 'local',
      balance: 100_000,
      currency: 'BXC',
      status: 'active',
      created: '2030-01-15T12:00:00Z',
      author: service.user,
      modified: '2030-01-15T12:00:00Z',
      updated_by: null,
    })
  })

  it('filters by currency, status and date', async () => {
    const count = async (query: string) => (await service.shop.get(`/api/accounts?${query}`)).body.count
    expect(await count('currency=UGX')).toBe(1)
    expect(await count('currency=UGX&status=inactive')).toBe(0)
    expect(await count('status=active&limit=1')).toBe(4)
    expect(await count('created_after=2030-01-15&created_before=2030-01-16')).toBe(4)
    expect(await count('created_after=2030-01-16')).toBe(0)
  })

  it('sorts by balance, too', async () => {
    const { body } = await service.shop.get('/api/accounts?ordering=-amount')
    expect(body.results.map((one: { currency: string }) => one.currency)).toEqual(['UGX', 'NGN', 'KES', 'BXC'])
  })
})

describe('GET /api/accounts/<id>', () => {
  it('writes every digit of a balance, also of one that no float can hold', async () => {
    const input = { organization: service.organization, currency: 'UGX', kind: 'local' as const, name: 'Rich' }
    const { id } = await begin(service.testApp.db, async (tx) => {
      const now = service.testApp.clock.now()
      const account = await createAccount(tx, now, { ...input, author: service.user })
      const amount = parseAmount('123456789012345.6789')!
      await fundAccount(tx, now, { account: account.id, amount, description: 'Rich', author: service.user })
      return account
    })
    const { text } = await callRaw(service.url, 'GET', `/api/accounts/${id}`, {
      headers: { authorization: `Token ${service.key}` },
    })
    expect(text).toContain('"balance":123456789012345.6789,')
  })

  it('answers 404 for internal accounts of the ledger', async () => {
    const [held] = await service.testApp.db`select id from accounts where kind = 'held' limit 1`
    expect((await service.shop.get(`/api/accounts/${held!.id}`)).status).toBe(404)
  })
})

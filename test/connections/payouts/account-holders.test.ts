import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type HolderQuery, lookUpInTime } from '../../../src/connections/payouts/account-holders.ts'
import type { AccountHolderLookup } from '../../../src/networks/contract.ts'
import { fakeConnection } from '../fake-connection.ts'

const asked: string[] = []
const network = fakeConnection({
  code: 'sandbox',
  name: 'Sandbox Network',
  limits: { decimals: 4, min: 1n, max: 10n ** 15n },
  accountHolder: async (phone): Promise<AccountHolderLookup> => {
    asked.push(phone)
    if (phone.endsWith('0')) return sleep(60_000, { outcome: 'not_found' as const }, { ref: false })
    return { outcome: 'found', name: `Holder of ${phone}` }
  },
})
// The look-up writes to the log only when a connector throws, and these do not.
const app = { connections: { list: () => [network] }, log: undefined as never }
const query = (phone_number: string, network_name = 'Sandbox Network'): HolderQuery => ({
  organization: 1,
  phone_number,
  network_name,
})

it('looks up names while a person waits, without those that come too late or that nobody can give', async () => {
  const silent = Array.from({ length: 8 }, (_, index) => `+80000001${index}10`)
  const found = await lookUpInTime(app, [query('+80000000001'), query('+80000000002', 'Other Network')], 5_000)
  expect([...found]).toEqual([['+80000000001', { outcome: 'found', name: 'Holder of +80000000001' }]])

  const late = await lookUpInTime(
    app,
    [...silent, '+80000000003'].map((phone) => query(phone)),
    20,
  )
  expect([...late]).toEqual([])
  expect(asked).not.toContain('+80000000003')
})

import { describe, expect, it } from 'vitest'
import { chooseConnection } from '../../src/connections/choose.ts'
import type { Connection } from '../../src/connections/connection.ts'
import { amount } from '../core/shop.ts'
import { type FakeNetwork, fakeConnection } from './fake-connection.ts'

const LIMITS = { decimals: 0, min: amount('500'), max: amount('5000000') }

function connection(slug: string, changes: Partial<Connection> = {}, network: Partial<FakeNetwork> = {}): Connection {
  return fakeConnection({
    ...{ code: slug, name: slug, limits: LIMITS, phones: /^\+25677/, currency: 'UGX' },
    charge: async () => ({ outcome: 'accepted', remote_id: '1' }),
    payout: async () => ({ outcome: 'accepted', remote_id: '1' }),
    connection: { slug, ...changes },
    ...network,
  })
}

const need = { kind: 'charge', organization: 7, phonenumber: '+256772000001', currency: 'UGX' } as const
const chosen = (list: Connection[], changes: object = {}) => chooseConnection(list, { ...need, ...changes })?.slug

describe('the choice of a connection', () => {
  it('takes one that serves the phone in the currency', () => {
    const list = [connection('kenya', {}, { phones: /^\+254/ }), connection('uganda')]
    expect(chosen(list)).toBe('uganda')
    expect(chosen(list, { currency: 'KES' })).toBe(undefined)
    expect(chosen(list, { phonenumber: '+234803' })).toBe(undefined)
  })

  it('prefers the own one of the organization, then the smallest priority', () => {
    const list = [
      connection('shared', { priority: 1 }),
      connection('own', { organization: 7, priority: 9 }),
      connection('other', { organization: 8, priority: 0 }),
    ]
    expect(chosen(list)).toBe('own')
    expect(chosen(list, { organization: 9 })).toBe('shared')
    expect(chosen([connection('late', { priority: 2 }), connection('early', { priority: 1 })])).toBe('early')
  })

  it('takes no draft and none that is paused', () => {
    expect(chosen([connection('draft', { state: 'draft' }), connection('paused', { state: 'paused' })])).toBe(undefined)
  })

  it('takes one that can do the operation', () => {
    const list = [connection('collects', { priority: 1 }, { payout: undefined }), connection('both', { priority: 2 })]
    expect(chosen(list)).toBe('collects')
    expect(chosen(list, { kind: 'payout' })).toBe('both')
  })

  it('takes another for an amount that the first cannot carry, and the first when none can', () => {
    const list = [connection('whole', { priority: 1 }), connection('exact', {}, { limits: { ...LIMITS, decimals: 2 } })]
    expect(chosen(list, { amount: amount('1000') })).toBe('whole')
    expect(chosen(list, { amount: amount('1000.50') })).toBe('exact')
    expect(chosen(list, { amount: amount('1') })).toBe('whole')
  })
})

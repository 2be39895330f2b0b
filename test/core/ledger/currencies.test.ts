import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  Currency,
  countryError,
  findOldestExchangeRateTime,
  listCurrencies,
  updateExchangeRates,
} from '../../../src/core/ledger/currencies.ts'
import { Invalid } from '../../../src/core/refusals.ts'
import { begin } from '../../../src/db/client.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

let testApp: TestApp

beforeAll(async () => {
  testApp = await buildTestApp()
})
afterAll(() => testApp.close())

describe('the currencies', () => {
  it('are those of local wallets, with their countries', async () => {
    const all = await listCurrencies(testApp.db, 'sandbox')
    expect(all.map((one) => one.code)).toEqual(['BXC', 'UGX', 'KES', 'NGN'])
    expect(z.encode(Currency, all[0]!)).toEqual({
      id: 1,
      name: 'Test Currency',
      code: 'BXC',
      country: {
        iso: 'XX',
        iso3: 'XXX',
        iso_numeric: 0,
        name: 'TESTLAND',
        printable_name: 'Testland',
        phone_prefix: '800',
        supported: true,
      },
      usd_rate: 1,
    })
    expect(all[1]!.country).toMatchObject({
      iso: 'UG',
      iso3: 'UGA',
      iso_numeric: 800,
      name: 'UGANDA',
      phone_prefix: '256',
    })
  })

  it('include the test currency only in the sandbox', async () => {
    expect((await listCurrencies(testApp.db, 'live')).map((one) => one.code)).toEqual(['UGX', 'KES', 'NGN'])
  })

  it('accept phones of their country; the test currency accepts any', () => {
    const kenyan = { number: '+254711000001', country: 'KE' }
    expect(countryError('KES', kenyan)).toBeUndefined()
    expect(countryError('BXC', kenyan)).toBeUndefined()
    expect(countryError('UGX', kenyan)).toBe('UGX is not used in the country of +254711000001.')
  })
})

describe('exchange rates', () => {
  it('are updated by code; unknown codes are ignored', async () => {
    expect(await findOldestExchangeRateTime(testApp.db)).toBeNull()
    const changed = await update({ UGX: 3601.25, XYZ: 5 })
    expect(changed).toEqual(['UGX'])
    expect((await listCurrencies(testApp.db, 'live'))[0]!.usd_rate).toBe(3601.25)
    expect(await findOldestExchangeRateTime(testApp.db)).toBeNull()
    await update({ KES: 130, NGN: 1500 })
    testApp.clock.advance(60)
    await update({ NGN: 1501 })
    expect(await findOldestExchangeRateTime(testApp.db)).toEqual(new Date(testApp.clock.now().getTime() - 60_000))
  })

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('are never %d', async (rate) => {
    await expect(update({ UGX: 3600, KES: rate })).rejects.toThrow(Invalid)
  })
})

function update(rates: Record<string, number>) {
  return begin(testApp.db, (tx) => updateExchangeRates(tx, testApp.clock.now(), rates))
}

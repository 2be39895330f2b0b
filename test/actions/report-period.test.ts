import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPeriod } from '../../src/actions/report-period.ts'
import { setPlace } from '../../src/core/access/places.ts'
import { begin } from '../../src/db/client.ts'
import { openShop, type Shop } from '../core/shop.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
  const place = { time_zone: 'Pacific/Kiritimati', country: null }
  await begin(shop.db, (tx) => setPlace(tx, shop.now(), shop.organization, place))
})
afterAll(() => shop.close())

const read = (days: { from?: string; to?: string }) => readPeriod(shop.testApp.app, shop.organization, days)

describe('the days of a report', () => {
  it("are in the organization's time zone. Default: this month until today", async () => {
    // Noon of the 15th in UTC is the 16th there.
    expect(await read({})).toEqual({
      first_day: '2030-01-01',
      last_day: '2030-01-16',
      zone: 'Pacific/Kiritimati',
      from: new Date('2029-12-31T10:00:00Z'),
      until: new Date('2030-01-16T10:00:00Z'),
    })
    expect(await read({ to: '2029-12-20' })).toMatchObject({ first_day: '2029-12-01', last_day: '2029-12-20' })
    expect(await read({ from: '2031-05-05' })).toMatchObject({ first_day: '2031-05-05', last_day: '2031-05-05' })
  })

  it('do not end before they begin', async () => {
    await expect(read({ from: '2030-01-02', to: '2030-01-01' })).rejects.toThrow('must not be before the first day')
  })
})

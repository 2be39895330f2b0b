import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tidyUp } from '../../src/jobs/tidy-up.ts'
import { buildHouse, client, type House } from '../house.ts'
import { LEAST } from '../interface/market.ts'

let house: House

beforeAll(async () => {
  house = await buildHouse()
})
afterAll(() => house.close())

describe('tidying up', () => {
  it('forgets Duplicate-Check-Keys once their 24 hours are over, and looks every hour', async () => {
    const { url } = await house.open({ jobs: false })
    const headers = { 'Duplicate-Check-Key': 'once' }
    const post = () => client(url, house.api_key).post('/api/collectionrequests', LEAST, headers)
    const keys = async () => (await house.db`select 1 from duplicate_keys`).length
    const job = tidyUp(house.app)
    const tidy = async () => {
      for (let chores = await job.claim(1); chores.length > 0; chores = await job.claim(1)) await job.run(chores)
    }
    expect((await post()).status).toBe(201)
    await tidy()
    expect(await keys()).toBe(1)
    expect(await job.nextDue()).toEqual(new Date(house.clock.now().getTime() + 3_600_000))
    house.clock.advance(24 * 3_600)
    await tidy()
    expect(await keys()).toBe(0)
    expect((await post()).status).toBe(201)
  })
})

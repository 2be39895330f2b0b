import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { discardEvents } from '../../src/core/event-retention.ts'
import { type NewEvent, recordEvents } from '../../src/core/events.ts'
import { begin } from '../../src/db/client.ts'
import { tidyUp } from '../../src/jobs/tidy-up.ts'
import { buildHouse, client, eventually, type House } from '../house.ts'

const DAY_S = 24 * 60 * 60
const NOW = new Date('2030-03-01T12:00:00.900Z')
const daysAgo = (days: number, more_ms = 0) => new Date(NOW.getTime() - days * DAY_S * 1_000 - more_ms)

let house: House

beforeAll(async () => {
  house = await buildHouse()
})
beforeEach(() => house.db`delete from events`)
afterAll(() => house.close())

function event(name: string): NewEvent {
  return { organization: house.organization, type: 'contact.created', data: { name }, author: 1 }
}

const record = (at: Date, ...names: string[]) => begin(house.db, (tx) => recordEvents(tx, at, names.map(event)))
const names = async () =>
  (await house.db<{ name: string }[]>`select data ->> 'name' as name from events order by id`).map((row) => row.name)
const discard = (piece = { after: 0, most: 100 }, days = 30) =>
  begin(house.db, (tx) => discardEvents(tx, NOW, days, piece))

describe('events', () => {
  it('are kept for thirty full days, and not a second less', async () => {
    await record(daysAgo(31), 'older')
    await record(daysAgo(30, 1_000), 'a second over')
    // Within the second that is kept of it, this one is younger than it looks.
    await record(daysAgo(30), 'to the second')
    await record(daysAgo(29), 'younger')
    expect(await discard()).toBeNull()
    expect(await names()).toEqual(['to the second', 'younger'])
  })

  it('are kept longer where the operator says so', async () => {
    await record(daysAgo(89), 'wanted')
    await discard(undefined, 90)
    expect(await names()).toEqual(['wanted'])
  })

  it('go piece by piece, each going on where the last one ended', async () => {
    await record(daysAgo(40), 'a', 'b', 'c', 'd', 'e')
    await record(daysAgo(1), 'young')
    const second = await discard({ after: 0, most: 2 })
    expect(await names()).toEqual(['c', 'd', 'e', 'young'])
    const third = await discard(second!)
    expect(await names()).toEqual(['e', 'young'])
    // The last piece meets an old and a young one; the one after it finds nothing.
    const last = await discard(third!)
    expect(await names()).toEqual(['young'])
    expect(await discard(last!)).toBeNull()
    expect(await names()).toEqual(['young'])
  })

  it('that are old go even where a younger one came in between', async () => {
    await record(daysAgo(31), 'old')
    await record(daysAgo(1), 'young')
    await record(daysAgo(31), 'old, of a transaction that took long')
    await discard()
    expect(await names()).toEqual(['young'])
  })
})

describe('the tidy-up job', () => {
  it('discards every old event, in as many pieces as it takes, and nothing else', async () => {
    await record(daysAgo(40), ...Array.from({ length: 4_500 }, (_, index) => `old ${index}`))
    await record(daysAgo(1), 'young')
    house.clock.advance((NOW.getTime() - house.clock.now().getTime()) / 1_000)
    const job = tidyUp(house.app)
    const left = new Set<number>()
    for (let chores = await job.claim(1); chores.length > 0; chores = await job.claim(1)) {
      await job.run(chores)
      left.add((await names()).length)
    }
    expect([...left]).toEqual([4_501, 2_501, 501, 1])
    expect(await names()).toEqual(['young'])
    expect((await job.nextDue())!.getTime()).toBe(house.clock.now().getTime() + 3_600_000)
  })

  it('runs by itself when the clock is moved, and the list then shows what is left', async () => {
    const other = await buildHouse()
    const service = await other.open()
    const api = client(service.url, other.api_key)
    await api.post('/api/collectionrequests', { phonenumber: '+80000000005', amount: '10', currency: 'BXC' })
    expect((await api.get('/api/events')).body.count).toBeGreaterThan(0)
    other.clock.advance(31 * DAY_S)
    other.app.wake()
    // The request has expired meanwhile, which is an event of today.
    await eventually('the old events to go', async () => {
      const { body } = await api.get('/api/events?type=contact.created')
      return body.count === 0 ? true : undefined
    })
    await other.close()
  })
})

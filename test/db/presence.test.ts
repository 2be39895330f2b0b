import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, type Database } from '../../src/db/client.ts'
import { presentRoles, showPresence } from '../../src/db/presence.ts'
import { cloneDatabase, eventually } from '../house.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let db: Database
beforeAll(async () => {
  database = await cloneDatabase()
  db = connect(database.url, { connections: 2, application: 'tests' })
})
afterAll(async () => {
  await db.end()
  await database.drop()
})

describe('presence', () => {
  it('is seen by others for as long as anybody shows it', async () => {
    expect(await presentRoles(db)).toEqual(new Set())
    const [one, other] = [anotherProcess(), anotherProcess()]
    const jobs = await showPresence(one, ['jobs'])
    const both = await showPresence(other, ['api', 'jobs'])
    expect(await presentRoles(db)).toEqual(new Set(['api', 'jobs']))
    await both.withdraw()
    expect(await presentRoles(db)).toEqual(new Set(['jobs']))
    await jobs.withdraw()
    expect(await presentRoles(db)).toEqual(new Set())
    await Promise.all([one.end(), other.end()])
  })

  it('ends with the process that showed it', async () => {
    const killed = anotherProcess()
    await showPresence(killed, ['api'])
    expect(await presentRoles(db)).toEqual(new Set(['api']))
    await db`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'process'`
    await eventually('its absence', async () => ((await presentRoles(db)).size === 0 ? true : undefined))
    await killed.end({ timeout: 1 })
  })

  it('in one database is not seen in another', async () => {
    const elsewhere = await cloneDatabase()
    const neighbour = connect(elsewhere.url, { connections: 2, application: 'tests' })
    await showPresence(neighbour, ['api', 'jobs'])
    expect(await presentRoles(db)).toEqual(new Set())
    await neighbour.end({ timeout: 1 })
    await elsewhere.drop()
  })

  it('gives its connection back when it is withdrawn', async () => {
    const small = connect(database.url, { connections: 1, application: 'tests' })
    const presence = await showPresence(small, ['api'])
    await presence.withdraw()
    expect(await small`select 1 as one`).toEqual([{ one: 1 }])
    await small.end()
  })
})

function anotherProcess(): Database {
  return connect(database.url, { connections: 1, application: 'process' })
}

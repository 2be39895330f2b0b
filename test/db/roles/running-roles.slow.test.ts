import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, type Database } from '../../../src/db/client.ts'
import { announceRoles, findRunningRoles } from '../../../src/db/roles/running-roles.ts'
import { eventually, openDatabase } from '../../test-app.ts'

let db: Database
let url: string
let close: () => Promise<void>

beforeAll(async () => {
  ;({ db, url, close } = await openDatabase())
})
afterAll(() => close())

describe('the roles of a process', () => {
  it('are visible to others while any process has them', async () => {
    expect(await findRunningRoles(db, WAIT_MS)).toEqual(new Set())
    const [one, other] = [anotherProcess(), anotherProcess()]
    const jobs = await announceRoles(one, ['jobs'])
    const both = await announceRoles(other, ['api', 'jobs'])
    expect(await findRunningRoles(db, PATIENCE_MS)).toEqual(new Set(['api', 'jobs']))
    await both.withdraw()
    expect(await findRunningRoles(db, PATIENCE_MS)).toEqual(new Set(['jobs']))
    await jobs.withdraw()
    expect(await findRunningRoles(db, WAIT_MS)).toEqual(new Set())
    await Promise.all([one.end(), other.end()])
  })

  it('are known as soon as all processes have responded', async () => {
    const other = anotherProcess()
    const presence = await announceRoles(other, ['api', 'jobs'])
    const begun = performance.now()
    await findRunningRoles(db, 60_000)
    expect(performance.now() - begun).toBeLessThan(20_000)
    await presence.withdraw()
    await other.end()
  })

  it('are visible again after a loss of the database', async () => {
    const other = anotherProcess()
    await announceRoles(other, ['api'])
    await db`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'process' and datname = current_database()`
    await eventually('its return', async () => ((await findRunningRoles(db, WAIT_MS)).size === 1 ? true : undefined))
    await other.end({ timeout: 1 })
  })

  it('in one database are not visible in another', async () => {
    const elsewhere = await openDatabase()
    await announceRoles(elsewhere.db, ['api', 'jobs'])
    expect(await findRunningRoles(db, WAIT_MS)).toEqual(new Set())
    await elsewhere.close()
  })
})

/** Time in which no process responds. */
const WAIT_MS = 300
/** The time in which a running process responds on any machine. */
const PATIENCE_MS = 5_000

function anotherProcess(): Database {
  return connect(url, { connections: 1, application: 'process' })
}

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { begin } from '../../src/db/client.ts'
import { emptyDatabase } from '../../src/db/empty-database.ts'
import { sql } from '../../src/db/sql.ts'
import { buildTestApp, createApiClient, type TestApp } from '../test-app.ts'

let testApp: TestApp
beforeAll(async () => {
  testApp = await buildTestApp()
})
afterAll(() => testApp.close())

const rowsOf = async (table: string) =>
  (await testApp.db<{ count: number }[]>`select count(*) from ${sql.identifier(table)}`)[0]!.count

describe('emptying a database', () => {
  it('works while others write, waits for them, and keeps the rows of the migrations', async () => {
    const api = createApiClient((await testApp.startService()).url, testApp.api_key)
    const body = { phonenumber: '+80000000003', amount: '5', currency: 'BXC', send_instructions: true }
    const answers = Array.from({ length: 30 }, () => api.post('/api/collectionrequests', body))
    let ended = false
    const locked = Promise.withResolvers<void>()
    const slow = begin(testApp.db, async (tx) => {
      await tx`select 1 from organizations for update`
      locked.resolve()
      await new Promise((resolve) => setTimeout(resolve, 300))
      // Emptying holds the locks of other tables by now, so one of the two has to give way. Noted before the transaction
      // ends: that it has ended may be told to us later than that the tables are empty.
      await tx`select 1 from accounts for update`.finally(() => {
        ended = true
      })
    })
    await locked.promise
    await emptyDatabase(testApp.db)
    expect(ended).toBe(true)
    await Promise.allSettled([...answers, slow])

    for (const table of ['organizations', 'users', 'accounts', 'transfers', 'collection_requests', 'events'])
      expect({ table, rows: await rowsOf(table) }).toEqual({ table, rows: 0 })
    expect([await rowsOf('currencies'), await rowsOf('countries')]).toEqual([4, 4])
    expect(await rowsOf('migrations')).toBeGreaterThan(0)
  })

  it('restarts ids at 1, and the ledger refuses changes again', async () => {
    // Running work of the service may draw ids after its rows are gone, so empty it again until nothing does.
    await vi.waitFor(async () => {
      await emptyDatabase(testApp.db)
      const [user] = await testApp.db<{ id: number }[]>`
        insert into users (kind, name, created) values ('system', 'first', now()) returning id`
      expect(user!.id).toBe(1)
      const [event] = await testApp.db<{ id: number }[]>`select nextval('events_id_seq') as id`
      expect(event!.id).toBe(1)
    }, 120_000)
    await expect(testApp.db`truncate transfers`).rejects.toThrow('append-only')
  })
})

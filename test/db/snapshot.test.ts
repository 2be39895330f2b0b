import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database, Reader } from '../../src/db/client.ts'
import { withSnapshot } from '../../src/db/snapshot.ts'
import { openDatabase } from '../test-app.ts'

let db: Database
let close: () => Promise<void>

beforeAll(async () => {
  ;({ db, close } = await openDatabase())
})
afterAll(() => close())

describe('a snapshot', () => {
  it('does not see commits during its reads', async () => {
    const count = async (reader: Reader) => (await reader<{ count: number }[]>`select count(*) from flags`)[0]!.count
    const before = await count(db)
    const seen = await withSnapshot(db, async (tx) => {
      const first = await count(tx)
      await db`insert into flags (name, value) values ('a test', 'on')`
      return [first, await count(tx)]
    })
    expect(seen).toEqual([before, before])
    expect(await count(db)).toBe(before + 1)
  })

  it('refuses to write', async () => {
    const writing = withSnapshot(db, (tx) => tx`delete from flags`)
    await expect(writing).rejects.toThrow('read-only transaction')
  })
})

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type MaintenanceWatch, readFlag, setFlag, watchMaintenance } from '../../src/core/flags.ts'
import { begin, connect, type Database } from '../../src/db/client.ts'
import { cloneDatabase, eventually } from '../test-app.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let processes: { db: Database; watch: MaintenanceWatch }[]

beforeAll(async () => {
  // The looks of every second come when a test wants them.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  database = await cloneDatabase()
  processes = await Promise.all(
    [1, 2].map(async () => {
      const db = connect(database.url, { connections: 2, application: 'tests' })
      return { db, watch: await watchMaintenance(db) }
    }),
  )
})
afterAll(async () => {
  for (const { db, watch } of processes) {
    await watch.close()
    await db.end()
  }
  await database.drop()
  vi.useRealTimers()
})

const allSee = (on: boolean) =>
  eventually(`maintenance ${on} everywhere`, async () =>
    processes.every(({ watch }) => watch.isOn() === on) ? true : undefined,
  )

describe('the maintenance flag', () => {
  it('is off until it is set', async () => {
    expect(await readFlag(processes[0]!.db, 'maintenance')).toBeNull()
    expect(processes.map(({ watch }) => watch.isOn())).toEqual([false, false])
  })

  it('is noticed by every process at once, and by processes that start later', async () => {
    const { db } = processes[0]!
    await begin(db, (tx) => setFlag(tx, 'maintenance', 'on'))
    await allSee(true)
    const later = await watchMaintenance(db)
    expect(later.isOn()).toBe(true)
    await later.close()
    await begin(db, (tx) => setFlag(tx, 'maintenance', 'off'))
    await allSee(false)
  })

  it('is noticed about a second later if the notification is lost', async () => {
    await begin(processes[0]!.db, (tx) => tx`update flags set value = 'on' where name = 'maintenance'`)
    expect(processes.map(({ watch }) => watch.isOn())).toEqual([false, false])
    vi.advanceTimersByTime(1_000)
    await allSee(true)
  })

  it('does not change in a transaction that fails', async () => {
    const failed = begin(processes[0]!.db, async (tx) => {
      await setFlag(tx, 'maintenance', null)
      throw new Error('on second thought')
    })
    await expect(failed).rejects.toThrow('on second thought')
    expect(await readFlag(processes[0]!.db, 'maintenance')).toBe('on')
  })
})

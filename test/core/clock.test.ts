import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type App, buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { advanceClock, readClockOffset } from '../../src/core/clock.ts'
import { countOverdue, readDueWork } from '../../src/core/events/due-work.ts'
import { begin } from '../../src/db/client.ts'
import { buildTestApp, eventually, type TestApp } from '../test-app.ts'

const HOUR_MS = 3_600_000

let testApp: TestApp
beforeAll(async () => {
  testApp = await buildTestApp({ overrides: { clock: undefined } })
})
beforeEach(() => begin(testApp.db, (tx) => tx`delete from flags`))
afterAll(() => testApp.close())

/** An app over the same database, as another process has one. */
function anotherApp(settings: Record<string, string> = {}): Promise<App> {
  const { DATABASE_URL, DATA_DIR } = testApp.app.config
  const config = readConfig({ DATABASE_URL, DATA_DIR, ...settings })
  return buildApp(config, pino({ level: 'silent' }))
}

const REAL = new Date('2030-01-15T12:00:00Z')
const move = (ahead_ms: number, real = REAL) =>
  begin(testApp.db, (tx) => advanceClock(tx, real, new Date(real.getTime() + ahead_ms)))

describe('the offset of the clock', () => {
  it('is zero until the clock is moved', async () => {
    expect(await readClockOffset(testApp.db)).toBe(0)
    await move(3 * HOUR_MS)
    expect(await readClockOffset(testApp.db)).toBe(3 * HOUR_MS)
  })

  it('never decreases, in any order of changes', async () => {
    await move(3 * HOUR_MS)
    await move(2 * HOUR_MS)
    await move(-HOUR_MS)
    expect(await readClockOffset(testApp.db)).toBe(3 * HOUR_MS)
    await Promise.all([5, 10, 7, 6].map((hours) => move(hours * HOUR_MS)))
    expect(await readClockOffset(testApp.db)).toBe(10 * HOUR_MS)
  })

  it('does not start before the clock is moved', async () => {
    await move(-HOUR_MS)
    expect(await readClockOffset(testApp.db)).toBe(0)
  })
})

describe('the clock of a process', () => {
  it('is ahead of the real one by the stored offset from the start', async () => {
    await move(HOUR_MS)
    const app = await anotherApp()
    const before = Date.now()
    const real = app.clock.real().getTime()
    const now = app.clock.now().getTime()
    const after = Date.now()
    expect(before <= real && real <= after).toBe(true)
    expect(before + HOUR_MS <= now && now <= after + HOUR_MS).toBe(true)
    await app.close()
  })

  it('follows quickly when another process moves it, and wakes the jobs', async () => {
    const app = await anotherApp()
    let woken = 0
    app.onWake(() => {
      woken += 1
    })
    await eventually('the first look', async () => (woken > 0 ? true : undefined))
    const woken_before = woken
    await move(HOUR_MS)
    // Nothing but the notification of the move makes it look.
    await eventually('the move', async () =>
      app.clock.now().getTime() - Date.now() > HOUR_MS - 60_000 ? true : undefined,
    )
    await eventually('a wake', async () => (woken > woken_before ? true : undefined))
    await app.close()
  })

  it('is the real one in live mode, whatever offset is stored', async () => {
    await move(HOUR_MS)
    const app = await anotherApp({ MODE: 'live', SECRET_KEY: 'a secret of at least thirty-two characters' })
    expect(Math.abs(app.clock.now().getTime() - Date.now())).toBeLessThan(60_000)
    await app.close()
  })
})

describe('due work', () => {
  it('is found in every table whose rows are jobs', async () => {
    const at = (second: number) => new Date(REAL.getTime() + second * 1_000)
    await testApp.db`
      insert into callbacks (network, received, headers, body, verified, state, due_at, leased_until, ended)
      values ('n', ${REAL}, '{}', '', false, 'waiting', ${at(2)}, ${at(500)}, null),
        ('n', ${REAL}, '{}', '', false, 'waiting', ${at(3)}, null, null),
        ('n', ${REAL}, '{}', '', false, 'ignored', null, null, ${REAL})`
    await testApp.db`insert into simulator_callbacks (door, body, due_at) values ('sandbox', '', ${at(1)})`
    // The nightly refill of the test wallet is due work of every sandbox.
    await testApp.db`delete from refills`
    expect(await readDueWork(testApp.db)).toEqual([
      { table: 'callbacks', due_at: at(2) },
      { table: 'simulator_callbacks', due_at: at(1) },
    ])
    expect(await readDueWork(testApp.db, new Map([['callbacks', at(2)]]))).toContainEqual({
      table: 'callbacks',
      due_at: at(3),
    })
    expect(await countOverdue(testApp.db, at(0))).toBe(0)
    expect(await countOverdue(testApp.db, at(2))).toBe(2)
    expect(await countOverdue(testApp.db, at(9))).toBe(3)
  })
})

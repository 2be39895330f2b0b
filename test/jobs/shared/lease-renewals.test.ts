import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { storeCallbacks } from '../../../src/core/connections/callbacks.ts'
import { renewLeases } from '../../../src/core/leases.ts'
import { begin } from '../../../src/db/client.ts'
import { processCallbacks } from '../../../src/jobs/process-callbacks.ts'
import type { TransactionLookup } from '../../../src/networks/contract.ts'
import { fakeConnection, storeConnection } from '../../connections/fake-connection.ts'
import { buildTestApp, eventually, type TestApp, testClock } from '../../test-app.ts'

/* A network whose answers take a minute. The leases of what waits for them are short, and renewed while their process lives. */

/** Interval of renewals. */
const RENEWAL_S = 5

/** The real clock goes on only where the test lets it: a busy machine ends no lease. */
const start_ms = Date.now()
let ahead_ms = 0
let testApp: TestApp
let answer: (answer: TransactionLookup) => void
let calls = 0

beforeAll(async () => {
  const slow = fakeConnection({
    code: 'slow',
    name: 'slow',
    limits: { decimals: 0, min: 1n, max: 10n ** 12n },
    traits: { call_s: 60 },
    transaction() {
      calls += 1
      return new Promise((resolve) => {
        answer = resolve
      })
    },
    readCallback: () => ({ subject: 'unrecognized', message: 'never read again' }),
  })
  const clock = testClock(undefined, () => new Date(start_ms + ahead_ms))
  testApp = await buildTestApp({ clock, overrides: { connections: [slow] } })
  await storeConnection(testApp.db, 'slow')
})
afterAll(() => testApp.close())

beforeEach(async () => {
  calls = 0
  const { db, clock } = testApp
  await db`delete from callbacks`
  const callback = { network: 'slow', connection: 'slow', headers: {}, body: '', verified: false, note: null }
  const about = { state: 'waiting' as const, subject: 'transaction' as const, reference: 'T1' }
  await begin(db, (tx) => storeCallbacks(tx, clock.now(), [{ ...callback, ...about }]))
})
afterEach(() => void vi.useRealTimers())

const leaseEnd = async () =>
  (await testApp.db<{ leased_until: Date | null }[]>`select leased_until from callbacks`)[0]!.leased_until
const secondsLeft = async () => Math.round(((await leaseEnd())!.getTime() - testApp.clock.real().getTime()) / 1_000)

/** Let the timers of renewals run for a time in which the real clock goes on as well. */
async function pass(seconds: number): Promise<void> {
  ahead_ms += seconds * 1_000
  await vi.advanceTimersByTimeAsync(seconds * 1_000)
}

it('A callback is claimed for seconds, though its network may take a minute, so that one of a killed process is soon free', async () => {
  const job = processCallbacks(testApp.app)
  expect(await job.claim(10)).toHaveLength(1)
  expect(await secondsLeft()).toBeLessThanOrEqual(15)
  expect(await job.claim(10)).toEqual([])
  ahead_ms += 16_000
  expect(await job.claim(10)).toHaveLength(1)
})

it('A callback stays claimed while its process waits for the network', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  const job = processCallbacks(testApp.app)
  const other = processCallbacks(testApp.app)
  const run = job.run(await job.claim(10))
  await eventually('the call', async () => calls === 1 || undefined)
  const first = (await leaseEnd())!
  // One renewal at a time: the next one would skip a row that the one before has still locked.
  for (let passed = 0; passed < 60; passed += RENEWAL_S) {
    const before = (await leaseEnd())!
    await pass(RENEWAL_S)
    await eventually('the renewal', async () => (await leaseEnd())! > before || undefined)
    expect(await other.claim(10)).toEqual([])
  }
  expect((await leaseEnd())!.getTime() - first.getTime()).toBeGreaterThan(50_000)
  answer({ outcome: 'not_found' })
  await run
  expect(await leaseEnd()).toBeNull()
  expect(calls).toBe(1)
  expect(vi.getTimerCount()).toBe(0)
})

it('A lease that has ended is not renewed, because another process may have the row', async () => {
  const { app, db, clock } = testApp
  const [row] = await processCallbacks(app).claim(10)
  const ended = (await leaseEnd())!
  ahead_ms += 16_000
  const real = clock.real()
  const times = { real, lease_end: new Date(real.getTime() + 15_000) }
  await begin(db, (tx) => renewLeases(tx, 'callbacks_open', [row!.id], times))
  expect(await leaseEnd()).toEqual(ended)
})

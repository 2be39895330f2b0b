import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { begin, connect } from '../../src/db/client.ts'
import { failedSeeds } from './failed-seeds.ts'
import { runSeed } from './run.ts'
import { openStore, type Store } from './store.ts'

/*
 * The whole service with all kinds of faults, on a fixed list of seeds. `npm run simulate` tries any number of other
 * seeds, and shows how to run a failed seed alone.
 */
const STEPS = 120
const SEEDS = 10

describe('with faults in any order,', () => {
  let store: Store
  beforeAll(async () => {
    store = await openStore(inject('postgres').url)
  })
  afterAll(() => store.close())

  it.each(failedSeeds)('$found no longer (seed $seed)', async ({ seed, steps }) => {
    expect((await runSeed(store, seed, { steps })).violations).toEqual([])
  })

  it.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
    'every rule holds at the end (seed %i)',
    async (seed) => {
      expect((await runSeed(store, seed, { steps: STEPS })).violations).toEqual([])
    },
  )

  // An old transaction in any database keeps PostgreSQL from reusing the space of dead rows, so new rows lie elsewhere.
  it('a seed gives the same run every time, wherever the rows lie and however slow the machine is', async () => {
    const run = async ({ slow = false } = {}) => {
      const lines: string[] = []
      // References are random. They are named in the order in which they occur.
      const orders = new Map<string, string>()
      const nameOf = (reference: string) => {
        if (!orders.has(reference)) orders.set(reference, `order ${orders.size + 1}`)
        return orders.get(reference)!
      }
      const log = (line: string) => {
        lines.push(line.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, nameOf))
        if (slow && (lines.length === 100 || lines.length === 300))
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100)
      }
      await runSeed(store, 7, { steps: STEPS, log })
      return lines
    }
    const first = await run()
    const other = connect(inject('postgres').url, {
      connections: 1,
      application: 'old transaction',
      limits: { statement: 0, lock: 0, idle_transaction: 0 },
    })
    const second = await begin(other, async (tx) => {
      await tx`select pg_current_xact_id()`
      return run({ slow: true })
    })
    await other.end()
    expect(first.length).toBeGreaterThan(STEPS)
    expect(second).toEqual(first)
  })
})

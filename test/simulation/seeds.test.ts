import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { failedSeeds } from './failed-seeds.ts'
import { runSeed } from './run.ts'
import { openStore, type Store } from './store.ts'

/*
 * The whole service with all kinds of faults, on a fixed list of seeds. `npm run simulate` tries any number of other
 * seeds, and shows how to run a failed seed alone.
 */
const STEPS = 120
const SEEDS = 30

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

  it('a seed gives the same run every time', async () => {
    const runs: string[][] = []
    for (const _ of [1, 2]) {
      const lines: string[] = []
      await runSeed(store, 7, { steps: STEPS, log: (line) => lines.push(line) })
      runs.push(lines)
    }
    expect(runs[0]!.length).toBeGreaterThan(STEPS)
    expect(runs[1]).toEqual(runs[0])
  })
})

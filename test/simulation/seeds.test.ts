import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { failedSeeds } from './failed-seeds.ts'
import { runSeed } from './run.ts'
import { openStore, type Store } from './store.ts'

/*
 * The whole service under everything that may befall it, on seeds that are always the same. `npm run simulate` tries as
 * many others as wanted, and says how a seed that fails is run alone.
 */
const STEPS = 120
const SEEDS = 30

describe('whatever happens, in whatever order,', () => {
  let store: Store
  beforeAll(async () => {
    store = await openStore(inject('postgres').url)
  })
  afterAll(() => store.close())

  it.each(failedSeeds)('$found no longer (seed $seed)', async ({ seed, steps }) => {
    expect((await runSeed(store, seed, { steps })).violations).toEqual([])
  })

  it.each(Array.from({ length: SEEDS }, (_, index) => index + 1))('all is well in the end (seed %i)', async (seed) => {
    expect((await runSeed(store, seed, { steps: STEPS })).violations).toEqual([])
  })

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

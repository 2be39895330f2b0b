import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openStore, type Store } from '../store.ts'
import { runOverlap } from './run.ts'

/*
 * `npm run simulate -- --overlap` tries as many other seeds as wanted.
 */
const SEEDS = 2

describe('processes that work on the same requests at the same time', () => {
  let store: Store
  beforeAll(async () => {
    store = await openStore(inject('postgres').url)
  })
  afterAll(() => store.close())

  it.each(Array.from({ length: SEEDS }, (_, index) => index + 1))('lose no payment (seed %i)', async (seed) => {
    const { violations, counts } = await runOverlap(store, seed)
    expect(violations).toEqual([])
    expect(counts.successful).toBeGreaterThan(0)
  })
})

import { GCProfiler, type GCProfilerResult } from 'node:v8'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { begin, type Database } from '../../src/db/client.ts'
import { openDatabase } from '../test-app.ts'

let db: Database
let close: () => Promise<void>

beforeAll(async () => {
  ;({ db, close } = await openDatabase())
})
afterAll(() => close())

/** While the program starts, whatever it needs for good becomes old. */
const STATEMENTS_BEFORE = 6_000
const STATEMENTS = 12_000
/** What a statement may leave in the old generation, in bytes. It is some 50, and was some 800 before the driver was mended. */
const MOST_LEFT = 200

// So many statements, one after the other, take a slow machine long.
describe('what a statement leaves behind', { timeout: 120_000 }, () => {
  it('is next to nothing that waits for the great collection', async () => {
    await say(STATEMENTS_BEFORE)
    const profiler = new GCProfiler()
    profiler.start()
    await say(STATEMENTS)
    expect(bytesPromoted(profiler.stop()) / STATEMENTS).toBeLessThan(MOST_LEFT)
  })
})

describe('a pool that is never quite busy', { timeout: 120_000 }, () => {
  it('does not look through all that it did before for each statement', async () => {
    await Promise.all([db`select pg_sleep(0.05)`, db`select pg_sleep(0.05)`])
    for (let number = 0; number < 2_000; number += 1) await db`select ${number}::bigint as number`
    expect(await longestLook(async () => db`select 1 as one`)).toBeLessThan(200)
  })
})

/** The length of the longest list in which something was looked for meanwhile. */
async function longestLook(work: () => Promise<unknown>): Promise<number> {
  const { indexOf } = Array.prototype
  let longest = 0
  const look = vi.spyOn(Array.prototype, 'indexOf').mockImplementation(function (this: unknown[], ...wanted) {
    longest = Math.max(longest, this.length)
    return indexOf.apply(this, wanted)
  })
  await work()
  look.mockRestore()
  return longest
}

async function say(statements: number): Promise<void> {
  for (let number = 0; number < statements; number += 3)
    await begin(db, async (tx) => {
      await tx`select ${number}::bigint as number, repeat('x', 400) as text`
      await tx`select ${String(number)} as text, repeat('y', 400) as more`
    })
}

/** How much the small collections moved into the old generation. */
function bytesPromoted({ statistics }: GCProfilerResult): number {
  return statistics
    .filter(({ gcType }) => gcType === 'Scavenge')
    .reduce((sum, { beforeGC, afterGC }) => sum + oldBytes(afterGC) - oldBytes(beforeGC), 0)
}

function oldBytes({ heapSpaceStatistics }: GCProfilerResult['statistics'][number]['beforeGC']): number {
  return heapSpaceStatistics
    .filter(({ spaceName }) => spaceName === 'old_space' || spaceName === 'large_object_space')
    .reduce((sum, { spaceUsedSize }) => sum + spaceUsedSize, 0)
}

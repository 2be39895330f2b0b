import { GCProfiler, type GCProfilerResult } from 'node:v8'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { begin, type Database } from '../../src/db/client.ts'
import { openDatabase } from '../test-app.ts'

let db: Database
let close: () => Promise<void>

beforeAll(async () => {
  ;({ db, close } = await openDatabase())
})
afterAll(() => close())

/** While the program starts, everything that it keeps moves to the old generation. */
const WARM_UP_STATEMENTS = 6_000
const STATEMENTS = 6_000
/** Other work of the process leaves something too, and on a busy machine more: the round that leaves least counts. */
const ROUNDS = 8
/**
 * Maximum bytes that a statement may leave in the old generation (docs/performance.md, "What pauses cost"). It leaves
 * some 110, and 480 if a function of each is assigned to its connection.
 */
const MAX_BYTES_LEFT = 300

// A slow machine needs long for so many statements.
describe('a statement', () => {
  it('leaves almost nothing in memory that only a full garbage collection frees', async () => {
    await runStatements(WARM_UP_STATEMENTS)
    const rounds: number[] = []
    while (rounds.length < ROUNDS && !rounds.some((bytes) => bytes < MAX_BYTES_LEFT)) {
      const profiler = new GCProfiler()
      profiler.start()
      await runStatements(STATEMENTS)
      rounds.push(bytesPromoted(profiler.stop()) / STATEMENTS)
    }
    expect(Math.min(...rounds)).toBeLessThan(MAX_BYTES_LEFT)
  })
})

async function runStatements(statements: number): Promise<void> {
  for (let number = 0; number < statements; number += 3)
    await begin(db, async (tx) => {
      await tx`select ${number}::bigint as number, repeat('x', 400) as text`
      await tx`select ${String(number)} as text, repeat('y', 400) as more`
    })
}

/** Return the bytes that minor collections moved into the old generation. */
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

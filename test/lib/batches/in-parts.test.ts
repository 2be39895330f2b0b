import { describe, expect, it } from 'vitest'
import { workInParts } from '../../../src/lib/batches/in-parts.ts'
import { WriteConflict } from '../../../src/lib/batches/write-conflict.ts'

const FAULTY = new Error('faulty')
const CONFLICT = new WriteConflict()
const OUTAGE = new Error('outage')

/** Work on the numbers below `count`. `fails` is the error of a part, if it fails. */
async function run(count: number, fails: (part: readonly number[], tries: number) => Error | undefined) {
  const parts: (readonly number[])[] = []
  const done: number[] = []
  const failed: [number, unknown][] = []
  const repeated: unknown[] = []
  await workInParts(
    [...Array(count).keys()],
    async (part) => {
      parts.push(part)
      const error = fails(part, parts.length)
      if (error) throw error
      done.push(...part)
    },
    {
      mayRetry: (error) => error !== OUTAGE,
      onRepeat: (...details) => repeated.push(details),
      onFailure: (item, error) => failed.push([item, error]),
    },
  )
  return { parts, done, failed, repeated }
}

describe('work on many items at once', () => {
  it('is done in one part', async () => {
    const { parts, done, repeated } = await run(64, () => undefined)
    expect([parts.length, done.length, repeated]).toEqual([1, 64, []])
  })

  it.each([0, 31, 63])('finds the faulty one of 64, number %i, in twelve further tries', async (faulty) => {
    const { parts, done, failed, repeated } = await run(64, (part) => (part.includes(faulty) ? FAULTY : undefined))
    expect(parts).toHaveLength(1 + 12)
    expect(failed).toEqual([[faulty, FAULTY]])
    expect(done).toEqual([...Array(64).keys()].filter((item) => item !== faulty))
    expect(repeated).toEqual([[FAULTY, 64]])
  })

  it('tries each by itself when all are faulty', async () => {
    const { failed, done } = await run(5, () => FAULTY)
    expect(failed.map(([item]) => item)).toEqual([0, 1, 2, 3, 4])
    expect(done).toEqual([])
  })

  it('is tried once more together after a write conflict', async () => {
    const { parts, done } = await run(64, (_, tries) => (tries === 1 ? CONFLICT : undefined))
    expect(parts.map(({ length }) => length)).toEqual([64, 64])
    expect(done).toHaveLength(64)
  })

  it('separates two items that stand in each other’s way', async () => {
    const { parts, done, failed } = await run(4, (part) =>
      part.includes(1) && part.includes(2) ? CONFLICT : undefined,
    )
    expect(parts).toEqual([
      [0, 1, 2, 3],
      [0, 1, 2, 3],
      [0, 1],
      [2, 3],
    ])
    expect([done.length, failed]).toEqual([4, []])
  })

  it('gives up an item after five write conflicts, the others are done', async () => {
    const { parts, done, failed } = await run(2, (part) => (part.includes(0) ? CONFLICT : undefined))
    expect(parts).toEqual([[0, 1], [0, 1], [0], [0], [0], [0], [1]])
    expect([done, failed]).toEqual([[1], [[0, CONFLICT]]])
  })

  it('ends with the first error after which nothing may be tried', async () => {
    const { parts, done, failed } = await run(8, (part) => {
      if (part.length > 2) return FAULTY
      return part.includes(2) ? OUTAGE : undefined
    })
    expect(parts.at(-1)).toEqual([2, 3])
    expect(done).toEqual([0, 1])
    expect(failed).toEqual([2, 3, 4, 5, 6, 7].map((item) => [item, OUTAGE]))
  })
})

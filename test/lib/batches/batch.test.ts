import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBatcher, type ItemResult } from '../../../src/lib/batches/batch.ts'
import { WriteConflict } from '../../../src/lib/batches/write-conflict.ts'

/** A write whose duration the test controls. It records its flushes. */
function slowWrite(
  options: {
    max_items?: number
    flushes?: number
    max_queue?: number
    max_wait_ms?: number
    mayRetry?: boolean
    groupOf?: (item: number) => number
    namesOf?: (item: number) => string[]
  } = {},
) {
  const flushes: number[][] = []
  const gates: PromiseWithResolvers<void>[] = []
  const errors: (Error | undefined)[] = []
  const write = createBatcher<number, string>({
    async flush(items) {
      flushes.push(items)
      const error = errors.shift()
      await gates.shift()?.promise
      if (error) throw error
      return items.map(answer)
    },
    mayRetry: () => options.mayRetry ?? true,
    max_items: options.max_items ?? 100,
    concurrency: options.flushes,
    groupOf: options.groupOf,
    namesOf: options.namesOf,
    queue_limits: {
      max_items: options.max_queue ?? 1_000,
      max_wait_ms: options.max_wait_ms ?? 60_000,
      overloadError: () => new Error('busy'),
    },
  })
  return {
    write,
    flushes,
    /** Make the next flush wait until the result is resolved. */
    hold() {
      const gate = Promise.withResolvers<void>()
      gates.push(gate)
      return gate
    },
    failNext: (error = new Error('no')) => errors.push(error),
  }
}

/** Refuse odd numbers. */
function answer(item: number): ItemResult<string> {
  return item % 2 === 0 ? { ok: true, value: `wrote ${item}` } : { ok: false, error: new Error(`refused ${item}`) }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('a batch', () => {
  it('flushes a single call at once', async () => {
    const { write, flushes } = slowWrite()
    expect(await write(2)).toBe('wrote 2')
    expect(flushes).toEqual([[2]])
  })

  it('flushes the calls of one turn of the event loop together, in order', async () => {
    const { write, flushes } = slowWrite()
    expect(await Promise.all([2, 4, 6].map(write))).toEqual(['wrote 2', 'wrote 4', 'wrote 6'])
    expect(flushes).toEqual([[2, 4, 6]])
  })

  it('collects the calls that arrive during a flush for the next flush', async () => {
    const { write, flushes, hold } = slowWrite({ flushes: 1 })
    const gate = hold()
    const first = write(2)
    await turn()
    const later = [write(4), write(6)]
    await turn()
    later.push(write(8))
    expect(flushes).toEqual([[2]])
    gate.resolve()
    await Promise.all([first, ...later])
    expect(flushes).toEqual([[2], [4, 6, 8]])
  })

  it('runs up to `concurrency` flushes at the same time, each with at most `max_items` items', async () => {
    const { write, flushes, hold } = slowWrite({ flushes: 2, max_items: 2 })
    const gates = [hold(), hold()]
    const all = [2, 4, 6, 8, 10].map(write)
    await turn()
    expect(flushes).toEqual([
      [2, 4],
      [6, 8],
    ])
    for (const gate of gates) gate.resolve()
    await Promise.all(all)
    expect(flushes.slice(2)).toEqual([[10]])
  })

  it('takes the items of groups in turn when more wait than a flush takes, each group in its order', async () => {
    const { write, flushes, hold } = slowWrite({ flushes: 1, max_items: 4, groupOf: (item) => item % 10 })
    const gate = hold()
    const first = write(2)
    await turn()
    const crowd = [12, 22, 32, 42, 52, 62].map(write)
    const others = [14, 24, 16].map(write)
    gate.resolve()
    await Promise.all([first, ...crowd, ...others])
    expect(flushes).toEqual([[2], [12, 14, 16, 22], [32, 24, 42, 52], [62]])
  })

  it('lets an item wait for the flush of another one with the same name, and the others pass', async () => {
    const { write, flushes, hold } = slowWrite({ flushes: 2, namesOf: (item) => (item % 10 === 2 ? ['two'] : []) })
    const gate = hold()
    const first = [2, 12, 14].map(write)
    await turn()
    const later = [22, 24].map(write)
    await later[1]
    expect(flushes).toEqual([[2, 14], [24]])
    gate.resolve()
    await Promise.all([...first, ...later])
    expect(flushes).toEqual([[2, 14], [24], [12], [22]])
  })

  it('refuses a call whose own group has waited too long, and takes those of others', async () => {
    const { write, hold } = slowWrite({ flushes: 1, max_wait_ms: 5, groupOf: (item) => item % 10 })
    const gate = hold()
    const first = write(2)
    await turn()
    const waits = write(12)
    await sleep(10)
    await expect(write(22)).rejects.toThrow('busy')
    const other = write(14)
    gate.resolve()
    expect(await Promise.all([first, waits, other])).toEqual(['wrote 2', 'wrote 12', 'wrote 14'])
  })

  it('refuses only the faulty item', async () => {
    const { write, flushes } = slowWrite()
    const outcomes = await Promise.allSettled([2, 3, 4].map(write))
    expect(outcomes.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(flushes).toHaveLength(1)
  })

  it('repeats a failed flush in parts', async () => {
    const { write, flushes, failNext } = slowWrite()
    failNext()
    expect(await Promise.all([2, 4].map(write))).toEqual(['wrote 2', 'wrote 4'])
    expect(flushes).toEqual([[2, 4], [2], [4]])
  })

  it('returns the second error to the item that fails again, and the other items their results', async () => {
    const { write, failNext, flushes } = slowWrite()
    failNext(new Error('together'))
    failNext(new Error('alone'))
    const [first, second] = await Promise.allSettled([2, 4].map(write))
    expect(first).toMatchObject({ status: 'rejected', reason: { message: 'alone' } })
    expect(second).toMatchObject({ status: 'fulfilled', value: 'wrote 4' })
    expect(flushes).toHaveLength(3)
  })

  it('retries an item after a write conflict, but not for ever', async () => {
    let conflicts_left = 3
    const write = createBatcher<number, string>({
      max_items: 10,
      mayRetry: () => true,
      flush: async (items) => {
        conflicts_left -= 1
        if (conflicts_left >= 0) throw new WriteConflict('write conflict')
        return items.map((item) => ({ ok: true, value: `wrote ${item}` }))
      },
    })
    expect(await write(2)).toBe('wrote 2')
    conflicts_left = 100
    await expect(write(2)).rejects.toThrow('write conflict')
    expect(conflicts_left).toBe(95)
  })

  it('tries no further items after one that found the database out of reach', async () => {
    const outage = new Error('out of reach')
    const tried: number[][] = []
    const repeated: unknown[] = []
    const write = createBatcher<number, number>({
      max_items: 10,
      mayRetry: (error) => error !== outage,
      onRepeat: (...details) => repeated.push(details),
      async flush(items) {
        tried.push(items)
        if (items.length > 1) throw new Error('faulty')
        if (items[0] === 2) throw outage
        return items.map((value) => ({ ok: true, value }))
      },
    })
    const results = await Promise.allSettled([1, 2, 3, 4].map(write))
    expect(tried).toEqual([[1, 2, 3, 4], [1, 2], [1], [2]])
    expect(results).toEqual([
      { status: 'fulfilled', value: 1 },
      ...[2, 3, 4].map(() => ({ status: 'rejected', reason: outage })),
    ])
    expect(repeated).toEqual([[new Error('faulty'), 4]])
  })

  it('never repeats a flush that may have been committed', async () => {
    const { write, flushes, failNext } = slowWrite({ mayRetry: false })
    failNext(new Error('lost'))
    const outcomes = await Promise.allSettled([2, 4].map(write))
    expect(outcomes).toMatchObject([{ reason: { message: 'lost' } }, { reason: { message: 'lost' } }])
    expect(flushes).toEqual([[2, 4]])
    expect(await write(6)).toBe('wrote 6')
  })

  it('refuses new items while the queue is full, and accepts them again later', async () => {
    const { write, hold } = slowWrite({ flushes: 1, max_items: 1, max_queue: 2 })
    const gate = hold()
    const first = write(2)
    await turn()
    const waiting = [write(4), write(6)]
    await expect(write(8)).rejects.toThrow('busy')
    gate.resolve()
    await Promise.all([first, ...waiting])
    expect(await write(8)).toBe('wrote 8')
  })

  it('refuses new items when the first item has waited too long, and accepts them again later', async () => {
    const { write, hold } = slowWrite({ flushes: 1, max_items: 1, max_wait_ms: 20 })
    const gate = hold()
    const first = write(2)
    await turn()
    const waiting = write(4)
    await sleep(40)
    await expect(write(6)).rejects.toThrow('busy')
    gate.resolve()
    await Promise.all([first, waiting])
    expect(await write(6)).toBe('wrote 6')
  })

  it('rejects an item for which a flush returns no result', async () => {
    const write = createBatcher<number, string>({ flush: async () => [], mayRetry: () => false, max_items: 10 })
    await expect(write(2)).rejects.toThrow('A flush returned no result for an item.')
  })

  it('returns to every caller the result of its own item, for all failures and orders of arrival', async () => {
    const calls = fc.array(fc.record({ item: fc.nat(50), pause: fc.boolean() }), { minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(
        calls,
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.boolean()),
        async (all, max_items, failures) => {
          const write = createBatcher<number, string>({
            async flush(items) {
              await turn()
              if (failures.shift() && items.length > 1) throw new Error('together')
              return items.map(answer)
            },
            mayRetry: () => true,
            max_items,
          })
          const outcomes: Promise<void>[] = []
          for (const { item, pause } of all) {
            const outcome = write(item).then(
              (value) => expect(value).toBe(`wrote ${item}`),
              (error) => expect(error.message).toBe(`refused ${item}`),
            )
            outcomes.push(outcome)
            if (pause) await turn()
          }
          await Promise.all(outcomes)
        },
      ),
      { numRuns: 60 },
    )
  })
})

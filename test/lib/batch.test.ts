import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBatcher, type ItemResult } from '../../src/lib/batch.ts'

/** A write that takes as long as the test wants, and remembers what it was given. */
function slowWrite(
  options: { most?: number; flushes?: number; waiting?: number; longest_ms?: number; mayReplay?: boolean } = {},
) {
  const flushes: number[][] = []
  const gates: PromiseWithResolvers<void>[] = []
  const faults: (Error | undefined)[] = []
  const write = createBatcher<number, string>({
    async flush(items) {
      flushes.push(items)
      const fault = faults.shift()
      await gates.shift()?.promise
      if (fault) throw fault
      return items.map(answer)
    },
    mayRetry: () => options.mayReplay ?? true,
    max_items: options.most ?? 100,
    concurrency: options.flushes,
    queue_limits: {
      max_items: options.waiting ?? 1_000,
      max_wait_ms: options.longest_ms ?? 60_000,
      overloadError: () => new Error('busy'),
    },
  })
  return {
    write,
    flushes,
    /** The next flush waits until this is resolved. */
    hold() {
      const gate = Promise.withResolvers<void>()
      gates.push(gate)
      return gate
    },
    failNext: (error = new Error('no')) => faults.push(error),
  }
}

/** Odd numbers are refused. */
function answer(item: number): ItemResult<string> {
  return item % 2 === 0 ? { ok: true, value: `wrote ${item}` } : { ok: false, error: new Error(`refused ${item}`) }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('a batch', () => {
  it('lets a lone call wait for nobody', async () => {
    const { write, flushes } = slowWrite()
    expect(await write(2)).toBe('wrote 2')
    expect(flushes).toEqual([[2]])
  })

  it('carries calls of one turn of the event loop together, in order', async () => {
    const { write, flushes } = slowWrite()
    expect(await Promise.all([2, 4, 6].map(write))).toEqual(['wrote 2', 'wrote 4', 'wrote 6'])
    expect(flushes).toEqual([[2, 4, 6]])
  })

  it('gathers what arrives while flushes are under way', async () => {
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

  it('runs as many flushes at once as it may, each with at most so many items', async () => {
    const { write, flushes, hold } = slowWrite({ flushes: 2, most: 2 })
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

  it('refuses one bad item alone', async () => {
    const { write, flushes } = slowWrite()
    const outcomes = await Promise.allSettled([2, 3, 4].map(write))
    expect(outcomes.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(flushes).toHaveLength(1)
  })

  it('replays a flush that failed item by item, once, so that only the culprit suffers', async () => {
    const { write, flushes, failNext } = slowWrite()
    failNext()
    expect(await Promise.all([2, 4].map(write))).toEqual(['wrote 2', 'wrote 4'])
    expect(flushes).toEqual([[2, 4], [2], [4]])
  })

  it('gives an item that fails again its own error, and its neighbours their answers', async () => {
    const { write, failNext, flushes } = slowWrite()
    failNext(new Error('together'))
    failNext(new Error('alone'))
    const [first, second] = await Promise.allSettled([2, 4].map(write))
    expect(first).toMatchObject({ status: 'rejected', reason: { message: 'alone' } })
    expect(second).toMatchObject({ status: 'fulfilled', value: 'wrote 4' })
    expect(flushes).toHaveLength(3)
  })

  it('tries an item again that others were quicker with, but not for ever', async () => {
    let quicker = 3
    const write = createBatcher<number, string>({
      max_items: 10,
      mayRetry: () => true,
      isWriteConflict: (error) => (error as Error).message === 'overtaken',
      flush: async (items) => {
        quicker -= 1
        if (quicker >= 0) throw new Error('overtaken')
        return items.map((item) => ({ ok: true, value: `wrote ${item}` }))
      },
    })
    expect(await write(2)).toBe('wrote 2')
    quicker = 100
    await expect(write(2)).rejects.toThrow('overtaken')
    expect(quicker).toBe(95)
  })

  it('never replays what may have been committed', async () => {
    const { write, flushes, failNext } = slowWrite({ mayReplay: false })
    failNext(new Error('lost'))
    const outcomes = await Promise.allSettled([2, 4].map(write))
    expect(outcomes).toMatchObject([{ reason: { message: 'lost' } }, { reason: { message: 'lost' } }])
    expect(flushes).toEqual([[2, 4]])
    expect(await write(6)).toBe('wrote 6')
  })

  it('turns newcomers away when too many wait, and takes them again later', async () => {
    const { write, hold } = slowWrite({ flushes: 1, most: 1, waiting: 2 })
    const gate = hold()
    const first = write(2)
    await turn()
    const waiting = [write(4), write(6)]
    await expect(write(8)).rejects.toThrow('busy')
    gate.resolve()
    await Promise.all([first, ...waiting])
    expect(await write(8)).toBe('wrote 8')
  })

  it('turns newcomers away once the first in line has waited too long, and takes them again later', async () => {
    const { write, hold } = slowWrite({ flushes: 1, most: 1, longest_ms: 20 })
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

  it('does not let a flush forget an item in silence', async () => {
    const write = createBatcher<number, string>({ flush: async () => [], mayRetry: () => false, max_items: 10 })
    await expect(write(2)).rejects.toThrow('A batch left an item without an answer.')
  })

  it('gives every caller the answer to its own item, whatever fails and however calls arrive', async () => {
    const calls = fc.array(fc.record({ item: fc.nat(50), pause: fc.boolean() }), { minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(calls, fc.integer({ min: 1, max: 5 }), fc.array(fc.boolean()), async (all, most, breaks) => {
        const write = createBatcher<number, string>({
          async flush(items) {
            await turn()
            if (breaks.shift() && items.length > 1) throw new Error('together')
            return items.map(answer)
          },
          mayRetry: () => true,
          max_items: most,
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
      }),
      { numRuns: 60 },
    )
  })
})

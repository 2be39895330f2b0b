import { beforeEach, describe, expect, it } from 'vitest'
import { CommitUnknown, ConnectionLost } from '../../../src/db/client.ts'
import { applyInBatch } from '../../../src/jobs/shared/apply-in-batch.ts'
import { WriteConflict } from '../../../src/lib/batches/write-conflict.ts'

let logged: object[] = []
beforeEach(() => {
  logged = []
})
const write = (fields: object) => void logged.push(fields)
const log = { debug: write, info: write, warn: write, error: write, fatal: write }

describe('applying answers in one batch', () => {
  it('makes one call for all answers', async () => {
    const calls: number[][] = []
    await applyInBatch([1, 2, 3], async (batch) => void calls.push([...batch]), log)
    expect(calls).toEqual([[1, 2, 3]])
  })

  it('makes no call without answers', async () => {
    await applyInBatch([], () => Promise.reject(new Error('must not be called')), log)
  })

  it('applies each answer by itself when the batch fails, and throws the errors of those that fail again', async () => {
    const applied: number[] = []
    const all = applyInBatch(
      [1, 2, 3],
      async (batch) => {
        if (batch.includes(2)) throw new Error('two')
        applied.push(...batch)
      },
      log,
    )
    await expect(all).rejects.toMatchObject({
      message: '1 of 3 answers could not be applied.',
      errors: [new Error('two')],
    })
    expect(applied).toEqual([1, 3])
  })

  it('applies each answer when only the batch as a whole fails', async () => {
    const applied: number[] = []
    await applyInBatch(
      [1, 2],
      async (batch) => {
        if (batch.length > 1) throw new Error('one at a time, please')
        applied.push(...batch)
      },
      log,
    )
    expect(applied).toEqual([1, 2])
  })

  it('tries an answer again after write conflicts, but not endlessly', async () => {
    let conflicts = 3
    const apply = async () => {
      conflicts -= 1
      if (conflicts >= 0) throw new WriteConflict()
    }
    await applyInBatch([1], apply, log)
    conflicts = 100
    await expect(applyInBatch([1], apply, log)).rejects.toMatchObject({ errors: [expect.any(WriteConflict)] })
    expect(conflicts).toBe(95)
  })

  it('logs why the batch failed before it applies each answer by itself, except after a write conflict', async () => {
    const failOnce = (error: Error) => {
      let failed = false
      return async () => {
        if (failed) return
        failed = true
        throw error
      }
    }
    await applyInBatch([1, 2, 3], failOnce(new Error('one at a time, please')), log)
    expect(logged).toMatchObject([{ event: 'batch_failed', size: 3, error: { message: 'one at a time, please' } }])
    await applyInBatch([1, 2, 3], failOnce(new WriteConflict()), log)
    expect(logged).toHaveLength(1)
  })

  const outages = [
    new ConnectionLost('gone'),
    new CommitUnknown(new ConnectionLost('gone')),
    Object.assign(new Error('too slow'), { code: '57014' }),
    Object.assign(new Error('locked'), { code: '55P03' }),
    Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
  ]
  it.each(outages)('asks a database once that cannot work: $message', async (outage) => {
    let calls = 0
    const all = applyInBatch(
      Array.from({ length: 64 }, (_, index) => index),
      () => {
        calls += 1
        return Promise.reject(outage)
      },
      log,
    )
    await expect(all).rejects.toBe(outage)
    expect(calls).toBe(1)
  })

  it('stops when the database is lost while it applies answers one by one', async () => {
    const outage = new ConnectionLost('gone')
    const tried: number[] = []
    const all = applyInBatch(
      [1, 2, 3, 4],
      async (batch) => {
        if (batch.length > 1) throw new Error('one at a time, please')
        tried.push(...batch)
        if (batch[0] === 2) throw outage
      },
      log,
    )
    await expect(all).rejects.toBe(outage)
    expect(tried).toEqual([1, 2])
  })
})

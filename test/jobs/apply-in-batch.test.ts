import { describe, expect, it } from 'vitest'
import { WriteConflict } from '../../src/core/write-conflict.ts'
import { applyInBatch } from '../../src/jobs/apply-in-batch.ts'

describe('applying answers in one batch', () => {
  it('makes one call for all answers', async () => {
    const calls: number[][] = []
    await applyInBatch([1, 2, 3], async (batch) => void calls.push([...batch]))
    expect(calls).toEqual([[1, 2, 3]])
  })

  it('makes no call without answers', async () => {
    await applyInBatch([], () => Promise.reject(new Error('must not be called')))
  })

  it('applies each answer by itself when the batch fails, and throws the errors of those that fail again', async () => {
    const applied: number[] = []
    const all = applyInBatch([1, 2, 3], async (batch) => {
      if (batch.includes(2)) throw new Error('two')
      applied.push(...batch)
    })
    await expect(all).rejects.toMatchObject({
      message: '1 of 3 answers could not be applied.',
      errors: [new Error('two')],
    })
    expect(applied).toEqual([1, 3])
  })

  it('applies each answer when only the batch as a whole fails', async () => {
    const applied: number[] = []
    await applyInBatch([1, 2], async (batch) => {
      if (batch.length > 1) throw new Error('one at a time, please')
      applied.push(...batch)
    })
    expect(applied).toEqual([1, 2])
  })

  it('tries an answer again after write conflicts, but not endlessly', async () => {
    let conflicts = 3
    const apply = async () => {
      conflicts -= 1
      if (conflicts >= 0) throw new WriteConflict()
    }
    await applyInBatch([1], apply)
    conflicts = 100
    await expect(applyInBatch([1], apply)).rejects.toMatchObject({ errors: [expect.any(WriteConflict)] })
    expect(conflicts).toBe(95)
  })
})

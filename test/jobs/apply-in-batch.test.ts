import { describe, expect, it } from 'vitest'
import { WriteConflict } from '../../src/core/write-conflict.ts'
import { applyInBatch } from '../../src/jobs/apply-in-batch.ts'

describe('settling together', () => {
  it('takes one call for all', async () => {
    const calls: number[][] = []
    await applyInBatch([1, 2, 3], async (some) => void calls.push([...some]))
    expect(calls).toEqual([[1, 2, 3]])
  })

  it('takes none for nothing', async () => {
    await applyInBatch([], () => Promise.reject(new Error('must not be called')))
  })

  it('settles each by itself when together they fail, and tells which could not be', async () => {
    const settled: number[] = []
    const all = applyInBatch([1, 2, 3], async (some) => {
      if (some.includes(2)) throw new Error('two')
      settled.push(...some)
    })
    await expect(all).rejects.toMatchObject({
      message: '1 of 3 answers could not be settled.',
      errors: [new Error('two')],
    })
    expect(settled).toEqual([1, 3])
  })

  it('settles each when only the company was the trouble', async () => {
    const settled: number[] = []
    await applyInBatch([1, 2], async (some) => {
      if (some.length > 1) throw new Error('one after the other, please')
      settled.push(...some)
    })
    expect(settled).toEqual([1, 2])
  })

  it('tries one again that others were quicker with, but not for ever', async () => {
    let quicker = 3
    const settle = async () => {
      quicker -= 1
      if (quicker >= 0) throw new WriteConflict()
    }
    await applyInBatch([1], settle)
    quicker = 100
    await expect(applyInBatch([1], settle)).rejects.toMatchObject({ errors: [expect.any(WriteConflict)] })
    expect(quicker).toBe(95)
  })
})

import { describe, expect, it } from 'vitest'
import { WorkRefused } from '../../../src/lib/workers/worker.ts'
import { openWorkerQueue, type WorkerQueue } from '../../../src/lib/workers/worker-queue.ts'

type Question = 'answer' | 'hang' | 'eat' | 'gulp' | 'fail' | 'crash'

const open = (limits: { time_ms?: number; waiting?: number }): WorkerQueue<Question, string> =>
  openWorkerQueue(new URL('hungry', import.meta.url), { time_ms: 60_000, memory_mb: 64, waiting: 10, ...limits })

describe('the work of a process', () => {
  it.each<[Question, number, 'time' | 'memory', string]>([
    ['hang', 500, 'time', 'It takes too long.'],
    ['eat', 60_000, 'memory', 'It takes too much memory.'],
    ['gulp', 60_000, 'memory', 'It takes too much memory.'],
  ])('that would %s ends in words, and the next is done', async (question, time_ms, limit, message) => {
    const patient = open({ time_ms })
    await expect(patient.ask(question)).rejects.toMatchObject({ constructor: WorkRefused, limit, message })
    await expect(open({}).ask('answer')).resolves.toBe('answered')
    if (question !== 'hang') await expect(patient.ask('answer')).resolves.toBe('answered')
  })

  it('that fails or crashes is an error of its own, and the next is done', async () => {
    const queue = open({})
    await expect(queue.ask('fail')).rejects.toThrow('It failed.')
    await expect(queue.ask('crash')).rejects.toThrow('The process has ended.')
    await expect(queue.ask('answer')).resolves.toBe('answered')
  })

  it('waits for the work before it, up to a number', async () => {
    const queue = open({ waiting: 2 })
    const asked = [queue.ask('answer'), queue.ask('answer'), queue.ask('answer')]
    const ends = await Promise.allSettled(asked)
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  })
})

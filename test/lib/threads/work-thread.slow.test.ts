import { describe, expect, it } from 'vitest'
import { ThreadRefused } from '../../../src/lib/threads/thread.ts'
import { openWorkThread, type WorkThread } from '../../../src/lib/threads/work-thread.ts'

type Question = 'answer' | 'hang' | 'eat' | 'fail' | 'crash'

const open = (limits: { time_ms?: number; waiting?: number }): WorkThread<Question, string> =>
  openWorkThread(new URL('hungry', import.meta.url), { time_ms: 60_000, memory_mb: 64, waiting: 10, ...limits })

describe('the work of a thread', () => {
  it.each<[Question, number, 'time' | 'memory', string]>([
    ['hang', 500, 'time', 'It takes too long.'],
    ['eat', 60_000, 'memory', 'It takes too much memory.'],
  ])('that would %s ends in words, and the next is done', async (question, time_ms, limit, message) => {
    const patient = open({ time_ms })
    await expect(patient.ask(question)).rejects.toMatchObject({ constructor: ThreadRefused, limit, message })
    await expect(open({}).ask('answer')).resolves.toBe('answered')
    if (question === 'eat') await expect(patient.ask('answer')).resolves.toBe('answered')
  })

  it('that fails or crashes is an error of its own, and the next is done', async () => {
    const thread = open({})
    await expect(thread.ask('fail')).rejects.toThrow('It failed.')
    await expect(thread.ask('crash')).rejects.toThrow('The thread has ended.')
    await expect(thread.ask('answer')).resolves.toBe('answered')
  })

  it('waits for the work before it, up to a number', async () => {
    const thread = open({ waiting: 2 })
    const asked = [thread.ask('answer'), thread.ask('answer'), thread.ask('answer')]
    const ends = await Promise.allSettled(asked)
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  })
})

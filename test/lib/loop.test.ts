import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Job, type Loop, startLoop } from '../../src/lib/loop.ts'

/** A table of rows with due times. */
function table(rows: { name: string; due_ms: number }[], changes: Partial<Job<string>> = {}) {
  const done: string[] = []
  const claims: number[] = []
  const job: Job<string> = {
    name: 'test',
    limit: 10,
    concurrency: 2,
    async claim(limit) {
      claims.push(limit)
      const due = rows.filter((row) => row.due_ms <= Date.now()).slice(0, limit)
      for (const row of due) rows.splice(rows.indexOf(row), 1)
      return due.map((row) => row.name)
    },
    run: async (names) => void done.push(...names),
    nextDue: async () => (rows.length === 0 ? null : new Date(Math.min(...rows.map((row) => row.due_ms)))),
    ...changes,
  }
  return { job, done, claims }
}

let loop: Loop | undefined
const errors: unknown[] = []
const start = (job: Job<string>) => {
  loop = startLoop(job, { now: () => new Date(), onError: (_job, error) => errors.push(error) })
  return loop
}
afterEach(async () => {
  await loop?.stop()
  vi.useRealTimers()
  errors.length = 0
})

/** Advance the fake timers. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

async function until(condition: () => boolean, what: string, timeout_ms = 20_000) {
  const deadline = Date.now() + timeout_ms
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`Timed out before ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe('a loop', () => {
  it('runs all due rows, in claims of limited size', async () => {
    const rows = Array.from({ length: 25 }, (_, index) => ({ name: `${index}`, due_ms: 0 }))
    const { job, done, claims } = table(rows)
    start(job)
    await until(() => done.length === 25, 'all are done')
    expect(done).toEqual(Array.from({ length: 25 }, (_, index) => `${index}`))
    expect(claims.every((limit) => limit === 10)).toBe(true)
  })

  it('waits until the next row is due, and not much longer', async () => {
    vi.useFakeTimers()
    const { job, done, claims } = table([{ name: 'soon', due_ms: Date.now() + 150 }])
    start(job)
    await pass(149)
    expect(done).toEqual([])
    await pass(6)
    expect(done).toEqual(['soon'])
    expect(claims.length).toBeLessThan(10)
  })

  it('claims nothing before a row is due, if `nextDue` covers all rows', async () => {
    const rows: { name: string; due_ms: number }[] = []
    let polls = 0
    const { job, done, claims } = table(rows, { next_due_is_complete: true })
    const { nextDue } = job
    const started = start({
      ...job,
      nextDue() {
        polls += 1
        return nextDue()
      },
    })
    await until(() => polls > 0, 'the first poll')
    const earlier_polls = polls
    started.wake()
    await until(() => polls > earlier_polls, 'the next poll')
    expect(claims).toEqual([])
    rows.push({ name: 'now', due_ms: 0 })
    started.wake()
    await until(() => done.length === 1, 'the row is done')
  })

  it('polls at once after a wake', async () => {
    vi.useFakeTimers()
    const rows: { name: string; due_ms: number }[] = []
    const { job, done } = table(rows)
    const started = start(job)
    await pass(50)
    rows.push({ name: 'now', due_ms: 0 })
    await pass(50)
    expect(done).toEqual([])
    started.wake()
    await pass(0)
    expect(done).toEqual(['now'])
  })

  it('claims together what becomes due shortly after a poll', async () => {
    vi.useFakeTimers()
    const rows: { name: string; due_ms: number }[] = []
    const { job, done, claims } = table(rows)
    const started = start(job)
    await pass(200)
    const earlier_claims = claims.length
    for (const name of ['one', 'two', 'three']) {
      rows.push({ name, due_ms: 0 })
      started.wake()
      await pass(10)
    }
    expect(done).toEqual(['one'])
    await pass(100)
    expect(done).toEqual(['one', 'two', 'three'])
    expect(claims.length - earlier_claims).toBe(2)
  })

  it('polls at once when a batch has capacity for rows that wait', async () => {
    vi.useFakeTimers()
    const rows = ['one', 'two', 'three'].map((name) => ({ name, due_ms: 0 }))
    const done: string[] = []
    const { job } = table(rows, {
      limit: 2,
      async claim() {
        // As many as there are slots.
        return rows.splice(0, 1).map(({ name }) => name)
      },
      async run([name], wake) {
        await new Promise((resolve) => setTimeout(resolve, 5))
        done.push(name!)
        wake!()
      },
    })
    start(job)
    await pass(15)
    expect(done).toEqual(['one', 'two', 'three'])
  })

  it('does not lose a wake during a poll', async () => {
    vi.useFakeTimers()
    const rows: { name: string; due_ms: number }[] = []
    const { job, done } = table(rows)
    let polls = 0
    const nextDue = job.nextDue
    job.nextDue = async () => {
      polls += 1
      const due = await nextDue()
      if (polls === 1) {
        // The loop has just found that nothing is due.
        rows.push({ name: 'in between', due_ms: 0 })
        loop!.wake()
      }
      return due
    }
    start(job)
    await pass(100)
    expect(done).toEqual(['in between'])
  })

  it('finds a row within about a second without a wake', async () => {
    vi.useFakeTimers()
    const rows: { name: string; due_ms: number }[] = []
    const { job, done } = table(rows)
    start(job)
    await pass(20)
    rows.push({ name: 'quiet', due_ms: 0 })
    await pass(1_000)
    expect(done).toEqual(['quiet'])
  })

  it('runs up to `concurrency` batches at the same time: a slow batch delays no other', async () => {
    const rows = ['slow', 'a', 'b', 'c'].map((name) => ({ name, due_ms: 0 }))
    const slow = Promise.withResolvers<void>()
    let running = 0
    let max_running = 0
    const { job, done } = table(rows, {
      limit: 1,
      async run([name]) {
        running += 1
        max_running = Math.max(max_running, running)
        if (name === 'slow') await slow.promise
        else await new Promise((resolve) => setTimeout(resolve, 5))
        running -= 1
        done.push(name!)
      },
    })
    start(job)
    await until(() => done.length === 3, 'the fast rows are done')
    expect(done).toEqual(['a', 'b', 'c'])
    slow.resolve()
    await until(() => done.length === 4, 'the slow row is done')
    expect(max_running).toBe(2)
  })

  it('continues after an error, and reports it', async () => {
    const rows = ['bad', 'good'].map((name) => ({ name, due_ms: 0 }))
    const { job, done } = table(rows, {
      limit: 1,
      async run([name]) {
        if (name === 'bad') throw new Error('bad')
        done.push(name!)
      },
    })
    start(job)
    await until(() => done.length === 1, 'the good row is done')
    expect(errors).toEqual([new Error('bad')])
  })

  it('continues after the table was unavailable for a while', async () => {
    const { job, done } = table([{ name: 'patient', due_ms: 0 }])
    const claim = job.claim
    let broken = true
    job.claim = (limit) => (broken ? Promise.reject(new Error('away')) : claim(limit))
    start(job)
    await until(() => errors.length > 0, 'the error is reported')
    broken = false
    await until(() => done.length === 1, 'the row is done')
  })

  it('stops after the running batch has ended, and claims nothing more', async () => {
    const rows = [{ name: 'long', due_ms: 0 }]
    const gate = Promise.withResolvers<void>()
    let started = false
    const { job, done } = table(rows, {
      async run(names) {
        started = true
        await gate.promise
        done.push(...names)
      },
    })
    const running = start(job)
    await until(() => started, 'the batch runs')
    const stopped = running.stop()
    rows.push({ name: 'late', due_ms: 0 })
    gate.resolve()
    await stopped
    expect(done).toEqual(['long'])
    expect(rows).toHaveLength(1)
  })
})

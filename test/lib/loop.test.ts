import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Job, type Loop, startLoop } from '../../src/lib/loop.ts'

/** A table of rows that fall due. */
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
const faults: unknown[] = []
const start = (job: Job<string>) => {
  loop = startLoop(job, { now: () => new Date(), onError: (_job, error) => faults.push(error) })
  return loop
}
afterEach(async () => {
  await loop?.stop()
  vi.useRealTimers()
  faults.length = 0
})

/** Lets so much time pass for the loop, where a test has taken the timers over. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

async function until(condition: () => boolean, what: string, patience_ms = 20_000) {
  const deadline = Date.now() + patience_ms
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`Waited in vain until ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe('a loop', () => {
  it('works off what is due, a limited number at a time', async () => {
    const rows = Array.from({ length: 25 }, (_, index) => ({ name: `${index}`, due_ms: 0 }))
    const { job, done, claims } = table(rows)
    start(job)
    await until(() => done.length === 25, 'all are done')
    expect(done).toEqual(Array.from({ length: 25 }, (_, index) => `${index}`))
    expect(claims.every((limit) => limit === 10)).toBe(true)
  })

  it('sleeps until the next row is due, and not much longer', async () => {
    vi.useFakeTimers()
    const { job, done, claims } = table([{ name: 'soon', due_ms: Date.now() + 150 }])
    start(job)
    await pass(149)
    expect(done).toEqual([])
    await pass(6)
    expect(done).toEqual(['soon'])
    expect(claims.length).toBeLessThan(10)
  })

  it('claims nothing before a row is due, where the due time tells of all rows', async () => {
    const rows: { name: string; due_ms: number }[] = []
    let looks = 0
    const { job, done, claims } = table(rows, { next_due_is_complete: true })
    const { nextDue } = job
    const woken = start({
      ...job,
      nextDue() {
        looks += 1
        return nextDue()
      },
    })
    await until(() => looks > 0, 'it has looked')
    const looked = looks
    woken.wake()
    await until(() => looks > looked, 'it has looked again')
    expect(claims).toEqual([])
    rows.push({ name: 'now', due_ms: 0 })
    woken.wake()
    await until(() => done.length === 1, 'it is done')
  })

  it('looks at once when it is woken', async () => {
    vi.useFakeTimers()
    const rows: { name: string; due_ms: number }[] = []
    const { job, done } = table(rows)
    const woken = start(job)
    await pass(50)
    rows.push({ name: 'now', due_ms: 0 })
    await pass(50)
    expect(done).toEqual([])
    woken.wake()
    await pass(0)
    expect(done).toEqual(['now'])
  })

  it('does not lose a wake that comes while it is looking', async () => {
    vi.useFakeTimers()
    const rows: { name: string; due_ms: number }[] = []
    const { job, done } = table(rows)
    let looks = 0
    const look = job.nextDue
    job.nextDue = async () => {
      looks += 1
      const due = await look()
      if (looks === 1) {
        // It has just decided that nothing is due.
        rows.push({ name: 'in between', due_ms: 0 })
        loop!.wake()
      }
      return due
    }
    start(job)
    await pass(0)
    expect(done).toEqual(['in between'])
  })

  it('finds a row within about a second even when nobody wakes it', async () => {
    vi.useFakeTimers()
    const rows: { name: string; due_ms: number }[] = []
    const { job, done } = table(rows)
    start(job)
    await pass(20)
    rows.push({ name: 'quiet', due_ms: 0 })
    await pass(1_000)
    expect(done).toEqual(['quiet'])
  })

  it('works in as many lanes as it has, and no more: a slow one holds up only itself', async () => {
    const rows = ['slow', 'a', 'b', 'c'].map((name) => ({ name, due_ms: 0 }))
    const slow = Promise.withResolvers<void>()
    let under_way = 0
    let most = 0
    const { job, done } = table(rows, {
      limit: 1,
      async run([name]) {
        under_way += 1
        most = Math.max(most, under_way)
        if (name === 'slow') await slow.promise
        else await new Promise((resolve) => setTimeout(resolve, 5))
        under_way -= 1
        done.push(name!)
      },
    })
    start(job)
    await until(() => done.length === 3, 'the quick ones are done')
    expect(done).toEqual(['a', 'b', 'c'])
    slow.resolve()
    await until(() => done.length === 4, 'the slow one is done')
    expect(most).toBe(2)
  })

  it('goes on after a fault, and tells of it', async () => {
    const rows = ['bad', 'good'].map((name) => ({ name, due_ms: 0 }))
    const { job, done } = table(rows, {
      limit: 1,
      async run([name]) {
        if (name === 'bad') throw new Error('bad')
        done.push(name!)
      },
    })
    start(job)
    await until(() => done.length === 1, 'the good one is done')
    expect(faults).toEqual([new Error('bad')])
  })

  it('goes on when the table was out of reach for a while', async () => {
    const { job, done } = table([{ name: 'patient', due_ms: 0 }])
    const claim = job.claim
    let broken = true
    job.claim = (limit) => (broken ? Promise.reject(new Error('away')) : claim(limit))
    start(job)
    await until(() => faults.length > 0, 'the fault is told')
    broken = false
    await until(() => done.length === 1, 'it is done')
  })

  it('stops when what is under way has ended, and claims nothing more', async () => {
    const rows = [{ name: 'long', due_ms: 0 }]
    const gate = Promise.withResolvers<void>()
    let begun = false
    const { job, done } = table(rows, {
      async run(names) {
        begun = true
        await gate.promise
        done.push(...names)
      },
    })
    const stopping = start(job)
    await until(() => begun, 'it is under way')
    const stopped = stopping.stop()
    rows.push({ name: 'late', due_ms: 0 })
    gate.resolve()
    await stopped
    expect(done).toEqual(['long'])
    expect(rows).toHaveLength(1)
  })
})

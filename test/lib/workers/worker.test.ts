import { type ChildProcess, spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { takeWorker, type Worker } from '../../../src/lib/workers/worker.ts'

const take = (memory_mb: number): Worker<'who' | 'fail later' | 'crash' | 'settings', string> =>
  takeWorker(new URL('hungry', import.meta.url), memory_mb)

/** The id of the process that answers. */
const askWho = (worker: ReturnType<typeof take>): Promise<string> => worker.ask('who', 60_000)

it('a process does one piece of work after the other, and only those with its limit', async () => {
  const first = take(65)
  const who = await askWho(first)
  const beside = take(65)
  const other = await askWho(beside)
  expect(other).not.toBe(who)
  first.leave()
  const larger = take(66)
  expect(await askWho(larger)).not.toBe(who)
  larger.leave()
  const next = take(65)
  expect(await askWho(next)).toBe(who)
  beside.leave()
  next.leave()
})

it('a process that fails is not taken again', async () => {
  const failed = take(67)
  const who = await askWho(failed)
  await expect(failed.ask('crash', 60_000)).rejects.toThrow('The process has ended.')
  failed.leave()
  const next = take(67)
  expect(await askWho(next)).not.toBe(who)
  next.leave()
})

it('an error that the work could not catch is reported, and ends the process', async () => {
  const failed = take(72)
  const who = await askWho(failed)
  await expect(failed.ask('fail later', 60_000)).rejects.toThrow('It failed later.')
  failed.leave()
  const next = take(72)
  expect(await askWho(next)).not.toBe(who)
  next.leave()
})

it('a process whose time of waiting is over is not taken again', async () => {
  const first = take(69)
  const who = await askWho(first)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    first.leave()
    vi.advanceTimersByTime(10_000)
  } finally {
    vi.useRealTimers()
  }
  // Its end is under way, and nothing has reported it yet.
  const next = take(69)
  expect(await askWho(next)).not.toBe(who)
  next.leave()
})

it('a process that ends between two questions is reported at once', async () => {
  const worker = take(70)
  const pid = Number(await askWho(worker))
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => isRunning(pid)).toBe(false)
  await expect(worker.ask('who', 60_000)).rejects.toThrow('It takes too much memory.')
  worker.leave()
})

it('a process that a stop of the service ends while it starts did not lack memory', async () => {
  const worker = await takeStarting(71, (child) => child.kill('SIGINT'))
  await expect(worker.ask('who', 60_000)).rejects.toThrow('The process has ended.')
  worker.leave()
})

/** Take a process, and do something to it as soon as it exists. */
async function takeStarting(memory_mb: number, then: (child: ChildProcess) => void): Promise<ReturnType<typeof take>> {
  const started = Promise.withResolvers<ChildProcess>()
  const listen = (message: unknown) => started.resolve((message as { process: ChildProcess }).process)
  subscribe('child_process', listen)
  const worker = take(memory_mb)
  unsubscribe('child_process', listen)
  then(await started.promise)
  return worker
}

it('a process knows no settings of the service', async () => {
  process.env.SECRET_KEY = 'a'.repeat(64)
  try {
    const worker = take(68)
    expect(await worker.ask('settings', 60_000)).not.toContain('SECRET_KEY')
    worker.leave()
  } finally {
    delete process.env.SECRET_KEY
  }
})

/** Start a program that lets a process work. @returns the program, its end with all that it said, and the id of the process */
async function startProgram(then: 'end' | 'stay' | 'busy') {
  const path = join(import.meta.dirname, 'program.ts')
  const program = spawn(process.execPath, [path, then], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  program.stdout.on('data', (text) => {
    said += text
  })
  const ended = once(program, 'close').then(() => said)
  await expect.poll(() => said).toMatch(/^\d+ /)
  return { program, ended, pid: Number.parseInt(said, 10) }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it('a process that waits keeps no program from its end, and ends with it', async () => {
  const { ended, pid } = await startProgram('end')
  expect(await ended).toBe(`${pid} waits`)
  await expect.poll(() => isRunning(pid)).toBe(false)
})

it('a process ends with its program, however that ends', async () => {
  const { program, ended, pid } = await startProgram('stay')
  expect(isRunning(pid)).toBe(true)
  program.kill('SIGKILL')
  await ended
  await expect.poll(() => isRunning(pid)).toBe(false)
})

it('a process that works for ever ends with its program', async () => {
  const { ended, pid } = await startProgram('busy')
  await ended
  await expect.poll(() => isRunning(pid)).toBe(false)
})

it('a process that cannot be started is an error, and no other process gets its signals', async () => {
  const path = join(import.meta.dirname, 'program.ts')
  const command = ['-c', 'ulimit -n 64 && exec "$0" "$@"', process.execPath, path, 'full']
  const program = spawn('sh', command, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  program.stdout.on('data', (text) => {
    said += text
  })
  await once(program, 'close')
  expect(said).toMatch(/^spawn .*EMFILE \d+ waits$/)
})

it.runIf(process.platform === 'linux')('a process is ended before the service when memory is short', async () => {
  const worker = take(67)
  const pid = await askWho(worker)
  await expect.poll(() => readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('1000')
  worker.leave()
})

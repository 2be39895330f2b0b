import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commandLine, identifyProcess, isRunning, withLock } from '../../../src/db/embedded/processes.ts'

describe('a process', () => {
  it('is identified by pid and start time while it runs', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'some argument'])
    const identity = identifyProcess(child.pid!)!
    expect(identity).toMatch(new RegExp(`^${child.pid}-\\d+$`))
    expect(isRunning(identity)).toBe(true)
    expect(commandLine(child.pid!)).toContain('some argument')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(isRunning(identity)).toBe(false)
    expect(identifyProcess(child.pid!)).toBeNull()
    expect(commandLine(child.pid!)).toBe('')
  })

  it.runIf(process.platform === 'linux')('is a different one if only the pid is the same', () => {
    expect(isRunning(identifyProcess(process.pid)!)).toBe(true)
    expect(isRunning(`${process.pid}-1`)).toBe(false)
  })
})

describe('a lock', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kusanya-lock-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('admits one process after the other and leaves no file', async () => {
    let inside = 0
    let most_inside = 0
    const work = async () => {
      inside += 1
      most_inside = Math.max(most_inside, inside)
      await sleep(5)
      inside -= 1
      return 'done'
    }
    const results = await Promise.all([1, 2, 3, 4].map(() => withLock(join(folder, 'lock'), work)))
    expect(results).toEqual(['done', 'done', 'done', 'done'])
    expect(most_inside).toBe(1)
    expect(readdirSync(folder)).toEqual([])
  })

  it('is released by work that fails', async () => {
    const fail = async () => Promise.reject(new Error('broken'))
    await expect(withLock(join(folder, 'lock'), fail)).rejects.toThrow('broken')
    expect(await withLock(join(folder, 'lock'), async () => 'passed')).toBe('passed')
  })

  it('is ignored if its process was killed', async () => {
    const lock = join(folder, 'lock')
    writeFileSync(lock, '4194305-1')
    expect(await withLock(lock, async () => 'passed')).toBe('passed')
    writeFileSync(lock, '')
    utimesSync(lock, 0, 0)
    expect(await withLock(lock, async () => 'passed')).toBe('passed')
  })
})

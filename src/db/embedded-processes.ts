import { spawnSync } from 'node:child_process'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const LOCK_PATIENCE_MS = 120_000

/**
 * Names one run of one process (`<pid>-<start>`), or null when no such process runs.
 * The start time is there because numbers come back: in a container every run of ours may have the same one.
 * Where the system does not tell it (anything but Linux) it is 0.
 */
export function identify(pid: number): string | null {
  if (process.platform === 'linux') {
    const stat = readProc(pid, 'stat')
    // The name in brackets may hold spaces; state and start time are counted from behind it (proc_pid_stat(5)).
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie is dead; in a container whose first process reaps nothing it would stay for ever.
    if (stat) return state === 'Z' || state === 'X' ? null : `${pid}-${rest[18]}`
  }
  return answersSignals(pid) ? `${pid}-0` : null
}

/** True while the very process that `identify` named still runs. */
export function isRunning(identity: string): boolean {
  return identify(Number.parseInt(identity, 10)) === identity
}

/** The command line of a process with its arguments joined by spaces; empty when there is none to see. */
export function commandLine(pid: number): string {
  if (process.platform === 'linux') return readProc(pid, 'cmdline').replaceAll('\0', ' ')
  return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
}

/**
 * Runs `work` while no other process that asks for the same lock file does. A lock left by a killed process counts
 * for nothing. Breaking such a lock leaves a gap of microseconds in which two processes could pass; it spoils nothing,
 * because what the lock orders (a rename, a start of PostgreSQL) settles a tie by itself.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const claim = `${path}.${process.pid}`
  const deadline = Date.now() + LOCK_PATIENCE_MS
  writeFileSync(claim, identify(process.pid) ?? '')
  try {
    while (!tryLink(claim, path)) {
      const holder = readOrEmpty(path)
      if (holder && !isRunning(holder)) breakLock(path, claim)
      else if (Date.now() > deadline) throw new Error(`Process ${holder} has held ${path} for too long.`)
      else await sleep(25)
    }
  } finally {
    rmSync(claim, { force: true })
  }
  try {
    return await work()
  } finally {
    rmSync(path, { force: true })
  }
}

/** A link appears with its content, so nobody ever reads a lock that does not yet say whose it is. */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function breakLock(path: string, claim: string): void {
  try {
    renameSync(path, `${claim}.broken`)
    rmSync(`${claim}.broken`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

function answersSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function readProc(pid: number, file: string): string {
  return readOrEmpty(`/proc/${pid}/${file}`)
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const EMPTY_LOCK_TIMEOUT_MS = 5_000

/**
 * Names one run of one process (`<pid>-<start>`), or null when no such process runs.
 * The start time is there because numbers come back: in a container every run of ours may have the same one.
 * Where the system does not tell it (anything but Linux) it is 0.
 */
export function identifyProcess(pid: number): string | null {
  const stat = process.platform === 'linux' ? readOrEmpty(`/proc/${pid}/stat`) : ''
  if (stat === '') return processExists(pid) ? `${pid}-0` : null
  // The name in brackets may hold spaces, so the fields are counted from behind it (proc_pid_stat(5)).
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // A zombie is dead, and in a container whose first process buries nobody it would stay for ever.
  return state === 'Z' || state === 'X' ? null : `${pid}-${rest[18]}`
}

/** True while the very process that `identify` named still runs. */
export function isRunning(identity: string): boolean {
  return identifyProcess(Number.parseInt(identity, 10)) === identity
}

/** The command line of a process, its arguments separated by spaces; empty when there is none to see. */
export function commandLine(pid: number): string {
  if (process.platform === 'linux') return readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
  return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
}

/**
 * Runs `work` while nobody else who asks for the same lock file does. A lock that a killed process left counts for
 * nothing. Breaking such a lock leaves a gap of microseconds in which two may pass; that spoils nothing here, since
 * what the lock orders (renames, the start of PostgreSQL) admits only one of two by itself.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!tryLock(path)) {
    if (isLockAbandoned(path)) rmSync(path, { force: true })
    else await sleep(20)
  }
  try {
    return await work()
  } finally {
    rmSync(path, { force: true })
  }
}

/** Makes a file that every user can read, since root and an ordinary user may share a database. */
export function writeWorldReadable(path: string, text: string): void {
  writeFileSync(path, text, { flag: 'wx' })
  chmodSync(path, 0o644)
}

function tryLock(path: string): boolean {
  try {
    writeWorldReadable(path, identifyProcess(process.pid) ?? '')
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** An empty lock is one whose maker is about to write its identity, or was killed just before. */
function isLockAbandoned(path: string): boolean {
  const holder = readOrEmpty(path)
  if (holder !== '') return !isRunning(holder)
  const made_at = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
  return Date.now() - made_at > EMPTY_LOCK_TIMEOUT_MS
}

function processExists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

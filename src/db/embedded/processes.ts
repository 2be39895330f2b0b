import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const EMPTY_LOCK_TIMEOUT_MS = 5_000

/**
 * Identifies one run of a process (`<pid>-<start>`), or null if no process has this pid.
 * The start time is needed because pids are reused: in a container each run of Kusanya may have the same pid.
 * The start time is 0 on systems other than Linux, which do not show it.
 */
export function identifyProcess(pid: number): string | null {
  const stat = process.platform === 'linux' ? readOrEmpty(`/proc/${pid}/stat`) : ''
  if (stat === '') return processExists(pid) ? `${pid}-0` : null
  // The name in brackets may contain spaces, so the fields are counted after it (proc_pid_stat(5)).
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // A zombie process has ended. In a container whose first process does not reap children it would stay for ever.
  return state === 'Z' || state === 'X' ? null : `${pid}-${rest[18]}`
}

/** True if the process that `identify` identified still runs. */
export function isRunning(identity: string): boolean {
  return identifyProcess(Number.parseInt(identity, 10)) === identity
}

/** The command line of a process, with its arguments separated by spaces; empty if it is not visible. */
export function commandLine(pid: number): string {
  if (process.platform === 'linux') return readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
  return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
}

/**
 * Runs `work` while it holds a lock file, so that one process at a time does. The lock of a killed process is ignored.
 * While such a lock is removed, two processes may pass within microseconds. This does no harm, because the work under
 * the lock (renames, the start of PostgreSQL) can succeed for only one of two processes.
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

/** Creates a file that every user can read, because root and an ordinary user may share a database. */
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

/** The owner of an empty lock is about to write its identity, or was killed before it could. */
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

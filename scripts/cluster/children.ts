import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnOptions } from '../../src/db/embedded/user.ts'
import type { Layout } from './layout.ts'

/** Options for running one program. */
export interface ProgramOptions {
  name: string
  command: string
  args: string[]
  /** True if it runs as the user of the servers, without the environment of this process. */
  as_server: boolean
  environment?: Record<string, string>
}

/** The pause before a program that has ended is started again, as systemd does it by default for most services. */
const RESTART_MS = 1_000

/** Program that is restarted when it ends, until `stop` or `hold`. Its output is in a file of the folder `log`. */
export class Program {
  readonly name: string
  readonly #layout: Layout
  readonly #options: ProgramOptions
  #child: ChildProcess | undefined
  #wanted = false

  constructor(layout: Layout, options: ProgramOptions) {
    this.name = options.name
    this.#layout = layout
    this.#options = options
  }

  get pid(): number | undefined {
    return this.#child?.exitCode === null && this.#child.signalCode === null ? this.#child.pid : undefined
  }

  start(): void {
    this.#wanted = true
    if (this.pid === undefined) this.#spawn()
  }

  /** Kill it with SIGKILL. It is started again after a second. */
  kill(): void {
    this.#child?.kill('SIGKILL')
  }

  /** Kill it with SIGKILL, and do not start it again until `start`. */
  async hold(): Promise<void> {
    this.#wanted = false
    await this.#end('SIGKILL', 0)
  }

  /** End it with SIGTERM, and with SIGKILL when it takes too long. */
  async stop(patience_ms: number): Promise<void> {
    this.#wanted = false
    await this.#end('SIGTERM', patience_ms)
  }

  /** The last lines of its output. */
  lastLines(): string {
    return readFileSync(this.#log(), 'utf8').trimEnd().split('\n').slice(-8).join('\n')
  }

  #spawn(): void {
    const { command, args, as_server, environment } = this.#options
    const { user, folder } = this.#layout
    const log = openSync(this.#log(), 'a', 0o600)
    const base = as_server ? spawnOptions(user) : { env: process.env }
    const child = spawn(command, args, {
      ...base,
      env: { ...base.env, ...environment, TMPDIR: join(folder, 'tmp') },
      stdio: ['ignore', log, log],
      // Ctrl-C in a terminal reaches only this process, which ends the others in their order.
      detached: true,
    })
    closeSync(log)
    this.#child = child
    child.once('error', () => {})
    child.once('exit', () => {
      setTimeout(() => this.#wanted && this.#child === child && this.#spawn(), RESTART_MS)
    })
  }

  async #end(signal: NodeJS.Signals, patience_ms: number): Promise<void> {
    const child = this.#child
    if (!child || this.pid === undefined) return
    const ended = once(child, 'exit')
    // A program that stands still does not read the signal before it goes on.
    child.kill('SIGCONT')
    child.kill(signal)
    if (patience_ms > 0) setTimeout(() => child.kill('SIGKILL'), patience_ms).unref()
    await ended
  }

  #log(): string {
    return join(this.#layout.folder, 'log', `${this.name}.log`)
  }
}

/** The pid in the first line of a file such as postmaster.pid; undefined when the process does not run. */
export function runningPid(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
    process.kill(pid, 0)
    return pid
  } catch {
    return undefined
  }
}

/** A process and all that it has started, of which some may have ended meanwhile. */
export function familyOf(pid: number): number[] {
  const children = readChildren(pid)
  return [pid, ...children.flatMap(familyOf)]
}

function readChildren(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** Send a signal to processes that may have ended. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** Is aborted when the person or the system ends this command, so that whatever waits goes on to clean up. */
export const interruption = new AbortController()

/** Wait until a condition holds. @throws Error that names the missing event, or the interruption */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  timeout_ms = 120_000,
): Promise<T> {
  const deadline = performance.now() + timeout_ms
  for (;;) {
    interruption.signal.throwIfAborted()
    const found = await look().catch(() => undefined)
    if (found !== undefined && found !== false) return found
    if (performance.now() > deadline) throw new Error(`It took longer than ${timeout_ms / 1_000} s: ${what}.`)
    await sleep(200)
  }
}

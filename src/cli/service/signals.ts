import cluster from 'node:cluster'
import { readFileSync } from 'node:fs'
import { interrupt } from '../../db/embedded/interruption.ts'

/** Ctrl-C, a request to stop, and the end of the terminal. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * End this command in good order at a signal: what it has begun outside of the database does not stay behind. A second
 * signal ends it at once. A command with `onStopSignal` stops by itself.
 */
export function endCommandOnSignal(): void {
  for (const name of SIGNALS) process.on(name, endCommand)
}

function endCommand(signal: NodeJS.Signals): void {
  for (const name of SIGNALS) process.off(name, endCommand)
  // The shell that waits for the command learns which signal has ended it.
  void interrupt().finally(() => process.kill(process.pid, signal))
}

/**
 * Call `listener` for each request to stop: SIGINT (Ctrl-C), SIGTERM, SIGHUP (the end of the terminal), or the end of the npm that runs this process,
 * which does not always pass signals on.
 */
export function onStopSignal(listener: (signal: NodeJS.Signals) => void): void {
  for (const name of SIGNALS) process.off(name, endCommand)
  const watch = isRunByNpm() ? watchParents(() => listener('SIGTERM')) : undefined
  for (const name of SIGNALS)
    process.on(name, (signal) => {
      clearInterval(watch)
      listener(signal)
    })
}

/** npm repeats a Ctrl-C that the terminal has sent to us directly. A signal within this time is that duplicate. */
const DUPLICATE_SIGNAL_MS = 500

/** A request to stop this process, which may come later. */
export interface StopRequest {
  requested: Promise<NodeJS.Signals>
  isRequested(): boolean
}

/** Handle the signals from now on. The first signal requests a stop; a second one ends the process. */
export function listenForStop(): StopRequest {
  let first_at: number | undefined
  const requested = new Promise<NodeJS.Signals>((resolve) => {
    onStopSignal((signal) => {
      first_at ??= Date.now()
      if (Date.now() - first_at > DUPLICATE_SIGNAL_MS) process.exit(1)
      resolve(signal)
    })
  })
  return { requested, isRequested: () => first_at !== undefined }
}

/** The processes of a cluster get signals from their primary. */
function isRunByNpm(): boolean {
  return process.env.npm_lifecycle_event !== undefined && !cluster.isWorker
}

const CHECK_INTERVAL_MS = 250

/**
 * npm starts a shell, and the shell starts this process. When npm is killed, the shell may end or not, but it never ends
 * this process. A process that loses its parent gets another one, so a changed parent means that npm or the shell ended.
 */
function watchParents(onLost: () => void): NodeJS.Timeout {
  const shell = process.ppid
  const npm = parentOf(shell)
  const timer = setInterval(() => {
    if (process.ppid === shell && parentOf(shell) === npm) return
    clearInterval(timer)
    onLost()
  }, CHECK_INTERVAL_MS)
  return timer.unref()
}

/** The parent of a process, on systems with /proc. The field follows the process name, which may contain anything. */
function parentOf(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}

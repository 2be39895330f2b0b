import cluster from 'node:cluster'
import { readFileSync } from 'node:fs'

/**
 * Calls back whenever somebody wants this process to stop: by SIGINT (Ctrl-C), by SIGTERM, or by killing the npm that
 * runs it, which does not always pass that on.
 */
export function onStopSignal(listener: (signal: NodeJS.Signals) => void): void {
  const watch = isRunByNpm() ? watchParents(() => listener('SIGTERM')) : undefined
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, (signal) => {
      clearInterval(watch)
      listener(signal)
    })
}

/** npm passes on a Ctrl-C that the terminal has sent us already; only what comes later is a second one. */
const DUPLICATE_SIGNAL_MS = 500

/** The wish that this process stops, as soon as somebody has it. */
export interface StopRequest {
  requested: Promise<NodeJS.Signals>
  isRequested(): boolean
}

/** Takes the signals over, from now on. The first is the wish to stop; a second ends the process. */
export function listenForStop(): StopRequest {
  let first_at: number | undefined
  const wanted = new Promise<NodeJS.Signals>((resolve) => {
    onStopSignal((signal) => {
      first_at ??= Date.now()
      if (Date.now() - first_at > DUPLICATE_SIGNAL_MS) process.exit(1)
      resolve(signal)
    })
  })
  return { requested: wanted, isRequested: () => first_at !== undefined }
}

/** The processes of a cluster are told by their primary. */
function isRunByNpm(): boolean {
  return process.env.npm_lifecycle_event !== undefined && !cluster.isWorker
}

const CHECK_INTERVAL_MS = 250

/**
 * npm starts a shell and the shell us. A killed npm kills the shell or not, and the shell never kills us; but whoever
 * loses a parent gets another one.
 */
function watchParents(lost: () => void): NodeJS.Timeout {
  const shell = process.ppid
  const npm = parentOf(shell)
  const timer = setInterval(() => {
    if (process.ppid === shell && parentOf(shell) === npm) return
    clearInterval(timer)
    lost()
  }, CHECK_INTERVAL_MS)
  return timer.unref()
}

/** The parent of another process, where the system tells: it stands behind the name, which may hold anything. */
function parentOf(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}

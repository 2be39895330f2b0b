import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, readConfig, WrongSetting } from '../../config.ts'
import { serveClusterMetrics } from '../../http/cluster-metrics.ts'
import { serveClusterThrottle } from '../../http/throttle-cluster.ts'
import { logEvent } from '../../lib/log-events.ts'
import { ChildProcessFailed } from '../errors.ts'
import type { Terminal } from '../terminal.ts'
import { createLog } from './log.ts'
import { onStopSignal } from './signals.ts'

/**
 * Runs this same command line in `count` processes and watches over them until SIGINT or SIGTERM: one that dies is
 * started again, signals are passed on, the windows of the throttle are kept, which the processes share, and their
 * metrics are gathered. Nothing else belongs to the primary, so it has nothing that could be lost.
 * @throws WrongSetting, and EndedElsewhere when the first process does not come up; it has said itself why.
 */
export async function superviseProcesses(terminal: Terminal, count: number): Promise<void> {
  const config = readConfig(terminal.environment)
  checkConnections(config, count)
  const log = await createLog(config, 'service')
  let stopping = false
  onStopSignal((signal) => {
    stopping = true
    // Ctrl-C in a terminal reaches them by itself, too; they know one signal that comes twice from two.
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal)
  })
  serveClusterThrottle()
  serveClusterMetrics()

  const keepRunning = async (first: ProcessRun): Promise<void> => {
    for (let life = first; ; life = startProcess()) {
      const end = await life.ended
      if (stopping) return
      logEvent(log, 'process_restarted', { pid: life.pid, exit_code: end.code, signal: end.signal })
      // One that never came up is not hurried: what it lacks may need time.
      if (!(await life.ready)) await sleep(RESTART_DELAY_MS)
      if (stopping) return
    }
  }

  // The first alone makes the database ready, and finds out whether anything is wrong with the settings.
  const first = startProcess()
  if (!(await first.ready)) {
    const { code } = await first.ended
    if (stopping) return
    throw new ChildProcessFailed(code || 1)
  }
  const others = Array.from({ length: stopping ? 0 : count - 1 }, startProcess)
  await Promise.all([first, ...others].map(keepRunning))
}

/** Tells the primary, where there is one, that this process has come up. */
export function announceReady(): void {
  if (cluster.isWorker) process.send?.(READY_MESSAGE)
}

/** Whether this process speaks for the service, so that its greeting is read once. */
export function isFirstProcess(): boolean {
  return !cluster.isWorker || cluster.worker?.id === 1
}

const READY_MESSAGE = { process: 'ready' }
const RESTART_DELAY_MS = 1_000

/** What the PostgreSQL that comes along has for us; the rest of its 100 connections is for the other commands. */
const MAX_EMBEDDED_CONNECTIONS = 90

function checkConnections({ DATABASE_URL, DATABASE_CONNECTIONS }: Config, count: number): void {
  // Each process also has one that listens.
  const needed = count * (DATABASE_CONNECTIONS + 1)
  if (DATABASE_URL || needed <= MAX_EMBEDDED_CONNECTIONS) return
  const most = Math.floor(MAX_EMBEDDED_CONNECTIONS / count) - 1
  throw new WrongSetting(
    most < 2
      ? `The PostgreSQL that comes along cannot serve ${count} processes. Set DATABASE_URL to another, or start fewer.`
      : `The setting DATABASE_CONNECTIONS=${DATABASE_CONNECTIONS} is wrong: for ${count} processes it must be at most ${most}.`,
  )
}

/** One run of one process. */
interface ProcessRun {
  pid: number | undefined
  /** Whether it came up, as soon as that is known. */
  ready: Promise<boolean>
  ended: Promise<{ code: number | null; signal: string | null }>
}

function startProcess(): ProcessRun {
  const worker = cluster.fork()
  const ended = new Promise<Awaited<ProcessRun['ended']>>((resolve) => {
    worker.once('exit', (code, signal) => resolve({ code, signal }))
  })
  const ready = new Promise<boolean>((resolve) => {
    worker.on('message', (message: Partial<typeof READY_MESSAGE>) => {
      if (message?.process === READY_MESSAGE.process) resolve(true)
    })
    ended.then(() => resolve(false))
  })
  return { pid: worker.process.pid, ready, ended }
}

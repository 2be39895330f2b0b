import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { CONNECTIONS_BESIDE_POOL, type Config, readConfig, WrongSetting } from '../../config.ts'
import { serveClusterMetrics } from '../../http/cluster-metrics.ts'
import { serveClusterThrottle } from '../../http/throttle-cluster.ts'
import { logEvent } from '../../lib/log-events.ts'
import { ChildProcessFailed } from '../errors.ts'
import type { Terminal } from '../terminal.ts'
import { createLog } from './log.ts'
import { onStopSignal } from './signals.ts'

/**
 * Run this command line in `count` processes until SIGINT or SIGTERM. The primary restarts processes that end, passes
 * signals on, keeps the throttle windows that the processes share, and collects their metrics. It holds no other state,
 * so nothing is lost when it ends.
 * @throws WrongSetting
 * @throws ChildProcessFailed when the first process does not start; it has printed why
 */
export async function superviseProcesses(terminal: Terminal, count: number): Promise<void> {
  const config = readConfig(terminal.environment)
  // The processes get the settings of a file as well, so that all have the same when one of them is started again.
  const startProcess = () => forkProcess(terminal.environment)
  checkConnections(config, count)
  const log = await createLog(config, 'service')
  let stopping = false
  onStopSignal((signal) => {
    stopping = true
    // A terminal also sends Ctrl-C to the workers directly; they ignore a duplicate that follows at once.
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal)
  })
  serveClusterThrottle()
  serveClusterMetrics()
  // Each process takes its connections from the shared socket itself. If the primary handed them over, one on its way to a
  // process that was killed would stay open and never be answered (nodejs/node-v0.x-archive#7006).
  cluster.schedulingPolicy = cluster.SCHED_NONE

  const keepRunning = async (first: ProcessRun): Promise<void> => {
    for (let run = first; ; run = startProcess()) {
      const result = await run.ended
      if (stopping) return
      logEvent(log, 'process_restarted', { pid: run.pid, exit_code: result.code, signal: result.signal })
      // A process that failed to become ready restarts after a delay, in which its dependencies may recover.
      if (!(await run.ready)) await sleep(RESTART_DELAY_MS)
      if (stopping) return
    }
  }

  // The first process starts alone: it migrates the database and checks the settings.
  const first = startProcess()
  if (!(await first.ready)) {
    const { code } = await first.ended
    if (stopping) return
    throw new ChildProcessFailed(code || 1)
  }
  const others = Array.from({ length: stopping ? 0 : count - 1 }, startProcess)
  await Promise.all([first, ...others].map(keepRunning))
}

/** Notify the primary, if there is one, that this process is ready. */
export function announceReady(): void {
  if (cluster.isWorker) process.send?.(READY_MESSAGE)
}

/** Return true for the first process. Only this one prints the welcome. */
export function isFirstProcess(): boolean {
  return !cluster.isWorker || cluster.worker?.id === 1
}

const READY_MESSAGE = { process: 'ready' }
const RESTART_DELAY_MS = 1_000

/** The share of the service in the 100 connections of the embedded PostgreSQL; the rest is for other commands. */
const MAX_EMBEDDED_CONNECTIONS = 90

function checkConnections({ DATABASE_URL, DATABASE_CONNECTIONS }: Config, count: number): void {
  const needed = count * (DATABASE_CONNECTIONS + CONNECTIONS_BESIDE_POOL)
  if (DATABASE_URL || needed <= MAX_EMBEDDED_CONNECTIONS) return
  const max = Math.floor(MAX_EMBEDDED_CONNECTIONS / count) - CONNECTIONS_BESIDE_POOL
  throw new WrongSetting(
    max < 2
      ? `The embedded PostgreSQL cannot serve ${count} processes. Set DATABASE_URL to another server, or start fewer processes.`
      : `The setting DATABASE_CONNECTIONS=${DATABASE_CONNECTIONS} is wrong: for ${count} processes it must be at most ${max}.`,
  )
}

interface ProcessRun {
  pid: number | undefined
  /** Resolve to true when it is ready, and to false when it ends before. */
  ready: Promise<boolean>
  ended: Promise<{ code: number | null; signal: string | null }>
}

function forkProcess(environment: Terminal['environment']): ProcessRun {
  const worker = cluster.fork(environment)
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

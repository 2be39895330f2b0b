import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Job, Outcome } from '../load.ts'
import { type Figure, figureOf, type MeasuredLoad, measureInTurns, printProgress, ratioOf } from '../measurements.ts'
import { trackChild } from '../processes.ts'

/*
 * wrk, a load generator in C, takes less of the machine than Node's. It is used if installed (Debian package `wrk`),
 * beside Node's own generator. That one can also send a steady rate, and a request exactly once.
 */

const SCRIPT = fileURLToPath(new URL('requests.lua', import.meta.url))
/** wrk leaves at its end without waiting for answers. Rounds of less than a second are not possible. */
const MIN_S = 1

export const wrk_is_installed = spawnSync('wrk', ['-v']).error === undefined

/** Measure the same sides again with wrk, in rounds of their own. Undefined if it is not installed. */
export async function measureWithWrk(
  name: string,
  rounds: number,
  sides: readonly MeasuredLoad[],
): Promise<Outcome[][] | undefined> {
  if (!wrk_is_installed) return undefined
  return measureInTurns(`${name} with wrk`, rounds, sides, loadWithWrk)
}

/** The part of a figure that wrk measured for one of the sides, of which the first is the ceiling. */
export function wrkFigure(measured: readonly Outcome[][] | undefined, side: number): Pick<Figure, 'with_wrk'> {
  if (!measured) return {}
  const outcomes = measured[side]!
  const { per_second, p50_ms, p99_ms, errors } = figureOf('', outcomes)
  const with_wrk = { per_second, p50_ms: p50_ms!, p99_ms: p99_ms!, errors }
  return { with_wrk: side === 0 ? with_wrk : { ...with_wrk, ratio: ratioOf(outcomes, measured[0]!) } }
}

/** Output of `requests.lua`. `refused` are answers with a status of 400 or more, which `requests` contains. */
interface Summary {
  requests: number
  duration_us: number
  refused: number
  broken: number
  p50_us: number
  p99_us: number
}

/**
 * Send a load with wrk: first the warm-up, then the measured part. @throws Error if requests for one use are too few
 */
export async function loadWithWrk(job: Job): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'kusanya-wrk-'))
  try {
    const file = join(folder, 'requests')
    await writeFile(file, job.requests.map((request) => `${request}\0`).join(''))
    const warmup = await run(job, file, job.warmup_s, 0)
    const sent = warmup.requests + job.connections
    const summary = await run(job, file, job.seconds, sent)
    if (job.once && sent + summary.requests + job.connections > job.requests.length)
      throw new Error(`wrk needs more than ${job.requests.length} requests.`)
    return outcomeOf(job, warmup, summary)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function run(job: Job, file: string, seconds: number, first: number): Promise<Summary> {
  const duration = String(Math.max(MIN_S, Math.round(seconds)))
  const args = ['-t', '1', '-c', String(job.connections), '-d', duration, '--timeout', '10', '-s', SCRIPT, job.url]
  const child = trackChild(spawn('wrk', [...args, '--', file, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] }))
  const text = Buffer.concat(await child.stdout!.toArray()).toString()
  const line = text.split('\n').find((part) => part.startsWith('{'))
  if (line === undefined) throw new Error(`wrk gave no figures: ${text}`)
  return JSON.parse(line) as Summary
}

function outcomeOf(job: Job, warmup: Summary, summary: Summary): Outcome {
  const answered = summary.requests - summary.refused
  const errors = [warmup, summary].reduce((sum, { refused, broken }) => sum + refused + broken, 0)
  if (errors > 0) printProgress(`wrk counted ${errors} errors`)
  const p50_ms = summary.p50_us / 1_000
  const p99_ms = summary.p99_us / 1_000
  return {
    answered,
    p50_ms,
    p99_ms,
    errors,
    seconds: summary.duration_us / 1e6,
    measured: {},
    intervals: [],
    statuses: { [job.expected]: answered + warmup.requests - warmup.refused },
    cut_off: 2 * job.connections,
  }
}

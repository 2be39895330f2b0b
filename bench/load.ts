import { fork } from 'node:child_process'
import { trackChild } from './processes.ts'

/** The input of a load generator. */
export interface Job {
  url: string
  connections: number
  /** Seconds to send before measuring, so that the compiler and the caches are warm. */
  warmup_s: number
  /** The maximum duration of the measurement. */
  seconds: number
  /** The address of this machine from which it connects; the usual one if undefined. */
  from_address?: string | undefined
  /** Complete HTTP requests as raw text. All connections together send them in turn. */
  requests: string[]
  /** True if each request is sent only once; otherwise they repeat until the end. */
  once?: boolean
  /** Numbering of requests: `mark` is replaced by a number of as many digits, which goes up from `first`. */
  numbered?: { mark: string; first: number }
  /** Length of the intervals by which latencies are also separated. */
  interval_s?: number
  /**
   * The number of requests that become due each second, whether answers come or not. Without it every connection sends
   * its next request after its last answer.
   */
  per_second?: number
  /** The status that counts as an answer; everything else is an error. */
  expected: number
}

/** Time after which an answer counts as slow. */
export const SLOW_MS = 1_000

/** The number and the latencies of answers with one status. */
export interface Latencies {
  count: number
  p50_ms: number
  p99_ms: number
  /** Number of answers that took more than SLOW_MS. */
  slow: number
}

/** The result of a load. */
export interface Outcome {
  /** The expected answers of the measured seconds, and their latencies. */
  answered: number
  p50_ms: number
  p99_ms: number
  seconds: number
  /** The number of all other results in the whole run. */
  errors: number
  /** The count of each status in the whole run. Requests without an answer have statuses in words. */
  statuses: Record<string, number>
  /** The latencies of the measured seconds by status. */
  measured: Record<string, Latencies>
  /** The latencies of the expected answers by the interval in which their requests were due. */
  intervals: Latencies[]
  /** Maximum number of requests that were done but not counted, because the generator left at its end. */
  cut_off: number
}

/** Send a load, and return its outcome. */
export type Generator = (job: Job) => Promise<Outcome>

/** Run a load generator in a separate process until it ends. */
export function load(job: Job): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const generator = trackChild(fork(new URL('generator.ts', import.meta.url)))
    let outcome: Outcome | undefined
    generator.once('message', (message: Outcome) => {
      outcome = message
    })
    generator.once('error', reject)
    generator.once('exit', (code) => {
      if (outcome) resolve(outcome)
      else reject(new Error(`The load generator ended with code ${code} and without figures.`))
    })
    generator.send(job)
  })
}

import { fork } from 'node:child_process'
import { trackChild } from './processes.ts'

/** What a generator is to do. */
export interface Job {
  url: string
  connections: number
  /** How long to load before measuring, so that the compiler and the caches have settled. */
  warmup_s: number
  /** The longest that is measured. */
  seconds: number
  /** Whole HTTP requests as they go over the wire. They are sent in turn, from all connections together. */
  requests: string[]
  /** Whether each request is sent once only; else they start over until the time is up. */
  once?: boolean
  /**
   * So many requests fall due every second, whether answers come or not. Without it every connection sends its next
   * request as soon as it has its last answer.
   */
  per_second?: number
  /** The status that counts as an answer; everything else is an error. */
  expected: number
}

/** Answers of one status, and how long they took. */
export interface Latencies {
  count: number
  p50_ms: number
  p99_ms: number
}

/** What came back. */
export interface Outcome {
  /** The expected answers of the measured seconds, and how long these took. */
  answered: number
  p50_ms: number
  p99_ms: number
  seconds: number
  /** What was not answered as expected, in the whole run. */
  errors: number
  /** How often each status came in the whole run. What got no answer has a name of its own. */
  statuses: Record<string, number>
  /** The measured seconds, by status. */
  measured: Record<string, Latencies>
}

/** Runs a generator, in a process of its own, to its end. */
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

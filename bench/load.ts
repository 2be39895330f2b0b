import { fork } from 'node:child_process'
import { owned } from './processes.ts'

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
  /** The status that counts as an answer; everything else is an error. */
  expected: number
}

/** What came back. Rate and latencies are those of the measured seconds; `statuses` counts every answer of the run. */
export interface Outcome {
  answered: number
  seconds: number
  p50_ms: number
  p99_ms: number
  statuses: Record<string, number>
}

/** Runs a generator, in a process of its own, to its end. */
export function load(job: Job): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const generator = owned(fork(new URL('generator.ts', import.meta.url)))
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

/** How many answers of a run were not the expected one. */
export function errorsOf(outcome: Outcome, expected: number): number {
  const all = Object.values(outcome.statuses).reduce((sum, count) => sum + count, 0)
  return all - (outcome.statuses[expected] ?? 0)
}

/** An HTTP request as it goes over the wire. */
export function wireRequest(method: string, path: string, headers: Record<string, string>, body = ''): string {
  const all = { host: 'localhost', ...headers, ...(body ? { 'content-length': Buffer.byteLength(body) } : {}) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

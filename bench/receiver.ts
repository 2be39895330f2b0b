import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createHistogram, performance } from 'node:perf_hooks'

/** A command to the receiver, which answers each with `ReceivedStats`. */
export type ReceiverCommand = 'reset' | 'read'

/** Arrivals since the last reset. Latencies run from the time in the body to the arrival. */
export interface ReceivedStats {
  /** The number of all arrivals, which a reset does not change. */
  total: number
  count: number
  seconds: number
  p50_ms: number
  p99_ms: number
}

/**
 * Webhook receiver of a shop, in a separate process: it accepts every notification over TLS and answers 200. From the
 * body it only reads the time of the event, `"at":…`.
 */
const FIXTURES = new URL('../test/fixtures/', import.meta.url)
const TIMESTAMP_PATTERN = /"at":(\d+(?:\.\d+)?)/

let total = 0
let count = 0
let started_at = performance.now()
const latencies = createHistogram()

const server = createServer(
  {
    key: readFileSync(new URL('localhost-key.pem', FIXTURES)),
    cert: readFileSync(new URL('localhost-cert.pem', FIXTURES)),
  },
  (request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      const at = Number(TIMESTAMP_PATTERN.exec(body)?.[1])
      total += 1
      count += 1
      // Other bodies have no such time.
      if (Number.isFinite(at))
        latencies.record(Math.max(1, Math.round((performance.timeOrigin + performance.now() - at) * 1_000)))
      response.writeHead(200, { 'content-length': 0 }).end()
    })
  },
)

process.on('message', (command: ReceiverCommand) => {
  if (command === 'reset') {
    count = 0
    started_at = performance.now()
    latencies.reset()
  }
  const stats: ReceivedStats = {
    total,
    count,
    seconds: (performance.now() - started_at) / 1_000,
    p50_ms: latencies.percentile(50) / 1_000,
    p99_ms: latencies.percentile(99) / 1_000,
  }
  process.send!(stats)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
process.send!(`https://localhost:${(server.address() as AddressInfo).port}`)
process.once('SIGTERM', () => process.exit())

import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createHistogram, performance } from 'node:perf_hooks'

/** What has arrived since the receiver was last told to begin; times are from the moment in the body to its arrival. */
export interface ReceivedStats {
  /** All that ever arrived. */
  total: number
  count: number
  seconds: number
  p50_ms: number
  p99_ms: number
}

/**
 * A shop that is told of events, in a process of its own: it takes every notification over TLS and answers 200. It looks
 * for the moment at which the event happened, `"at":…` in the body, and for nothing else.
 */
const FIXTURES = new URL('../test/fixtures/', import.meta.url)
const TIMESTAMP_PATTERN = /"at":(\d+(?:\.\d+)?)/

let total = 0
let count = 0
let began = performance.now()
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
      latencies.record(Math.max(1, Math.round((performance.timeOrigin + performance.now() - at) * 1_000)))
      response.writeHead(200, { 'content-length': 0 }).end()
    })
  },
)

process.on('message', (wish: 'begin' | 'look') => {
  if (wish === 'begin') {
    count = 0
    began = performance.now()
    latencies.reset()
  }
  const arrivals: ReceivedStats = {
    total,
    count,
    seconds: (performance.now() - began) / 1_000,
    p50_ms: latencies.percentile(50) / 1_000,
    p99_ms: latencies.percentile(99) / 1_000,
  }
  process.send!(arrivals)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
process.send!(`https://localhost:${(server.address() as AddressInfo).port}`)
process.once('SIGTERM', () => process.exit())

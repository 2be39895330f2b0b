import { connect, type Socket } from 'node:net'
import { createHistogram, performance } from 'node:perf_hooks'
import type { Job, Outcome } from './load.ts'

/**
 * The load, in a process of its own: every connection sends its next request when the answer to its last one is whole.
 * It writes bytes that were made beforehand and reads no more of an answer than its status and length, so that it takes
 * as little as it can of the machine that it shares with what it measures.
 */
process.once('message', async (job: Job) => {
  process.send!(await run(job), () => process.disconnect())
})

async function run(job: Job): Promise<Outcome> {
  const requests = job.requests.map((request) => Buffer.from(request))
  const latencies = createHistogram()
  const statuses: Record<string, number> = {}
  const measured_from = performance.now() + job.warmup_s * 1_000
  const ends = measured_from + job.seconds * 1_000
  let drawn = 0
  let answered = 0
  let last = measured_from

  const draw = () => {
    if (performance.now() >= ends || (job.once && drawn >= requests.length)) return undefined
    drawn += 1
    return requests[(drawn - 1) % requests.length]
  }
  const note = (status: string, sent: number) => {
    const now = performance.now()
    statuses[status] = (statuses[status] ?? 0) + 1
    if (sent < measured_from || now > ends) return
    last = now
    if (status !== String(job.expected)) return
    answered += 1
    latencies.record(Math.max(1, Math.round((now - sent) * 1_000)))
  }
  const { hostname, port } = new URL(job.url)
  await Promise.all(
    Array.from({ length: job.connections }, () => runLane({ host: hostname, port: Number(port) }, draw, note)),
  )
  return {
    answered,
    seconds: (last - measured_from) / 1_000,
    p50_ms: latencies.percentile(50) / 1_000,
    p99_ms: latencies.percentile(99) / 1_000,
    statuses,
  }
}

/** One connection, from its first request until `draw` has no more. */
function runLane(
  address: { host: string; port: number },
  draw: () => Buffer | undefined,
  note: (status: string, sent: number) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ ...address, noDelay: true })
    let sent = performance.now()
    let under_way = true
    const sendNext = () => {
      const request = draw()
      under_way = request !== undefined
      sent = performance.now()
      if (request) socket.write(request)
      else socket.end()
    }
    readAnswers(socket, (status) => {
      note(status, sent)
      sendNext()
    })
    socket.once('connect', sendNext)
    socket.once('error', () => {})
    socket.once('close', () => {
      if (under_way) note('connection lost', sent)
      resolve()
    })
  })
}

/** Calls `onAnswer` with the status of each answer once all of it is here. Ours always say their length. */
function readAnswers(socket: Socket, onAnswer: (status: string) => void): void {
  let head = ''
  let status = ''
  let missing = 0
  socket.on('data', (bytes: Buffer) => {
    if (missing > 0) {
      missing -= bytes.length
    } else {
      head += bytes.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head.slice(0, end + 2))?.[1]
      if (length === undefined) throw new Error(`An answer without a length:\n${head.slice(0, end)}`)
      status = head.slice(9, 12)
      missing = end + 4 + Number(length) - head.length
      head = ''
    }
    if (missing === 0) onAnswer(status)
  })
}

import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { Job, Outcome } from './load.ts'
import { createRecorder } from './recorder.ts'

/**
 * Load generator in a separate process. It shares the machine with the service, so it must need little processor time.
 * It writes prepared bytes, and reads only the head and the length of an answer.
 */
process.once('message', async (job: Job) => {
  process.send!(await run(job), () => process.disconnect())
})

/** Requests that were due before the end may still be sent for this long after it. */
const LATE_SEND_LIMIT_MS = 10_000
const TICK_MS = 1

async function run(job: Job): Promise<Outcome> {
  const started_at = performance.now()
  const from = started_at + job.warmup_s * 1_000
  const to = from + job.seconds * 1_000
  const interval = job.interval_s === undefined ? {} : { interval_ms: job.interval_s * 1_000 }
  const recorder = createRecorder(
    { from, to, counts_by_due_time: job.per_second !== undefined, ...interval },
    job.expected,
  )
  const schedule =
    job.per_second === undefined ? scheduleOnDemand(job, to) : scheduleAtRate(job, started_at, to, job.per_second)
  const idle = new Set<Connection>()
  const timer = setInterval(() => {
    for (const connection of idle) {
      if (schedule.nextDue() > performance.now()) break
      idle.delete(connection)
      connection.send()
    }
  }, TICK_MS)
  const { hostname, port } = new URL(job.url)
  const address = { host: hostname, port: Number(port), localAddress: job.from_address }
  await Promise.all(
    Array.from({ length: job.connections }, () => runConnection(address, schedule.take, recorder.recordAnswer, idle)),
  )
  clearInterval(timer)
  recorder.recordUnsent(schedule.countUnsent())
  return recorder.summarise()
}

/** A request with the time at which it was due, which may be earlier than the time of sending. */
interface ScheduledRequest {
  bytes: Buffer
  since: number
}

interface Schedule {
  /** The next request; `wait` when none is due yet, undefined when there are no more. */
  take(): ScheduledRequest | 'wait' | undefined
  /** The time at which the next request is due. */
  nextDue(): number
  /** Return the number of due requests that were never taken. */
  countUnsent(): number
}

/** Return a function for the bytes of the request with an index. All are prepared, unless each has its own number. */
function requestBytes({ requests, numbered }: Job): (index: number) => Buffer {
  if (!numbered) {
    const all = requests.map((request) => Buffer.from(request))
    return (index) => all[index % all.length]!
  }
  const { mark, first } = numbered
  return (index) => {
    const number = String(first + index).padStart(mark.length, '0')
    return Buffer.from(requests[index % requests.length]!.replaceAll(mark, number))
  }
}

/** Let every connection send its next request as soon as it can, until the end. */
function scheduleOnDemand(job: Job, end: number): Schedule {
  const bytesOf = requestBytes(job)
  let taken_count = 0
  return {
    take() {
      const since = performance.now()
      if (since >= end || (job.once && taken_count >= job.requests.length)) return undefined
      taken_count += 1
      return { bytes: bytesOf(taken_count - 1), since }
    },
    nextDue: () => 0,
    countUnsent: () => 0,
  }
}

/**
 * Requests become due at a constant rate. The delay between due time and sending counts as part of the latency, so that
 * a slow service does not reduce its own load.
 */
function scheduleAtRate(job: Job, started_at: number, to: number, per_second: number): Schedule {
  const bytesOf = requestBytes(job)
  const max_count = job.once ? job.requests.length : Number.POSITIVE_INFINITY
  const total = Math.min(max_count, Math.round((job.warmup_s + job.seconds) * per_second))
  let taken_count = 0
  const due = () => started_at + (taken_count * 1_000) / per_second
  return {
    take() {
      const now = performance.now()
      if (taken_count >= total || now > to + LATE_SEND_LIMIT_MS) return undefined
      if (due() > now) return 'wait'
      const since = due()
      taken_count += 1
      return { bytes: bytesOf(taken_count - 1), since }
    },
    nextDue: () => (taken_count >= total ? 0 : due()),
    countUnsent: () => total - taken_count,
  }
}

interface Connection {
  send(): void
}

/** Run one connection until `take` has no more requests. While none is due, the connection is in `idle`. */
function runConnection(
  address: { host: string; port: number; localAddress: string | undefined },
  take: Schedule['take'],
  record: (status: string, since: number) => void,
  idle: Set<Connection>,
): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ ...address, noDelay: true })
    let since = performance.now()
    let in_flight = true
    const connection: Connection = {
      send() {
        const request = take()
        in_flight = typeof request === 'object'
        if (request === undefined) socket.end()
        else if (request === 'wait') idle.add(connection)
        else {
          since = request.since
          socket.write(request.bytes)
        }
      },
    }
    readAnswers(socket, (status) => {
      record(status, since)
      connection.send()
    })
    socket.once('connect', connection.send)
    socket.once('error', () => {})
    socket.once('close', () => {
      idle.delete(connection)
      if (in_flight) record('connection lost', since)
      resolve()
    })
  })
}

/** Call `onAnswer` with the status of each complete answer. The service always sends a content-length. */
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
      const fields = head.slice(0, end + 2)
      const length = /\r\ncontent-length: (\d+)\r\n/i.exec(fields)?.[1]
      if (length === undefined) throw new Error(`An answer without a length:\n${fields}`)
      status = readStatus(fields)
      missing = end + 4 + Number(length) - head.length
      head = ''
    }
    if (missing === 0) onAnswer(status)
  })
}

/** An overloaded service must send Retry-After with a 503. A 503 without it is counted separately. */
function readStatus(fields: string): string {
  const status = fields.slice(9, 12)
  return status === '503' && !/\r\nretry-after: \d+\r\n/i.test(fields) ? '503 without Retry-After' : status
}

import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { Job, Outcome } from './load.ts'
import { createRecorder } from './recorder.ts'

/**
 * The load, in a process of its own. It writes bytes that were made beforehand and reads no more of an answer than its
 * head and length, so that it takes as little as it can of the machine that it shares with what it measures.
 */
process.once('message', async (job: Job) => {
  process.send!(await run(job), () => process.disconnect())
})

/** How long requests that fell due in time may still be sent after the end. */
const LATE_SEND_LIMIT_MS = 10_000
const TICK_MS = 1

async function run(job: Job): Promise<Outcome> {
  const began = performance.now()
  const from = began + job.warmup_s * 1_000
  const to = from + job.seconds * 1_000
  const recorder = createRecorder({ from, to, counts_by_due_time: job.per_second !== undefined }, job.expected)
  const turns =
    job.per_second === undefined ? scheduleOnDemand(job, to) : scheduleAtRate(job, began, to, job.per_second)
  const idle = new Set<Connection>()
  const ticking = setInterval(() => {
    for (const lane of idle) {
      if (turns.nextDue() > performance.now()) break
      idle.delete(lane)
      lane.send()
    }
  }, TICK_MS)
  const { hostname, port } = new URL(job.url)
  const address = { host: hostname, port: Number(port) }
  await Promise.all(
    Array.from({ length: job.connections }, () => runConnection(address, turns.take, recorder.recordAnswer, idle)),
  )
  clearInterval(ticking)
  recorder.recordUnsent(turns.countUnsent())
  return recorder.summarise()
}

/** What a connection is to send, and since when: its moment may have passed while every connection was busy. */
interface ScheduledRequest {
  bytes: Buffer
  since: number
}

interface Schedule {
  /** The next turn; `wait` when none is due yet, undefined when there are no more. */
  take(): ScheduledRequest | 'wait' | undefined
  /** From when on it is worth drawing again. */
  nextDue(): number
  /** How many fell due that nobody drew. */
  countUnsent(): number
}

/** Every connection may send whenever it likes, until the end. */
function scheduleOnDemand(job: Job, ends: number): Schedule {
  const requests = job.requests.map((request) => Buffer.from(request))
  let drawn = 0
  return {
    take() {
      const since = performance.now()
      if (since >= ends || (job.once && drawn >= requests.length)) return undefined
      drawn += 1
      return { bytes: requests[(drawn - 1) % requests.length]!, since }
    },
    nextDue: () => 0,
    countUnsent: () => 0,
  }
}

/**
 * One request after the other falls due at a steady pace. Whatever keeps it from being sent at its moment counts as time
 * that it took, so that a service that makes its callers wait cannot thereby have fewer of them.
 */
function scheduleAtRate(job: Job, began: number, to: number, per_second: number): Schedule {
  const requests = job.requests.map((request) => Buffer.from(request))
  const most = job.once ? requests.length : Number.POSITIVE_INFINITY
  const all = Math.min(most, Math.round((job.warmup_s + job.seconds) * per_second))
  let drawn = 0
  const due = () => began + (drawn * 1_000) / per_second
  return {
    take() {
      const now = performance.now()
      if (drawn >= all || now > to + LATE_SEND_LIMIT_MS) return undefined
      if (due() > now) return 'wait'
      const since = due()
      drawn += 1
      return { bytes: requests[(drawn - 1) % requests.length]!, since }
    },
    nextDue: () => (drawn >= all ? 0 : due()),
    countUnsent: () => all - drawn,
  }
}

interface Connection {
  send(): void
}

/** One connection, from its first request until `draw` has no more. While none is due it waits among the idle. */
function runConnection(
  address: { host: string; port: number },
  draw: Schedule['take'],
  note: (status: string, since: number) => void,
  idle: Set<Connection>,
): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ ...address, noDelay: true })
    let since = performance.now()
    let under_way = true
    const lane: Connection = {
      send() {
        const turn = draw()
        under_way = typeof turn === 'object'
        if (turn === undefined) socket.end()
        else if (turn === 'wait') idle.add(lane)
        else {
          since = turn.since
          socket.write(turn.bytes)
        }
      },
    }
    readAnswers(socket, (status) => {
      note(status, since)
      lane.send()
    })
    socket.once('connect', lane.send)
    socket.once('error', () => {})
    socket.once('close', () => {
      idle.delete(lane)
      if (under_way) note('connection lost', since)
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

/** Who refuses for want of room must say when to come back; an answer that does not is counted apart. */
function readStatus(fields: string): string {
  const status = fields.slice(9, 12)
  return status === '503' && !/\r\nretry-after: \d+\r\n/i.test(fields) ? '503 without Retry-After' : status
}

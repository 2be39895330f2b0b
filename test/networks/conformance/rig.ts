import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { begin, type Database } from '../../../src/db/client.ts'
import { type RawCallback, toRawBody } from '../../../src/drivers/raw-callback.ts'
import type { ParsedCallback } from '../../../src/networks/callbacks.ts'
import type {
  NetworkOperations,
  OpenedConnection,
  Order,
  OrderKind,
  Payout,
  PayoutCheck,
  Refund,
  StatusAnswer,
} from '../../../src/networks/contract.ts'
import { createSimulator, type Simulator } from '../../../src/simulator/index.ts'
import { type Bound, openBound } from '../../drivers/bound.ts'
import { openDatabase } from '../../simulator/simulator-test.ts'
import type { ConformanceSubject } from './subject.ts'
import { createRecordingTools, type RecordingTools } from './tools.ts'

/** A callback that came in, and what the driver read in it. */
export interface ReceivedCallback {
  raw: RawCallback
  parsed: ParsedCallback | undefined
}

export type AnyOrder = Order | Payout | Refund

/** The driver in front of its simulated network, with a business that gets the callbacks, and a clock to move. */
export interface Rig {
  db: Database
  simulator: Simulator
  operations: Bound<NetworkOperations>
  tools: RecordingTools
  callbacks: ReceivedCallback[]
  /** Everything that operations returned, for the search for secrets. */
  answers: unknown[]
  errors: unknown[]
  now(): Date
  /** Move the clock from one due time to the next, and wait until nothing is due. */
  advance(seconds: number): Promise<void>
  /** The seconds that the next call with a verb may take, where it is to be given up sooner than after the rig's time limit. */
  limits: Map<string, number>
  /** Open the driver anew, without tokens. Each call may take `timeout_s`. */
  reopen(timeout_s?: number): Pick<Rig, 'operations' | 'tools'>
  /** Send an order of this kind. `remote_id` of the order is filled in, as the service does. */
  send(kind: OrderKind, order: AnyOrder, operations?: Bound<NetworkOperations>): Promise<PayoutCheck>
  /** Ask for its state, and wait for the callback where the answer comes by callback. */
  ask(kind: OrderKind, order: AnyOrder, operations?: Bound<NetworkOperations>): Promise<PayoutCheck>
  /** The callbacks that name this order, or money that was reported for it. */
  callbacksOf(order: AnyOrder): ReceivedCallback[]
  close(): Promise<void>
}

/** No call takes this long, even on a slow machine, unless the network does not answer. */
const TIMEOUT_S = 4
/** Maximum wait of the rig for an answer by callback, in sandbox time. */
const ANSWER_WAIT_S = 90

export async function openRig(subject: ConformanceSubject): Promise<Rig> {
  const database = await openDatabase()
  const errors: unknown[] = []
  const answers: unknown[] = []
  const callbacks: ReceivedCallback[] = []
  const clock = { ms: Date.now() }
  const now = () => new Date(clock.ms)
  let operations: Bound<NetworkOperations> | undefined
  const business = await openBusiness(callbacks, () => operations)
  const simulator = createSimulator({
    db: database.db,
    now,
    real: now,
    doors: [subject.door],
    secret: 'not used by the given door',
    callback_url: () => business.url,
    onError: (_job, error) => errors.push(error),
  })
  await begin(database.db, (tx) => simulator.reset(tx))
  await simulator.listen()
  await subject.register?.(business.url, simulator)
  simulator.start()
  const limits = new Map<string, number>()
  const reopen: Rig['reopen'] = (timeout_s = TIMEOUT_S) => {
    const options = { now, callback_base: () => business.url, timeout_s, limits }
    const tools = createRecordingTools(options)
    return { operations: openDriver(subject, simulator, tools), tools }
  }
  const opened = reopen()
  operations = opened.operations
  const advance = (seconds: number) => advanceClock(simulator, clock, seconds)

  const keep = <Answer>(answer: Answer): Answer => {
    answers.push(answer)
    return answer
  }
  const callbacksOf = (order: AnyOrder) => callbacks.filter(({ parsed }) => parsed && isAbout(parsed, order))
  const ask: Rig['ask'] = async (kind, order, by = opened.operations) => {
    const known = callbacksOf(order).length
    const answer = keep(await askStatus(by, kind, order))
    if (answer.outcome !== 'asked') return answer
    // In small steps, so that the answer is found before a report of the end that comes after it.
    for (let waited_s = 0; waited_s < ANSWER_WAIT_S; waited_s += 2) {
      await advance(2)
      const answered = callbacksOf(order)
        .slice(known)
        .findLast(({ parsed }) => parsed?.subject === 'order')?.parsed
      if (answered?.subject === 'order') return keep(answered.answer)
    }
    return { outcome: 'unknown', message: 'No callback answered the status question.' }
  }
  return {
    ...opened,
    db: database.db,
    simulator,
    callbacks,
    answers,
    errors,
    limits,
    now,
    advance,
    reopen,
    ask,
    callbacksOf,
    async send(kind, order, by = opened.operations) {
      const answer = keep(await sendOrder(by, kind, order))
      if ('remote_id' in answer && answer.outcome === 'accepted') order.remote_id = answer.remote_id
      return answer
    },
    async close() {
      await simulator.stop()
      await business.close()
      await database.drop()
    },
  }
}

function openDriver(
  { driver, environment, settings }: ConformanceSubject,
  simulator: Simulator,
  tools: RecordingTools,
) {
  const connection: OpenedConnection = {
    slug: 'conformance',
    environment,
    hosts: simulator.hostsOf(driver.code),
    settings: driver.settings.parse(settings) as Record<string, unknown>,
  }
  return openBound(driver, connection as OpenedConnection<never>, tools)
}

async function sendOrder(operations: Bound<NetworkOperations>, kind: OrderKind, order: AnyOrder): Promise<PayoutCheck> {
  if (kind === 'payout') return operations.payout!(order as Payout)
  if (kind === 'refund') return operations.refund!(order as Refund)
  const prepared = await operations.prepare?.(order as Order)
  if (prepared && prepared.outcome !== 'prepared') return prepared
  if (prepared) order.remote_id = prepared.remote_id
  return operations.charge!(order as Order)
}

async function askStatus(
  operations: Bound<NetworkOperations>,
  kind: OrderKind,
  order: AnyOrder,
): Promise<StatusAnswer> {
  if (kind === 'payout') return operations.payoutStatus!(order as Payout)
  if (kind === 'refund') return operations.refundStatus!(order as Refund)
  return operations.chargeStatus!(order as Order)
}

/** Return true if a callback is about this order: by name, by the address it came in on, or by the money. */
function isAbout(parsed: ParsedCallback, order: AnyOrder): boolean {
  if (parsed.subject === 'order')
    return 'reference' in parsed.order
      ? parsed.order.reference === order.reference
      : parsed.order.remote_id === order.remote_id
  return parsed.subject === 'transaction' && parsed.receipt?.order_reference === order.reference
}

/** Receive callbacks below `/cb`, as the service does below the address of a connection. */
async function openBusiness(callbacks: ReceivedCallback[], operations: () => Bound<NetworkOperations> | undefined) {
  const server = createServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray())
    const { pathname, search } = new URL(request.url!, 'http://localhost')
    const raw: RawCallback = {
      method: request.method!,
      path: pathname.replace(/^\/cb/, ''),
      query: search.slice(1),
      headers: request.headers as Record<string, string>,
      address: '127.0.0.1',
      ...toRawBody(bytes),
    }
    const driver = operations()
    const validation = driver?.readValidation?.(raw)
    if (!validation) {
      await driver?.prepareCallback?.(raw)
      callbacks.push({ raw, parsed: driver?.readCallback?.(raw) })
    }
    const reply = validation
      ? driver!.answerValidation!('accept', null)
      : (driver?.callbackReply?.(raw) ?? { status: 200, content_type: 'text/plain', body: '' })
    response.writeHead(reply.status, { 'content-type': reply.content_type }).end(reply.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/cb`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Move the clock from one due time to the next, as the program does when its clock is moved. */
async function advanceClock(simulator: Simulator, clock: { ms: number }, seconds: number): Promise<void> {
  const end_ms = clock.ms + seconds * 1_000
  for (;;) {
    simulator.wake()
    const due = await waitUntilIdle(simulator, () => new Date(clock.ms))
    if (clock.ms === end_ms) return
    clock.ms = due === null ? end_ms : Math.max(clock.ms, Math.min(due.getTime(), end_ms))
  }
}

async function waitUntilIdle(simulator: Simulator, now: () => Date): Promise<Date | null> {
  for (;;) {
    const due = await simulator.nextDue()
    if (due === null || due > now()) return due
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

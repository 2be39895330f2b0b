import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { begin, connect, type Database } from '../../src/db/client.ts'
import { type Amount, parseAmount } from '../../src/lib/money.ts'
import type { ParsedCallback, ValidationRequest } from '../../src/networks/callbacks.ts'
import type { NetworkOperations, Order } from '../../src/networks/contract.ts'
import { openDoors } from '../../src/simulator/doors/index.ts'
import { createFaults } from '../../src/simulator/faults.ts'
import { createSimulator, type Simulator } from '../../src/simulator/index.ts'
import type { Clocks, WorldContext } from '../../src/simulator/world/world.ts'
import { rawCallback, sandboxConnection } from '../connections/fake-connection.ts'
import { type Bound, bindConnection } from '../drivers/bound.ts'
import { cloneDatabase } from '../test-app.ts'

export const SECRET = 'the secret of the sandbox network'

/** A callback that the business received, and what the adapter read in it. */
export interface ReceivedCallback {
  headers: IncomingHttpHeaders
  body: string
  callback: ParsedCallback
}

/** The business at the other end of the simulated network's callbacks. */
interface Business {
  /** Every callback received, including those that it refused. */
  callbacks: ReceivedCallback[]
  /** The status of its answers to callbacks; 200 by default. 0: it starts an answer and then hangs up. */
  callbackAnswer: { status: number }
  /** Every validation request received. */
  validationRequests: ValidationRequest[]
  /** Its answer to validation requests. */
  verdict: { status: number; says: string }
}

export interface SimulatorTest extends Business {
  simulator: Simulator
  /** The base URL of the simulated network. */
  url: string
  network: Bound<NetworkOperations>
  /** Errors that the simulator reported. */
  errors: unknown[]
  clock: TestClock
  /** Wait until nothing is due any more, callbacks included. */
  waitUntilIdle(): Promise<void>
  close(): Promise<void>
}

interface TestClock {
  now(): Date
  advance(seconds: number): Promise<void>
}

/** No call takes this long, even on a slow machine. */
const TIMEOUT_MS = 25_000

/** Create a database for the tests of one file; `drop` deletes it. */
export async function openDatabase(): Promise<{ db: Database; drop(): Promise<void> }> {
  const { url, drop } = await cloneDatabase()
  const db = connect(url, { connections: 6, application: 'tests' })
  return {
    db,
    async drop() {
      await db.end()
      await drop()
    },
  }
}

/** Start a simulated network over this database, a business that receives its callbacks, and a clock to advance. */
export async function openSimulatorTest(db: Database, options: { start?: boolean } = {}): Promise<SimulatorTest> {
  await begin(db, (tx) => createTestSimulator(db).reset(tx))
  let url = ''
  const network = bindConnection(sandboxConnection({ url: () => url, secret: SECRET, timeout_s: TIMEOUT_MS / 1_000 }))
  const business = await openBusiness(network)
  const errors: unknown[] = []
  // The clock stands still until a test advances it, so a slow machine makes nothing late.
  const time = { start_ms: Date.now(), advanced_ms: 0 }
  const now = () => new Date(time.start_ms + time.advanced_ms)
  const simulator = createTestSimulator(db, {
    now,
    callback_url: () => business.callback_url,
    onError: (_job, error) => errors.push(error),
  })
  url = await simulator.listen()
  if (options.start !== false) simulator.start()

  return {
    ...business.received,
    simulator,
    url,
    network,
    errors,
    clock: { now, advance: (seconds) => advance(simulator, time, seconds) },
    waitUntilIdle: () => waitUntilIdle(simulator, now),
    async close() {
      await simulator.stop()
      await business.close()
    },
  }
}

/** Start the HTTP server of the business. */
async function openBusiness(network: Bound<NetworkOperations>) {
  const received: Business = {
    callbacks: [],
    callbackAnswer: { status: 200 },
    validationRequests: [],
    verdict: { status: 200, says: 'accept' },
  }
  const { callbacks, callbackAnswer, validationRequests, verdict } = received
  const server = createServer(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('')
    const raw = rawCallback({ headers: request.headers as Record<string, string>, body })
    if (request.url!.endsWith('/validation')) {
      const validation_request = network.readValidation!(raw)
      if (validation_request) validationRequests.push(validation_request)
      return response.writeHead(verdict.status).end(JSON.stringify({ verdict: verdict.says }))
    }
    callbacks.push({ headers: request.headers, body, callback: network.readCallback!(raw) })
    if (callbackAnswer.status !== 0) return response.writeHead(callbackAnswer.status).end('{}')
    response.writeHead(200, { 'content-length': '100' }).write('{')
    setTimeout(() => request.socket.destroy(), 10)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    received,
    callback_url: `http://127.0.0.1:${port}/api/callbacks/sandbox`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function waitUntilIdle(simulator: Simulator, now: () => Date): Promise<void> {
  for (;;) {
    const due = await simulator.nextDue()
    if (due === null || due > now()) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Advance the clock from one due time to the next, as the program does when its clock is moved. */
async function advance(
  simulator: Simulator,
  time: { start_ms: number; advanced_ms: number },
  seconds: number,
): Promise<void> {
  const now = () => new Date(time.start_ms + time.advanced_ms)
  const end_ms = time.advanced_ms + seconds * 1_000
  for (;;) {
    simulator.wake()
    await waitUntilIdle(simulator, now)
    const due = await simulator.nextDue()
    const next_ms = due === null ? end_ms : Math.min(due.getTime() - time.start_ms, end_ms)
    if (next_ms <= time.advanced_ms) break
    time.advanced_ms = next_ms
    if (next_ms === end_ms) break
  }
  simulator.wake()
  await waitUntilIdle(simulator, now)
}

/** Create a simulator over this database. By default its time is real and its business is unreachable. */
export function createTestSimulator(
  db: Database,
  options: Partial<Parameters<typeof createSimulator>[0]> = {},
): Simulator {
  return createSimulator({
    db,
    now: () => new Date(),
    real: () => new Date(),
    secret: SECRET,
    callback_url: () => 'http://127.0.0.1:2/',
    onError: (job, error) => console.error(job, error),
    ...options,
  })
}

/** Return a context for tests of one part of the world. Its business is at this address. */
export function worldContext(clocks: Clocks, callback_url = 'http://127.0.0.1:2/'): WorldContext {
  const doors = openDoors({ secret: SECRET, callback_url: () => callback_url })
  return { ...clocks, doors: new Map(doors.map((door) => [door.code, door.hooks])), faults: createFaults() }
}

let orders = 0

/** An order for the customer with this phone number, with a new reference at every call. */
export function orderFor(phonenumber: string, changes: Partial<Order> = {}): Order {
  orders += 1
  return {
    reference: `ORDER-${orders}`,
    receiver: '700100',
    phonenumber,
    amount: money('1500'),
    currency: 'BXC',
    reason: 'School fees',
    remote_id: null,
    ...changes,
  }
}

export function money(text: string): Amount {
  return parseAmount(text)!
}

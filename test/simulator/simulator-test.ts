import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { begin, connect, type Database } from '../../src/db/client.ts'
import { type Amount, parseAmount } from '../../src/lib/money.ts'
import type { Network, Order, ParsedCallback, ValidationRequest } from '../../src/networks/network.ts'
import { createSandboxNetwork } from '../../src/networks/sandbox.ts'
import { createSimulator, type Simulator } from '../../src/simulator/index.ts'
import { cloneDatabase } from '../test-app.ts'

export const SECRET = 'the secret of the sandbox network'

/** A callback as it arrived at the door of the business, and what the adapter made of it. */
export interface ReceivedCallback {
  headers: IncomingHttpHeaders
  body: string
  callback: ParsedCallback
}

export interface SimulatorTest {
  simulator: Simulator
  /** The base of the simulated network. */
  url: string
  network: Network
  /** Every callback that came, refused ones included. */
  callbacks: ReceivedCallback[]
  /** Faults that the simulator reported. */
  errors: unknown[]
  clock: { now(): Date; advance(seconds: number): Promise<void> }
  /** How the business answers callbacks; 200 unless changed; 0 is to begin and then hang up. */
  callbackAnswer: { status: number }
  /** Every question whether unasked money is taken. */
  validationRequests: ValidationRequest[]
  /** How the business answers such questions. */
  verdict: { status: number; says: string }
  /** Waits until nothing is due any more, callbacks included. */
  waitUntilIdle(): Promise<void>
  close(): Promise<void>
}

/** No call takes so long, on whatever machine. */
const TIMEOUT_MS = 25_000

/** A database for the tests of one file, and how to get rid of it. */
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

/** Starts a simulated network over this database, a business that takes its callbacks, and a clock to move. */
export async function openSimulatorTest(db: Database, options: { start?: boolean } = {}): Promise<SimulatorTest> {
  await begin(db, (tx) => createTestSimulator(db).reset(tx))
  // The clock stands still until it is moved, so that a slow machine does not make anything late.
  const began_ms = Date.now()
  let ahead_ms = 0
  const now = () => new Date(began_ms + ahead_ms)
  const arrived: ReceivedCallback[] = []
  const faults: unknown[] = []
  const answer = { status: 200 }
  const offers: ValidationRequest[] = []
  const verdict = { status: 200, says: 'accept' }
  let url = ''
  const network = createSandboxNetwork({ url: () => url, secret: SECRET, timeout_ms: TIMEOUT_MS })

  const business = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const headers = request.headers
    if (request.url!.endsWith('/validation')) {
      const offer = network.readValidationRequest!({ headers: headers as Record<string, string>, body })
      if (offer) offers.push(offer)
      return response.writeHead(verdict.status).end(JSON.stringify({ verdict: verdict.says }))
    }
    arrived.push({
      headers,
      body,
      callback: network.readCallback!({ headers: headers as Record<string, string>, body }),
    })
    if (answer.status !== 0) return response.writeHead(answer.status).end('{}')
    response.writeHead(200, { 'content-length': '100' }).write('{')
    setTimeout(() => request.socket.destroy(), 10)
  })
  await new Promise<void>((resolve) => business.listen(0, '127.0.0.1', resolve))
  const { port } = business.address() as AddressInfo

  const simulator = createTestSimulator(db, {
    now,
    callback_url: () => `http://127.0.0.1:${port}/api/callbacks/sandbox`,
    onError: (_job, error) => faults.push(error),
  })
  url = await simulator.listen()
  if (options.start !== false) simulator.start()

  async function quiet() {
    for (;;) {
      const due = await simulator.nextDue()
      if (due === null || due > now()) return
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  // Walks from due moment to due moment, as the program does when its clock is moved.
  async function advance(seconds: number) {
    const end = ahead_ms + seconds * 1_000
    for (;;) {
      simulator.wake()
      await quiet()
      const due = await simulator.nextDue()
      const step = due === null ? end : Math.min(due.getTime() - began_ms, end)
      if (step <= ahead_ms) break
      ahead_ms = step
      if (step === end) break
    }
    simulator.wake()
    await quiet()
  }
  async function close() {
    await simulator.stop()
    business.closeAllConnections()
    await new Promise((resolve) => business.close(resolve))
  }
  return {
    simulator,
    url,
    network,
    callbacks: arrived,
    errors: faults,
    clock: { now, advance },
    callbackAnswer: answer,
    validationRequests: offers,
    verdict,
    waitUntilIdle: quiet,
    close,
  }
}

/** A simulator over this database; whatever is not given is real time and a business that is not there. */
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

let orders = 0

/** An order to the customer with this phone number, under a reference of its own. */
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

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BillOperations, ProviderVend, VendCheck } from '../../../src/billers/contract.ts'
import { begin } from '../../../src/db/client.ts'
import type { OpenedConnection } from '../../../src/drivers/contract.ts'
import { type RawCallback, toRawBody } from '../../../src/drivers/raw-callback.ts'
import type { Door } from '../../../src/simulator/doors/door.ts'
import { createSimulator, type Simulator } from '../../../src/simulator/index.ts'
import type { SwitchValues } from '../../../src/simulator/world/world.ts'
import { type Bound, openBound } from '../../drivers/bound.ts'
import { openDatabase } from '../../simulator/simulator-test.ts'
import type { BillSubject, FarSide } from './subject.ts'
import { createFaultyTools, type FaultyTools } from './tools.ts'

/** The driver in front of its provider. */
export interface Rig {
  far: FarSide
  operations: Bound<BillOperations>
  tools: FaultyTools
  /** Everything that operations returned, for the search for secrets. */
  answers: unknown[]
  /** Open the driver anew, without tokens, with other settings, or with all its hosts at this address. */
  reopen(change?: Record<string, unknown>, host?: string): { operations: Bound<BillOperations>; tools: FaultyTools }
  /** Buys. `remote_id` of the order is filled in, as the service does. */
  vend(order: ProviderVend, operations?: Bound<BillOperations>): Promise<VendCheck>
  /** Ask until the end is known, and move the clock meanwhile. */
  ask(order: ProviderVend, operations?: Bound<BillOperations>): Promise<VendCheck>
  close(): Promise<void>
}

export async function openRig(subject: BillSubject): Promise<Rig> {
  const far = await subject.open()
  const answers: unknown[] = []
  const keep = <Answer>(answer: Answer): Answer => {
    answers.push(answer)
    return answer
  }
  const reopen: Rig['reopen'] = (change = {}, host) => {
    const tools = createFaultyTools({ now: far.now, callback_base: far.callback_base })
    const connection: OpenedConnection = {
      slug: 'conformance',
      environment: subject.environment,
      hosts: host === undefined ? far.hosts : Object.fromEntries(Object.keys(far.hosts).map((name) => [name, host])),
      settings: subject.driver.settings.parse({ ...subject.settings, ...change }) as Record<string, unknown>,
    }
    return { operations: openBound(subject.driver, connection as OpenedConnection<never>, tools), tools }
  }
  const opened = reopen()
  return {
    ...opened,
    far,
    answers,
    reopen,
    async vend(order, by = opened.operations) {
      const answer = keep(await by.vend(order))
      if (answer.outcome === 'accepted') order.remote_id = answer.remote_id
      return answer
    },
    async ask(order, by = opened.operations) {
      for (let tries = 0; ; tries += 1) {
        const answer = keep(await by.vendStatus(order))
        if (answer.outcome !== 'accepted' || tries === MAX_TRIES) return answer
        await far.advance(WAIT_S)
      }
    },
    close: () => far.close(),
  }
}

/** Maximum steps and their length, in which the rig waits for the end of a purchase, in sandbox time. */
const MAX_TRIES = 12
const WAIT_S = 5

/** A provider that is a door of the simulator, with a business that gets its callbacks, and a clock to move. */
export async function openDoor(
  door: Door,
  options: {
    switches?: SwitchValues
    /** The switch with the float, and what is in it when it is full. */
    float: { name: string; full: number }
    sold(simulator: Simulator, order: ProviderVend): Promise<number>
  },
): Promise<FarSide & { simulator: Simulator }> {
  const database = await openDatabase()
  const callbacks: RawCallback[] = []
  const clock = { ms: Date.now() }
  const now = () => new Date(clock.ms)
  const business = await openBusiness(callbacks)
  const simulator = createSimulator({
    db: database.db,
    now,
    real: now,
    doors: [door],
    secret: 'not used by the given door',
    callback_url: () => business.url,
    onError: (_job, error) => {
      throw error
    },
  })
  await begin(database.db, (tx) => simulator.reset(tx))
  await simulator.listen()
  simulator.start()
  await simulator.setSwitches(door.code, { callback_url: business.url, ...options.switches })
  return {
    simulator,
    hosts: simulator.hostsOf(door.code),
    now,
    callbacks,
    callback_base: () => business.url,
    advance: (seconds) => advanceClock(simulator, clock, seconds),
    sold: (order) => options.sold(simulator, order),
    setFloat: (state) =>
      simulator.setSwitches(door.code, { [options.float.name]: state === 'empty' ? 0 : options.float.full }),
    async close() {
      await simulator.stop()
      await business.close()
      await database.drop()
    },
  }
}

/** Receive callbacks below `/cb`, as the service does below the address of a connection. */
async function openBusiness(callbacks: RawCallback[]) {
  const server = createServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray())
    const { pathname, search } = new URL(request.url!, 'http://localhost')
    callbacks.push({
      method: request.method!,
      path: pathname.replace(/^\/cb/, ''),
      query: search.slice(1),
      headers: request.headers as Record<string, string>,
      address: '127.0.0.1',
      ...toRawBody(bytes),
    })
    response.writeHead(200).end()
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

import type { Logger } from 'pino'
import type { App, Clock } from '../../src/app.ts'
import type { Config } from '../../src/config.ts'
import type { Connection } from '../../src/connections/connection.ts'
import type { Database, Tx } from '../../src/db/client.ts'
import { openReads } from '../../src/db/reads/reads.ts'
import { createThrottle } from '../../src/http/throttle.ts'
import type { Order } from '../../src/networks/contract.ts'
import type { OutgoingSms, SmsSender } from '../../src/senders/sms-sender.ts'
import { connectionsOf, toolsWithoutDatabase } from '../connections/fake-connection.ts'
import type { LeaseChecker } from './leases.ts'
import type { Actor, Scheduler } from './scheduler.ts'

/** The fault of one transaction: none, or a connection lost before or after the commit. */
export type TransactionFault = 'none' | 'lost before commit' | 'lost after commit'

export interface ProcessOptions {
  name: string
  scheduler: Scheduler
  leases: LeaseChecker
  db: Database
  config: Config
  clock: Clock
  log: Logger
  networks: readonly Connection[]
  sender: SmsSender
  /** True if every statement is one step, false if only every transaction. */
  step_per_statement: boolean
  /** Drawn once for every transaction. */
  drawFault(): TransactionFault
  /** Called for every error of the database. */
  onDatabaseError(error: unknown): void
}

/** A simulated process of the service. `kill` ends it at its next gate; its leases stay until they run out. */
export interface Process extends Actor {
  app: App
  open_transactions: number
  kill(): Promise<void>
}

/** The driver's error for a lost connection. */
export class Disconnected extends Error {
  code = 'CONNECTION_CLOSED'
}

/** All processes have the same key. */
export const SECRET = '01'.repeat(32)

/** Build an App whose transactions, reads and call to the outside wait for their turn. */
export function startProcess(options: ProcessOptions): Process {
  const { name, scheduler, config, clock, log } = options
  const deaths = new Set<() => Promise<unknown>>()
  const actor: Actor = { name, dead: false }
  const process: Process = Object.assign(actor, {
    open_transactions: 0,
    app: undefined as unknown as App,
    async kill() {
      actor.dead = true
      await scheduler.removeActor(
        actor,
        [...deaths].map((die) => die()),
      )
    },
  })
  const db = options.step_per_statement
    ? scheduleEachStatement(options, process, deaths)
    : scheduleTransactions(options, process)
  process.app = {
    config,
    db,
    traces: null,
    reads: openReads(db, null),
    throttle: createThrottle(),
    clock,
    ...connectionsOf(
      options.networks.map(({ operations, ...connection }) => {
        const scheduled = scheduleCalls({ ...operations, code: connection.code }, process, options)
        return { ...connection, operations: scheduled }
      }),
    ),
    connection_tools: toolsWithoutDatabase(),
    billers: [],
    mailer: null,
    sms_sender: scheduleCalls(options.sender, process, options),
    log,
    reportUnavailable: () => {},
    disk: null,
    queue_wait_ms: 60_000,
    simulator: null,
    deriveSecret: () => SECRET,
    sealingKeys: () => SECRET,
    address: { url: '', local: '' },
    notices: [],
    startSimulator: async () => {},
    wake: () => {},
    onWake: () => {},
    migrate: async () => [],
    asOwner: () => Promise.reject(new Error('The simulation does not change definitions.')),
    refreshClock: async () => {},
    close: async () => {},
  }
  return process
}

/** Every transaction and every read is one step. */
function scheduleTransactions(options: ProcessOptions, process: Process): Database {
  const { db, scheduler, drawFault } = options
  return scheduleReads(options, process, (opening, work) =>
    scheduler.waitTurn(process, 'transaction', async () => {
      const fault = drawFault()
      const result = await db.begin(opening, async (tx) => {
        const done = await work(tx)
        if (fault === 'lost before commit') throw new Disconnected('The connection was lost before the commit.')
        return done
      })
      if (fault === 'lost after commit') throw new Disconnected('The connection was lost after the commit.')
      return result
    }),
  )
}

/** Every statement is one step, so transactions wait for each other's locks. */
function scheduleEachStatement(
  options: ProcessOptions,
  process: Process,
  deaths: Set<() => Promise<unknown>>,
): Database {
  const { db, scheduler, drawFault } = options
  return scheduleReads(options, process, async (opening, work) => {
    const lane = {}
    const fault = drawFault()
    const pass = <T>(label: string, step: () => Promise<T>) => scheduler.waitTurn(process, label, step, lane)
    const transaction = await pass('begin', async () => {
      const opened = openTransaction(db, opening)
      process.open_transactions += 1
      deaths.add(opened.giveUp)
      const forget = () => {
        process.open_transactions -= 1
        deaths.delete(opened.giveUp)
      }
      opened.over.then(forget, forget)
      return { ...opened, tx: await opened.opening }
    })
    let result: Awaited<ReturnType<typeof work>>
    try {
      result = await work(scheduleStatements(transaction.tx, options, process, lane))
      if (fault === 'lost before commit') throw new Disconnected('The connection was lost before the commit.')
    } catch (error) {
      await pass('rollback', transaction.giveUp)
      throw error
    }
    await pass('commit', transaction.commit)
    if (fault === 'lost after commit') throw new Disconnected('The connection was lost after the commit.')
    return result
  })
}

class RolledBack extends Error {}

/** A transaction whose end is decided from outside. Both ends resolve when the database has done it. */
function openTransaction(db: Database, opening_text: string) {
  let commit = () => {}
  let giveUp = () => {}
  let opened = (_: Tx) => {}
  const verdict = new Promise<void>((resolve, reject) => {
    commit = resolve
    giveUp = () => reject(new RolledBack())
  })
  const opening = new Promise<Tx>((resolve) => {
    opened = resolve
  })
  const over = db
    .begin(opening_text, (tx) => {
      opened(tx)
      return verdict
    })
    .then(
      () => {},
      (error) => {
        if (!(error instanceof RolledBack)) throw error
      },
    )
  const end = (decide: () => void) => () => {
    decide()
    return over
  }
  return { opening, over, commit: end(commit), giveUp: end(giveUp) }
}

type Begin = Database['begin']

function scheduleReads(options: ProcessOptions, process: Process, begin: Begin): Database {
  return new Proxy(options.db, {
    get: (target, name, proxy) =>
      // Looks are scheduled, too: they are reads like others here.
      name === 'begin' ? begin : name === 'polling' ? proxy : Reflect.get(target, name),
    apply: (target, self, parts) =>
      scheduleQuery(() => Reflect.apply(target, self, parts), parts, options, process, 'read', {}),
  })
}

function scheduleStatements(tx: Tx, options: ProcessOptions, process: Process, lane: object): Tx {
  return new Proxy(tx, {
    apply: (target, self, parts) =>
      scheduleQuery(() => Reflect.apply(target, self, parts), parts, options, process, 'statement', lane),
  })
}

/** A statement is sent when its turn comes. */
function scheduleQuery(
  send: () => Promise<unknown>,
  [texts]: readonly unknown[],
  { scheduler, onDatabaseError }: ProcessOptions,
  process: Process,
  kind: string,
  lane: object,
): Promise<unknown> {
  const label = `${kind}: ${(texts as TemplateStringsArray).join('?').trim().split(/\s+/).slice(0, 6).join(' ')}`
  const answer = scheduler.waitTurn(process, label, send, lane)
  answer.catch(onDatabaseError)
  return answer
}

/** Every call of an adapter has two steps: the request and the answer. */
export function scheduleCalls<T extends { code: string }>(
  adapter: T,
  process: Process,
  { scheduler, leases }: Pick<ProcessOptions, 'scheduler' | 'leases'>,
): T {
  return new Proxy(adapter, {
    get(target, name) {
      const verb = Reflect.get(target, name)
      if (typeof verb !== 'function' || !SCHEDULED_CALLS.has(name)) return verb
      const label = `${target.code} ${String(name)}`
      const call = async (...inputs: unknown[]) => {
        const answer = await scheduler.waitTurn(process, label, async () => Reflect.apply(verb, target, inputs))
        return scheduler.waitTurn(process, `${label} answers`, async () => answer)
      }
      const thing = LEASED_CALLS[name as string]
      if (!thing) return call
      return (...inputs: unknown[]) => leases.call(process, thing(inputs[0]), () => call(...inputs))
    },
  })
}

/** The row that a process must have leased for each of these calls. */
const LEASED_CALLS: Record<string, (input: unknown) => string> = {
  charge: (order) => (order as Order).reference,
  registerExpectedPayment: (order) => (order as Order).reference,
  send: (text) => `text ${(text as OutgoingSms).id}`,
}
const SCHEDULED_CALLS = new Set<string | symbol>([
  'charge',
  'registerExpectedPayment',
  'chargeStatus',
  'transaction',
  'payout',
  'payoutStatus',
  'send',
  'post',
])

import type { AddressInfo } from 'node:net'
import { begin, type Database, type Tx } from '../db/client.ts'
import { type Loop, startLoop } from '../lib/loop.ts'
import { type Amount, formatAmount } from '../lib/money.ts'
import { CUSTOMER_PIN } from './behaviours.ts'
import { callbacksJob } from './callbacks.ts'
import { approvePrompt, type Clocks, customersJob, refusePrompt } from './customers.ts'
import { createOrderBatcher, listOpenPrompts } from './orders.ts'
import { createPayoutBatcher, payoutsJob } from './payouts.ts'
import { createSimulatorServer } from './server.ts'
import { readStatement, type StatementEntry } from './statement.ts'
import { payWithoutValidation, requestValidation, validationRequestsJob } from './validation-requests.ts'
import type { OrderRow } from './wire.ts'

export { NotPossible } from './customers.ts'

export interface SimulatorOptions extends Clocks {
  db: Database
  /** Shared with the business: authenticates its calls to the network and signs the network's callbacks. */
  secret: string
  /** The complete URL of the business for callbacks. Read at every callback. */
  callback_url(): string
  onError(job: string, error: unknown): void
  host?: string
}

/** A prompt that waits on a phone for an answer. */
export interface Prompt {
  reference: string
  phonenumber: string
  amount: Amount
  currency: string
  receiver: string
  /** The text that the customer reads. */
  reason: string
  created: Date
}

/**
 * The outside of the sandbox: a mobile-money network with its customers and their phones, and a biller. Any number of
 * processes may run a simulator over the same database. The actions of a person on a phone (`approve`, `refuse`, `pay`,
 * `prompts`) need neither `listen` nor `start` in the same process.
 */
export interface Simulator {
  /** Starts the HTTP server of the network and the biller on a free port and returns its base URL. */
  listen(): Promise<string>
  /** Starts the loops: customers act when due, and the business gets its callbacks. */
  start(): void
  stop(): Promise<void>
  /** The clock was moved or a row was written: poll now. */
  wake(): void
  /** When the simulator does something next, or null. In the past while it is at work. */
  nextDue(): Promise<Date | null>
  /**
   * Types the PIN, the right one unless another is given, into the prompt with this reference, or the oldest on the
   * phone.
   * @throws NotPossible
   */
  approve(phonenumber: string, pin?: string, reference?: string): Promise<void>
  /** Refuses the prompt with this reference, or the oldest on the phone. @throws NotPossible */
  refuse(phonenumber: string, reference?: string): Promise<void>
  /**
   * Sends an unrequested payment and returns the network's id of it. The business may refuse it. @throws NotPossible
   */
  pay(payment: UnrequestedPayment): Promise<{ remote_id: string }>
  /** The open prompts on one phone or on all, oldest first. */
  prompts(phonenumber?: string): Promise<Prompt[]>
  /** The network's statement in chunks: payments of customers and payouts to them, oldest first. */
  statement(): AsyncGenerator<StatementEntry[]>
  /** Deletes all data of the simulator. */
  reset(tx: Tx): Promise<void>
}

export interface UnrequestedPayment {
  phonenumber: string
  amount: Amount
  currency: string
  receiver: string
  /** The reference that the customer types. */
  reference?: string
  /** False: the network accepts the money without a validation request to the business. */
  needs_validation?: boolean
}

/** Creates a simulator over a database. Nothing runs before `listen` and `start`. */
export function createSimulator(options: SimulatorOptions): Simulator {
  const { db } = options
  const server = createSimulatorServer({
    db,
    now: options.now,
    secret: options.secret,
    placeOrder: createOrderBatcher(options),
    placePayout: createPayoutBatcher(options),
    onError: (error) => options.onError('simulator: server', error),
  })
  let loops: Loop[] = []
  const stopping = new AbortController()
  const wake = () => {
    for (const loop of loops) loop.wake()
  }

  return {
    async listen() {
      const host = options.host ?? '127.0.0.1'
      await server.listen({ host, port: 0 })
      const { port } = server.server.address() as AddressInfo
      return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
    },
    start() {
      loops = [
        startLoop(customersJob({ ...options, onAction: wake }), options),
        startLoop(payoutsJob({ ...options, onAction: wake }), options),
        startLoop(callbacksJob(options), options),
        startLoop(validationRequestsJob({ ...options, onAction: wake, signal: stopping.signal }), options),
      ]
    },
    async stop() {
      stopping.abort()
      await Promise.all([server.close(), ...loops.map((loop) => loop.stop())])
    },
    wake,
    nextDue: () => nextDue(db),
    async approve(phonenumber, pin = CUSTOMER_PIN, reference) {
      await begin(db, (tx) => approvePrompt(tx, options, { phonenumber, reference }, pin))
      wake()
    },
    async refuse(phonenumber, reference) {
      await begin(db, (tx) => refusePrompt(tx, options, { phonenumber, reference }))
      wake()
    },
    async pay({ needs_validation = true, ...payment }) {
      const input = { ...payment, amount: formatAmount(payment.amount) }
      const remote_id = await begin(db, (tx) =>
        (needs_validation ? requestValidation : payWithoutValidation)(tx, options, input),
      )
      wake()
      return { remote_id }
    },
    async prompts(phonenumber) {
      const orders = await listOpenPrompts(db, phonenumber)
      return orders.map(toPrompt)
    },
    statement: () => readStatement(db),
    reset,
  }
}

function toPrompt({ reference, phonenumber, amount, currency, receiver, reason, created }: OrderRow): Prompt {
  return { reference, phonenumber, amount, currency, receiver, reason, created }
}

async function nextDue(db: Database): Promise<Date | null> {
  const [row] = await db<{ due_at: Date | null }[]>`
    select least((select min(due_at) from simulator_orders where due_at is not null),
      (select min(due_at) from simulator_payouts where due_at is not null),
      (select min(due_at) from simulator_validation_requests),
      (select min(due_at) from simulator_callbacks)) as due_at`
  return row?.due_at ?? null
}

async function reset(tx: Tx): Promise<void> {
  await tx`
    truncate simulator_orders, simulator_transactions, simulator_missed_prompts, simulator_payouts, simulator_callbacks,
      simulator_validation_requests, simulator_vends, simulator_pins restart identity`
}

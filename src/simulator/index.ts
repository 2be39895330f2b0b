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
  /** Shared with the business: it opens the network's door and signs the network's callbacks. */
  secret: string
  /** Where the business takes callbacks, as a whole URL. Asked for at every callback. */
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
  /** What the customer reads. */
  reason: string
  created: Date
}

/**
 * The outside world of the sandbox: a mobile-money network with its customers and their phones. Any number of processes
 * may run one over the same database. What a person does on a phone (`approve`, `refuse`, `pay`, `prompts`) needs
 * neither `listen` nor `start` in the same process.
 */
export interface Simulator {
  /** Opens the network's HTTP door on a free port and returns its base URL. */
  listen(): Promise<string>
  /** Starts the loops: customers act when it is time, and the business is told. */
  start(): void
  stop(): Promise<void>
  /** Time was moved or something was written: look now. */
  wake(): void
  /** When the simulated world does something next of its own accord, or null. In the past while it is at work. */
  nextDue(): Promise<Date | null>
  /**
   * Types the PIN, the right one unless another is given, into the prompt with this reference, or the oldest on the phone.
   * @throws NotPossible
   */
  approve(phonenumber: string, pin?: string, reference?: string): Promise<void>
  /** Refuses the prompt with this reference, or the oldest on the phone. @throws NotPossible */
  refuse(phonenumber: string, reference?: string): Promise<void>
  /** Sends money unasked and returns the network's id of it. The business may refuse it. @throws NotPossible */
  pay(payment: UnrequestedPayment): Promise<{ remote_id: string }>
  /** The prompts that wait on one phone or on all, oldest first. */
  prompts(phonenumber?: string): Promise<Prompt[]>
  /** The network's statement: what customers have paid and what was sent to them, oldest first, a piece at a time. */
  statement(): AsyncGenerator<StatementEntry[]>
  /** Empties the simulated world. */
  reset(tx: Tx): Promise<void>
}

export interface UnrequestedPayment {
  phonenumber: string
  amount: Amount
  currency: string
  receiver: string
  /** What the customer types along with the money. */
  reference?: string
  /** False: the network takes the money without asking the business. */
  needs_validation?: boolean
}

/** Builds the simulated world over a database. Nothing runs before `listen` and `start`. */
export function createSimulator(options: SimulatorOptions): Simulator {
  const { db } = options
  const door = createSimulatorServer({
    db,
    now: options.now,
    secret: options.secret,
    placeOrder: createOrderBatcher(options),
    placePayout: createPayoutBatcher(options),
    onFault: (error) => options.onError('simulator: door', error),
  })
  let loops: Loop[] = []
  const ending = new AbortController()
  const wake = () => {
    for (const loop of loops) loop.wake()
  }

  return {
    async listen() {
      const host = options.host ?? '127.0.0.1'
      await door.listen({ host, port: 0 })
      const { port } = door.server.address() as AddressInfo
      return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
    },
    start() {
      loops = [
        startLoop(customersJob({ ...options, acted: wake }), options),
        startLoop(payoutsJob({ ...options, acted: wake }), options),
        startLoop(callbacksJob(options), options),
        startLoop(validationRequestsJob({ ...options, acted: wake, signal: ending.signal }), options),
      ]
    },
    async stop() {
      ending.abort()
      await Promise.all([door.close(), ...loops.map((loop) => loop.stop())])
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
    async pay({ needs_validation: asks = true, ...payment }) {
      const input = { ...payment, amount: formatAmount(payment.amount) }
      const remote_id = await begin(db, (tx) => (asks ? requestValidation : payWithoutValidation)(tx, options, input))
      wake()
      return { remote_id }
    },
    async prompts(phonenumber) {
      const orders = await listOpenPrompts(db, phonenumber)
      return orders.map(showPrompt)
    },
    statement: () => readStatement(db),
    reset,
  }
}

function showPrompt({ reference, phonenumber, amount, currency, receiver, reason, created }: OrderRow): Prompt {
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

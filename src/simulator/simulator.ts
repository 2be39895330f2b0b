import type { Database, Tx } from '../db/client.ts'
import type { Amount } from '../lib/money.ts'
import type { Door } from './doors/door.ts'
import type { FaultList } from './faults.ts'
import type { CustomerSms, SimulatedSms, SmsFilter } from './world/sms-records.ts'
import type { Clocks, StatementEntry, StatementFilter, SwitchValues, UnrequestedPayment, World } from './world/world.ts'

/** Number of calls per door and verb. */
export type CallCounts = Map<string, Map<string, number>>

/** Door of the sandbox's own network. The simulated biller is behind it, too. */
export const SANDBOX = 'sandbox'

export interface SimulatorOptions extends Clocks {
  db: Database
  /** Shared with the business: authenticates its calls to the sandbox's network and signs the network's callbacks. */
  secret: string
  /**
   * The complete URL of the business for callbacks of the sandbox's network; null if there is no business. Read at every
   * callback.
   */
  callback_url(): string | null
  onError(job: string, error: unknown): void
  host?: string
  /** A free port unless given. */
  port?: number
  /** Give doors that are not HTTP the ports that people expect, such as 2775 for SMPP, where they are free. */
  usual_ports?: boolean
  /** Simulated networks. Default: the networks of all drivers. */
  doors?: readonly Door[]
  /**
   * Serve the page for people and the control of the simulator over HTTP: whoever reaches the port may then act for
   * customers. `advance` moves the clock forward, where it can be moved.
   */
  controls?: { advance?(seconds: number): void }
}

/** Prompt that waits on a phone for an answer. */
export interface Prompt {
  /** The simulated network: the code of its driver. */
  door: string
  /** The reference of the business. */
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
 * The outside of the sandbox: mobile-money networks with their customers and phones, and a biller. Any number of
 * processes may run a simulator over the same database. The actions of a person on a phone (`approve`, `refuse`, `pay`,
 * `prompts`) need neither `listen` nor `start` in the same process.
 */
export interface Simulator {
  /** Start the HTTP server, and return the base URL of the sandbox's own network, which has the biller, too. */
  listen(): Promise<string>
  /** The base URL of a simulated network. Known once the server listens. */
  urlOf(door: string): string
  /** The hosts of a driver's connection to its simulated network. */
  hostsOf(door: string): Record<string, string>
  doors: readonly Door[]
  /** Start the loops: customers act when due, and the business gets its callbacks. */
  start(): void
  stop(): Promise<void>
  /** The clock was moved or a row was written: poll now. */
  wake(): void
  /** Return the time of the simulator's next step, or null. It is in the past while the simulator works. */
  nextDue(): Promise<Date | null>
  /**
   * Type the PIN, the right one unless another is given, into the prompt with this reference, or the oldest on the
   * phone.
   * @throws NotPossible
   */
  approve(phonenumber: string, pin?: string, reference?: string, door?: string): Promise<void>
  /** Refuse the prompt with this reference, or the oldest on the phone. @throws NotPossible */
  refuse(phonenumber: string, reference?: string, door?: string): Promise<void>
  /** Send an unrequested payment and return the network's id of it. The business may refuse it. @throws NotPossible */
  pay(payment: UnrequestedPayment & { door?: string }): Promise<{ remote_id: string }>
  /** A customer sends an SMS to a number of the business at a provider. @throws NotPossible */
  text(sms: CustomerSms & { door: string }): Promise<void>
  /** The SMS that simulated providers have taken, newest first. A phone shows those that are delivered. */
  sms(filter?: SmsFilter): Promise<SimulatedSms[]>
  /** The open prompts on one phone or on all, oldest first. */
  prompts(phonenumber?: string): Promise<Prompt[]>
  /** The statements of the networks in chunks: payments of customers and payouts to them, oldest first. */
  statement(filter?: StatementFilter): AsyncGenerator<StatementEntry[]>
  /** The same as the lines of a CSV file, with their line ends. The first one names the columns. */
  statementFile(filter?: StatementFilter): AsyncGenerator<string>
  /** Set switches of a door. @throws NotPossible for a switch or value that the door does not have */
  setSwitches(door: string, values: SwitchValues): Promise<void>
  /** Requested faults of this process. */
  faults: FaultList
  /** Return the number of calls to a door in this process, by verb. */
  calls(door: string): ReadonlyMap<string, number>
  /** Return the world as one door uses it. */
  world(door: string): World
  /** Delete all data of the simulator. */
  reset(tx: Tx): Promise<void>
}

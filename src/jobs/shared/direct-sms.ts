import type { App } from '../../app.ts'
import type { SmsConnection } from '../../connections/connection.ts'
import { describeSmsConnections, listSmsConnections } from '../../connections/sms.ts'
import { laneOf, type Release, unlimited } from '../../connections/tools/index.ts'
import type { ClaimedSms } from '../../core/sms/claims.ts'
import { type DirectSlot, offerDirectSending } from '../../core/sms/direct.ts'
import { type Horizon, mayHaveLostSms, requeueLostSms } from '../../core/sms/lost.ts'
import { smsSuffix } from '../../core/sms/message.ts'
import { begin } from '../../db/client.ts'
import { createInterval } from './interval.ts'
import type { SmsSessions } from './sms-sessions.ts'

/** A claimed SMS with the slot for its call. */
export interface SmsCall {
  sms: ClaimedSms
  connection: SmsConnection
  release: Release
}

/** Milliseconds that a call of this connection may take, with a status query before it. */
export function callTime({ driver }: SmsConnection): number {
  return driver.traits.call_s * 2_000
}

/** Longest time between a look at what waits, and an SMS that is sent at once because of it. */
const IDLE_MS = 5_000

/** SMS that this process sends as soon as they are stored. */
export class DirectSms {
  readonly #app: App
  readonly #sessions: SmsSessions
  readonly #rules: DirectRules
  #calls: SmsCall[] = []
  /** Connections whose SMS may be sent at once, by slug. */
  #idle = new Map<string, SmsConnection>()
  #idle_until_ms = 0
  /** Slots of transactions that are not over. */
  readonly #open = new Set<DirectSlot>()
  #onNoneOpen = () => {}
  #is_closed = false

  constructor(app: App, sessions: SmsSessions, rules: DirectRules) {
    this.#app = app
    this.#sessions = sessions
    this.#rules = rules
  }

  /** Notes the connections for which no SMS waits, and which have a slot. Transactions of this process get these slots. */
  noteIdle(connections: readonly SmsConnection[]): void {
    if (this.#is_closed) return
    this.#idle = new Map(connections.map((connection) => [connection.slug, connection]))
    this.#idle_until_ms = this.#real() + IDLE_MS
    offerDirectSending(this.#app.db, {
      suffix: smsSuffix(this.#app.config.SERVICE_NAME),
      isIdle: () => this.#idle.size > 0 && this.#real() < this.#idle_until_ms,
      connections: () => describeSmsConnections(listSmsConnections(this.#app), this.#sessions.open()).routes,
      takeSlot: (slug) => this.#takeSlot(slug),
    })
  }

  hasCalls(): boolean {
    return this.#calls.length > 0
  }

  /** Takes the calls for SMS whose transactions have committed. */
  takeCalls(): SmsCall[] {
    const taken = this.#calls
    this.#calls = []
    const real = this.#real()
    // After a long transaction the call might outlast the lease. Then the SMS is sent when that is over.
    const isLate = ({ sms, connection }: SmsCall) => sms.leased_until.getTime() - real < callTime(connection)
    for (const { release } of taken.filter(isLate)) release(false)
    return taken.filter((call) => !isLate(call))
  }

  /** Takes no more SMS, and waits until all transactions that have slots are over. */
  async close(): Promise<void> {
    this.#is_closed = true
    this.#idle.clear()
    offerDirectSending(this.#app.db, undefined)
    if (this.#open.size > 0)
      await new Promise<void>((resolve) => {
        this.#onNoneOpen = resolve
      })
  }

  #takeSlot(slug: string): DirectSlot | undefined {
    const connection = this.#idle.get(slug)
    const release = connection && this.#acquire(connection)
    if (!release) {
      // From now on SMS wait for it, and none passes them.
      this.#idle.delete(slug)
      return undefined
    }
    const over = () => {
      this.#open.delete(slot)
      if (this.#open.size === 0) this.#onNoneOpen()
    }
    const slot: DirectSlot = {
      lease_end: this.#rules.leaseEnd(connection),
      send: (sms) => {
        this.#calls.push({ sms, connection, release })
        over()
      },
      release: () => {
        release(false)
        over()
      },
    }
    this.#open.add(slot)
    return slot
  }

  #acquire(connection: SmsConnection): Release | undefined {
    const { slots = unlimited, driver } = connection
    return this.#rules.maySend(connection) ? slots.tryAcquire(laneOf(driver.traits.call_s)) : undefined
  }

  #real(): number {
    return this.#app.clock.real().getTime()
  }
}

/** Rules of the job that sends SMS. */
interface DirectRules {
  /** Returns the end of the lease of an SMS that is sent now. */
  leaseEnd(connection: SmsConnection): Date
  /** Returns true if this process can send over the connection. */
  maySend(connection: SmsConnection): boolean
}

const REQUEUE_MS = 5_000

/** Makes SMS due, at intervals of the real clock, that the process which stored them does not send any more. */
export function createRequeuing(app: App): () => Promise<void> {
  let horizon: Horizon | undefined
  const interval = createInterval(REQUEUE_MS, app.clock)
  return async () => {
    if (!interval.isOver()) return
    interval.start()
    if (!(await mayHaveLostSms(app.db.polling))) return
    horizon = await begin(app.db, (tx) => requeueLostSms(tx, { now: app.clock.now(), real: app.clock.real() }, horizon))
  }
}

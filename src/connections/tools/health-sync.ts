import {
  type OtherProcess,
  type ProcessHealth,
  readOtherProcesses,
  storeAlarms,
  storeHealth,
} from '../../core/connections/connection-health.ts'
import { begin, type Database } from '../../db/client.ts'
import { createPoller } from '../../lib/poller.ts'
import type { NewAlarm } from './alarms.ts'

/** Connection of this process. */
interface HealthSource {
  connection: string
  /** Return the results of its calls. */
  measure(): ProcessHealth
  /** Hear how the other processes stand to the connection. */
  follow(others: readonly OtherProcess[]): void
}

/** Tell the other processes, and the operator, how the connections of this process are. */
export interface HealthSync {
  add(source: HealthSource): void
  alarm(alarm: NewAlarm): void
  /** Something has changed that others should know soon. */
  changed(): void
  /** Store and read now. `start` does so every five seconds. */
  sync(): Promise<void>
  start(): void
  /** Store a last time: from now on this process holds nobody back. */
  close(): Promise<void>
}

interface HealthSyncOptions {
  db: Database
  real: () => Date
  /** A random name of this process. */
  process: string
  onError: (error: unknown) => void
}

const SYNC_EVERY_MS = 5_000
/** Minimum time between two syncs, however much changes. */
const SYNC_PAUSE_MS = 250

export function createHealthSync({ db, real, process, onError }: HealthSyncOptions): HealthSync {
  const sources = new Set<HealthSource>()
  /** The connections of which the database has a row of this process that is not empty. */
  const stored = new Set<string>()
  let alarms = new Map<string, NewAlarm>()
  let syncing = Promise.resolve()

  async function store(measured: readonly ProcessHealth[]): Promise<void> {
    const worth_storing = measured.filter(({ connection, calls }) => calls > 0 || stored.has(connection))
    const new_alarms = alarms
    if (worth_storing.length === 0 && new_alarms.size === 0) return
    alarms = new Map()
    try {
      await begin(db, async (tx) => {
        if (worth_storing.length > 0) await storeHealth(tx, real(), process, worth_storing)
        if (new_alarms.size > 0) await storeAlarms(tx, real(), [...new_alarms.values()])
      })
    } catch (error) {
      // After a failure they are stored with the next ones.
      for (const alarm of new_alarms.values()) keep(alarm)
      throw error
    }
    for (const { connection, calls } of worth_storing)
      if (calls > 0) stored.add(connection)
      else stored.delete(connection)
  }

  function keep(alarm: NewAlarm): void {
    const key = JSON.stringify([alarm.connection, alarm.message])
    const earlier = alarms.get(key)
    alarms.set(key, earlier ? merge(earlier, alarm) : alarm)
  }

  async function exchange(): Promise<void> {
    if (sources.size === 0 && alarms.size === 0) return
    await store([...sources].map((source) => source.measure()))
    const others = await readOtherProcesses(db, real(), process)
    for (const source of sources) source.follow(others.filter(({ connection }) => connection === source.connection))
  }

  const sync = () => {
    syncing = syncing.then(exchange).catch(onError)
    return syncing
  }
  const poller = createPoller(sync, { tick_ms: SYNC_EVERY_MS, pause_ms: SYNC_PAUSE_MS })

  return {
    add(source) {
      sources.add(source)
      poller.wake()
    },
    alarm(alarm) {
      keep(alarm)
      poller.wake()
    },
    changed: () => poller.wake(),
    sync,
    start: () => poller.start(),
    async close() {
      poller.stop()
      await syncing
      const last = [...sources].map((source) => ({ ...source.measure(), degraded_since: null }))
      await store(last).catch(onError)
    },
  }
}

function merge(one: NewAlarm, two: NewAlarm): NewAlarm {
  const times = [one.first, one.last, two.first, two.last].map(Number)
  const first = new Date(Math.min(...times))
  return { ...one, first, last: new Date(Math.max(...times)), count: one.count + two.count }
}

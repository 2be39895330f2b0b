import { randomBytes } from 'node:crypto'
import type { Database } from '../db/client.ts'
import {
  isUrgent,
  joinWakeCauses,
  readWakeCauses,
  type WakeCause,
  type WakeCauses,
  type WakeListener,
} from './wakes.ts'

/** The PostgreSQL notification channel that wakes the loops of other processes. */
const WAKE_CHANNEL = 'wake'

/**
 * Wakes within this time after a wake are merged into one. A wake makes every loop query the database, which costs more than
 * some writes, and each notification takes a lock that all commits share. Only urgent causes wake the loops of this process at
 * once; its notification waits like all others.
 */
const MIN_WAKE_INTERVAL_MS = 20

/**
 * Wakes the loops of this process and of all others.
 * @param read_again functions that read shared state again, by the channel that announces its change
 */
export function createWaker(db: Database, read_again: Readonly<Record<string, () => Promise<void>>>) {
  /** The payload of our notifications, by which this process ignores its own. */
  const process_id = randomBytes(8).toString('hex')
  const listeners: WakeListener[] = []
  const callListeners = (causes: WakeCauses) => {
    for (const listener of listeners) listener(causes)
  }
  const onNotification = (payload: string) => {
    const [sender, ...causes] = payload.split(' ')
    if (sender !== process_id) callListeners(readWakeCauses(causes))
  }
  /** Keeps the old value if a read fails; it is read again when the connection is back. */
  const onChange = (read: () => Promise<void>) => () => {
    read().then(
      () => callListeners(undefined),
      () => {},
    )
  }
  let subscriptions: Promise<{ unlisten(): Promise<void> }[]> | undefined
  let timer: NodeJS.Timeout | undefined
  /** Causes that have woken the loops here, but of which other processes are not notified yet. */
  const not_notified = new Set<WakeCause | undefined>()
  /** The causes that will wake the loops here after the interval. */
  const later = new Set<WakeCause | undefined>()
  // A lost notification costs a second, because every loop also polls.
  const notifyOthers = (causes: WakeCauses) =>
    db.notify(WAKE_CHANNEL, [process_id, ...(causes ?? [])].join(' ')).catch(() => {})
  const wakeFor = (causes: Set<WakeCause | undefined>) => {
    for (const cause of causes) not_notified.add(cause)
    callListeners(joinWakeCauses(causes))
    timer ??= setTimeout(() => {
      timer = undefined
      void notifyOthers(joinWakeCauses(not_notified))
      not_notified.clear()
      if (later.size === 0) return
      const next = new Set(later)
      later.clear()
      wakeFor(next)
    }, MIN_WAKE_INTERVAL_MS)
  }
  const wake = (cause?: WakeCause) => {
    if (timer && !isUrgent(cause)) later.add(cause)
    else wakeFor(new Set([cause]))
  }
  return {
    wake,
    onWake(listener: WakeListener) {
      listeners.push(listener)
      subscriptions ??= Promise.all([
        db.listen(WAKE_CHANNEL, onNotification),
        ...Object.entries(read_again).map(([channel, read]) => db.listen(channel, onChange(read), onChange(read))),
      ])
    },
    async close() {
      clearTimeout(timer)
      // A command that wrote something may end before its timer does; the service has to be notified anyway.
      if (timer) await notifyOthers(joinWakeCauses([...not_notified, ...later]))
      for (const subscription of (await subscriptions) ?? []) await subscription.unlisten()
    },
  }
}

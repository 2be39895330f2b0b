import { randomBytes } from 'node:crypto'
import type { Database } from '../db/client.ts'
import { joinWakeCauses, readWakeCauses, type WakeCause, type WakeCauses, type WakeListener } from './wakes.ts'

/** The PostgreSQL notification channel that wakes the loops of other processes. */
const WAKE_CHANNEL = 'wake'

/**
 * Wakes within this time after a wake are merged into one. A wake makes every loop query the database, which costs more than
 * some writes, and each notification takes a lock that all commits share.
 */
const MIN_WAKE_INTERVAL_MS = 20

/**
 * Wakes the loops of this process and of all others.
 * @param read_again what is read again when another process has changed it, by the channel that tells so
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
  /** What cannot be read now stays as it is, and is read when the connection is back. */
  const onChange = (read: () => Promise<void>) => () => {
    read().then(
      () => callListeners(undefined),
      () => {},
    )
  }
  let subscriptions: Promise<{ unlisten(): Promise<void> }[]> | undefined
  let timer: NodeJS.Timeout | undefined
  const later = new Set<WakeCause | undefined>()
  const wakeFor = (causes: WakeCauses) => {
    callListeners(causes)
    timer = setTimeout(() => {
      timer = undefined
      // A lost notification costs a second, because every loop also polls.
      db.notify(WAKE_CHANNEL, [process_id, ...(causes ?? [])].join(' ')).catch(() => {})
      if (later.size === 0) return
      const next = joinWakeCauses(later)
      later.clear()
      wakeFor(next)
    }, MIN_WAKE_INTERVAL_MS)
  }
  const wake = (cause?: WakeCause) => {
    if (timer) later.add(cause)
    else wakeFor(cause && [cause])
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
      if (timer) await db.notify(WAKE_CHANNEL, process_id).catch(() => {})
      for (const subscription of (await subscriptions) ?? []) await subscription.unlisten()
    },
  }
}

import type { Database, Reader, Tx } from '../db/client.ts'

/**
 * A flag that operators set while the service runs. It applies to all its processes. `maintenance` is on or off; `sending` is
 * `held` while no order may be started or sent, and `sending_hold` says since when, by whom and why (sending.ts).
 * `last_backup` says when and where to the last backup was made (last-backup.ts), `last_archive` when the archive was last complete,
 * `requests_archived_until` which requests it has looked at (archive/last-run.ts). `sandbox_organization` and `sandbox_owner` are the ids of those that `init` has made in the place of the demo organization.
 */
export type FlagName =
  | 'maintenance'
  | 'sending'
  | 'sending_hold'
  | 'last_backup'
  | 'last_archive'
  | 'requests_archived_until'
  | 'sandbox_organization'
  | 'sandbox_owner'

/** The channel that notifies processes of a changed flag. */
export const FLAGS_CHANNEL = 'flags_changed'

/** Sets a flag; null deletes it. All processes are notified when the transaction commits. */
export async function setFlag(tx: Tx, name: FlagName, value: string | null): Promise<void> {
  if (value === null) await tx`delete from flags where name = ${name}`
  else
    await tx`
      insert into flags (name, value) values (${name}, ${value}) on conflict (name) do update set value = excluded.value`
  await tx`select pg_notify(${FLAGS_CHANNEL}, '')`
}

/** Reads a flag; null if it is not set. */
export async function readFlag(db: Reader, name: FlagName): Promise<string | null> {
  const [row] = await db<{ value: string }[]>`select value from flags where name = ${name}`
  return row?.value ?? null
}

/** The position of the maintenance switch, kept fresh. */
export interface MaintenanceWatch {
  isOn(): boolean
  close(): Promise<void>
}

/** How late a process notices a change at most, if its notification is lost. */
const POLL_INTERVAL_MS = 1_000

/** Watches the maintenance flag. While the database is unavailable, the last known value applies. */
export async function watchMaintenance(db: Database): Promise<MaintenanceWatch> {
  let on = false
  const read = async () => {
    on = (await readFlag(db, 'maintenance')) === 'on'
  }
  const refresh = () => {
    read().catch(() => {})
  }
  await read()
  const subscription = await db.listen(FLAGS_CHANNEL, refresh)
  const timer = setInterval(refresh, POLL_INTERVAL_MS)
  timer.unref()
  return {
    isOn: () => on,
    async close() {
      clearInterval(timer)
      await subscription.unlisten()
    },
  }
}

import type { Database, Reader, Tx } from '../db/client.ts'
import { column, insert, table } from '../db/table.ts'

/**
 * Flags that operators set while the service runs. They apply to all its processes.
 *
 * - `maintenance` is on or off.
 * - `sending` is `held` while no order may be started or sent; `sending_hold` has time, person and reason (sending.ts).
 * - `last_backup` has the time and the place of the last backup (last-backup.ts).
 * - `last_archive` is the time when the archive was last complete; `requests_archived_until` and
 *   `orders_archived_until` tell which requests and orders it has looked at (archive/last-run.ts).
 * - `sandbox_organization` and `sandbox_owner` are the ids of the organization and the user that `init` creates instead
 *   of the demo organization.
 */
type FlagName =
  | 'maintenance'
  | 'sending'
  | 'sending_hold'
  | 'last_backup'
  | 'last_archive'
  | 'requests_archived_until'
  | 'orders_archived_until'
  | 'sandbox_organization'
  | 'sandbox_owner'

/** The channel that notifies processes of a changed flag. */
export const FLAGS_CHANNEL = 'flags_changed'

export const flagTable = table('flags', { name: column.text().key(), value: column.text() })

/** Sets a flag; null deletes it. All processes are notified when the transaction commits. */
export async function setFlag(tx: Tx, name: FlagName, value: string | null): Promise<void> {
  if (value === null) await tx`delete from flags where name = ${name}`
  else await tx`${insert(flagTable, [{ name, value }], {})} ${flagTable.replace(['value'])}`
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

/** Maximum delay until a process notices a change whose notification was lost. */
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

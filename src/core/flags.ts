import type { Database, Tx } from '../db/client.ts'

/** What operators switch while the service runs, the same for all its processes. */
export type FlagName = 'maintenance'

/** The channel on which processes hear that a switch was moved. */
export const FLAGS_CHANNEL = 'flags_changed'

/** Writes a switch; every process notices when the transaction commits. Null takes the switch away. */
export async function setFlag(tx: Tx, name: FlagName, value: string | null): Promise<void> {
  if (value === null) await tx`delete from flags where name = ${name}`
  else
    await tx`
      insert into flags (name, value) values (${name}, ${value}) on conflict (name) do update set value = excluded.value`
  await tx`select pg_notify(${FLAGS_CHANNEL}, '')`
}

/** Reads a switch; null when it was never set. */
export async function readFlag(db: Database, name: FlagName): Promise<string | null> {
  const [row] = await db<{ value: string }[]>`select value from flags where name = ${name}`
  return row?.value ?? null
}

/** The position of the maintenance switch, kept fresh. */
export interface MaintenanceWatch {
  isOn(): boolean
  close(): Promise<void>
}

/** A lost notification costs this much, and no more. */
const POLL_INTERVAL_MS = 1_000

/** Watches the maintenance switch. While the database is away the last known position holds. */
export async function watchMaintenance(db: Database): Promise<MaintenanceWatch> {
  let on = false
  const look = async () => {
    on = (await readFlag(db, 'maintenance')) === 'on'
  }
  const lookAgain = () => {
    look().catch(() => {})
  }
  await look()
  const subscription = await db.listen(FLAGS_CHANNEL, lookAgain)
  const timer = setInterval(lookAgain, POLL_INTERVAL_MS)
  timer.unref()
  return {
    isOn: () => on,
    async close() {
      clearInterval(timer)
      await subscription.unlisten()
    },
  }
}

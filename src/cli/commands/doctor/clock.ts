import type { App } from '../../../app.ts'
import { error, type Finding } from './check.ts'

/** Leases last for seconds, and codes of second factors for half a minute. */
const MAX_DRIFT_S = 2

/** Compare the clocks of this machine and the database, without the time of the answer itself. */
export async function checkClock({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<Finding[]> {
  const before_ms = clock.real().getTime()
  const [row] = await db<{ now: Date }[]>`select clock_timestamp() as now`
  const after_ms = clock.real().getTime()
  const database_ms = row!.now.getTime()
  const ahead_ms = database_ms > after_ms ? database_ms - after_ms : Math.min(0, database_ms - before_ms)
  const seconds = Math.round(Math.abs(ahead_ms) / 1_000)
  if (seconds <= MAX_DRIFT_S) return []
  return [
    error(
      `The clock of the database is ${seconds} seconds ${ahead_ms > 0 ? 'ahead of' : 'behind'} that of this machine. Leases, expiry times and codes of second factors depend on both.`,
      'Let both machines follow a time server: `timedatectl` shows whether one does, `sudo timedatectl set-ntp true` switches it on.',
    ),
  ]
}

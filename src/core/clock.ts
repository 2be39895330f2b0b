import type { Reader, Tx } from '../db/client.ts'
import { insert } from '../db/table.ts'
import { FLAGS_CHANNEL, flagTable } from './flags.ts'

/** Lead of the sandbox's clock over the real one, in milliseconds. */
export async function readClockOffset(db: Reader): Promise<number> {
  const [row] = await db<{ value: string }[]>`select value from flags where name = ${CLOCK_OFFSET_FLAG}`
  return Number(row?.value ?? 0)
}

/**
 * Moves the sandbox's clock forward, so that it shows `to` when the real clock shows `real`. All processes are notified when
 * the transaction commits. The clock never goes back: if it is past `to` already, it does not change.
 */
export async function advanceClock(tx: Tx, real: Date, to: Date): Promise<void> {
  const offset_ms = to.getTime() - real.getTime()
  if (offset_ms <= 0) return
  await tx`
    ${insert(flagTable, [{ name: CLOCK_OFFSET_FLAG, value: String(offset_ms) }], {})}
    on conflict (name) do update set value = greatest(flags.value::bigint, excluded.value::bigint)::text`
  await tx`select pg_notify(${FLAGS_CHANNEL}, '')`
}

const CLOCK_OFFSET_FLAG = 'clock_offset_ms'

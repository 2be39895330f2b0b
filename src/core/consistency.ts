import type { Reader, Tx } from '../db/client.ts'
import { insert } from '../db/table.ts'
import { flagTable } from './flags.ts'

/*
 * State of the nightly check of the data: its last time, and the number of its findings. It is kept beside the flags:
 * only one process runs the check, and every process can report its result.
 */

const LAST_CHECK = 'consistency_check'

/** Night of the last check as `2030-01-31`, and the number of its findings; null while it runs. */
interface NightlyCheck {
  night: string
  findings: number | null
}

/** Claims the check of this night (from midnight UTC). @returns false when another process has claimed it. */
export async function claimNightlyCheck(tx: Tx, now: Date): Promise<boolean> {
  const night = now.toISOString().slice(0, 10)
  const last = await readCheck(tx)
  if (last?.night === night) return false
  const value = JSON.stringify({ night, findings: last?.findings ?? null } satisfies NightlyCheck)
  const rows = await tx`
    ${insert(flagTable, [{ name: LAST_CHECK, value }], {})}
    on conflict (name) do update set value = excluded.value
      where flags.value::json->>'night' is distinct from ${night}
    returning name`
  return rows.length > 0
}

/** Stores the number of findings of this night's check. */
export async function recordNightlyCheck(tx: Tx, now: Date, findings: number): Promise<void> {
  const value = JSON.stringify({ night: now.toISOString().slice(0, 10), findings } satisfies NightlyCheck)
  await tx`update flags set value = ${value} where name = ${LAST_CHECK}`
}

/** Number of findings of the last nightly check; null before the first one ends. */
export async function readConsistencyFindings(db: Reader): Promise<number | null> {
  return (await readCheck(db))?.findings ?? null
}

async function readCheck(db: Reader): Promise<NightlyCheck | undefined> {
  const [row] = await db<{ value: string }[]>`select value from flags where name = ${LAST_CHECK}`
  return row && (JSON.parse(row.value) as NightlyCheck)
}

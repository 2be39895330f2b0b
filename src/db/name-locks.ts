import type { Tx } from './client.ts'

/** Holds a lock on a name until the transaction ends. */
export async function lockName(tx: Tx, name: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`
}

import type { Tx } from '../../db/client.ts'

/** The PostgreSQL notification channel that tells all processes to read the connections again. */
export const CONNECTIONS_CHANNEL = 'connections'

/** The key of the advisory lock. No other lock uses this number. */
const CHANGES_LOCK = 7_305_118_824

/**
 * Begins a change of connections or their numbers. Such changes happen one after the other, so that a check of one of
 * them stays true. All processes read the connections again when the transaction commits.
 */
export async function lockConnections(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${CHANGES_LOCK})`
  await tx`select pg_notify(${CONNECTIONS_CHANNEL}, '')`
}

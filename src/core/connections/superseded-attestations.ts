import type { Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'

/**
 * Closes the attestations (core/attestations) that wait although their orders or purchases have ended: the network or the
 * biller has answered first. Their orders or purchases must be locked.
 */
export function supersedeAttestations(
  tx: Tx,
  now: Date,
  kind: 'network_order' | 'bill_purchase',
  ids: readonly number[],
): void {
  if (ids.length === 0) return
  const column = kind === 'network_order' ? sql`network_order` : sql`bill_purchase`
  tx.send`
    update order_attestations set state = 'superseded', decided = ${now}
    where ${column} = any(${ids}::bigint[]) and state = 'waiting'`
}

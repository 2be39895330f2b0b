import type { Database } from '../db/client.ts'
import type { TransactionRow } from './wire.ts'

export type StatementEntry = TransactionRow

/** The most rows of one piece. */
const PIECE = 1_000

/** Everything that customers have paid, in the order in which they did, a piece at a time. */
export async function* readStatement(db: Database): AsyncGenerator<StatementEntry[]> {
  let after: Pick<StatementEntry, 'paid_at' | 'remote_id'> = { paid_at: new Date(0), remote_id: '' }
  for (;;) {
    const rows = await db<StatementEntry[]>`
      select * from simulator_transactions where (paid_at, remote_id) > (${after.paid_at}, ${after.remote_id})
      order by paid_at, remote_id limit ${PIECE}`
    if (rows.length > 0) yield [...rows]
    if (rows.length < PIECE) return
    after = rows.at(-1)!
  }
}

import type { Database } from '../db/client.ts'
import type { TransactionRow } from './wire.ts'

/** A payment of a customer or, with an amount below zero, a payout to a customer. */
export type StatementEntry = Omit<TransactionRow, 'name'> & { name: string | null }

/** The most rows of one chunk. */
const MAX_CHUNK_ROWS = 1_000

/** Reads all payments and payouts in chunks, oldest first. */
export async function* readStatement(db: Database): AsyncGenerator<StatementEntry[]> {
  let after: Pick<StatementEntry, 'paid_at' | 'remote_id'> = { paid_at: new Date(0), remote_id: '' }
  for (;;) {
    const rows = await db<StatementEntry[]>`
      (select remote_id, status, receiver, phonenumber, amount, currency, order_reference, reference, name, paid_at
        from simulator_transactions where (paid_at, remote_id) > (${after.paid_at}, ${after.remote_id})
        order by paid_at, remote_id limit ${MAX_CHUNK_ROWS})
      union all
      (select transaction, case state when 'taken_back' then 'reversed' else 'successful' end, sender, phonenumber,
          -amount, currency, reference, null, null, paid_at
        from simulator_payouts
        where transaction is not null and (paid_at, transaction) > (${after.paid_at}, ${after.remote_id})
        order by paid_at, transaction limit ${MAX_CHUNK_ROWS})
      order by paid_at, remote_id limit ${MAX_CHUNK_ROWS}`
    if (rows.length > 0) yield [...rows]
    if (rows.length < MAX_CHUNK_ROWS) return
    after = rows.at(-1)!
  }
}

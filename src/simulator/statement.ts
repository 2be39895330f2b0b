import type { Database } from '../db/client.ts'
import { sql } from '../db/sql.ts'
import type { TransactionRow } from './wire.ts'

/**
 * A payment of a customer or, with an amount below zero, a payout to a customer. A part of one that was taken back is an entry
 * of its own with the opposite sign; `reversal_of` is the id of the payment or payout.
 */
export type StatementEntry = Omit<TransactionRow, 'name' | 'reversals'> & {
  name: string | null
  reversal_of: string | null
}

/** The most rows of one chunk. */
const MAX_CHUNK_ROWS = 1_000

/** Reads all payments and payouts in chunks, oldest first. */
export async function* readStatement(db: Database): AsyncGenerator<StatementEntry[]> {
  let after: Pick<StatementEntry, 'paid_at' | 'remote_id'> = { paid_at: new Date(0), remote_id: '' }
  for (;;) {
    const rows = await db<StatementEntry[]>`
      (select remote_id, status, receiver, phonenumber, amount, currency, order_reference, reference, name,
          null as reversal_of, paid_at
        from simulator_transactions where (paid_at, remote_id) > (${after.paid_at}, ${after.remote_id})
        order by paid_at, remote_id limit ${MAX_CHUNK_ROWS})
      union all
      (select transaction, case state when 'taken_back' then 'reversed' else 'successful' end, sender, phonenumber,
          -amount, currency, reference, null, null, null, paid_at
        from simulator_payouts
        where transaction is not null and (paid_at, transaction) > (${after.paid_at}, ${after.remote_id})
        order by paid_at, transaction limit ${MAX_CHUNK_ROWS})
      union all
      (select r.remote_id, 'successful', receiver, phonenumber, -r.amount, currency, null, null, null, t.remote_id, r.at
        from simulator_transactions t cross join lateral ${partsOf('t')}
        where json_array_length(t.reversals) > 0 and (r.at, r.remote_id) > (${after.paid_at}, ${after.remote_id})
        order by r.at, r.remote_id limit ${MAX_CHUNK_ROWS})
      union all
      (select r.remote_id, 'successful', sender, phonenumber, r.amount, currency, null, null, null, p.transaction, r.at
        from simulator_payouts p cross join lateral ${partsOf('p')}
        where json_array_length(p.reversals) > 0 and (r.at, r.remote_id) > (${after.paid_at}, ${after.remote_id})
        order by r.at, r.remote_id limit ${MAX_CHUNK_ROWS})
      order by paid_at, remote_id limit ${MAX_CHUNK_ROWS}`
    if (rows.length > 0) yield [...rows]
    if (rows.length < MAX_CHUNK_ROWS) return
    after = rows.at(-1)!
  }
}

/** The parts of a row that were taken back, as rows. */
function partsOf(table: string) {
  return sql`json_to_recordset(${sql.identifier(`${table}.reversals`)}) as r(remote_id text, amount numeric(19,4), at timestamptz)`
}

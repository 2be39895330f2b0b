import type { Database } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { Amount } from '../../lib/money.ts'
import { sumOfPayouts } from './payouts.ts'
import { OPENING_BALANCE, type StatementEntry, type StatementFilter } from './world.ts'

const MAX_CHUNK_ROWS = 1_000

/** Read payments and payouts in chunks, oldest first. A reversed part is a separate entry with the opposite sign. */
export async function* readStatement(db: Database, filter: StatementFilter = {}): AsyncGenerator<StatementEntry[]> {
  let after: Pick<StatementEntry, 'paid_at' | 'remote_id'> = { paid_at: new Date(0), remote_id: '' }
  for (;;) {
    const { paid_at, remote_id } = after
    const wanted = (table: string, number: string) => matches(filter, table, number)
    const rows = await db<StatementEntry[]>`
      select * from (
      (select door, remote_id, status, receiver, phonenumber, amount, currency, order_reference, reference, name,
          null as reversal_of, paid_at
        from simulator_transactions t where (paid_at, remote_id) > (${paid_at}, ${remote_id})
          and ${wanted('t', 'receiver')} and ${during(filter, 't.paid_at')}
        order by paid_at, remote_id limit ${MAX_CHUNK_ROWS})
      union all
      (select door, transaction, case state when 'taken_back' then 'reversed' else 'successful' end, sender, phonenumber,
          -amount, currency, reference, null, null, null, paid_at
        from simulator_payouts p
        where transaction is not null and (paid_at, transaction) > (${paid_at}, ${remote_id})
          and ${wanted('p', 'sender')} and ${during(filter, 'p.paid_at')}
        order by paid_at, transaction limit ${MAX_CHUNK_ROWS})
      union all
      (select door, r.remote_id, 'successful', receiver, phonenumber, -r.amount, currency, null, null, null, t.remote_id, r.at
        from simulator_transactions t cross join lateral ${partsOf('t')}
        where json_array_length(t.reversals) > 0 and (r.at, r.remote_id) > (${paid_at}, ${remote_id})
          and ${wanted('t', 'receiver')} and ${during(filter, 'r.at')}
        order by r.at, r.remote_id limit ${MAX_CHUNK_ROWS})
      union all
      (select door, r.remote_id, 'successful', sender, phonenumber, r.amount, currency, null, null, null, p.transaction, r.at
        from simulator_payouts p cross join lateral ${partsOf('p')}
        where json_array_length(p.reversals) > 0 and (r.at, r.remote_id) > (${paid_at}, ${remote_id})
          and ${wanted('p', 'sender')} and ${during(filter, 'r.at')}
        order by r.at, r.remote_id limit ${MAX_CHUNK_ROWS})
      ) entries order by paid_at, remote_id limit ${MAX_CHUNK_ROWS}`
    if (rows.length > 0) yield [...rows]
    if (rows.length < MAX_CHUNK_ROWS) return
    after = rows.at(-1)!
  }
}

/** Return the balance of a business number: money in, less money out and reversals. */
export async function readBalance(db: Database, door: string, number: string, currency: string): Promise<Amount> {
  const [row] = await db<{ balance: Amount }[]>`
    select ${OPENING_BALANCE} + (
      select coalesce(sum(amount - coalesce((select sum(r.amount) from ${partsOf('t')}), 0)), 0)
      from simulator_transactions t
      where door = ${door} and receiver = ${number} and currency = ${currency} and status = 'successful'
    ) - ${sumOfPayouts(door, number, currency)} as balance`
  return row!.balance
}

/** Match rows of the wanted door and number. */
function matches({ door, number }: StatementFilter, table: string, column: string) {
  const of_door = door === undefined ? sql.always : sql`${sql.identifier(`${table}.door`)} = ${door}`
  const of_number = number === undefined ? sql.always : sql`${sql.identifier(`${table}.${column}`)} = ${number}`
  return sql`${of_door} and ${of_number}`
}

function during({ from, to }: StatementFilter, column: string) {
  const begins = from === undefined ? sql.always : sql`${sql.identifier(column)} >= ${from}`
  const ends = to === undefined ? sql.always : sql`${sql.identifier(column)} < ${to}`
  return sql`${begins} and ${ends}`
}

/** The parts of a row that were taken back, as rows. */
function partsOf(table: string) {
  return sql`json_to_recordset(${sql.identifier(`${table}.reversals`)}) as r(remote_id text, amount numeric(19,4), at timestamptz)`
}

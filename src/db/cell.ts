import { IDS_PER_CELL } from '../lib/text/cells.ts'
import { begin, type Database, type Reader } from './client.ts'
import { UnsuitableDatabase } from './failures.ts'

/*
 * A database remembers its cell by the ranges of its sequences. Sequences of simulated networks stand outside of the
 * cells, and currencies have the same ids everywhere, since only migrations make them.
 */

/** Reads the cell of a database; undefined while it has given no id. */
export async function readCell(db: Reader): Promise<number | undefined> {
  const [row] = await db<{ lowest: number | null; used: boolean | null }[]>`
    select max(s.seqmin) as lowest, bool_or(pg_sequence_last_value(s.seqrelid) is not null) as used
    from pg_sequence s join pg_class c on c.oid = s.seqrelid
    where c.relnamespace = current_schema()::regnamespace
      and c.relname <> 'currencies_id_seq' and c.relname not like 'simulator\\_%'`
  const cell = Math.floor((row!.lowest ?? 0) / IDS_PER_CELL)
  return cell > 0 || row!.used ? cell : undefined
}

/** @throws UnsuitableDatabase if the database belongs to another cell */
export async function requireCellOf(db: Reader, cell: number): Promise<void> {
  const own = await readCell(db)
  if (own === undefined || own === cell) return
  throw new UnsuitableDatabase(
    `The database belongs to cell ${own}, and CELL is ${cell}. Set CELL=${own}, or DATABASE_URL to the database of cell ${cell}.`,
  )
}

/** Moves the sequences that a migration has made into the range of the cell. Those of cell 0 stay as they are. */
export async function alignSequences(owner: Database, cell: number): Promise<void> {
  if (cell === 0) return
  const first = cell * IDS_PER_CELL + 1
  const sequences = await owner<{ name: string }[]>`
    select quote_ident(c.relname) as name from pg_sequence s join pg_class c on c.oid = s.seqrelid
    where c.relnamespace = current_schema()::regnamespace and s.seqmin <> ${first}
      and c.relname <> 'currencies_id_seq' and c.relname not like 'simulator\\_%' order by 1`
  if (sequences.length === 0) return
  const range = `minvalue ${first} maxvalue ${first + IDS_PER_CELL - 2} start with ${first} restart with ${first}`
  await begin(owner, async (tx) => {
    for (const { name } of sequences) await tx.unsafe(`alter sequence ${name} ${range}`)
  })
}

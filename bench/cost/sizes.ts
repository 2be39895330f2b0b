import { type PartitionedTable, partitionedTables } from '../../src/core/partitions.ts'
import type { Database } from '../../src/db/client.ts'
import type { Table } from '../measurements.ts'

/** Size of a table: bytes of its rows (including data outside of the page), and of its indexes. */
export interface TableSize {
  name: string
  rows: number
  bytes: number
  index_bytes: number
}

/** Days for which rows are kept at least by the default settings (docs/operating/retention.md). All other tables keep them for ever. */
const KEPT_DAYS: Readonly<Record<PartitionedTable['retention'], number>> = {
  EVENT_RETENTION_DAYS: 30,
  CALLBACK_RETENTION_DAYS: 90,
}
const MILLIONS_A_DAY = [1, 10, 100]
const GB = 1e9

/** Read the sizes of all tables. Partitions count as the part of their table that is a queue, or that is kept. */
export async function readSizes(db: Database): Promise<TableSize[]> {
  // Pages that updates have left empty are used again; without this they would count as growth.
  await db.unsafe('vacuum analyze')
  return db<TableSize[]>`
    select coalesce(i.inhparent, c.oid)::regclass::text as name, sum(s.n_live_tup)::bigint as rows,
      sum(pg_table_size(c.oid))::bigint as bytes, sum(pg_indexes_size(c.oid))::bigint as index_bytes
    from pg_class c join pg_stat_user_tables s on s.relid = c.oid left join pg_inherits i on i.inhrelid = c.oid
    where c.relkind = 'r' group by 1 order by 1`
}

/** Show the storage of one collection, and of a million collections a day and more. */
export function growthTables(before: readonly TableSize[], after: readonly TableSize[], collections: number): Table[] {
  const earlier = new Map(before.map((size) => [size.name, size]))
  const grown = after
    .map((size) => ({
      name: size.name,
      rows: (size.rows - (earlier.get(size.name)?.rows ?? 0)) / collections,
      bytes: (size.bytes - (earlier.get(size.name)?.bytes ?? 0)) / collections,
      index_bytes: (size.index_bytes - (earlier.get(size.name)?.index_bytes ?? 0)) / collections,
    }))
    .filter(({ rows }) => rows >= 0.01)
    .toSorted((a, b) => b.bytes + b.index_bytes - (a.bytes + a.index_bytes))
  const bytesOf = ({ bytes, index_bytes }: TableSize) => bytes + index_bytes
  const kept = grown.filter(({ name }) => keptDays(name) === null).reduce((sum, size) => sum + bytesOf(size), 0)
  const leaving = grown.reduce((sum, size) => sum + bytesOf(size) * (keptDays(size.name) ?? 0), 0)
  return [
    {
      title: 'what one collection leaves',
      columns: ['rows', 'bytes', 'index bytes', 'days kept'],
      rows: grown.map(({ name, rows, bytes, index_bytes }) => ({
        name,
        values: [rows, bytes, index_bytes, keptDays(name)],
      })),
    },
    {
      title: 'gigabytes of tables and indexes',
      columns: ['a day', 'kept a year', 'that leave', 'after a year'],
      rows: MILLIONS_A_DAY.map((millions) => {
        const each = (bytes: number) => (bytes * millions * 1e6) / GB
        const day = grown.reduce((sum, size) => sum + bytesOf(size), 0)
        return {
          name: `${millions} million collections a day`,
          values: [each(day), each(kept) * 365, each(leaving), each(kept) * 365 + each(leaving)],
        }
      }),
    },
  ]
}

function keptDays(table: string): number | null {
  const partitioned = partitionedTables.find(({ table: name }) => name === table)
  return partitioned ? KEPT_DAYS[partitioned.retention] : null
}

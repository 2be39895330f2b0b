import { createHash } from 'node:crypto'
import type { Reader } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { type ArchivedTable, type ArchiveKind, kindRules } from './kinds.ts'

/** A value as PostgreSQL writes it as text. */
export type Cell = string | null

export interface TableRows {
  table: string
  columns: string[]
  encrypted: readonly string[]
  rows: { subject: number; cells: Cell[] }[]
}

/** All rows of these subjects, every column of them. Equal rows are always read in the same order. */
export async function readSubjects(db: Reader, kind: ArchiveKind, ids: readonly number[]): Promise<TableRows[]> {
  const { tables } = kindRules[kind]
  const columns = await readColumns(
    db,
    tables.map(({ table }) => table),
  )
  return Promise.all(tables.map((table) => readRows(db, table, columns.get(table.table)!, ids)))
}

async function readColumns(db: Reader, tables: readonly string[]): Promise<Map<string, string[]>> {
  const found = await db<{ table: string; columns: string[] }[]>`
    select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relname = any(${[...tables]}::text[]) and c.relnamespace = current_schema()::regnamespace group by c.relname`
  return new Map(found.map(({ table, columns }) => [table, columns]))
}

async function readRows(
  db: Reader,
  { table, from, subject, encrypted, omitted }: ArchivedTable,
  all_columns: readonly string[],
  ids: readonly number[],
): Promise<TableRows> {
  const columns = all_columns.filter((column) => column !== omitted)
  const texts = columns.map((column) => sql`t.${sql.identifier(column)}::text`)
  const rows = await db<{ subject: number; cells: Cell[] }[]>`
    select ${subject} as subject, array[${sql.join(texts, ', ')}] as cells
    from ${from(sql`${[...ids]}::bigint[]`)} order by subject, cells`
  return { table, columns, encrypted, rows: [...rows] }
}

/** The SHA-256 of all rows of each subject, in hex. Subjects without a row of their own are left out. */
export function digestSubjects(tables: readonly TableRows[]): Map<number, string> {
  const hashes = new Map(tables[0]!.rows.map(({ subject }) => [subject, createHash('sha256')]))
  for (const { table, rows } of tables)
    for (const { subject, cells } of rows) hashes.get(subject)?.update(JSON.stringify([table, cells]))
  return new Map([...hashes].map(([subject, hash]) => [subject, hash.digest('hex')]))
}

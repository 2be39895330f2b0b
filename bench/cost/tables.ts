import type { Table } from '../measurements.ts'
import type { Counts, Statement, WrittenTable } from './counters.ts'
import { costByPhase } from './phases.ts'

export interface HttpCalls {
  name: string
  calls: number
}

const MAX_STATEMENTS = 40
/** Characters that identify a statement. */
const TEXT_LENGTH = 90

/** The bill: all counts of a run of `collections` collections, for one of them. Times are in µs. */
export function tablesOf(counts: Counts, http: readonly HttpCalls[], collections: number): Table[] {
  const each = (values: readonly number[]) => values.map((value) => value / collections)
  const statements = counts.statements.filter(({ toplevel }) => toplevel)
  const totals: [string, number][] = [
    ['transactions', counts.commits],
    ['statements', sumOf(statements, ({ calls }) => calls)],
    ['rows written', sumOf(counts.tables, ({ inserted, updated, deleted }) => inserted + updated + deleted)],
    ['index entries', sumOf(counts.tables, ({ index_entries }) => index_entries)],
    ['bytes of WAL', counts.wal_bytes],
    ['of these: images of pages', counts.page_image_bytes],
    ['processor time of the service, µs', counts.service_ms * 1_000],
    ['processor time of PostgreSQL, µs', counts.postgres_ms * 1_000],
    ...http.map(({ name, calls }): [string, number] => [name, calls]),
  ]
  return [
    {
      title: 'one collection',
      columns: ['in all'],
      rows: totals.map(([name, value]) => ({ name, values: each([value]) })),
    },
    {
      title: 'by phase',
      columns: ['transact.', 'statements', 'rows', 'WAL bytes', 'plan µs', 'run µs'],
      rows: costByPhase(counts.statements).map(
        ({ name, transactions, rows, wal_bytes, plan_ms, exec_ms, ...cost }) => ({
          name,
          values: each([transactions, cost.statements, rows, wal_bytes, plan_ms * 1_000, exec_ms * 1_000]),
        }),
      ),
    },
    {
      title: 'by table',
      columns: ['inserted', 'updated', 'in page', 'deleted', 'index', 'WAL bytes'],
      rows: counts.tables
        .filter(({ inserted, updated, deleted }) => inserted + updated + deleted > 0)
        .toSorted((a, b) => b.wal_bytes - a.wal_bytes)
        .map(({ name, ...table }) => ({ name, values: each(valuesOf(table)) })),
    },
    {
      title: 'by index',
      columns: ['entries'],
      rows: counts.indexes.map(({ table, name, entries }) => ({ name: `${table}: ${name}`, values: each([entries]) })),
    },
    {
      title: 'the statements that take longest',
      columns: ['calls', 'plan µs', 'run µs'],
      rows: statements
        .toSorted((a, b) => timeOf(b) - timeOf(a))
        .slice(0, MAX_STATEMENTS)
        .map(({ query, calls, plan_ms, exec_ms }) => ({
          name: query.trim().replace(/\s+/g, ' ').slice(0, TEXT_LENGTH),
          values: each([calls, plan_ms * 1_000, exec_ms * 1_000]),
        })),
    },
  ]
}

function valuesOf(table: Omit<WrittenTable, 'name'>): number[] {
  const { inserted, updated, updated_in_page, deleted, index_entries, wal_bytes } = table
  return [inserted, updated, updated_in_page, deleted, index_entries, wal_bytes]
}

function timeOf({ plan_ms, exec_ms }: Statement): number {
  return plan_ms + exec_ms
}

function sumOf<Item>(items: readonly Item[], numberOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + numberOf(item), 0)
}

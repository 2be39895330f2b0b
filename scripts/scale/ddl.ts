import type { Reader } from '../../src/db/client.ts'
import {
  type ForeignKey,
  isDistributed,
  keysWithoutOrganization,
  kindOfForeignKey,
  listForeignKeys,
  listUniqueKeys,
  nameOfKey,
  type UniqueKey,
} from './keys.ts'
import { DISTRIBUTION_COLUMN, distributedTables, tables } from './tables.ts'

/** One part of the DDL, with what it is for. */
export interface DdlPart {
  title: string
  statements: string[]
}

const FIRST = 'accounts'

/**
 * The DDL that would spread this schema over the servers of a Citus cluster, made of the declared lists and the real keys. It
 * shows how far the schema is from it. The service does not run on the result (docs/scale.md, "What remains open").
 */
export async function distributionDdl(db: Reader): Promise<DdlPart[]> {
  const foreign = (await listForeignKeys(db)).filter(
    (key) => kindOfForeignKey(key) !== 'kept' || touchesDistributed(key),
  )
  const unique = (await listUniqueKeys(db)).filter(
    (key) => isDistributed(key.table) && !key.columns.includes(DISTRIBUTION_COLUMN),
  )
  const colocated = foreign.filter((key) => kindOfForeignKey(key) === 'colocated')
  const kept = foreign.filter((key) => kindOfForeignKey(key) === 'kept')
  return [
    { title: 'Foreign keys go before tables move, and come back afterwards', statements: foreign.map(dropForeignKey) },
    {
      title: 'Tables without the column get it, from the table that has it; the service must fill it from then on',
      statements: distributedTables.flatMap(({ table, through }) =>
        through ? [`alter table ${table} add column ${DISTRIBUTION_COLUMN} bigint; -- of ${through}`] : [],
      ),
    },
    { title: 'Unique keys get the organization', statements: unique.flatMap(widenUniqueKey) },
    {
      title: 'Copies on each server',
      statements: Object.entries(tables).flatMap(([table, { kind }]) =>
        kind === 'reference' ? [`select create_reference_table('${table}');`] : [],
      ),
    },
    {
      title: 'Rows on the server of their organization; partitions follow their table',
      statements: distributedTables
        .toSorted((a, b) => Number(b.table === FIRST) - Number(a.table === FIRST))
        .map(({ table }) => distribute(table)),
    },
    { title: 'Foreign keys between rows of one organization', statements: colocated.flatMap(widenForeignKey) },
    { title: 'Foreign keys to copies', statements: kept.map((key) => addForeignKey(key, key.definition)) },
    {
      title: 'These stay on one server',
      statements: Object.entries(tables).flatMap(([table, placement]) =>
        placement.kind === 'local' ? [`-- ${table}: ${placement.reason}`] : [],
      ),
    },
  ]
}

export function printDdl(parts: readonly DdlPart[]): string {
  return parts.map(({ title, statements }) => `-- ${title}.\n${statements.join('\n')}\n`).join('\n')
}

function touchesDistributed({ table, to }: ForeignKey): boolean {
  return isDistributed(table) || isDistributed(to)
}

function distribute(table: string): string {
  const with_ = table === FIRST ? 'none' : FIRST
  return `select create_distributed_table('${table}', '${DISTRIBUTION_COLUMN}', colocate_with => '${with_}');`
}

/** Replaces a unique key by one that begins with the organization. The columns of an index follow its first bracket. */
function widenUniqueKey(key: UniqueKey): string[] {
  const { table, index, constraint, columns, definition } = key
  const remark = keysWithoutOrganization[nameOfKey(key)] === 'open' ? ' -- no longer unique over all organizations' : ''
  const wider = listColumns([DISTRIBUTION_COLUMN, ...columns])
  if (constraint)
    return [
      `alter table ${table} drop constraint ${index};`,
      `alter table ${table} add constraint ${index} ${constraint} (${wider});${remark}`,
    ]
  return [`drop index ${index};`, `${definition.replace('(', `(${DISTRIBUTION_COLUMN}, `)};${remark}`]
}

function dropForeignKey({ table, name }: ForeignKey): string {
  return `alter table ${table} drop constraint ${name};`
}

function addForeignKey({ table, name }: ForeignKey, definition: string): string {
  return `alter table ${table} add constraint ${name} ${definition};`
}

function widenForeignKey(key: ForeignKey): string[] {
  const columns = (names: readonly string[]) => listColumns([DISTRIBUTION_COLUMN, ...names])
  return [addForeignKey(key, `foreign key (${columns(key.columns)}) references ${key.to} (${columns(key.to_columns)})`)]
}

/** The names of columns in SQL; `user` is a reserved word. */
function listColumns(names: readonly string[]): string {
  return names.map((name) => (name === 'user' ? '"user"' : name)).join(', ')
}

import { begin, type Database, type Reader } from '../../../src/db/client.ts'
import { isConcurrent, readKind, runsOutside, statementsOf } from '../../../src/db/migration-files.ts'

/*
 * The rules for migrations: processes of the version before go on while they are applied, and nothing is locked for long.
 * A migration is run, statement by statement if it runs outside of a transaction, and the schema is compared.
 */

interface Column {
  table: string
  name: string
  type: string
  required: boolean
  filled: boolean
}

interface Constraint {
  table: string
  name: string
  is_checked: boolean
}

interface Schema {
  /** The file of each table: it changes when all rows are written anew. */
  tables: Map<string, number>
  columns: Map<string, Column>
  constraints: Map<string, Constraint>
  /** The table of each index. */
  indexes: Map<string, string>
}

async function readSchema(db: Reader): Promise<Schema> {
  const tables = await db<{ name: string; file: number | null }[]>`
    select relname as name, pg_relation_filenode(oid)::bigint as file from pg_class
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`
  const columns = await db<Column[]>`
    select c.relname as table, attname as name, format_type(atttypid, atttypmod) as type, attnotnull as required,
      atthasdef or attidentity <> '' or attgenerated <> '' as filled
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped`
  const constraints = await db<Constraint[]>`
    select c.relname as table, conname as name, convalidated as is_checked
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where c.relnamespace = 'public'::regnamespace and contype in ('c', 'f', 'n')`
  const indexes = await db<{ name: string; table: string }[]>`
    select i.relname as name, c.relname as table from pg_index x
    join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
    where c.relnamespace = 'public'::regnamespace`
  return {
    tables: new Map(tables.map(({ name, file }) => [name, file ?? 0])),
    columns: new Map(columns.map((column) => [`${column.table}.${column.name}`, column])),
    constraints: new Map(constraints.map((one) => [`${one.name} of ${one.table}`, one])),
    indexes: new Map(indexes.map(({ name, table }) => [name, table])),
  }
}

/**
 * Apply a migration, and return what is wrong with it, in sentences.
 * @param released the migrations of the last release, of which a narrowing one must need one
 */
export async function tryMigration(db: Database, text: string, released: readonly string[]): Promise<string[]> {
  const { kind, needs } = readKind(text)
  if (kind === null) return ['It does not say `-- Kind: widen` or `-- Kind: narrow; needs …` in its first comment.']
  const faults: string[] = []
  if (needs !== null && !released.includes(needs))
    faults.push(`It needs ${needs}, which the last release does not have: that release may still use what is removed.`)
  for (const statement of runsOutside(text) ? statementsOf(text) : [text]) {
    const before = await readSchema(db)
    const locked = await run(db, statement, before)
    const after = await readSchema(db)
    if (locked.length > 1) faults.push(`It locks ${locked.join(', ')} in one transaction; lock one table in each.`)
    faults.push(...findLongLocks(statement, before, after), ...(kind === 'widen' ? findLosses(before, after) : []))
    faults.push(...findDemands(before, after))
  }
  return faults
}

/** Run a statement, and return the tables that no other session could read until its transaction ended. */
async function run(db: Database, statement: string, { tables }: Schema): Promise<string[]> {
  if (isConcurrent(statement)) {
    await db.unsafe(statement)
    return []
  }
  return begin(db, async (tx) => {
    await tx.unsafe(statement)
    const rows = await tx<{ name: string }[]>`
      select distinct c.relname as name from pg_locks l join pg_class c on c.oid = l.relation
      where l.pid = pg_backend_pid() and l.mode = 'AccessExclusiveLock' and c.relkind in ('r', 'p') order by 1`
    return rows.map(({ name }) => name).filter((name) => tables.has(name))
  })
}

/** Find work that takes as long as a table is large while it is locked. */
function findLongLocks(statement: string, before: Schema, after: Schema): string[] {
  const rewritten = [...before.tables].filter(
    ([name, file]) => after.tables.has(name) && after.tables.get(name) !== file,
  )
  const built = [...after.indexes].filter(([name, table]) => !before.indexes.has(name) && before.tables.has(table))
  const checked = [...after.constraints].filter(
    ([key, { table, is_checked }]) => is_checked && !before.constraints.has(key) && before.tables.has(table),
  )
  return [
    ...rewritten.map(([name]) => `It writes all rows of ${name} anew.`),
    ...(isConcurrent(statement) ? [] : built.map(([name]) => `It builds the index ${name} while others cannot write.`)),
    ...checked
      // A column that is added with a value for all rows satisfies "not null" without a look at them.
      .filter(([key]) => !isOfNewColumn(key, before, after))
      .map(([key]) => `It checks all rows for ${key}; add it \`not valid\`, and validate it outside of a transaction.`),
  ]
}

function isOfNewColumn(key: string, before: Schema, after: Schema): boolean {
  return [...after.columns].some(
    ([name, { table, name: column }]) => !before.columns.has(name) && key === `${table}_${column}_not_null of ${table}`,
  )
}

/** Find parts that the earlier version may use but that are gone. */
function findLosses(before: Schema, after: Schema): string[] {
  const tables = [...before.tables.keys()].filter((name) => !after.tables.has(name))
  const columns = [...before.columns].filter(([key, { table }]) => !after.columns.has(key) && !tables.includes(table))
  return [
    ...tables.map((name) => `It takes the table ${name} away.`),
    ...columns.map(([key]) => `It takes the column ${key} away.`),
  ]
}

/** Find constraints that rows of the earlier version do not satisfy. */
function findDemands(before: Schema, after: Schema): string[] {
  return [...after.columns].flatMap(([key, column]) => {
    const earlier = before.columns.get(key)
    if (!before.tables.has(column.table)) return []
    if (earlier && earlier.type !== column.type) return [`It changes the type of ${key}; add another column.`]
    const is_new_demand = column.required && !column.filled && !(earlier?.required && !earlier.filled)
    return is_new_demand ? [`It wants a value in ${key}, which the version before does not write.`] : []
  })
}

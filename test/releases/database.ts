import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkLedger } from '../../src/core/ledger/transfers.ts'
import { connect } from '../../src/db/client.ts'
import { runsOutside } from '../../src/db/migration-files.ts'

/** Connection to a database, for statements that are written out in full. */
export interface Statements {
  /** Run one statement, or many when their rows do not count. */
  run<T extends object>(text: string): Promise<T[]>
  close(): Promise<void>
}

/** Open one connection to the database at `url`. */
export function openStatements(url: string): Statements {
  const db = connect(url, { connections: 1, application: 'tests of releases' })
  return {
    run: async <T extends object>(text: string) => [...(await db.unsafe<T[]>(text))],
    close: () => db.end({ timeout: 5 }),
  }
}

/** The address of the server that runs in a data folder. */
export async function databaseUrlIn(data_dir: string): Promise<string> {
  const read = (path: string) => readFile(join(data_dir, 'postgresql', path), 'utf8')
  const port = (await read('cluster/postmaster.pid')).split('\n')[3]
  return `postgres://kusanya:${(await read('password')).trim()}@127.0.0.1:${port}/kusanya`
}

/** Return the faults in the books of the database at `url`, in sentences. */
export async function auditBooks(url: string): Promise<string[]> {
  const db = connect(url, { connections: 1, application: 'tests of releases' })
  try {
    return await checkLedger(db)
  } finally {
    await db.end({ timeout: 5 })
  }
}

/** Return the number of rows of each table, by its name; partitions count with their table. */
export async function countRows({ run }: Statements): Promise<Record<string, number>> {
  const tables = await run<{ name: string }>(`
    select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace order by relname`)
  const counts: Record<string, number> = {}
  for (const { name } of tables) counts[name] = (await run<{ count: number }>(`select count(*) from ${name}`))[0]!.count
  return counts
}

/** The definitions of tables, columns, constraints, indexes and triggers, one a line. Partitions by time do not count. */
export async function describeSchema({ run }: Statements): Promise<string[]> {
  const rows = await run<{ line: string }>(`
    with tables as (
      select oid, relname, relkind, reloptions from pg_class
      where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
        and not (relispartition and pg_get_expr(relpartbound, oid) like 'FOR VALUES FROM%'))
    select concat_ws(' ', 'table', relname, relkind, reloptions) as line from tables
    union all
    select concat_ws(' ', 'column', relname, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
        pg_get_expr(adbin, adrelid))
      from tables join pg_attribute on attrelid = oid and attnum > 0 and not attisdropped
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
    union all
    select concat_ws(' ', 'constraint', relname, conname, pg_get_constraintdef(c.oid))
      from tables t join pg_constraint c on conrelid = t.oid where contype <> 'n'
    union all
    select concat_ws(' ', 'index', pg_get_indexdef(indexrelid)) from tables join pg_index on indrelid = oid
    union all
    select concat_ws(' ', 'trigger', pg_get_triggerdef(g.oid)) from tables t join pg_trigger g on tgrelid = t.oid
      where not tgisinternal
    order by line`)
  return rows.map((row) => row.line)
}

/**
 * Write a database out as SQL: the migrations that made it, word for word, its partitions, its rows and the state of
 * its sequences. It can be restored without the program that made it, into an empty database.
 * @param migrations the folder with the migrations of that program.
 */
export async function dumpDatabase(db: Statements, migrations: string): Promise<string> {
  const made = readdirSync(migrations)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(migrations, name), 'utf8') }))
    .map(({ name, text }) => (runsOutside(text) ? `-- ${name}\n${text}` : `-- ${name}\nbegin;\n${text}\ncommit;`))
  return [
    "set timezone = 'UTC';",
    "create table migrations (name text primary key, applied timestamptz not null default now(), kind text not null check (kind in ('widen', 'narrow')), needs text);",
    ...made,
    ...(await dumpPartitions(db)),
    '-- The rows. Triggers and foreign keys are off for this transaction.',
    'begin;',
    'set local session_replication_role = replica;',
    ...(await dumpRows(db)),
    ...(await dumpSequences(db)),
    'commit;',
    await dumpClock(db),
    '',
  ].join('\n')
}

interface Partition {
  name: string
  parent: string
  bound: string
  options: string
}

/** Partitions by time. The migrations make others, whose bounds depend on the day; those are removed. */
async function dumpPartitions({ run }: Statements): Promise<string[]> {
  const partitions = await run<Partition>(`
    select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound,
      coalesce(array_to_string(c.reloptions, ', '), '') as options
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where c.relkind = 'r' and pg_get_expr(c.relpartbound, c.oid) like 'FOR VALUES FROM%'
    order by p.relname, c.relname`)
  const lines = partitions.map(
    ({ name, parent, bound, options }) => `
do $$ begin
  if to_regclass('${name}') is null then
    create table ${name} (like ${parent} including defaults including constraints)${options && ` with (${options})`};
  end if;
  alter table ${parent} attach partition ${name} ${bound};
end $$;`,
  )
  const kept = partitions.map(({ name }) => `'${name}'`).join(', ')
  return [
    '-- The partitions by time.',
    `do $$
declare
  made record;
begin
  for made in
    select c.relname as name, p.relname as parent
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where c.relkind = 'r' and pg_get_expr(c.relpartbound, c.oid) like 'FOR VALUES FROM%'
  loop
    execute format('alter table %I detach partition %I', made.parent, made.name);
    if made.name <> all (array[${kept}]::text[]) then execute format('drop table %I', made.name); end if;
  end loop;
end $$;`,
    ...lines,
  ]
}

async function dumpRows({ run }: Statements): Promise<string[]> {
  const tables = await run<{ name: string; columns: string[] }>(`
    select c.relname as name, array_agg(quote_ident(attname) order by attnum) as columns
    from pg_class c join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
    where relkind = 'r' and relnamespace = 'public'::regnamespace group by c.relname order by c.relname`)
  const lines = [`truncate ${tables.map(({ name }) => name).join(', ')};`]
  for (const { name, columns } of tables) {
    const values = columns.map((column) => `quote_nullable(${column}::text)`).join(', ')
    const rows = await run<{ row: string }>(`select concat_ws(', ', ${values}) as row from ${name} order by 1`)
    if (rows.length > 0)
      lines.push(
        `insert into ${name} (${columns.join(', ')}) overriding system value values`,
        `${rows.map(({ row }) => `(${row})`).join(',\n')};`,
      )
  }
  return lines
}

async function dumpSequences({ run }: Statements): Promise<string[]> {
  const sequences = await run<{ name: string; last: string | null }>(`
    select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public' order by 1`)
  return sequences.map(({ name, last }) => `select setval('${name}', ${last ?? 1}, ${last !== null});`)
}

/** The clock of the sandbox continues from the time of the dump, on whatever day the dump is restored. */
async function dumpClock({ run }: Statements): Promise<string> {
  const [row] = await run<{ now: string }>(`
    select (now() + value::bigint * interval '1 millisecond')::text as now from flags where name = 'clock_offset_ms'`)
  return `-- The clock of the sandbox continues from the time of the dump, on whatever day the dump is restored.
update flags set value = (extract(epoch from timestamptz '${row!.now}' - now()) * 1000)::bigint::text
where name = 'clock_offset_ms';`
}

import { readdir, readFile } from 'node:fs/promises'

const MIGRATIONS_FOLDER = new URL('../../migrations/', import.meta.url)

/**
 * Effect of a migration on processes of the version before, which go on beside it. `widen` only adds things that they
 * do not know. `narrow` removes things that no version uses that knows the migration `needs`.
 */
type MigrationKind = { kind: 'widen'; needs: null } | { kind: 'narrow'; needs: string }

/** The first line of a migration whose statements run one by one, because they build indexes while others write. */
const OUTSIDE_OF_TRANSACTION = '-- Outside of a transaction'

/** True if the statements of a migration run one by one. */
export function runsOutside(text: string): boolean {
  return text.startsWith(OUTSIDE_OF_TRANSACTION)
}

/** The statements of such a migration. Each ends with a semicolon at the end of a line; in a body between `$$` lines do not count. */
export function statementsOf(text: string): string[] {
  const bodies = text.replaceAll(/^--.*$/gm, '').split('$$')
  const marked = bodies.map((part, index) => (index % 2 === 1 ? part.replaceAll(/;(?=\s*\n)/g, END_IN_BODY) : part))
  const statements = marked.join('$$').split(/;\s*\n/)
  return statements.map((one) => one.replaceAll(END_IN_BODY, ';')).filter((one) => one.trim() !== '')
}

/** Stands for a semicolon that does not end its statement. */
const END_IN_BODY = '\u0000'

/**
 * True if a statement lets others read and write its table while it runs. It waits for open transactions without
 * blocking new ones, so that it needs no time limit. If it is ended, it leaves an invalid index behind.
 */
export function isConcurrent(statement: string): boolean {
  return (
    /^\s*(create (unique )?index|drop index) concurrently\b/i.test(statement) ||
    /\bvalidate constraint\b/i.test(statement)
  )
}

/**
 * The kind of a migration, from the line `-- Kind: widen` or `-- Kind: narrow; needs 0060_name.sql` in the comment at its
 * beginning. @throws Error for one without such a line, and for a line of another form
 */
export function readKind(text: string): MigrationKind {
  const beginning = /^(?:--.*\n)*/.exec(text)![0]
  const line = /^-- Kind: *(.*)$/m.exec(beginning)?.[1]?.trim()
  if (line === 'widen') return { kind: 'widen', needs: null }
  const needs = /^narrow; needs (\d{4}_[a-z0-9-]+\.sql)$/.exec(line ?? '')?.[1]
  if (needs === undefined) throw new Error(`"-- Kind: ${line ?? ''}" must be "widen" or "narrow; needs 0060_name.sql".`)
  return { kind: 'narrow', needs }
}

/** The text of a migration, by its name. */
export function readMigration(name: string): Promise<string> {
  return readFile(new URL(name, MIGRATIONS_FOLDER), 'utf8')
}

/** The files in the order in which they apply. @throws Error for a name that would be passed over in silence, or a number given twice */
export async function listMigrations(): Promise<string[]> {
  const files = (await readdir(MIGRATIONS_FOLDER)).filter((name) => name.endsWith('.sql')).sort()
  const misnamed = files.find((name) => !/^\d{4}_[a-z0-9-]+\.sql$/.test(name))
  if (misnamed) throw new Error(`The migration ${misnamed} must be named like 0001_installation.sql.`)
  const duplicate = files.find((name, index) => name.slice(0, 4) === files[index - 1]?.slice(0, 4))
  if (duplicate) throw new Error(`The migration ${duplicate} has the number of another.`)
  return files
}

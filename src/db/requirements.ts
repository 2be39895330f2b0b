import type { TimeLimits } from '../lib/time-limits.ts'
import { requireCellOf } from './cell.ts'
import { type Database, sessionSettings } from './client.ts'
import { UnsuitableDatabase } from './failures.ts'

/** PostgreSQL 18. Statements read `old` rows in `returning`, which earlier versions do not know. */
const MIN_VERSION = 180_000

/** Letters that a locale without Unicode, such as `C`, does not write small. Names have them from Abidjan to Lagos. */
const CAPITALS = 'ÉṢÑ'

/** Statement that makes a database which knows them, on any server. */
const CREATE_DATABASE =
  "create database kusanya template template0 encoding 'UTF8' locale_provider builtin builtin_locale 'C.UTF-8' locale 'C'"

/**
 * Checks that the service can work with this database: its version, encoding and locale. Behind a connection pooler it also
 * checks the settings of sessions, which a pooler does not pass on.
 * @throws UnsuitableDatabase
 */
export async function requireSuitableDatabase(
  db: Database,
  options: { pooler: boolean; limits: TimeLimits; cell?: number },
): Promise<void> {
  const [server] = await db<{ version: number; name: string; role: string; encoding: string }[]>`
    select current_setting('server_version_num')::integer as version, current_setting('server_version') as name,
      quote_ident(current_user) as role, current_setting('server_encoding') as encoding`
  const { version, name, role, encoding } = server!
  if (version < MIN_VERSION)
    throw new UnsuitableDatabase(
      `Kusanya needs PostgreSQL 18 or later. The database at DATABASE_URL is PostgreSQL ${name}.`,
    )
  await requireLetters(db, encoding)
  await requireCellOf(db, options.cell ?? 0)
  if (!options.pooler) return
  const wrong = await findWrongSettings(db, sessionSettings(options.limits))
  if (wrong.length === 0) return
  const statements = wrong.map(([setting, value]) => `alter role ${role} set ${setting} = '${value}';`)
  throw new UnsuitableDatabase(
    `Behind a connection pooler the role of DATABASE_URL needs settings of its own. Run this SQL, then restart the pooler: ${statements.join(' ')}`,
  )
}

/** @throws UnsuitableDatabase if the database cannot store the names of people, or not compare them */
async function requireLetters(db: Database, encoding: string): Promise<void> {
  if (encoding !== 'UTF8')
    throw new UnsuitableDatabase(
      `Kusanya needs a database in UTF8. The one at DATABASE_URL is in ${encoding}, which cannot store every name. Create another: ${CREATE_DATABASE};`,
    )
  const [found] = await db<{ small: string }[]>`select lower(${CAPITALS}::text) as small`
  if (found!.small !== CAPITALS.toLowerCase())
    throw new UnsuitableDatabase(
      `The locale of the database at DATABASE_URL does not know letters such as ${CAPITALS[0]}, so no search would find names with them. Create another: ${CREATE_DATABASE};`,
    )
}

/** The settings that this session should have and has not. PostgreSQL compares them, since it knows 60s and 1min as equal. */
async function findWrongSettings(db: Database, wanted: Record<string, string>): Promise<[string, string][]> {
  const rows = await db<{ name: string; unit: string | null; setting: string }[]>`
    select name, unit, setting from pg_settings where name = any(${Object.keys(wanted)}::text[])`
  const present = new Map(
    rows.map(({ name, unit, setting }) => [name, unit === 'ms' ? `${Number(setting) / 1_000}s` : setting]),
  )
  return Object.entries(wanted).filter(([name, value]) => present.get(name)?.toLowerCase() !== value.toLowerCase())
}

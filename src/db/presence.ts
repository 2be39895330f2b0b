import type { Database } from './client.ts'

/** What a running process does for everybody who uses its database. */
export type Role = 'api' | 'jobs'

const ROLES: readonly Role[] = ['api', 'jobs']

/**
 * Shows that this process is there, for as long as it lives: it holds advisory locks, shared by all that do the same,
 * which PostgreSQL takes away with the connection. One connection of the pool is kept for that.
 */
export async function showPresence(db: Database, roles: readonly Role[]): Promise<{ withdraw(): Promise<void> }> {
  const connection = await db.reserve()
  for (const role of roles) await connection`select pg_advisory_lock_shared(${SPACE}::int, ${ROLES.indexOf(role)}::int)`
  return {
    async withdraw() {
      await connection`select pg_advisory_unlock_all()`.catch(() => {})
      connection.release()
    },
  }
}

/** What is being done, by any process, for the users of this database. */
export async function presentRoles(db: Database): Promise<Set<Role>> {
  const rows = await db<{ role: number }[]>`
    select distinct objid::int as role from pg_locks
    where locktype = 'advisory' and classid = ${SPACE}::oid and objsubid = 2 and granted
      and database = (select oid from pg_database where datname = current_database())`
  return new Set(rows.flatMap(({ role }) => ROLES[role] ?? []))
}

/** The first half of the locks' names: "kusa" in ASCII. */
const SPACE = 0x6b757361

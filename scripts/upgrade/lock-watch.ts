import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../src/db/client.ts'
import { untilConnected } from './until-connected.ts'

/** Longest duration, and its place. */
export interface Longest {
  ms: number
  what: string
}

/** Effects of a migration on existing tables. */
export interface LockReport {
  migration: string
  duration_ms: number
  /** Longest time for which it held a lock that keeps writers waiting. */
  writers: Longest
  /** Longest time for which it held a lock that keeps readers waiting as well. */
  readers: Longest
  /** Longest wait of a small read and write of a large table. */
  probe: Longest
}

const EVERY_MS = 10
const PROBE_EVERY_MS = 20
const NOTHING: Longest = { ms: 0, what: '' }

/** Watch the locks of migrations, and try all the while to use the large tables. */
export class LockWatch {
  readonly reports: LockReport[] = []
  readonly #db: Database
  readonly #tables: readonly number[]
  #current: LockReport | undefined
  #begun = 0
  #stopped = false
  #work: Promise<unknown> = Promise.resolve()

  /** @param tables the oids of the tables that are probed */
  constructor(db: Database, tables: readonly number[]) {
    this.#db = db
    this.#tables = tables
  }

  start(): void {
    this.#work = Promise.all([this.#sample(), ...this.#tables.map((table) => this.#probe(table))])
    // `stop` throws the error after the migrations.
    this.#work.catch(() => {})
  }

  /** A migration begins; the one before has ended. */
  begin(migration: string): void {
    this.#end()
    if (this.#current?.migration === migration) return
    this.#begun = performance.now()
    this.#current = { migration, duration_ms: 0, writers: NOTHING, readers: NOTHING, probe: NOTHING }
    this.reports.push(this.#current)
  }

  async stop(): Promise<LockReport[]> {
    this.#end()
    this.#stopped = true
    await this.#work
    return this.reports
  }

  #end(): void {
    if (this.#current) this.#current.duration_ms = performance.now() - this.#begun
  }

  /** Read which locks the migration holds on tables that the version before uses: not on those that migrations make. */
  async #sample(): Promise<void> {
    const used = await untilConnected(
      () => this.#db<{ oid: number }[]>`select oid::bigint as oid from pg_class where relkind in ('r', 'p')`,
    )
    const since = new Map<string, number>()
    while (!this.#stopped) {
      const now = performance.now()
      const rows = await untilConnected(() => this.#readLocks(used.map(({ oid }) => oid)))
      const held = new Set(rows.map(({ name, mode }) => `${name} ${mode}`))
      for (const key of since.keys()) if (!held.has(key)) since.delete(key)
      for (const key of held) {
        since.set(key, since.get(key) ?? now)
        this.#note(key, performance.now() - since.get(key)!)
      }
      await sleep(EVERY_MS)
    }
  }

  #readLocks(tables: readonly number[]): Promise<{ name: string; mode: string }[]> {
    return this.#db<{ name: string; mode: string }[]>`
      select c.relname as name, l.mode from pg_locks l
      join pg_stat_activity a on a.pid = l.pid join pg_class c on c.oid = l.relation
      where l.granted and l.locktype = 'relation' and a.application_name = 'kusanya: migration'
        and c.oid = any(${[...tables]}::oid[]) and c.relname not like '%\\_earlier'
        and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`
  }

  #note(key: string, ms: number): void {
    const report = this.#current
    if (!report) return
    const what = key.replace(/Lock$/, '')
    if (ms > report.writers.ms) report.writers = { ms, what }
    if (key.endsWith(' AccessExclusiveLock') && ms > report.readers.ms) report.readers = { ms, what }
  }

  async #probe(table: number): Promise<void> {
    while (!this.#stopped) {
      const report = this.#current
      const begun = performance.now()
      const name = await untilConnected(() => this.#use(table))
      const ms = performance.now() - begun
      if (report && name && ms > report.probe.ms) report.probe = { ms, what: name }
      await sleep(PROBE_EVERY_MS)
    }
  }

  /** Read a row of a table and take a writer's lock. A migration may rename the table in between. */
  async #use(table: number): Promise<string | undefined> {
    const [found] = await this.#db<{ name: string }[]>`select relname as name from pg_class where oid = ${table}`
    // No version uses a table under such a name; its rows are reached over the partitioned table.
    if (!found || found.name.endsWith('_earlier')) return undefined
    const { name } = found
    try {
      await this.#db.unsafe(`select from ${name} limit 1; delete from ${name} where false`)
    } catch (error) {
      if ((error as { code?: string }).code !== UNDEFINED_TABLE) throw error
    }
    return name
  }
}

const UNDEFINED_TABLE = '42P01'

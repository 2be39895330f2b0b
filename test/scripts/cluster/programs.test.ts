import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, type Database } from '../../../src/db/client.ts'
import { startEmbedded } from '../../../src/db/embedded/embedded.ts'

const SOURCE = fileURLToPath(new URL('../../../scripts/cluster/postgres-programs.py', import.meta.url))
const has = (module: string) => spawnSync('/usr/bin/python3', ['-c', `import ${module}`]).status === 0
const reason = has('psycopg2') ? '' : ' (skipped: python3-psycopg2 is not installed)'

let folder: string
let server: Awaited<ReturnType<typeof startEmbedded>>
let db: Database

describe.skipIf(reason !== '')(`the programs of PostgreSQL that Patroni calls${reason}`, () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kusanya-programs-'))
    await chmod(folder, 0o755)
    server = await startEmbedded({ data_dir: folder, settings: { wal_log_hints: 'on', max_connections: '37' } })
    db = connect(server.url, { connections: 1, application: 'tests' })
    for (const name of ['pg_controldata', 'pg_isready', 'copy_leader']) symlinkSync(SOURCE, join(folder, name))
  })
  afterAll(async () => {
    await db?.end({ timeout: 1 })
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const run = (name: string, ...args: string[]) =>
    spawnSync('/usr/bin/python3', [join(folder, name), ...args], { encoding: 'utf8' })

  it('read the control file as PostgreSQL itself does', async () => {
    await db.unsafe('checkpoint')
    const cluster = await dataFolder()
    const lines = run('pg_controldata', cluster).stdout.trim().split('\n')
    const values = Object.fromEntries(lines.map((line) => line.split(/: (.*)/)))
    const [wanted] = await db<Record<string, string>[]>`
      select s.system_identifier::text as "Database system identifier", c.checkpoint_lsn::text as "Latest checkpoint location",
        c.redo_lsn::text as "Latest checkpoint's REDO location", c.timeline_id::text as "Latest checkpoint's TimeLineID",
        'in production' as "Database cluster state", 'on' as "wal_log_hints setting", '37' as "max_connections setting"
      from pg_control_system() s, pg_control_checkpoint() c`
    expect(values).toMatchObject(wanted!)
  })

  it('say whether a server accepts connections', () => {
    const { hostname, port } = new URL(server.url)
    expect(run('pg_isready', '-h', hostname, '-p', port, '-U', 'kusanya').status).toBe(0)
    // No server listens at port 1.
    expect(run('pg_isready', '-h', hostname, '-p', '1', '-U', 'kusanya').status).toBe(2)
  })

  it('copy a server while it runs, without what belongs to the running one', async () => {
    await db.unsafe('create table kept as select 42 as number')
    const target = join(folder, 'copy')
    mkdirSync(target, { mode: 0o700 })
    const { hostname, port, username, password } = new URL(server.url)
    const address = `host=${hostname} port=${port} user=${username} password=${password}`
    const copied = run('copy_leader', `--datadir=${target}`, `--connstring=${address}`)
    expect(copied).toMatchObject({ status: 0, stderr: '' })
    const names = readdirSync(target)
    expect(names).toEqual(expect.arrayContaining(['backup_label', 'global', 'base', 'pg_wal', 'pg_replslot']))
    expect(names).not.toContain('postmaster.pid')
    expect(readdirSync(join(target, 'pg_replslot'))).toEqual([])
    const label = execFileSync('cat', [join(target, 'backup_label')], { encoding: 'utf8' })
    expect(label).toMatch(/^START WAL LOCATION: /)
  })

  async function dataFolder(): Promise<string> {
    const [row] = await db<{ data_directory: string }[]>`show data_directory`
    return row!.data_directory
  }
})

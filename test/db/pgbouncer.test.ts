import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { begin, connect, type Database, sessionSettings } from '../../src/db/client.ts'
import { changeOwner, findServerUser, spawnOptions } from '../../src/db/embedded/user.ts'
import { UnsuitableDatabase } from '../../src/db/failures.ts'
import { requireSuitableDatabase } from '../../src/db/requirements.ts'
import { TIME_LIMITS } from '../../src/lib/time-limits.ts'
import { cloneDatabase } from '../test-app.ts'

const PGBOUNCER = '/usr/sbin/pgbouncer'
const without_pgbouncer = !existsSync(PGBOUNCER)
const reason = without_pgbouncer ? ` (skipped: ${PGBOUNCER} is not installed)` : ''

/** Connections from the pooler to PostgreSQL, far fewer than from the client to the pooler. */
const SERVER_CONNECTIONS = 2
const CLIENT_CONNECTIONS = 20

let database: Awaited<ReturnType<typeof cloneDatabase>>
let pooler: Awaited<ReturnType<typeof startPooler>>
let db: Database

describe.skipIf(without_pgbouncer)(`a database behind PgBouncer in transaction mode${reason}`, () => {
  beforeAll(async () => {
    database = await cloneDatabase()
    await setSessionDefaults(database.url)
    pooler = await startPooler(database.url)
    db = connect(pooler.url, {
      connections: CLIENT_CONNECTIONS,
      application: 'tests',
      pooler: true,
      direct_url: database.url,
    })
    await db.unsafe('create table counter (name text primary key, value integer not null)')
    await db`insert into counter values ('one', 0), ('two', 0), ('three', 0)`
  })
  afterAll(async () => {
    await db?.end({ timeout: 1 })
    await pooler?.stop()
    await database?.drop()
  })

  it('answers many statements at once over few connections, each with its own result', async () => {
    const numbers = Array.from({ length: 400 }, (_, index) => index)
    const rows = await Promise.all(
      numbers.map(
        (number) => db<{ number: number; pid: number }[]>`
        select ${number}::integer as number, pg_backend_pid() as pid`,
      ),
    )
    expect(rows.map(([row]) => row!.number)).toEqual(numbers)
    const pids = new Set(rows.map(([row]) => row!.pid))
    expect(pids.size).toBeLessThanOrEqual(SERVER_CONNECTIONS)
  })

  it('keeps each of many transactions on one connection, and commits or rolls back each by itself', async () => {
    const numbers = Array.from({ length: 90 }, (_, index) => index)
    const results = await Promise.allSettled(numbers.map((number) => addOne(number)))
    const failed = results.flatMap((result, number) => (result.status === 'rejected' ? [number] : []))
    expect(failed).toEqual(numbers.filter((number) => number % 10 === 9))
    expect(await db`select value from counter where name = 'one'`).toEqual([{ value: 81 }])
  })

  it('goes on after a statement that failed, in a transaction and outside', async () => {
    const attempts = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0
        ? db`select 1 / ${0}::integer`
        : begin(db, async (tx) => {
            await tx`update counter set value = value + 1 where name = 'two'`
            await tx`insert into counter values ('one', 0)`
          }),
    )
    const codes = (await Promise.allSettled(attempts)).map((result) =>
      result.status === 'rejected' ? (result.reason as { code: string }).code : 'fulfilled',
    )
    expect(codes).toEqual(attempts.map((_, index) => (index % 2 === 0 ? '22012' : '23505')))
    expect(await db`select value from counter where name = 'two'`).toEqual([{ value: 0 }])
  })

  it('prepares no statement by name, which a connection of its own does', async () => {
    const look = (on: Database) => on<{ name: string }[]>`select name from pg_prepared_statements`
    const found = await Promise.all(Array.from({ length: 100 }, () => look(db)))
    expect(found.flat()).toEqual([])
    const direct = connect(database.url, { connections: 1, application: 'tests' })
    const named = await look(direct)
    await direct.end()
    expect(named).toHaveLength(1)
  })

  it('listens on a connection of its own to PostgreSQL, and receives what is sent through the pooler', async () => {
    const texts: string[] = []
    const subscription = await db.listen('news', (text) => texts.push(text))
    const [listening] = await db<{ pid: number }[]>`
      select pid from pg_stat_activity where query = 'listen "news"' and datname = current_database()`
    expect(await pooledPids()).not.toContain(listening?.pid)
    expect(listening?.pid).toBeTypeOf('number')
    const sent = Array.from({ length: 50 }, (_, index) => `text ${index}`)
    await Promise.all(sent.map((text) => db.notify('news', text)))
    await begin(db, async (tx) => {
      await tx`select pg_notify('news', 'from a transaction')`
    })
    const expected = [...sent, 'from a transaction'].sort()
    await vi.waitFor(() => expect([...texts].sort()).toEqual(expected), 120_000)
    await subscription.unlisten()
  })

  it('reserves connections to PostgreSQL itself, with settings that the pooler would refuse', async () => {
    const reserved = await db.reserve('maintenance')
    try {
      await reserved.unsafe('create temporary table kept (id integer)')
      await reserved`insert into kept values (7)`
      const [row] = await reserved<{ id: number; pid: number; statement_timeout: string }[]>`
        select id, pg_backend_pid() as pid, current_setting('statement_timeout') as statement_timeout from kept`
      expect(row).toMatchObject({ id: 7, statement_timeout: '0' })
      expect(await pooledPids()).not.toContain(row!.pid)
    } finally {
      reserved.release()
    }
  })

  it('has the isolation that the service needs', async () => {
    const [session] = await db<{ isolation: string }[]>`select current_setting('transaction_isolation') as isolation`
    expect(session).toEqual({ isolation: 'read committed' })
  })

  it('has the settings that the service needs when the SQL of the error was run and the pooler was restarted', async () => {
    const role = `pooled_${randomBytes(6).toString('hex')}`
    const unprepared = await cloneDatabase()
    const url = new URL(unprepared.url)
    url.username = role
    const admin = connect(unprepared.url, { connections: 1, application: 'tests' })
    try {
      await admin.unsafe(`create role ${role} login password '${url.password}'`)
      const error = await checkSettings(url.href).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(UnsuitableDatabase)
      const [sql] = /alter role .*/.exec((error as UnsuitableDatabase).message)!
      await admin.unsafe(sql)
      await expect(checkSettings(url.href)).resolves.toBeUndefined()
    } finally {
      await admin.unsafe(`drop role if exists ${role}`)
      await admin.end()
      await unprepared.drop()
    }
  })
})

/** Give the database the settings that the service requires of a pooler, which passes none on. */
async function setSessionDefaults(url: string): Promise<void> {
  const admin = connect(url, { connections: 1, application: 'tests' })
  const [current] = await admin<{ name: string }[]>`select quote_ident(current_database()) as name`
  for (const [setting, value] of Object.entries(sessionSettings(TIME_LIMITS)))
    await admin.unsafe(`alter database ${current!.name} set ${setting} = '${value}'`)
  await admin.end()
}

/** Start a pooler in front of this database, and check as the service does whether it can work with it. */
async function checkSettings(database_url: string): Promise<void> {
  const own_pooler = await startPooler(database_url)
  const pooled = connect(own_pooler.url, { connections: 1, application: 'tests', pooler: true })
  try {
    await requireSuitableDatabase(pooled, { pooler: true, limits: TIME_LIMITS })
  } finally {
    await pooled.end({ timeout: 1 })
    await own_pooler.stop()
  }
}

/**
 * Add one to the first counter in a transaction of three statements. Every tenth transaction fails and takes it back.
 */
async function addOne(number: number): Promise<void> {
  await begin(db, async (tx) => {
    const [first] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    await tx`update counter set value = value + 1 where name = 'one'`
    await sleep(1)
    const [last] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    if (first!.pid !== last!.pid) throw new Error('The transaction changed its connection.')
    if (number % 10 === 9) throw new Error('This transaction is rolled back.')
  })
}

/** The PostgreSQL processes that the pooler uses. */
async function pooledPids(): Promise<number[]> {
  const rows = await Promise.all(
    Array.from({ length: 100 }, () => db<{ pid: number }[]>`select pg_backend_pid() as pid`),
  )
  return [...new Set(rows.map(([row]) => row!.pid))]
}

/** Start PgBouncer in front of this database, on a free port of this machine. It refuses to run as root. */
async function startPooler(database_url: string): Promise<{ url: string; stop(): Promise<void> }> {
  const user = process.getuid?.() === 0 ? findServerUser() : null
  const folder = mkdtempSync(join(tmpdir(), 'kusanya-pgbouncer-'))
  chmodSync(folder, 0o755)
  const url = new URL(database_url)
  const files = {
    'users.txt': `"${url.username}" "${url.password}"\n`,
    'pgbouncer.ini': poolerConfig(url, await findFreePort(), join(folder, 'users.txt')),
  }
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    changeOwner(user, join(folder, name))
  }
  url.port = /listen_port = (\d+)/.exec(files['pgbouncer.ini'])![1]!
  const program = spawn(PGBOUNCER, [join(folder, 'pgbouncer.ini')], {
    ...spawnOptions(user),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stop = async () => {
    if (program.exitCode === null && program.signalCode === null && program.kill('SIGKILL')) await once(program, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
  await waitUntilReady(program, url.href).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { url: url.href, stop }
}

function poolerConfig(database: URL, port: number, users: string): string {
  return `
[databases]
* = host=${database.hostname} port=${database.port}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = 100
`
}

/** Wait until the pooler answers. Throws an Error with what it wrote when it ends instead. */
async function waitUntilReady(program: ChildProcess, url: string): Promise<void> {
  let log = ''
  program.stderr!.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  const client = connect(url, { connections: 1, application: 'tests', pooler: true })
  const deadline = Date.now() + 30_000
  try {
    for (;;) {
      const ready = await client`select 1`.then(
        () => true,
        () => false,
      )
      if (ready) return
      if (program.exitCode !== null || Date.now() > deadline) throw new Error(`PgBouncer did not start.\n${log}`)
      await sleep(50)
    }
  } finally {
    await client.end({ timeout: 1 })
  }
}

async function findFreePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as { port: number }
  listener.close()
  await once(listener, 'close')
  return port
}

import { execFile, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, type Database } from '../../src/db/client.ts'
import { findBinaries } from '../../src/db/embedded/binaries.ts'
import { findDatabaseFolder } from '../../src/db/embedded/folder.ts'
import { execute, spawnOptions } from '../../src/db/embedded/user.ts'
import { findFreePort, killProgram, openProgramRunner, type ProgramRunner } from '../cli/program-runner.ts'
import { createApiClient, eventually } from '../test-app.ts'
import { because, findProgram, IS_THOROUGH, ROOT, runProgram } from './programs.ts'

/*
 * docs/operating/backup.md with its own commands: a PostgreSQL with pgBackRest is lost after a payment, and is restored to a time
 * before it.
 */

const program = findProgram('pgbackrest')
const version = program === null ? null : /(\d+)\.(\d+)/.exec(runProgram(program, ['version']).output)
const reason = !IS_THOROUGH
  ? 'it needs a minute; npm run test:deploy runs it'
  : version === null
    ? 'pgbackrest is not installed'
    : Number(version[1]) * 1_000 + Number(version[2]) < 2_055 && `pgBackRest ${version[0]} does not know PostgreSQL 18`
const TIMEOUT_MS = 600_000
const API_KEY = 'key-of-a-shop-with-point-in-time'

const page = readFileSync(join(ROOT, 'docs/operating/backup.md'), 'utf8')
const [pgbackrest_conf, postgresql_conf] = [...page.matchAll(/```ini\n([\s\S]*?)```/g)].map(([, block]) => block)
/** The arguments of the one command of the page that contains a text. */
function commandWith(text: string): string[] {
  const lines = page.split('\n').filter((line) => /^(pgbackrest|npx kusanya) /.test(line) && line.includes(text))
  expect(lines, text).toHaveLength(1)
  const [, ...args] = lines[0]!.replace(/^npx /, '').match(/(?:[^\s"]|"[^"]*")+/g)!
  return args.map((arg) => arg.replaceAll('"', ''))
}

describe.skipIf(reason)(`pgBackRest${because(reason)}`, { timeout: TIMEOUT_MS }, () => {
  let server: Awaited<ReturnType<typeof openServer>>
  let runner: ProgramRunner
  let settings: Record<string, string>

  beforeAll(async () => {
    server = await openServer()
    await server.start()
    runner = await openProgramRunner()
    settings = {
      ...{ SECRET_KEY: 'a-key-of-at-least-32-characters-for-tests', SANDBOX_API_KEY: API_KEY, LOG_LEVEL: 'error' },
      ...{ DATABASE_URL: server.url('kusanya_service'), MIGRATION_DATABASE_URL: server.url('kusanya_owner') },
      ...{ READS_PER_MINUTE: '1000000', PORT: String(await findFreePort()) },
    }
  }, TIMEOUT_MS)
  afterAll(async () => {
    await runner?.close()
    await server?.close()
  })

  async function kusanya(...args: string[]): Promise<string> {
    const command = runner.launch([process.execPath, 'src/cli/index.ts', ...args], settings)
    await command.ended
    expect(command.child.exitCode, command.errors()).toBe(0)
    return command.output()
  }

  const api = () => createApiClient(`http://127.0.0.1:${settings.PORT}`, API_KEY)

  async function collect(): Promise<number> {
    const order = { phonenumber: '+80000000003', amount: '1500', currency: 'BXC', send_instructions: true }
    const { id } = (await api().post('/api/collectionrequests', order)).body
    await eventually('the collection', async () => {
      const { body } = await api().get(`/api/collectionrequests/${id}`)
      return body.status === 'successful' || undefined
    })
    return id
  }

  async function pay(): Promise<number> {
    const payment = { phonenumber: '+80000000003', amount: '10', currency: 'BXC', description: 'Wages' }
    return (await api().post('/api/payments', payment)).body.id
  }

  const untilPaid = (id: number) =>
    eventually('the payment', async () => {
      const { body } = await api().get(`/api/payments/${id}`)
      return body.state === 'processed' || undefined
    })

  it('restores the data of a time before money moved, and nothing is sent twice', async () => {
    await server.pgbackrest(commandWith('stanza-create'))
    await server.pgbackrest(commandWith('stanza=kusanya check'))
    await kusanya('migrate')
    const service = await runner.start({ settings })
    const first = await collect()
    await server.pgbackrest(commandWith('--type=full'))
    const second = await collect()
    await server.pgbackrest(commandWith('--type=incr'))
    const third = await collect()
    const target = await server.waitForNextSecond()
    const lost = await pay()
    await untilPaid(lost)
    // It waits until the log up to here is in the archive.
    await server.pgbackrest(commandWith('stanza=kusanya check'))
    await killProgram(service, 'SIGKILL')
    await server.lose()

    const restore = commandWith('--type=time').map((arg) => arg.replace('2030-01-31 12:00:00+00', target))
    await server.pgbackrest(restore)
    await server.start()
    const hold = commandWith('--restored').map((arg) => arg.replace('2030-01-31 12:00:00+00', target))
    expect(await kusanya(...hold)).toContain('Sending is held')
    await kusanya(...commandWith('kusanya doctor'))
    await runner.start({ settings })
    for (const id of [first, second, third])
      expect((await api().get(`/api/collectionrequests/${id}`)).body.status).toBe('successful')
    expect((await api().get(`/api/payments/${lost}`)).status).toBe(404)
    const fresh = await pay()
    expect(fresh).toBeGreaterThan(10_000_000)
    expect(JSON.parse(await kusanya('sending', 'status', '--json'))).toMatchObject({ held: true, by: 'an operator' })
    const [orders] = await server.query<{ count: number }>(
      "select count(*)::int from network_orders where kind = 'payout'",
    )
    expect(orders).toEqual({ count: 0 })
    await kusanya('sending', 'release', '--yes')
    await untilPaid(fresh)
  })
})

/** A PostgreSQL as Debian would run it, with the configuration of the page, in a folder for temporary files. */
async function openServer() {
  const folder = mkdtempSync(join(tmpdir(), 'kusanya-pgbackrest-'))
  chmodSync(folder, 0o755)
  const home = findDatabaseFolder(folder)
  const binaries = await findBinaries(home)
  const port = await findFreePort()
  const config = join(folder, 'pgbackrest.conf')
  const options = spawnOptions(home.user)
  const env = {
    ...options.env,
    PATH: [dirname(program!), process.env.PATH].join(delimiter),
    PGBACKREST_CONFIG: config,
  }
  const url = (user: string, database = 'kusanya') => `postgres://${user}@127.0.0.1:${port}/${database}`
  for (const name of ['repo', 'work']) {
    mkdirSync(join(folder, name))
    if (home.user) chownSync(join(folder, name), home.user.uid, home.user.gid)
  }
  const own = ['log-level-file=off', `lock-path=${folder}/work`, `spool-path=${folder}/work`]
  const paths = pgbackrest_conf!
    .replace('/mnt/backups/pgbackrest', join(folder, 'repo'))
    .replace('/var/lib/postgresql/18/main', home.cluster)
    .replace('[global]', ['[global]', ...own].join('\n'))
  writeFileSync(config, `${paths}pg1-port=${port}\npg1-socket-path=${folder}/work\n`)
  mkdirSync(home.cluster, { mode: 0o700 })
  if (home.user) chownSync(home.cluster, home.user.uid, home.user.gid)
  await execute(home.user, binaries.initdb, ['-D', home.cluster, '-U', 'postgres', '--auth=trust', '--data-checksums'])
  const listen = `listen_addresses = '127.0.0.1'\nport = ${port}\nunix_socket_directories = '${folder}/work'\n`
  writeFileSync(join(home.cluster, 'postgresql.conf'), postgresql_conf! + listen)

  const query = async <Row extends object>(text: string, database = 'kusanya'): Promise<Row[]> => {
    const db: Database = connect(url('postgres', database), { connections: 1, application: 'tests' })
    return db.unsafe<Row[]>(text).finally(() => db.end())
  }
  const stop = (mode: string) => execute(home.user, binaries.pg_ctl, ['stop', '-D', home.cluster, '-m', mode])
  let is_new = true
  return {
    url,
    query,
    /** Runs a command of pgBackRest as the user of PostgreSQL. */
    pgbackrest: async (args: string[]) => {
      const run = promisify(execFile)(program!, args, { ...options, env })
      await run.catch((error: Error & { stdout?: string }) => {
        throw new Error(`pgbackrest ${args.join(' ')}: ${error.stdout}`)
      })
    },
    async start() {
      const child = spawn(binaries.postgres, ['-D', home.cluster], {
        ...options,
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let log = ''
      child.stderr!.setEncoding('utf8').on('data', (text: string) => {
        log += text
      })
      await eventually(
        'PostgreSQL to accept writes',
        async () => {
          if (child.exitCode !== null) throw new Error(`PostgreSQL ended: ${log}`)
          const rows = await query<{ recovering: boolean }>(
            'select pg_is_in_recovery() as recovering',
            'postgres',
          ).catch(() => [])
          return rows[0]?.recovering === false || undefined
        },
        120_000,
      )
      if (!is_new) return
      is_new = false
      for (const role of ['kusanya_owner', 'kusanya_service']) await query(`create role ${role} login`, 'postgres')
      await query('create database kusanya owner kusanya_owner', 'postgres')
    },
    /** Waits until a second has passed since the last commit. @returns a time at which nothing happened */
    async waitForNextSecond(): Promise<string> {
      await query('select pg_sleep(1.2)')
      const [row] = await query<{ text: string }>(
        "select to_char(now() at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS') || '+00' as text",
      )
      await query('select pg_sleep(1.2)')
      return row!.text
    },
    /** Ends PostgreSQL without a checkpoint, and loses the disk with its data. */
    async lose() {
      await stop('immediate')
      rmSync(home.cluster, { recursive: true })
      mkdirSync(home.cluster, { mode: 0o700 })
      if (home.user) chownSync(home.cluster, home.user.uid, home.user.gid)
    },
    async close() {
      await stop('immediate').catch(() => {})
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

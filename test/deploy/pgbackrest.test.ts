import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFreePort, killProgram, openProgramRunner, type ProgramRunner } from '../cli/program-runner.ts'
import { createApiClient, eventually } from '../test-app.ts'
import { openArchivedServer } from './archived-server.ts'
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
const [pgbackrest_conf = '', postgresql_conf = ''] = [...page.matchAll(/```ini\n([\s\S]*?)```/g)].map(
  ([, block]) => block!,
)
/** The arguments of the one command of the page that contains a text. */
function commandWith(text: string): string[] {
  const lines = page.split('\n').filter((line) => /^(pgbackrest|npx kusanya) /.test(line) && line.includes(text))
  expect(lines, text).toHaveLength(1)
  const [, ...args] = lines[0]!.replace(/^npx /, '').match(/(?:[^\s"]|"[^"]*")+/g)!
  return args.map((arg) => arg.replaceAll('"', ''))
}

describe.skipIf(reason)(`pgBackRest${because(reason)}`, { timeout: TIMEOUT_MS }, () => {
  let server: Awaited<ReturnType<typeof openArchivedServer>>
  let runner: ProgramRunner
  let settings: Record<string, string>

  beforeAll(async () => {
    server = await openArchivedServer({ program: program!, pgbackrest_conf, postgresql_conf })
    runner = await openProgramRunner()
    settings = {
      SECRET_KEY: 'a-key-of-at-least-32-characters-for-tests',
      SANDBOX_API_KEY: API_KEY,
      LOG_LEVEL: 'error',
      DATABASE_URL: server.url('kusanya_service'),
      MIGRATION_DATABASE_URL: server.url('kusanya_owner'),
      READS_PER_MINUTE: '1000000',
      PORT: String(await findFreePort()),
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

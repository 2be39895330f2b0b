import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, type Database } from '../../../../src/db/client.ts'
import { readBackup } from '../../../../src/db/embedded/backup-files.ts'
import { startEmbedded } from '../../../../src/db/embedded/embedded.ts'
import { eventually } from '../../../test-app.ts'
import { killProgram, openProgramRunner, type ProgramRunner, type StartedService } from '../../program-runner.ts'

/*
 * A backup is made while customers pay and money is sent. Then the machine is lost, and the backup is restored elsewhere. What
 * had not been sent in the backup is not sent again.
 */

const API_KEY = 'the-key-of-a-shop-with-backups'
const SETTINGS = {
  SANDBOX_API_KEY: API_KEY,
  READS_PER_MINUTE: '1000000',
  WRITES_PER_MINUTE: '1000000',
  LOG_LEVEL: 'error',
}
/** A start takes seconds, and much longer on a busy machine. */
const TIMEOUT_MS = 360_000

const folder = mkdtempSync(join(tmpdir(), 'kusanya-backup-'))
chmodSync(folder, 0o755)
const backup = join(folder, 'monday')
const runners: ProgramRunner[] = []
let first: ProgramRunner
/** Requests that were answered before the backup began. */
const answered: number[] = []
/** The reference of an order that was not sent in the backup, and was sent after it. */
const UNSENT = 'sent-after-the-backup'

async function kusanya(runner: ProgramRunner, ...args: string[]) {
  const command = runner.launch([process.execPath, 'src/cli/index.ts', ...args], SETTINGS)
  await command.ended
  return { code: command.child.exitCode, out: command.output(), err: command.errors() }
}

async function call(service: StartedService, method: string, path: string, body?: unknown) {
  const response = await fetch(service.url + path, {
    method,
    headers: { authorization: `Token ${API_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as { id: number; status: string } }
}

const askForMoney = (service: StartedService, n: number) =>
  call(service, 'POST', '/api/collectionrequests', {
    phonenumber: `+8000${1_500_000 + n}`,
    amount: '25',
    currency: 'BXC',
    send_instructions: true,
  })

/** Open the database of a data folder beside its service, or without one. */
async function withDatabase<T>(runner: ProgramRunner, work: (db: Database) => Promise<T>): Promise<T> {
  const server = await startEmbedded({ data_dir: runner.data_dir })
  const db = connect(server.url, { connections: 1, application: 'tests' })
  try {
    return await work(db)
  } finally {
    await db.end()
    await server.stop()
  }
}

beforeAll(async () => {
  first = await openProgramRunner()
  runners.push(first)
  const service = await first.start({ settings: SETTINGS })
  for (let n = 0; n < 10; n += 1) answered.push((await askForMoney(service, n)).body.id)
  await eventually('money to move', async () => {
    const { body } = await call(service, 'GET', `/api/collectionrequests/${answered[0]}`)
    return body.status === 'successful' || undefined
  })
  await withDatabase(first, async (db) => {
    await db`
      insert into network_orders (reference, kind, connection, organization, collection_request, attempt, receiver, phonenumber,
        amount, currency, reason, state, created, due_at)
      select ${UNSENT}, kind, connection, organization, collection_request, 2, receiver, phonenumber, amount, currency, reason,
        'new', now(), now() + interval '1 day' from network_orders order by id limit 1`
  })
  let stopped = false
  const caller = (async () => {
    for (let n = 10; !stopped; n += 1) expect((await askForMoney(service, n)).status).toBe(201)
  })()
  const made = await kusanya(first, 'backup', backup, '--json')
  stopped = true
  await caller
  expect(made.err).toBe('')
  expect(made.code).toBe(0)
  await killProgram(service, 'SIGKILL')
}, TIMEOUT_MS)

afterAll(async () => {
  for (const runner of runners) await runner.close()
  rmSync(folder, { recursive: true, force: true })
})

async function openRunner(): Promise<ProgramRunner> {
  const runner = await openProgramRunner()
  runners.push(runner)
  return runner
}

describe('a backup that was made while money moved', () => {
  it(
    'is restored with everything that was answered, and sends nothing twice',
    async () => {
      const second = await openRunner()
      const restored = await kusanya(second, 'restore', backup, '--json')
      expect(restored.err).toBe('')
      expect(JSON.parse(restored.out)).toMatchObject({ restored: true, findings: [] })
      const parts = ['copy', 'start', 'migrate', 'the books', 'sequences', 'stored secrets', 'prepare']
      for (const part of parts) expect(JSON.parse(restored.out).seconds[part], part).toBeGreaterThanOrEqual(0)
      expect(JSON.parse(restored.out).asked_orders).toBeGreaterThanOrEqual(1)
      expect(JSON.parse(restored.out).open).toContainEqual(expect.objectContaining({ reference: UNSENT, state: 'new' }))

      const service = await second.start({ settings: SETTINGS })
      for (const id of answered) expect((await call(service, 'GET', `/api/collectionrequests/${id}`)).status).toBe(200)
      const { body: fresh } = await askForMoney(service, 900_000)
      expect(fresh.id).toBeGreaterThan(10_000_000)
      await withDatabase(second, async (db) => {
        await eventually('the network to be asked', async () => {
          const [order] = await db<{ state: string; network_calls: number }[]>`
            select state, network_calls from network_orders where reference = ${UNSENT}`
          // Whatever it says, the order was marked as sent before, and is only asked about.
          return (order!.network_calls ?? 0) > 0 || undefined
        })
        await sleep(1_500)
        const orders = await db`select 1 from network_orders where collection_request = ${fresh.id} or created > now()`
        expect(orders).toEqual([])
        const prompts = await db<{ count: number }[]>`
          select count(*) from network_order_answers a join network_orders o on o.id = a.network_order
          where o.reference = ${UNSENT} and a.source = 'reply'`
        expect(prompts[0]!.count).toBe(0)
      })
      expect((await kusanya(second, 'sending', 'release')).err).toContain('Confirm it with --yes')
      expect((await kusanya(second, 'sending', 'release', '--yes')).code).toBe(0)
      await eventually('the new request to be paid', async () => {
        const { body } = await call(service, 'GET', `/api/collectionrequests/${fresh.id}`)
        return body.status === 'successful' || undefined
      })
      expect(await kusanya(second, 'doctor')).toMatchObject({ code: 0 })
    },
    TIMEOUT_MS,
  )

  it(
    'is checked beside it, and leaves nothing behind',
    async () => {
      const before = readdirSync(folder)
      const checked = await kusanya(first, 'restore', backup, '--check')
      expect(checked.err).toBe('')
      expect(checked.out).toContain('The books, the sequences and the stored secrets are in order.')
      expect(checked.out).toContain(UNSENT)
      expect(readdirSync(folder)).toEqual(before)
    },
    TIMEOUT_MS,
  )

  it(
    'is not restored over a database',
    async () => {
      const { code, err } = await kusanya(first, 'restore', backup)
      expect(code).toBe(1)
      expect(err).toContain('There is a database in')
    },
    TIMEOUT_MS,
  )

  it(
    'is refused when one bit has changed, a file is missing, or one was added',
    async () => {
      const third = await openRunner()
      const path = join(backup, 'cluster/global/pg_control')
      const good = readFileSync(path)
      const bad = Buffer.from(good)
      bad[100]! ^= 1
      writeFileSync(path, bad)
      const refused = await kusanya(third, 'restore', backup)
      expect(refused.err).toContain('damaged: cluster/global/pg_control has changed')
      expect(refused.code).toBe(1)
      // Neither a database nor a part of one.
      expect(readdirSync(join(third.data_dir, 'postgresql')).filter((name) => name !== 'lock')).toEqual([])
      writeFileSync(path, good.subarray(1))
      await expect(readBackup(backup)).rejects.toThrow('damaged: cluster/global/pg_control has changed')
      rmSync(path)
      await expect(readBackup(backup)).rejects.toThrow('damaged: cluster/global/pg_control is missing')
      writeFileSync(path, good)
      writeFileSync(join(backup, 'cluster/postmaster.pid'), '1\n')
      await expect(readBackup(backup)).rejects.toThrow('a file that it did not write: cluster/postmaster.pid')
      rmSync(join(backup, 'cluster/postmaster.pid'))
      await expect(readBackup(backup)).resolves.toMatchObject({ folder: backup })
    },
    TIMEOUT_MS,
  )
})

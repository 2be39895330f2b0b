import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { type Service, startService } from '../../src/cli/service/serve.ts'
import { readConfig } from '../../src/config.ts'
import type { KeysFor } from '../../src/core/access/sealed-values.ts'
import { SECOND_FACTOR_PURPOSE } from '../../src/core/access/second-factors.ts'
import { SIGNING_KEY_PURPOSE } from '../../src/core/access/signing-users.ts'
import { WEBHOOK_KEY_PURPOSE } from '../../src/core/events/webhooks.ts'
import { decrypt, encrypt, keyId, type SealingKeys } from '../../src/lib/secrets.ts'
import { killProgram, openProgramRunner, type ProgramRunner, SERVE_COMMAND } from '../cli/program-runner.ts'
import { openShell } from '../cli/shell.ts'
import { createApiClient, eventually, openDatabase } from '../test-app.ts'
import { printFigure } from './figures.ts'

/*
 * SECRET_KEY is replaced while secrets are stored with the old one: the command is killed, runs twice, and meets services that
 * still write with the old key. At no instant may a secret be unreadable with the two keys together.
 */

const OLD = 'the secret key of the first two years'
const NEW = 'the secret key after the laptop was stolen'
const STRANGE = 'a key that was never the key of this database'
const WEBHOOKS = 300

const before = { SECRET_KEY: OLD }
const during = { SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD }
const after = { SECRET_KEY: NEW }

let database: Awaited<ReturnType<typeof openDatabase>>
let runner: ProgramRunner
let environment: { DATABASE_URL: string; DATA_DIR: string }
let api_key: string
let keysOf: Record<'old' | 'new' | 'both', KeysFor>

const shell = (keys: object, ...args: string[]) => openShell({ ...environment, ...keys })(args)
const json = async (keys: object, ...args: string[]) => JSON.parse((await shell(keys, ...args, '--json')).out)

beforeAll(async () => {
  database = await openDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'kusanya-rotation-'))
  environment = { DATABASE_URL: database.url, DATA_DIR: folder }
  runner = await openProgramRunner(folder)
  api_key = (await json(before, 'setup')).api_key
  keysOf = { old: await openKeys(before), new: await openKeys(after), both: await openKeys(during) }
  await storeSecrets()
})
afterAll(async () => {
  await runner?.close()
  await database?.close()
  await rm(environment.DATA_DIR, { recursive: true, force: true })
})

async function openKeys(keys: object): Promise<KeysFor> {
  const app = await buildApp(readConfig({ ...environment, ...keys }), pino({ level: 'silent' }))
  await app.close()
  return app.sealingKeys
}

/** Store secrets of every kind with the old key. */
async function storeSecrets(): Promise<void> {
  const { db } = database
  const seal = (purpose: string, text: string) => encrypt(keysOf.old(purpose), text)
  const secrets = Array.from({ length: WEBHOOKS }, (_, index) => seal(WEBHOOK_KEY_PURPOSE, `webhook ${index}`))
  await db`
    insert into webhooks (organization, "user", event, target, token, secret, previous_secret, previous_secret_expires,
      position, created, updated)
    select 1, 1, 'collection.received', 'https://shop.example', n, secret, case when n % 2 = 0 then secret end,
      case when n % 2 = 0 then now() end, 0, now(), now()
    from unnest(${secrets}::text[]) with ordinality as s(secret, n)`
  await db`
    insert into webhook_credentials (organization, encrypted_credentials, modified)
    values (1, ${seal(WEBHOOK_KEY_PURPOSE, 'shop:swordfish')}, now())`
  await db`
    insert into signing_users (username, api_key, encrypted_secret, created)
    select 'shop-7', min(id), ${seal(SIGNING_KEY_PURPOSE, 'signing secret')}, now() from api_keys`
  await db`update users set totp_secret = ${seal(SECOND_FACTOR_PURPOSE, 'JBSWY3DPEHPK3PXP')} where id = 1`
}

const UNREADABLE = 'unreadable'

/** Every stored secret as these keys decrypt it. */
async function readSecrets(keysFor: KeysFor): Promise<string[]> {
  const rows = await database.db<{ purpose: string; value: string }[]>`
    select ${WEBHOOK_KEY_PURPOSE} as purpose, secret as value from webhooks
    union all select ${WEBHOOK_KEY_PURPOSE}, previous_secret from webhooks where previous_secret is not null
    union all select ${WEBHOOK_KEY_PURPOSE}, encrypted_credentials from webhook_credentials
    union all select ${SIGNING_KEY_PURPOSE}, encrypted_secret from signing_users
    union all select ${SECOND_FACTOR_PURPOSE}, totp_secret from users where totp_secret is not null`
  return rows.map(({ purpose, value }) => tryDecrypt(keysFor(purpose), value)).sort()
}

function tryDecrypt(keys: SealingKeys, value: string): string {
  try {
    return decrypt(keys, value)
  } catch {
    return UNREADABLE
  }
}

async function countResealed(): Promise<number> {
  const start = `${keyId([keysOf.new(WEBHOOK_KEY_PURPOSE)].flat()[0]!)}.`
  const [row] = await database.db<{ count: number }[]>`
    select count(*) from webhooks where starts_with(secret, ${start})`
  return row!.count
}

it('nothing starts with a new key beside a wrong previous key, or with the same key twice', async () => {
  const stored = await readSecrets(keysOf.old)
  const wrong = await shell({ SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: STRANGE }, 'keys', 'list')
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('nor is SECRET_KEY_PREVIOUS') })
  const serve = runner.launch(SERVE_COMMAND, { ...environment, SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: STRANGE })
  await serve.ended
  expect([serve.child.exitCode, serve.errors()]).toEqual([1, expect.stringContaining('nor is SECRET_KEY_PREVIOUS')])
  const same = await shell({ SECRET_KEY: OLD, SECRET_KEY_PREVIOUS: OLD }, 'secrets', 'rotate')
  expect(same).toMatchObject({ code: 1, err: expect.stringContaining('the same key as SECRET_KEY') })
  expect(await readSecrets(keysOf.old)).toEqual(stored)
  expect(await database.db`select 1 from secret_keys`).toHaveLength(1)
})

it('a rotation that is killed again and again loses nothing, and the next one goes on', async () => {
  const stored = await readSecrets(keysOf.old)
  // Slow enough to be killed in the middle.
  await database.db.unsafe(`
    create function wait_a_moment() returns trigger language plpgsql as $$ begin perform pg_sleep(0.004); return new; end $$;
    create trigger slow before update on webhooks for each row execute function wait_a_moment()`)
  const command = [process.execPath, 'src/cli/index.ts', 'secrets', 'rotate', '--batch-size', '7']
  const counts: number[] = []
  let unreadable = 0
  for (const threshold of [1, 120]) {
    const rotation = runner.launch(command, { ...environment, ...during })
    await eventually(`${threshold} secrets to be encrypted anew`, async () => {
      if (rotation.child.exitCode !== null) throw new Error(`It ended: ${rotation.errors()}`)
      return (await countResealed()) >= threshold || undefined
    })
    await killProgram(rotation, 'SIGKILL')
    counts.push(await countResealed())
    const kept = await readSecrets(keysOf.both)
    unreadable += kept.filter((text) => text === UNREADABLE).length
    expect(kept).toEqual(stored)
  }
  expect(counts.at(-1)).toBeLessThan(WEBHOOKS)
  await database.db.unsafe('drop trigger slow on webhooks')
  // Without the previous key the rest would be lost.
  const early = await shell(after, 'keys', 'list')
  expect(early).toMatchObject({ code: 1, err: expect.stringContaining('SECRET_KEY_PREVIOUS') })
  expect(await shell(before, 'keys', 'list')).toMatchObject({ code: 1 })

  const [one, two] = await Promise.all([shell(during, 'secrets', 'rotate'), shell(during, 'secrets', 'rotate')])
  expect([one!.code, two!.code, one!.err, two!.err]).toEqual([0, 0, '', ''])
  expect(one!.out).toContain('SECRET_KEY_PREVIOUS can go')
  expect(await readSecrets(keysOf.new)).toEqual(stored)
  expect(await shell(after, 'keys', 'list')).toMatchObject({ code: 0 })
  printFigure('secret-rotation', `killed after ${counts.join(', ')} of ${WEBHOOKS} secrets, ${unreadable} unreadable`)
})

async function startWith(keys: object): Promise<Service> {
  const config = readConfig({ ...environment, ...keys, PORT: '0', CONSOLE: 'off', LOG_LEVEL: 'silent' })
  return startService(await buildApp(config, pino({ level: 'silent' })), { api: true, jobs: false })
}

it('a rotation beside services that write with the other key says that it is not done', async () => {
  const service = await startWith(after)
  // Back to the old key, while the service knows only the new one: it could not read what is written.
  const back = { SECRET_KEY: OLD, SECRET_KEY_PREVIOUS: NEW }
  const refused = await shell(back, 'secrets', 'rotate')
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('could not read') })
  expect(await readSecrets(keysOf.new)).not.toContain(UNREADABLE)
  await service.stop()

  const writer = await startWith(during)
  const client = createApiClient(writer.url, api_key)
  const create = () =>
    client.post('/api/webhooks', { event: 'collection.received', target: 'https://shop.example/new' })
  expect(await create()).toMatchObject({ status: 201 })
  const unfinished = await shell(back, 'secrets', 'rotate')
  expect(unfinished).toMatchObject({
    code: 1,
    err: expect.stringContaining('One running process still encrypts with another key'),
  })
  expect(await create()).toMatchObject({ status: 201 })
  expect((await shell(back, 'secrets', 'status')).out).toMatch(/secrets of webhooks +SECRET_KEY_PREVIOUS +\w+ +1\n/)
  await writer.stop()
  expect(await json(back, 'secrets', 'rotate')).toMatchObject({ resealed: 1, left: [], writers: 0, complete: true })
  expect(await readSecrets(keysOf.old)).not.toContain(UNREADABLE)
})

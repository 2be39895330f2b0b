import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { type App, buildApp } from '../../../src/app.ts'
import { prepareDemo } from '../../../src/cli/service/demo.ts'
import { readConfig, WrongSetting } from '../../../src/config.ts'
import { findCaller, listKeys, revokeKey } from '../../../src/core/access/api-keys.ts'
import { begin, connect } from '../../../src/db/client.ts'
import { verifyPassword } from '../../../src/lib/secrets.ts'
import { databaseUrl } from '../../postgres.ts'
import { cloneDatabase } from '../../test-app.ts'
import { openShell } from '../shell.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let data_dir: string
let kusanya: ReturnType<typeof openShell>

/** Give each test of the group its own database and folder. */
function useNewDatabase(): void {
  beforeEach(async () => {
    database = await cloneDatabase()
    data_dir = await mkdtemp(join(tmpdir(), 'kusanya-setup-'))
    kusanya = openShell({ DATABASE_URL: database.url, DATA_DIR: data_dir })
  })
  afterEach(async () => {
    await database.drop()
    await rm(data_dir, { recursive: true, force: true })
  })
}

/** Run `work` with a new App on the same database and folder, as another start of the program would. */
async function inApp<T>(work: (app: App) => Promise<T>, settings: Record<string, string> = {}): Promise<T> {
  const config = readConfig({ DATABASE_URL: database.url, DATA_DIR: data_dir, ...settings })
  const app = await buildApp(config, pino({ level: 'silent' }))
  try {
    return await work(app)
  } finally {
    await app.close()
  }
}

const provide = (settings = {}) => inApp(prepareDemo, settings)
const isValid = (key: string) => inApp(async (app) => (await findCaller(app.db, app.clock.now(), key)) !== undefined)

describe("the sandbox's own API key", () => {
  useNewDatabase()

  it('is the same at every start, and is kept in a file that others cannot read', async () => {
    const first = await provide()
    expect(await isValid(first.api_key)).toBe(true)
    expect(await provide()).toEqual(first)
    const file = join(data_dir, 'demo-api-key')
    expect((await readFile(file, 'utf8')).trim()).toBe(first.api_key)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('is the same for processes that start at the same time', async () => {
    const demos = await Promise.all([provide(), provide(), provide()])
    expect(new Set(demos.map((demo) => demo.api_key)).size).toBe(1)
    expect(await isValid(demos[0]!.api_key)).toBe(true)
    expect(await inApp((app) => listKeys(app.db, demos[0]!.organization.id))).toHaveLength(1)
  })

  it('is replaced when its file is lost or incomplete, or the key is revoked', async () => {
    const { api_key: first } = await provide()
    await rm(join(data_dir, 'demo-api-key'))
    const { api_key: second } = await provide()
    await writeFile(join(data_dir, 'demo-api-key'), 'ksy_')
    const { api_key: third, organization } = await provide()
    await inApp(async (app) => {
      const [newest] = await listKeys(app.db, organization.id)
      await begin(app.db, (tx) => revokeKey(tx, app.clock.now(), newest!.id))
    })
    const { api_key: fourth } = await provide()
    expect(new Set([first, second, third, fourth]).size).toBe(4)
    expect(await isValid(third)).toBe(false)
    expect(await isValid(fourth)).toBe(true)
  })

  it('is SANDBOX_API_KEY when that is set, unless it was revoked', async () => {
    const settings = { SANDBOX_API_KEY: 'chosen-by-the-operator' }
    const { api_key, organization } = await provide(settings)
    expect(api_key).toBe('chosen-by-the-operator')
    expect(await isValid(api_key)).toBe(true)
    await inApp(async (app) => {
      const [key] = await listKeys(app.db, organization.id)
      await begin(app.db, (tx) => revokeKey(tx, app.clock.now(), key!.id))
    })
    await expect(provide(settings)).rejects.toThrow(WrongSetting)
  })

  it('comes with the password that SANDBOX_PASSWORD sets', async () => {
    const { owner } = await provide({ SANDBOX_PASSWORD: 'correct horse' })
    const hash = await inApp(async (app) => {
      const [row] = await app.db<{ password_hash: string }[]>`select password_hash from users where id = ${owner.id}`
      return row!.password_hash
    })
    expect(await verifyPassword('correct horse', hash)).toBe(true)
  })
})

describe('setup', () => {
  useNewDatabase()

  it('prepares an empty database, and changes nothing the second time', async () => {
    const name = `empty_${randomUUID().replaceAll('-', '')}`
    const { url } = inject('postgres')
    const admin = connect(url, { connections: 1, application: 'tests' })
    await admin.unsafe(`create database ${name}`)
    const environment = { DATABASE_URL: databaseUrl(url, name) }
    try {
      const early = await kusanya(['organizations', 'list'], { environment })
      expect(early).toMatchObject({ code: 1, err: expect.stringContaining('not up to date') })
      const made = JSON.parse((await kusanya(['setup', '--json'], { environment })).out)
      expect(made).toMatchObject({ organization: { name: 'Demo Shop' }, owner: { email: 'owner@demo.example' } })
      expect(JSON.parse((await kusanya(['setup', '--json'], { environment })).out)).toEqual(made)
      expect(await kusanya(['migrate'], { environment })).toMatchObject({ code: 0, out: 'The database is up to date.' })
    } finally {
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end()
    }
  })
})

describe('setup with an organization of your own', () => {
  useNewDatabase()
  const own = [
    'setup',
    '--organization',
    'Mama Grace Shop',
    '--name',
    'Grace',
    '--email',
    'grace@example.com',
    '--json',
  ]

  it('makes it in the place of the demo organization of a sandbox, and not beside it', async () => {
    expect(JSON.parse((await kusanya(own)).out)).toMatchObject({ organization: { id: 1, name: 'Mama Grace Shop' } })
    expect((await provide()).owner.email).toBe('grace@example.com')
    const other = await kusanya(own.map((word) => word.replace('Mama Grace', 'Other')))
    expect(other).toMatchObject({ code: 1, err: expect.stringContaining('already an organization Mama Grace Shop') })
    expect((await kusanya(own.slice(0, 3))).err).toContain('needs --organization, --name and --email')
  })

  it('opens a wallet in live mode, and prints a link to choose a password', async () => {
    const environment = { MODE: 'live', SECRET_KEY: 'k'.repeat(32), PUBLIC_URL: 'https://pay.example.com' }
    const made = JSON.parse((await kusanya([...own, '--currency', 'ugx', '--link'], { environment })).out)
    expect(made).toMatchObject({ link: expect.stringMatching(/^https:\/\/pay\.example\.com\/console\/link#/) })
    expect(made).not.toHaveProperty('password')
    const accounts = JSON.parse((await kusanya(['accounts', 'list', '--json'], { environment })).out)
    expect(accounts).toMatchObject([{ currency: 'UGX' }])
  })
})

describe('sandbox reset', () => {
  useNewDatabase()

  it('deletes everything, resets the clock, and creates the demo organization with the same key', async () => {
    const { api_key } = await provide()
    await kusanya(['organizations', 'create', 'Mama Grace Shop'])
    await kusanya(['simulate', 'pay', '+80000000003', '5', 'BXC'])
    await kusanya(['maintenance', 'on'])
    await inApp((app) =>
      begin(app.db, (tx) => tx`insert into flags (name, value) values ('clock_offset_ms', '86400000')`),
    )
    const { code, out } = await kusanya(['sandbox', 'reset', '--yes'])
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(api_key) })
    await inApp(async (app) => {
      expect(Math.abs(app.clock.now().getTime() - Date.now())).toBeLessThan(60_000)
      expect(await app.db`select id, name from organizations`).toEqual([{ id: 1, name: 'Demo Shop' }])
      expect(await app.db`select 1 from simulator_transactions`).toHaveLength(0)
      expect(await app.db`select count(*) from currencies`).toEqual([{ count: 4 }])
      await expect(begin(app.db, (tx) => tx`delete from transfers`)).rejects.toThrow('append-only')
    })
    expect(await isValid(api_key)).toBe(true)
    expect(JSON.parse((await kusanya(['maintenance', 'status', '--json'])).out)).toEqual({ maintenance: false })
  })

  it('asks for a confirmation', async () => {
    await provide()
    await kusanya(['organizations', 'create', 'Mama Grace Shop'])
    const reset = (input: object) => kusanya(['sandbox', 'reset'], input)
    expect((await reset({})).err).toContain('Confirm it with --yes.')
    expect((await reset({ answers: ['y'] })).err).toBe('Nothing was deleted.')
    expect((await kusanya(['organizations', 'list'])).out).toContain('Mama Grace Shop')
    expect(await reset({ answers: ['yes'] })).toMatchObject({ code: 0 })
    expect((await kusanya(['organizations', 'list'])).out).not.toContain('Mama Grace Shop')
  })
})

describe('an error in the settings', () => {
  const kusanya = openShell({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', DATA_DIR: tmpdir() })

  it.each([
    [{ PORT: 'eighty' }, 'The setting PORT=eighty is wrong: it must be a whole number.'],
    [{ MODE: 'live' }, 'The setting SECRET_KEY is missing'],
    [{ DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/x' }, 'The database cannot be reached (DATABASE_URL)'],
  ])('is printed in one line: %j', async (environment, message) => {
    const { code, out, err } = await kusanya(['organizations', 'list'], { environment })
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(message)
    expect(err.split('\n')).toHaveLength(1)
    expect(err).not.toContain('secret@')
  })

  it('is printed with a stack at LOG_LEVEL=debug', async () => {
    const { err } = await kusanya(['organizations', 'list'], { environment: { PORT: 'x', LOG_LEVEL: 'debug' } })
    expect(err.split('\n').length).toBeGreaterThan(3)
  })
})

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cloneDatabase } from '../../../test-app.ts'
import { type CommandInput, openShell } from '../../shell.ts'

/* `init` in an empty folder, with a PostgreSQL of one's own. */

const LIVE = ['--mode', 'live', '--database', 'own', '--public-url', 'https://pay.example.com/']
const GRACE = [
  '--organization',
  "Grace's Shop",
  '--country',
  'ke',
  '--email',
  'Grace@example.com',
  '--manager',
  'Grace',
]

let database: Awaited<ReturnType<typeof cloneDatabase>>
let folder: string
let init: (args: string[], input?: CommandInput) => Promise<{ code: number; out: string; err: string }>
const path = () => join(folder, '.env')
const settings = () => parseEnv(readFileSync(path(), 'utf8'))

beforeEach(async () => {
  database = await cloneDatabase()
  folder = mkdtempSync(join(tmpdir(), 'kusanya-init-'))
  const kusanya = openShell({ DATABASE_URL: database.url, LOG_LEVEL: 'silent' })
  // The data of a sandbox with its own database is its key alone; the file names the folder, as a person would.
  const environment = { DATA_DIR: join(folder, 'data') }
  init = (args, input = {}) =>
    kusanya(['init', ...args], { folder, ...input, environment: { ...environment, ...input.environment } })
})
afterEach(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const read = async (args: string[], input?: CommandInput) => {
  const { code, out, err } = await init([...args, '--json'], input)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}

describe('init in a folder without settings', () => {
  it('makes a live installation of its options, with a link for the manager', async () => {
    const made = await read([...LIVE, ...GRACE, '--yes'])
    expect(made).toMatchObject({
      way: 'here',
      mode: 'live',
      password: null,
      api_key: null,
      files: [{ path: path(), outcome: 'written' }],
      organization: { name: "Grace's Shop" },
      manager: { name: 'Grace', email: 'grace@example.com' },
      link: expect.stringMatching(/^https:\/\/pay\.example\.com\/console\/link#[\w-]{43}$/),
    })
    expect(settings()).toMatchObject({
      MODE: 'live',
      PUBLIC_URL: 'https://pay.example.com',
      TRUST_PROXY: '127.0.0.1',
      DATABASE_URL: database.url,
      SECRET_KEY: expect.stringMatching(/^[0-9a-f]{64}$/),
      DATA_DIR: join(folder, 'data'),
    })
    expect(statSync(path()).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['.env'])
    const commands = made.steps.flatMap((step: { commands: string[] }) => step.commands)
    expect(commands[0]).toBe('npx kusanya serve')
    expect(commands).toContain('npx kusanya connections add daraja --slug my-daraja --environment production')
    expect(commands).toContain(`npx kusanya accounts fund ${made.account} 100000 --description "Opening balance"`)
  })

  it('is used by other commands with the settings of its file', async () => {
    await read([...LIVE, ...GRACE, '--yes'])
    const kusanya = openShell({ LOG_LEVEL: 'silent' })
    const list = async (words: string) => JSON.parse((await kusanya([...words.split(' '), '--json'], { folder })).out)
    expect(await list('accounts list')).toMatchObject([{ currency: 'KES', kind: 'local' }])
    expect(await list('users list')).toMatchObject([{ email: 'grace@example.com' }])
    const actions = (await list('audit list')).map((entry: { action: string }) => entry.action)
    expect(actions).toEqual(['send password link', 'create organization'])
    const key = await kusanya(['keys', 'create', '--name', 'webshop'], { folder })
    expect(key).toMatchObject({ code: 0, err: '' })
  })

  it("makes a sandbox with a key and a connection, also under another name than the demo's", async () => {
    const made = await read([...GRACE, '--currency', 'NGN', '--yes'])
    expect(made).toMatchObject({
      mode: 'sandbox',
      organization: { name: "Grace's Shop" },
      password: expect.any(String),
    })
    expect(made.api_key).toMatch(/^ksy_/)
    expect(settings()).toMatchObject({ MODE: 'sandbox', COLLECTION_CURRENCIES: 'BXC,UGX,KES,NGN' })
    const kusanya = openShell({ LOG_LEVEL: 'silent' })
    const run = (words: string) => kusanya(words.split(' '), { folder })
    expect(JSON.parse((await run('organizations list --json')).out)).toHaveLength(1)
    expect((await run('connections list')).out).toContain('sandbox-mtn')
    // The start of the service finds it, and so does a sandbox that begins again.
    expect(JSON.parse((await run('setup --json')).out)).toMatchObject({
      api_key: made.api_key,
      organization: { id: 1 },
    })
    const again = JSON.parse((await run('sandbox reset --yes --json')).out)
    expect(again).toMatchObject({ organization: { name: "Grace's Shop" }, owner: { email: 'grace@example.com' } })
  })

  it('makes the demo organization when nothing is named, and shows a line to paste', async () => {
    const { code, out } = await init(['--yes'])
    expect(code).toBe(0)
    expect(out).toContain('Demo Shop (1)')
    expect(out).toMatch(/^curl http:\/\/127\.0\.0\.1:3000\/api\/collectionrequests -H 'Authorization: Token ksy_/m)
  })
})

describe('init without a terminal', () => {
  it('names the required options without a default', async () => {
    const { code, err } = await init([...LIVE, '--yes'])
    expect({ code, err }).toEqual({ code: 1, err: 'Without asking at a terminal, init needs --organization, --email.' })
    expect(existsSync(path())).toBe(false)
  })
})

describe('init at a terminal', () => {
  it('asks, and asks again after a wrong answer', async () => {
    const answers = [
      'there',
      'here',
      'live',
      'own',
      'http://pay.example.com',
      'https://pay.example.com',
      '',
      'Shop',
      'Atlantis',
      'uganda',
      'XYZ',
      '',
      'grace',
      'grace@example.com',
      '',
    ]
    const { code, out, err } = await init([], { answers })
    expect(code).toBe(0)
    expect(err.split('\n').map((line) => line.trim())).toEqual([
      'It must be here, systemd or compose.',
      'It must look like https://pay.example.com.',
      'It needs an answer.',
      'It must be a country whose currency wallets may have: UG (Uganda), KE (Kenya), NG (Nigeria).',
      'It must be one of UGX, KES, NGN.',
      'It must be an e-mail address, such as grace@example.com.',
    ])
    expect(out).toContain('Shop (1)')
    expect(out).toContain('grace, grace@example.com')
    expect(out).toContain('npx kusanya connections add mtn-momo')
  })

  it('asks about an existing file, keeps it, or keeps it as .old with its secret key', async () => {
    await read([...LIVE, ...GRACE, '--yes'])
    const before = settings()
    expect(await init([], { answers: ['', ''] })).toMatchObject({
      code: 0,
      out: expect.stringContaining('is there already'),
    })
    expect(settings()).toEqual(before)
    const other = await init(['--database', 'own'], { answers: ['', 'no', 'live', 'https://other.example.com'] })
    expect(other).toMatchObject({ code: 0, err: '', out: expect.stringContaining('.old') })
    expect(settings()).toEqual({ ...before, PUBLIC_URL: 'https://other.example.com' })
    expect(parseEnv(readFileSync(`${path()}.old`, 'utf8'))).toEqual(before)
  })
})

describe('init once more', () => {
  it('changes nothing, and shows a new link until the manager has a password', async () => {
    const first = await read([...LIVE, ...GRACE, '--yes'])
    const before = readFileSync(path(), 'utf8')
    const second = await read(['--yes'])
    expect(second).toMatchObject({ mode: 'live', organization: first.organization, account: first.account })
    expect(second.files).toEqual([{ path: path(), outcome: 'same' }])
    expect(second.link).not.toBe(first.link)
    expect(readFileSync(path(), 'utf8')).toBe(before)
    const other = await init(['--organization', 'Other', '--yes'])
    expect(other).toMatchObject({ code: 0, err: expect.stringContaining("already the organization Grace's Shop") })
    const kusanya = openShell({ LOG_LEVEL: 'silent' })
    await kusanya(['users', 'password', 'grace@example.com'], { folder, input: 'correct horse battery' })
    expect((await read(['--yes'])).link).toBeNull()
  })

  it('continues after a killed process has left only the settings', async () => {
    writeFileSync(path(), `MODE=live\nSECRET_KEY=${'k'.repeat(32)}\nDATABASE_URL=${database.url}\n`, { mode: 0o600 })
    const made = await read([...GRACE, '--yes'])
    expect(made).toMatchObject({ organization: { name: "Grace's Shop" }, files: [{ outcome: 'same' }] })
    expect(settings().SECRET_KEY).toBe('k'.repeat(32))
  })

  it('refuses options that contradict the settings that are there', async () => {
    await read(['--yes'])
    const before = readFileSync(path(), 'utf8')
    const { code, err } = await init([...LIVE, ...GRACE, '--yes'])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('otherwise than --mode, --public-url') })
    expect(readFileSync(path(), 'utf8')).toBe(before)
  })

  it('does not give a new key to a database with an unknown key', async () => {
    await read([...LIVE, ...GRACE, '--yes'])
    const { SECRET_KEY } = settings()
    rmSync(path())
    const lost = await init([...LIVE, '--yes'])
    expect({ code: lost.code, err: lost.err }).toEqual({
      code: 1,
      err: expect.stringContaining('SECRET_KEY in the environment'),
    })
    expect(existsSync(path())).toBe(false)
    const found = await read([...LIVE, '--yes'], { environment: { SECRET_KEY: SECRET_KEY! } })
    expect(found.organization.name).toBe("Grace's Shop")
    expect(settings().SECRET_KEY).toBe(SECRET_KEY)
    rmSync(path())
    const wrong = await init([...LIVE, '--yes'], { environment: { SECRET_KEY: 'w'.repeat(32) } })
    expect(wrong.err).toContain('SECRET_KEY is not the key of this database')
    expect(existsSync(path())).toBe(false)
  })
})

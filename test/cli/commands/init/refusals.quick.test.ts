import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { databaseUrl } from '../../../postgres.ts'
import { type CommandInput, openShell } from '../../shell.ts'

/* Refusals of `init`, after which it has written nothing. No database is reached. */

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
const UNREACHABLE = 'postgres://kusanya:hidden@127.0.0.1:1/none'

let folder: string
const kusanya = openShell({ DATABASE_URL: UNREACHABLE, LOG_LEVEL: 'silent' })
const init = (args: string[], input: CommandInput = {}) => {
  const environment = { DATA_DIR: join(folder, 'data'), ...input.environment }
  return kusanya(['init', ...args], { folder, ...input, environment })
}
const path = () => join(folder, '.env')

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kusanya-init-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('init without a terminal', () => {
  it('names the required options', async () => {
    const bare = await init([])
    expect(bare.code).toBe(1)
    expect(bare.err).toMatch(
      /needs --yes, which takes the defaults, or --run, --mode, --database, --public-url, --organization\./,
    )
    expect(existsSync(path())).toBe(false)
  })

  it('names every wrong option, and writes nothing', async () => {
    const wrong = [...LIVE.slice(0, 4), '--public-url', 'https://a.example/x?y', ...GRACE, '--currency', 'EUR', '--yes']
    const { code, err } = await init([
      ...wrong.map((word) => (word === 'Grace@example.com' ? 'grace' : word)),
      '--run',
      'x',
    ])
    expect(code).toBe(1)
    for (const option of ['--run', '--public-url', '--currency', '--email']) expect(err).toContain(`${option}: It must`)
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    [['--database', 'postgres://a:hidden@127.0.0.1/x'], 'set DATABASE_URL in the environment'],
    [['--database', 'embedded'], 'DATABASE_URL is set in the environment'],
    [['--run', 'compose', '--database', 'own'], 'compose brings a PostgreSQL of its own'],
  ])('refuses %j', async (args, message) => {
    const { code, err } = await init([...args, '--yes'])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(message) })
    expect(err).not.toContain('hidden')
    expect(readdirSync(folder)).toEqual([])
  })

  it('leaves nothing behind when the database cannot be used', async () => {
    const no_database = databaseUrl(inject('postgres').url, `none_${randomUUID().slice(0, 8)}`)
    for (const url of [UNREACHABLE, no_database]) {
      const { code, err } = await init(['--yes'], { environment: { DATABASE_URL: url } })
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('The database cannot be reached') })
      expect(err).not.toContain('hidden')
      expect(existsSync(path())).toBe(false)
    }
  })

  it('refuses settings of the environment that the service would not read', async () => {
    const off = await init(['--yes'], { environment: { KUSANYA_ENV_FILE: 'off' } })
    expect(off.err).toContain('KUSANYA_ENV_FILE is set')
    const other = await init(['--mode', 'sandbox', '--yes'], { environment: { MODE: 'live' } })
    expect(other.err).toContain('MODE of the environment would count')
    expect(existsSync(path())).toBe(false)
  })
})

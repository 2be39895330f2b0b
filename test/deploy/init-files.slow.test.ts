import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { composeFile, packageDockerfile, systemdUnit } from '../../src/cli/commands/init/deployment.ts'
import { findProgramPlace } from '../../src/cli/commands/init/program-place.ts'
import { VERSION } from '../../src/cli/version.ts'
import { readConfig } from '../../src/config.ts'
import { openShell } from '../cli/shell.ts'
import { because, DEPLOY, findProgram, ROOT, runProgram } from './programs.ts'

/* Files that `init` makes from deploy/, and whether the programs that read them accept them. */

const GRACE = ['--organization', "Grace's Shop", '--country', 'NG', '--email', 'grace@example.com', '--yes', '--json']
const LIVE = ['--mode', 'live', '--public-url', 'https://pay.example.com', ...GRACE]
const kusanya = openShell({ LOG_LEVEL: 'silent' })
let folder: string
let systemd: { files: { path: string; outcome: string }[]; steps: { commands: string[] }[] }
let compose: typeof systemd

const init = async (args: string[], environment = {}) => {
  const { code, out, err } = await kusanya(['init', ...args], { folder, environment })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}
const read = (path: string) => readFileSync(join(folder, path), 'utf8')
const commandsOf = ({ steps }: typeof systemd) => steps.flatMap(({ commands }) => commands)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kusanya-init-'))
  const DATABASE_URL = 'postgres://kusanya:hidden@db.example.com/kusanya'
  systemd = await init(['--run', 'systemd', '--database', 'own', ...LIVE], { DATABASE_URL })
  compose = await init(['--run', 'compose', ...LIVE])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('init --run systemd', () => {
  it('writes the unit of deploy/ with this program, its settings, and secrets that only its owner can read', () => {
    const unit = read('kusanya-systemd/kusanya.service')
    const original = readFileSync(join(DEPLOY, 'systemd/kusanya.service'), 'utf8').split('\n')
    const changed = unit.split('\n').filter((line) => !original.includes(line))
    expect(changed.map((line) => line.split('=')[0]).sort()).toEqual(
      ['Documentation', 'Environment', 'ExecStart', 'LoadCredential', 'WorkingDirectory'].filter((name) =>
        changed.some((line) => line.startsWith(`${name}=`)),
      ),
    )
    expect(unit).toMatch(/^LoadCredential=database_url:/m)
    for (const name of ['secret_key', 'database_url'])
      expect(statSync(join(folder, 'kusanya-systemd', name)).mode & 0o777).toBe(0o600)
    const settings = Object.fromEntries(
      [...read('kusanya-systemd/kusanya.env').matchAll(/^([A-Z_]+)=(.*)$/gm)].map((match) => match.slice(1)),
    )
    const at = (name: string) => join(folder, 'kusanya-systemd', name)
    const files = { SECRET_KEY_FILE: at('secret_key'), DATABASE_URL_FILE: at('database_url') }
    expect(readConfig({ ...settings, ...files })).toMatchObject({
      MODE: 'live',
      PUBLIC_URL: 'https://pay.example.com',
      TRUST_PROXY: '127.0.0.1',
      DATABASE_URL: 'postgres://kusanya:hidden@db.example.com/kusanya',
      COLLECTION_CURRENCIES: ['BXC', 'UGX', 'KES', 'NGN'],
    })
  })

  it("is safe to run again: the files stay, with the database of one's own, and its address may change", async () => {
    const again = await init(['--run', 'systemd', '--yes', '--json'])
    expect(again.files).toEqual(systemd.files.map(({ path }) => ({ path, outcome: 'same' })))
    expect(commandsOf(again).filter((command) => command.includes('database_url')).length).toBe(2)
    const key = read('kusanya-systemd/secret_key')
    const DATABASE_URL = 'postgres://kusanya:other@db.example.com/kusanya'
    await init(['--run', 'systemd', '--replace', ...LIVE], { DATABASE_URL })
    expect(read('kusanya-systemd/database_url').trim()).toBe(DATABASE_URL)
    expect(read('kusanya-systemd/database_url.old').trim()).not.toBe(DATABASE_URL)
    expect(read('kusanya-systemd/secret_key')).toBe(key)
  })

  it('leaves the lines of the embedded database out without an own database', () => {
    expect(systemdUnit(findProgramPlace(), null)).toMatch(/^#LoadCredential=database_url:/m)
  })

  it('names a place that lasts, and how the program comes there', () => {
    expect(findProgramPlace('/home/grace/.npm/_npx/1f/node_modules/kusanya', true)).toEqual({
      folder: '/opt/kusanya',
      node: '/opt/kusanya/node_modules/.bin/node',
      entry: 'node_modules/kusanya/dist/cli/index.js',
      install: [`sudo npm install --prefix /opt/kusanya --save-exact kusanya@${VERSION}`],
    })
    const clone = findProgramPlace('/root/kusanya', false)
    expect(clone).toMatchObject({ folder: '/opt/kusanya', entry: 'src/cli/index.ts' })
    expect(clone.install[0]).toBe('sudo git clone /root/kusanya /opt/kusanya')
    expect(findProgramPlace('/srv/pay/node_modules/kusanya', true)).toMatchObject({ folder: '/srv/pay', install: [] })
  })

  const analyze = findProgram('systemd-analyze')
  const reason = analyze === null && 'systemd-analyze is not installed'
  it.skipIf(reason)(`is a unit without faults for systemd${because(reason)}`, () => {
    const place = { folder: ROOT, node: process.execPath, entry: 'src/cli/index.ts', install: [] }
    const path = join(folder, 'kusanya.service')
    execFileSync('tee', [path], {
      input: systemdUnit(place, 'postgres://db/kusanya'),
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    expect(runProgram(analyze!, ['verify', '--man=no', path]).output).not.toContain('kusanya.service')
  })

  it('prints commands that a shell can read, with the name in quotes', () => {
    const commands = commandsOf(systemd)
    for (const command of commands) expect(runProgram('sh', ['-n', '-c', command]).output, command).toBe('')
    expect(commands.find((command) => command.includes(' setup '))).toContain('--currency NGN --link')
    const words = runProgram('sh', [
      '-c',
      `sudo() { printf '%s\\n' "$@"; }; ${commands.find((one) => one.includes(' setup '))}`,
    ])
    expect(words.output.trim().split('\n').at(-1)).toContain(`--organization 'Grace'\\''s Shop'`)
  })
})

describe('init --run compose', () => {
  it('writes compose.yaml of deploy/ for a folder of its own, with all that it names', () => {
    const made = parse(read('kusanya-compose/compose.yaml'), { merge: true })
    const original = parse(readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8'), { merge: true })
    expect(made.services.kusanya.build).toEqual({
      context: ROOT.replace(/\/test\/deploy\/\.\.\/\.\.$/, ''),
      dockerfile: 'deploy/Dockerfile',
    })
    expect(made.services.kusanya.environment).toEqual({
      ...original.services.kusanya.environment,
      COLLECTION_CURRENCIES: 'BXC,UGX,KES,NGN',
    })
    expect({ ...made.services.postgres, build: 0 }).toEqual({ ...original.services.postgres, build: 0 })
    for (const { file } of Object.values<{ file: string }>(made.secrets))
      expect(read(join('kusanya-compose', file)).length).toBeGreaterThan(60)
    expect(statSync(join(folder, 'kusanya-compose/secrets')).mode & 0o777).toBe(0o700)
    expect(read('kusanya-compose/postgres/create-roles.sh')).toContain('create role')
    expect(read('kusanya-compose/.env')).toContain('PUBLIC_URL=https://pay.example.com')
  })

  it('builds the image of the package from npm, and all else as deploy/Dockerfile does', () => {
    expect(parse(composeFile(null, '/x', true))['x-kusanya'].build).toEqual({ context: '.', dockerfile: 'Dockerfile' })
    const text = packageDockerfile()
    const original = readFileSync(join(DEPLOY, 'Dockerfile'), 'utf8')
    for (const line of [
      'USER 10001:10001',
      'STOPSIGNAL SIGTERM',
      ...(original.match(/^(ARG|HEALTHCHECK|ENV| {2}CMD).*$/gm) ?? []),
    ])
      expect(text.split('\n')).toContain(line)
    expect(text).toContain(`ARG PACKAGE=kusanya@${VERSION}`)
    expect(text).toContain('ENTRYPOINT ["node", "/app/node_modules/kusanya/dist/cli/index.js"]')
    expect(text).not.toContain('/app/src')
  })

  it('is safe to run again, and keeps the secrets even when it writes the files anew', async () => {
    const secrets = () => ['secret_key', 'owner_password'].map((name) => read(`kusanya-compose/secrets/${name}`))
    const before = secrets()
    const again = await init(['--run', 'compose', ...LIVE])
    expect(again.files.map(({ outcome }: { outcome: string }) => outcome)).toEqual(compose.files.map(() => 'same'))
    const anew = await init([
      '--run',
      'compose',
      '--replace',
      '--mode',
      'sandbox',
      '--public-url',
      'http://127.0.0.1:3000',
      '--yes',
      '--json',
    ])
    expect(anew.files.filter(({ outcome }: { outcome: string }) => outcome === 'replaced')).toHaveLength(2)
    expect(read('kusanya-compose/.env.old')).toContain('MODE=live')
    expect(secrets()).toEqual(before)
    for (const command of commandsOf(anew)) expect(runProgram('sh', ['-n', '-c', command]).output, command).toBe('')
  })
})

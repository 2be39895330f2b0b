import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { connect } from '../../../../src/db/client.ts'
import { because, findProgram } from '../../../deploy/programs.ts'
import { cloneDatabase, eventually } from '../../../test-app.ts'

/* `init` as a program of its own: at a terminal, and killed. */

const ENTRY = join(import.meta.dirname, '../../../../src/cli/index.ts')
const OPTIONS = [
  '--mode',
  'live',
  '--database',
  'own',
  '--public-url',
  'https://pay.example.com',
  '--organization',
  'Shop',
  '--country',
  'UG',
  '--email',
  'grace@example.com',
  '--yes',
  '--json',
]
let database: Awaited<ReturnType<typeof cloneDatabase>>
let folder: string

beforeEach(async () => {
  database = await cloneDatabase()
  folder = mkdtempSync(join(tmpdir(), 'kusanya-init-'))
})
afterEach(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

function start(command: string[]): { child: ChildProcess; output(): string; ended: Promise<unknown[]> } {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, TERM: 'xterm', DATABASE_URL: database.url }
  const child = spawn(command[0]!, command.slice(1), { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
  return { child, output: () => text, ended: once(child, 'exit') }
}

/** Return the output that a terminal still shows: its sequence `ESC [1G ESC [0J` clears the current line. */
const shown = (output: string) =>
  output
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\u001b[1G\u001b[0J') + 1))
    .join('\n')

const script = findProgram('script')
const reason = script === null && 'the program script, which makes a terminal, is not installed'
it.skipIf(reason)(
  `asks at a real terminal, and does not show the address of the database${because(reason)}`,
  async () => {
    const { child, output, ended } = start([
      script!,
      '-qec',
      `${process.execPath} ${ENTRY} init --database own`,
      '/dev/null',
    ])
    const answers: [question: string, answer: string][] = [
      ['How is the service to run?', ''],
      ['Sandbox or live?', 'sandbox'],
      ['The public address', ''],
      ['The name of the organization', 'Shop'],
      ['Its country', 'Kenya'],
      ['Its currency', ''],
      ['The e-mail address', 'grace@example.com'],
      ['The name of this manager', ''],
    ]
    for (const [question, answer] of answers) {
      await eventually(question, async () => output().includes(question) || undefined, 60_000)
      child.stdin!.write(`${answer}\r`)
    }
    await ended
    const screen = shown(output())
    for (const [question] of answers) expect(screen).toContain(question)
    expect(output()).toContain('Shop (1)')
    expect(output()).not.toContain(database.url)
    expect(existsSync(join(folder, '.env'))).toBe(true)
  },
  120_000,
)

it.skipIf(reason)(
  `ends at Ctrl-C, and has written nothing${because(reason)}`,
  async () => {
    const { child, output, ended } = start([script!, '-qec', `${process.execPath} ${ENTRY} init`, '/dev/null'])
    await eventually(
      'the first question',
      async () => output().includes('How is the service to run?') || undefined,
      60_000,
    )
    child.stdin!.write('\u0003')
    const [code] = await ended
    expect({ code, output: output() }).toEqual({ code: 1, output: expect.stringContaining('was not answered') })
    expect(readdirSync(folder)).toEqual([])
  },
  120_000,
)

it('continues after it was killed, with the same secret key and one organization', async () => {
  const run = () => start([process.execPath, ENTRY, 'init', ...OPTIONS])
  const db = connect(database.url, { connections: 1, application: 'tests' })
  const path = join(folder, '.env')
  const moments = [
    async () => existsSync(path) || undefined,
    async () => (await db`select 1 from organizations`).length === 1 || undefined,
  ]
  const keys: (string | undefined)[] = []
  try {
    for (const [index, moment] of moments.entries()) {
      const { child, ended } = run()
      await eventually(`moment ${index}`, moment, 60_000)
      child.kill('SIGKILL')
      await ended
      keys.push(parseEnv(readFileSync(path, 'utf8')).SECRET_KEY)
    }
    const last = run()
    const [code] = await last.ended
    expect({ code, output: last.output() }).toEqual({ code: 0, output: expect.stringContaining('console/link#') })
    keys.push(parseEnv(readFileSync(path, 'utf8')).SECRET_KEY)
    expect(new Set(keys).size).toBe(1)
    expect(await db`select name from organizations`).toEqual([{ name: 'Shop' }])
    expect(await db`select email from users where kind = 'person'`).toEqual([{ email: 'grace@example.com' }])
    expect(readdirSync(folder).filter((name) => name !== '.env' && name !== 'data')).toEqual([])
  } finally {
    await db.end({ timeout: 1 })
  }
})

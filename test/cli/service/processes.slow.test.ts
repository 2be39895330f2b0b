import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase, eventually as eventuallyWithin } from '../../test-app.ts'
import { childrenOf, findFreePort } from '../program-runner.ts'

const KEY = 'test-key-of-the-demo-shop'
const PROGRAM = join(import.meta.dirname, '../../../src/cli/index.ts')

/** Starting a process takes a second, or many on a busy machine. */
const TIMEOUT_MS = 60_000
const eventually = <T>(what: string, check: () => Promise<T | undefined>) => eventuallyWithin(what, check, TIMEOUT_MS)

let database: Awaited<ReturnType<typeof cloneDatabase>>
let data_dir: string
const started: ChildProcess[] = []

beforeAll(async () => {
  database = await cloneDatabase()
  data_dir = await mkdtemp(join(tmpdir(), 'kusanya-processes-'))
})
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  await database.drop()
  await rm(data_dir, { recursive: true, force: true })
})

describe('serve --processes', { timeout: 4 * TIMEOUT_MS }, () => {
  it('runs several processes as one service, restarts one that ends, and stops with one signal', async () => {
    const port = await findFreePort()
    const file = join(data_dir, 'settings.env')
    await writeFile(file, `READS_PER_MINUTE=30\nSANDBOX_API_KEY=${KEY}\n`, { mode: 0o600 })
    const service = start(['serve', '--processes', '2', '--env-file', file], { PORT: String(port) })
    await eventually('the welcome', async () => (service.output().includes('is ready') ? true : undefined))
    await eventually('two processes', async () => (service.workers().length === 2 ? true : undefined))
    await eventually('both to answer', async () => ((await seeProcesses(port, 6)).size === 2 ? true : undefined))

    const statuses = await Promise.all(Array.from({ length: 40 }, () => ask(port, '/api/currencies')))
    expect(statuses.filter(({ status }) => status === 200)).toHaveLength(30)
    expect(statuses.filter(({ status }) => status === 429)).toHaveLength(10)

    const answers = (status: number) =>
      `http_request_duration_seconds_count{method="GET",route="/api/currencies",status="${status}"}`
    // A request is counted after its answer.
    await eventually('all to be counted', async () => {
      const { text: metrics } = await ask(port, '/metrics')
      return [`${answers(200)} 30\n`, `${answers(429)} 10\n`].every((line) => metrics.includes(line)) || undefined
    })

    // A replacement process has its predecessor's settings, whatever the file now contains.
    await writeFile(file, 'this is not a setting')
    const [victim] = service.workers()
    process.kill(victim!, 'SIGKILL')
    await eventually('another process in its place', async () =>
      service.workers().length === 2 && !service.workers().includes(victim!) ? true : undefined,
    )
    expect((await ask(port, '/readyz')).status).toBe(200)
    expect((await ask(port, '/api/currencies')).status).toBe(429)

    service.child.kill('SIGTERM')
    await service.ended
    expect(service.child.exitCode).toBe(0)
    expect(service.workers()).toEqual([])
    expect(service.output().match(/is ready/g)).toHaveLength(1)
    expect(service.errors()).toBe('')
  })

  // Concurrent, because these tests mostly wait.
  it.concurrent('ends with one line when the first process cannot start', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    const service = start(['serve', '--processes', '2'], { PORT: String(port) })
    await service.ended
    taken.close()
    expect(service.child.exitCode).toBe(1)
    expect(service.errors()).toMatch(/^The address 127\.0\.0\.1:\d+ is in use\..*\n$/)
  })

  it.concurrent('refuses a wrong count, and more connections than PostgreSQL has', async () => {
    const wrong = start(['serve', '--processes', 'many'], {})
    await wrong.ended
    expect(wrong.child.exitCode).toBe(1)
    expect(wrong.errors()).toContain('It must be from 1 to 64.')

    const excessive = start(['serve', '--processes', '4'], { DATABASE_URL: '', DATABASE_CONNECTIONS: '50' })
    await excessive.ended
    expect(excessive.child.exitCode).toBe(1)
    expect(excessive.errors()).toBe(
      'The setting DATABASE_CONNECTIONS=50 is wrong: for 4 processes it must be at most 20.\n',
    )
  })
})

/** Start the program as a person would, and collect its output. */
function start(args: string[], settings: Record<string, string>) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: {
      PATH: process.env.PATH,
      KUSANYA_ENV_FILE: 'off',
      DATABASE_URL: database.url,
      DATABASE_CONNECTIONS: '4',
      DATA_DIR: data_dir,
      // Building the console's pages would slow the tests down.
      CONSOLE: 'off',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  const text = { output: '', errors: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text.output += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text.errors += chunk
  })
  return {
    child,
    ended: once(child, 'close'),
    output: () => text.output,
    errors: () => text.errors,
    workers: () => childrenOf(child.pid!),
  }
}

/** Send one request on a new connection, so that any process may get it. */
async function ask(port: number, path: string): Promise<{ status: number; request_id: string; text: string }> {
  const agent = new Agent({ keepAlive: false })
  const [response] = await once(
    get({ port, path, agent, headers: { authorization: `Token ${KEY}`, connection: 'close' } }),
    'response',
  )
  let text = ''
  response.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  await once(response, 'end')
  return { status: response.statusCode, request_id: response.headers['x-request-id'], text }
}

/** Return the processes that answered: request ids start with a prefix of their process. */
async function seeProcesses(port: number, requests: number): Promise<Set<string>> {
  const answers = await Promise.all(Array.from({ length: requests }, () => ask(port, '/healthz')))
  return new Set(answers.map(({ request_id }) => request_id.split('-')[0]!))
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase, eventually as eventuallyWithin } from '../../test-app.ts'
import { findFreePort } from '../program-runner.ts'

const KEY = 'test-key-of-the-demo-shop'
const PROGRAM = join(import.meta.dirname, '../../src/cli/index.ts')

/** Starting a process takes a second, or many on a busy machine. */
const PATIENCE_MS = 60_000
const eventually = <T>(what: string, look: () => Promise<T | undefined>) => eventuallyWithin(what, look, PATIENCE_MS)

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

describe('serve --processes', { timeout: 4 * PATIENCE_MS }, () => {
  it('runs several processes as one service, mends it, and stops it with one signal', async () => {
    const port = await findFreePort()
    const service = start(['serve', '--processes', '2'], { PORT: String(port), READS_PER_MINUTE: '30' })
    await eventually('the greeting', async () => (service.output().includes('is ready') ? true : undefined))
    await eventually('two processes', async () => (service.workers().length === 2 ? true : undefined))
    await eventually('both to answer', async () => ((await seeProcesses(port, 6)).size === 2 ? true : undefined))

    const statuses = await Promise.all(Array.from({ length: 40 }, () => ask(port, '/api/currencies')))
    expect(statuses.filter(({ status }) => status === 200)).toHaveLength(30)
    expect(statuses.filter(({ status }) => status === 429)).toHaveLength(10)

    const answers = (status: number) =>
      `http_request_duration_seconds_count{method="GET",route="/api/currencies",status="${status}"}`
    // A request is counted when it has been answered.
    await eventually('all to be counted', async () => {
      const { text: figures } = await ask(port, '/metrics')
      return [`${answers(200)} 30\n`, `${answers(429)} 10\n`].every((line) => figures.includes(line)) || undefined
    })

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

  // Side by side, because most of it is waiting.
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

  it.concurrent('refuses a count that is none, and more connections than there are', async () => {
    const none = start(['serve', '--processes', 'many'], {})
    await none.ended
    expect(none.child.exitCode).toBe(1)
    expect(none.errors()).toContain('It must be from 1 to 64.')

    const greedy = start(['serve', '--processes', '4'], { DATABASE_URL: '', DATABASE_CONNECTIONS: '50' })
    await greedy.ended
    expect(greedy.child.exitCode).toBe(1)
    expect(greedy.errors()).toBe(
      'The setting DATABASE_CONNECTIONS=50 is wrong: for 4 processes it must be at most 21.\n',
    )
  })
})

/** Starts the program as a person would, and listens to what it says. */
function start(args: string[], settings: Record<string, string>) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      DATABASE_CONNECTIONS: '4',
      DATA_DIR: data_dir,
      SANDBOX_API_KEY: KEY,
      // Building the console's pages takes the processor away from what is tried here.
      CONSOLE: 'off',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  const said = { output: '', errors: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.errors += text
  })
  return {
    child,
    ended: once(child, 'close'),
    output: () => said.output,
    errors: () => said.errors,
    workers: () => childrenOf(child.pid!),
  }
}

/** One request on a connection of its own, so that any process may get it. */
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

/** Request ids begin with what is each process's own. */
async function seeProcesses(port: number, requests: number): Promise<Set<string>> {
  const answers = await Promise.all(Array.from({ length: requests }, () => ask(port, '/healthz')))
  return new Set(answers.map(({ request_id }) => request_id.split('-')[0]!))
}

function childrenOf(pid: number): number[] {
  const list =
    process.platform === 'linux'
      ? readOrEmpty(`/proc/${pid}/task/${pid}/children`)
      : spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }).stdout
  return list.split(/\s+/).filter(Boolean).map(Number)
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

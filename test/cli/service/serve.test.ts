import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, connect as openSocket, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase, createApiClient, eventually } from '../../test-app.ts'
import { killProgram, openProgramRunner, type ProgramRunner, SERVE_COMMAND } from '../program-runner.ts'

/*
 * The program as people start it and as disasters end it: real processes, each with the PostgreSQL that comes along
 * unless a test says otherwise.
 */

let premises: ProgramRunner

beforeAll(async () => {
  premises = await openProgramRunner()
})
afterAll(() => premises.close())

describe('serve', () => {
  it('greets with a curl line that works, and goes on after node and PostgreSQL were killed, twice in a row', async () => {
    const first = await premises.start()
    const key = /API key +(\S+)/.exec(first.output())![1]!
    const [create, look] = first.output().match(/^curl .*$/gm)!
    const made = JSON.parse(await shell(`${create} -s`))
    expect(made).toMatchObject({ amount: '1500.0000', currency: 'BXC', status: 'pending' })
    await killProgram(first, 'SIGKILL')

    const second = await premises.start()
    expect(second.output()).toContain(key)
    const request = { phonenumber: '+80000000004', amount: '20', currency: 'BXC', send_instructions: true }
    const later = (await createApiClient(second.url, key).post('/api/collectionrequests', request)).body
    await killProgram(second, 'SIGKILL')
    await premises.killDatabase()

    const third = await premises.start()
    const api = createApiClient(third.url, key)
    for (const { id } of [made, later]) await eventually(`the money of request ${id}`, () => isPaid(api, id), 90_000)
    expect(JSON.parse(await shell(`${look!.replace(/http:[^/]*\/\/[^/]+/, third.url)} -s`)).results[0].id).toBe(
      later.id,
    )

    const begin = Date.now()
    third.child.kill('SIGINT')
    await third.ended
    expect(third.child.exitCode).toBe(0)
    expect(Date.now() - begin).toBeLessThan(15_000)
    await expect(readFile(premises.postmasterFile)).rejects.toThrow('ENOENT')
    expect(third.errors()).toBe('')
    for (const { output } of [first, second, third]) expect(logOf(output())).not.toMatch(/8000000000[34]|ksy_/)
  }, 300_000)

  it('waits for a request that is under way, and ends at once when it is told so again', async () => {
    const service = await premises.start()
    const socket = await sendHalfARequest(service.url)
    service.child.kill('SIGINT')
    await eventually('the door to close', () => refusesConnections(service.url))
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(service.child.exitCode).toBeNull()
    service.child.kill('SIGINT')
    await service.ended
    // Whoever waits for the end of the request, or for the end of the patience, ends well.
    expect(service.child.exitCode).toBe(1)
    socket.destroy()
  }, 150_000)

  it('stops when the npm that runs it is killed', async () => {
    const service = await premises.start({ command: ['npm', 'start'] })
    service.child.kill('SIGTERM')
    await eventually('the door to close', () => refusesConnections(service.url))
    await eventually('PostgreSQL to stop', () =>
      readFile(premises.postmasterFile).then(
        () => undefined,
        () => true,
      ),
    )
  }, 150_000)
})

/** Side by side, because most of it is waiting. */
describe.concurrent('serve refuses in one line', { timeout: 150_000 }, () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>
  beforeAll(async () => {
    database = await cloneDatabase()
  })
  afterAll(() => database.drop())

  it('a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    expect(await fail({ DATABASE_URL: database.url, PORT: String(port) })).toBe(
      `The address 127.0.0.1:${port} is in use. Set PORT to another, or stop what uses it.\n`,
    )
    taken.close()
  })

  it('live mode without a network', async () => {
    const settings = { DATABASE_URL: database.url, MODE: 'live', SECRET_KEY: 'x'.repeat(32) }
    expect(await fail(settings)).toMatch(/^MODE=live needs a mobile-money network[^\n]*\n$/)
  })

  it('to do nothing at all', async () => {
    expect(await fail({ DATABASE_URL: database.url }, ['--no-api', '--no-jobs'])).toMatch(/^[^\n]*nothing to do\.\n$/)
  })
})

/** Starts what must not start, and returns what it said. */
async function fail(settings: Record<string, string>, options: string[] = []): Promise<string> {
  const service = premises.launch([...SERVE_COMMAND, ...options], settings)
  await service.ended
  expect(service.child.exitCode).toBe(1)
  expect(service.output()).toBe('')
  return service.errors()
}

/** Runs a line as if it were pasted into a terminal. */
async function shell(line: string): Promise<string> {
  const child = spawn('sh', ['-c', line], { stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) output += chunk
  return output
}

async function isPaid(api: ReturnType<typeof createApiClient>, id: number): Promise<true | undefined> {
  const { status, body } = await api.get(`/api/collectionrequests/${id}`)
  // More than 30 looks in a minute are throttled.
  if (status === 429) await new Promise((resolve) => setTimeout(resolve, 500))
  if (body.status === 'successful') return true
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  return undefined
}

/** A request whose body never comes to its end. */
async function sendHalfARequest(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = openSocket(Number(port), hostname)
  await once(socket, 'connect')
  socket.on('error', () => {})
  const head = ['POST /api/callbacks/sandbox HTTP/1.1', 'host: x', 'content-length: 100', 'expect: 100-continue']
  socket.write(`${head.join('\r\n')}\r\n\r\n{`)
  // It has been taken in once we are told to go on.
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toContain('100 Continue')
  return socket
}

async function refusesConnections(url: string): Promise<true | undefined> {
  return fetch(`${url}/healthz`).then(
    () => undefined,
    () => true,
  )
}

/** What is no greeting. */
function logOf(output: string): string {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .join('\n')
}

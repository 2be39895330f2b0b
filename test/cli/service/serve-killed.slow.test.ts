import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, connect as openSocket, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase, createApiClient, eventually } from '../../test-app.ts'
import { killProgram, openProgramRunner, type ProgramRunner, SERVE_COMMAND } from '../program-runner.ts'
import { openShell } from '../shell.ts'

/*
 * The program in real processes that are started and killed, each with the embedded PostgreSQL unless a test says
 * otherwise.
 */

let runner: ProgramRunner

beforeAll(async () => {
  runner = await openProgramRunner()
})
afterAll(() => runner.close())

describe('serve', () => {
  it('prints a curl line that works, and continues after node and PostgreSQL were killed twice', async () => {
    const first = await runner.start()
    const key = /API key +(\S+)/.exec(first.output())![1]!
    const [create, list] = first.output().match(/^curl .*$/gm)!
    const created = JSON.parse(await shell(`${create} -s`))
    expect(created).toMatchObject({ amount: '1500.0000', currency: 'BXC', status: 'pending' })
    await killProgram(first, 'SIGKILL')

    const second = await runner.start()
    expect(second.output()).toContain(key)
    const request = { phonenumber: '+80000000004', amount: '20', currency: 'BXC', send_instructions: true }
    const later = (await createApiClient(second.url, key).post('/api/collectionrequests', request)).body
    await killProgram(second, 'SIGKILL')
    await runner.killDatabase()

    const third = await runner.start()
    const api = createApiClient(third.url, key)
    for (const { id } of [created, later]) await eventually(`the money of request ${id}`, () => isPaid(api, id), 90_000)
    expect(JSON.parse(await shell(`${list!.replace(/http:[^/]*\/\/[^/]+/, third.url)} -s`)).results[0].id).toBe(
      later.id,
    )

    const stopped_at = Date.now()
    third.child.kill('SIGINT')
    await third.ended
    expect(third.child.exitCode).toBe(0)
    expect(Date.now() - stopped_at).toBeLessThan(15_000)
    await expect(readFile(runner.postmasterFile)).rejects.toThrow('ENOENT')
    expect(third.errors()).toBe('')
    for (const { output } of [first, second, third]) expect(logOf(output())).not.toMatch(/8000000000[34]|ksy_/)
  }, 300_000)

  it('waits for a running request, and ends at once after a second signal', async () => {
    const service = await runner.start()
    const socket = await sendHalfARequest(service.url)
    service.child.kill('SIGINT')
    await eventually('the server to close', () => refusesConnections(service.url))
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(service.child.exitCode).toBeNull()
    service.child.kill('SIGINT')
    await service.ended
    // Only a second signal ends the process with code 1.
    expect(service.child.exitCode).toBe(1)
    socket.destroy()
  })

  it('stops when the npm that runs it is killed', async () => {
    const service = await runner.start({ command: ['npm', 'start'] })
    service.child.kill('SIGTERM')
    await eventually('the server to close', () => refusesConnections(service.url))
    await eventually('PostgreSQL to stop', () =>
      readFile(runner.postmasterFile).then(
        () => undefined,
        () => true,
      ),
    )
  })
})

describe('live mode', () => {
  it('starts on the embedded PostgreSQL without any network, and refuses requests in words', async () => {
    const live = await openProgramRunner()
    try {
      const settings = { MODE: 'live', SECRET_KEY: 'x'.repeat(32) }
      const service = live.launch(SERVE_COMMAND, settings)
      const ready = await eventually(
        'the service',
        async () => {
          if (service.child.exitCode !== null) throw new Error(`It ended: ${service.errors()}`)
          return /^{.*"service_ready".*}$/m.exec(service.output())?.[0]
        },
        150_000,
      )
      const { address, notices } = JSON.parse(ready)
      expect(notices).toEqual(
        expect.arrayContaining([
          expect.stringContaining('no connection to a network'),
          expect.stringContaining('make backups'),
        ]),
      )
      const kusanya = openShell({ ...settings, DATA_DIR: live.data_dir })
      const owner = ['--organization', 'Mama Grace Shop', '--name', 'Grace', '--email', 'grace@shop.example']
      expect(await kusanya(['setup', ...owner])).toMatchObject({ code: 0 })
      expect(await kusanya(['accounts', 'create', 'UGX'])).toMatchObject({ code: 0 })
      const { key } = JSON.parse((await kusanya(['keys', 'create', '--name', 'till', '--json'])).out)
      const request = { phonenumber: '+256772000001', amount: '1500', currency: 'UGX' }
      const answer = await createApiClient(address, key).post('/api/collectionrequests', request)
      expect(answer).toMatchObject({ status: 400, body: { phonenumber: [expect.any(String)] } })
      service.child.kill('SIGTERM')
      await service.ended
      expect([service.child.exitCode, service.errors()]).toEqual([0, ''])
    } finally {
      await live.close()
    }
  })
})

/** Concurrent, because these tests mostly wait. */
describe.concurrent('serve refuses in one line', () => {
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
      `The address 127.0.0.1:${port} is in use. Set PORT to another port, or stop the program that uses it.\n`,
    )
    taken.close()
  })

  it('--no-api together with --no-jobs', async () => {
    expect(await fail({ DATABASE_URL: database.url }, ['--no-api', '--no-jobs'])).toMatch(/^[^\n]*nothing to run\.\n$/)
  })
})

/** Start a service that must fail, and return its errors. */
async function fail(settings: Record<string, string>, options: string[] = []): Promise<string> {
  const service = runner.launch([...SERVE_COMMAND, ...options], settings)
  await service.ended
  expect(service.child.exitCode).toBe(1)
  expect(service.output()).toBe('')
  return service.errors()
}

/** Run a line in a shell. */
async function shell(line: string): Promise<string> {
  const child = spawn('sh', ['-c', line], { stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) output += chunk
  return output
}

async function isPaid(api: ReturnType<typeof createApiClient>, id: number): Promise<true | undefined> {
  const { body } = await api.get(`/api/collectionrequests/${id}`)
  if (body.status === 'successful') return true
  // The service allows 30 reads in a minute, and the test reads a list after these.
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  return undefined
}

/** Send a request whose body never ends. */
async function sendHalfARequest(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = openSocket(Number(port), hostname)
  await once(socket, 'connect')
  socket.on('error', () => {})
  const head = ['POST /api/callbacks/sandbox HTTP/1.1', 'host: x', 'content-length: 100', 'expect: 100-continue']
  socket.write(`${head.join('\r\n')}\r\n\r\n{`)
  // The answer 100 Continue shows that the server has accepted the request.
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

/** The lines of the log, without the welcome. */
function logOf(output: string): string {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .join('\n')
}

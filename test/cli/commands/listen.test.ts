import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect, createServer as createSocketServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ListenOptions, runListen } from '../../../src/cli/commands/listen.ts'
import type { Terminal } from '../../../src/cli/terminal.ts'
import { recordEvents } from '../../../src/core/events/events.ts'
import { begin } from '../../../src/db/client.ts'
import { openTestService, REQUIRED_FIELDS, type TestService } from '../../interface/test-service.ts'
import { openReceiver, type Received } from '../../receiver.ts'
import { eventually } from '../../test-app.ts'
import { openShell } from '../shell.ts'

let testService: TestService
let program: DevelopersProgram
let stopAll: (() => Promise<void>)[] = []

beforeAll(async () => {
  testService = await openTestService()
  program = await startProgram()
})
afterEach(async () => {
  for (const stop of stopAll) await stop()
  stopAll = []
  program.received.length = 0
  program.status = 200
})
afterAll(async () => {
  program.server.close()
  await testService.close()
})

describe('listen', () => {
  it('forwards the same notification as a webhook would get, and signs it', async () => {
    const shop = await openReceiver()
    const target = `${shop.url}/?skip-cert-verify`
    const { otherShop } = testService
    await otherShop.post('/api/webhooks', { event: 'contact.created', target })
    const { out } = await listen({ api_key: otherShop.key, forward_to: program.url, events: ['contact.created'] })
    await otherShop.post('/api/collectionrequests', REQUIRED_FIELDS)
    const [forwarded] = await arrived(1)
    const delivered = await eventually('the webhook', async () => shop.received[0])
    await shop.close()

    expect(Object.keys(forwarded!.headers).sort()).toEqual(Object.keys(delivered.headers).sort())
    for (const name of ['content-type', 'user-agent']) expect(forwarded!.headers[name]).toBe(delivered.headers[name])
    const { hook, data } = JSON.parse(forwarded!.body)
    expect(data).toEqual(JSON.parse(delivered.body).data)
    expect(hook).toMatchObject({ id: 0, event: 'contact.created', target: program.url })
    const secret = /whsec_\S+/.exec(out().join('\n'))![0]
    const headers = forwarded!.headers as Record<string, string>
    expect(new Webhook(secret).verify(forwarded!.body, headers)).toEqual({ hook, data })
  })

  it('prints a line for each notification with its result, and goes on after a failure', async () => {
    const { out } = await listen({ forward_to: program.url })
    program.status = 500
    await emit(1)
    await arrived(1)
    program.status = 204
    await emit(2)
    const lines = await eventually('two lines', async () => {
      const lines = out().filter((line) => line.includes('contact.created'))
      return lines.length === 2 ? lines : undefined
    })
    expect(lines[0]).toMatch(/^2030-01-15T\d\d:\d\d:\d\dZ {2}contact\.created +\d+ {2}500 {2}\d+ ms$/)
    expect(lines[1]).toMatch(/ 204 {2}\d+ ms$/)
  })

  it('reports an address that does not answer, and only shows notifications without an address', async () => {
    const nowhere = await listen({ forward_to: 'http://127.0.0.1:9/' })
    const nothing = await listen({})
    await emit(1)
    await nowhere.printed(/contact\.created +\d+ {2}connection refused/)
    await nothing.printed(/contact\.created +\d+$/)
    expect(nothing.out().join()).not.toContain('whsec_')
  })

  it('uses the given secret and credentials', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const options = { forward_to: program.url, secret, basic_auth: 'shop:word' }
    const first = await listen(options)
    await emit(1)
    const [one] = await arrived(1)
    const headers = one!.headers as Record<string, string>
    expect(headers.authorization).toBe(`Basic ${Buffer.from('shop:word').toString('base64')}`)
    new Webhook(secret).verify(one!.body, headers)
    await first.stop()
    const { id } = (await testService.shop.get('/api/events?limit=1')).body.results[0]
    await listen({ ...options, since: String(id) })
    expect((await arrived(2))[1]!.headers['webhook-id']).toBe(headers['webhook-id'])
  })

  it('starts in the past with --since, and prints JSON with --print-json', async () => {
    await emit(7)
    // The feed shows an event after all earlier transactions have ended.
    const id: number = await eventually('the event', async () => {
      const [newest] = (await testService.shop.get('/api/events?limit=1')).body.results
      return newest?.data.number === 7 ? newest.id : undefined
    })
    const { out, err } = await listen({ forward_to: program.url, since: String(id), print_json: true })
    const line = await eventually('a line', async () => out()[0])
    expect(JSON.parse(line)).toMatchObject({
      id,
      event: 'contact.created',
      status: 200,
      failure: null,
      duration_ms: expect.any(Number),
      body: { hook: { id: 0 }, data: { number: 7 } },
    })
    expect(err().join()).toContain('Listening to all events')
  })
})

describe('a connection that breaks', () => {
  it('is opened again, and no event is lost, repeated or out of order', async () => {
    const proxy = await openProxy(testService.url)
    const { err } = await listen({ forward_to: program.url, url: proxy.url })
    await emit(1, 2)
    await arrived(2)
    for (const number of [3, 5]) {
      proxy.cut()
      await emit(number)
      await eventually('the lost connection to be noticed', async () => err().at(-1)?.includes('is lost') || undefined)
      await emit(number + 1)
      proxy.restore()
      await arrived(number + 1)
    }
    expect(numbersOf(program.received)).toEqual([1, 2, 3, 4, 5, 6])
    expect(err().filter((text) => text.startsWith('Connected again'))).toHaveLength(2)
  })

  it('starts from the first event when the sandbox was reset in between', async () => {
    const { err } = await listen({ forward_to: program.url, events: ['contact.created'] })
    await emit(1)
    await arrived(1)
    await testService.testApp.db`truncate events`
    await testService.testApp.db`select setval('events_id_seq', 1, false)`
    await emit(2)
    await arrived(2)
    expect(numbersOf(program.received)).toEqual([1, 2])
    expect(err().join()).toContain('events start again from the first one')
  })

  it('is not opened again with a revoked key', async () => {
    const api_key = await testService.newKey({ name: 'lost' })
    const { ended } = await listen({ api_key })
    await testService.testApp.db`update api_keys set revoked = now() where name = 'lost'`
    await testService.testApp.db`select pg_notify('access_changed', '')`
    await expect(ended).rejects.toThrow('does not know this API key')
    stopAll = []
  })
})

describe('an error at the start', () => {
  const shell = openShell({})
  const error = async (...args: string[]) => {
    const { code, err } = await shell(['listen', ...args])
    return `${code}: ${err}`
  }

  it('is printed in one line', async () => {
    expect(await error()).toContain('1: Give an API key with --api-key or KUSANYA_API_KEY.')
    expect(await error('--api-key', 'x', '--url', 'nowhere')).toContain('1: nowhere is not the address of a service.')
    expect(await error('--api-key', 'x', '--url', testService.url)).toMatch(
      /^1: The service at \S+ does not know this API key/,
    )
    const { server, url: down } = await startProgram()
    await new Promise((resolve) => server.close(resolve))
    expect(await error('--api-key', 'x', '--url', down)).toMatch(
      /^1: No service answers at \S+ \(ECONNREFUSED\)\. Start/,
    )
    expect(await error('--api-key', 'x', '--url', program.url)).toMatch(/^1: The server at \S+ is not this service/)
    const since = ['--api-key', testService.key, '--url', testService.url, '--since']
    expect(await error(...since, 'soon')).toMatch(/^1: since: Enter the id of an event or a time/)
    expect(await error('--events', 'contact')).toContain(
      'There is no event contact. Choose from: payment.status.changed,',
    )
    expect(await error('--secret', 'x')).toContain('It must be whsec_')
    expect(await error('--forward-to', 'ftp://x')).toContain('It must be an address such as')
  })

  it('is a key without the permission to see events', async () => {
    const powerless = await testService.newKey({ permissions: [] })
    expect(await error('--api-key', powerless, '--url', testService.url)).toContain('You do not have permission')
  })
})

describe('the program', () => {
  it('ends without an error on Ctrl-C', async () => {
    const file = join(import.meta.dirname, '../../../src/cli/index.ts')
    const environment = { ...process.env, KUSANYA_URL: testService.url, KUSANYA_API_KEY: testService.key }
    const child = spawn('node', [file, 'listen'], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    await eventually('it to listen', async () => output.includes('Press Ctrl-C to stop.') || undefined, 50_000)
    child.kill('SIGINT')
    const [code] = await once(child, 'exit')
    expect([code, output]).toEqual([0, expect.not.stringMatching(/error|lost/i)])
  })
})

/** A program under development: a receiver over plain HTTP. */
interface DevelopersProgram {
  url: string
  server: Server
  received: Received[]
  status: number
}

async function startProgram(): Promise<DevelopersProgram> {
  const server = createServer(async (request: IncomingMessage, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    program.received.push({ path: request.url!, headers: request.headers, body })
    response.writeHead(program.status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://localhost:${port}/hook`, server, received: [], status: 200 }
}

const arrived = (count: number) =>
  eventually(`${count} notifications`, async () => (program.received.length >= count ? program.received : undefined))

const numbersOf = (received: Received[]) => received.map(({ body }) => JSON.parse(body).data.number)

/** Record one event for each number. */
async function emit(...numbers: number[]): Promise<void> {
  const events = numbers.map((number) => ({
    organization: testService.organization,
    type: 'contact.created' as const,
    data: { number },
    author: 1,
  }))
  await begin(testService.testApp.db, (tx) => recordEvents(tx, testService.testApp.clock.now(), events))
  testService.testApp.app.wake()
}

/** Start the command and wait until it listens. It is stopped after the test. */
async function listen(options: ListenOptions) {
  const out: string[] = []
  const err: string[] = []
  const terminal = {
    environment: { KUSANYA_URL: testService.url, KUSANYA_API_KEY: testService.key },
    print: (line = '') => out.push(line),
    warn: (line: string) => err.push(line),
    ...Object.fromEntries(['strong', 'faint', 'good', 'bad'].map((name) => [name, (text: string) => text])),
  } as unknown as Terminal
  const abort = new AbortController()
  const ended = runListen(terminal, options, abort.signal)
  const stop = async () => {
    abort.abort()
    await ended
  }
  stopAll.push(stop)
  const listening = eventually(
    'it to listen',
    async () => [...out, ...err].includes('Press Ctrl-C to stop.') || undefined,
  )
  await Promise.race([listening, ended])
  return {
    out: () => out,
    err: () => err,
    printed: (pattern: RegExp) =>
      eventually(String(pattern), async () => out.some((line) => pattern.test(line)) || undefined),
    ended,
    stop,
  }
}

/** Open a TCP proxy to the service whose connections can be cut. */
async function openProxy(to: string) {
  const { port } = new URL(to)
  const open = new Set<Socket>()
  let is_cut = false
  const listener = createSocketServer((near) => {
    if (is_cut) return near.destroy()
    const far = connect(Number(port), '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => {}).on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  stopAll.push(async () => void listener.close())
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    cut() {
      is_cut = true
      for (const socket of open) socket.destroy()
      open.clear()
    },
    restore() {
      is_cut = false
    },
  }
}

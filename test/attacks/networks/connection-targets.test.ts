import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reachOf } from '../../../src/connections/reach.ts'
import { callHttp } from '../../../src/lib/http/http-call.ts'
import { openSocket, type Reach } from '../../../src/lib/http/reach.ts'
import { openTransport } from '../../../src/lib/http/transport.ts'
import { openSmpp } from '../../../src/senders/smpp/index.ts'
import { connectionTo, SHORT } from '../../senders/smpp/server.ts'
import { printFigure } from '../figures.ts'

/*
 * A manager adds a connection whose provider is inside the service's network. He wants to call internal addresses, or
 * to learn from its test which of them listen. Several organizations share the installation.
 */

let connections = 0
const internal = createServer((socket) => {
  connections += 1
  socket.destroy()
})
let port: number

beforeAll(async () => {
  await new Promise<void>((resolve) => internal.listen(0, '::', resolve))
  port = (internal.address() as { port: number }).port
})
afterAll(() => internal.close())

const STORED = {
  slug: 'shop-sms',
  driver: 'http',
  environment: 'production',
  organization: 2 as number | null,
  state: 'draft' as const,
  priority: 100,
  callback_secret: '00',
  hosts: {},
  settings: {},
  max_concurrent: 50,
  max_per_second: 100,
  places: [],
}

function reach(given: Partial<typeof STORED> & { allowed_networks?: string } = {}, shared = true): Reach | undefined {
  return reachOf({ ...STORED, ...given }, async () => shared)
}

const HOSTS = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0.0.0.0',
  'localhost',
  'localhost.',
  'sub.localhost',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '169.254.169.254',
  '[fd00:ec2::254]',
  '10.0.0.1',
  '100.100.100.200',
  '168.63.129.16',
  'no-such-host.invalid',
]

async function call(host: string, to: number, within: Reach | undefined): Promise<string> {
  const { transport, close } = openTransport(within)
  const target = {
    method: 'GET' as const,
    url: `http://${host}:${to}/`,
    headers: {},
    timeout_ms: 3_000,
    callee: 'provider',
  }
  const answer = await callHttp({ ...target, transport })
  await close()
  return answer.outcome === 'unknown' ? answer.message : 'answered'
}

async function testSmpp(host: string, to: number, within: Reach | undefined): Promise<string> {
  const connection = connectionTo(to, { host: host.replace(/^\[|\]$/g, ''), port: to })
  const tools = {
    alarm: () => {},
    openSocket: (target: Parameters<typeof openSocket>[0]) => openSocket(target, within),
  }
  const [result] = await openSmpp({ ...connection, hosts: {} }, tools, SHORT).test()
  return result!.message.replace(/^\S+ /, '')
}

/** Let servers listen at two addresses and the same port. @returns a port that was free at both */
async function listenAtOnePort(inner: Server, allowed: Server): Promise<number> {
  for (;;) {
    await once(allowed.listen(0, '127.0.0.2'), 'listening')
    const { port } = allowed.address() as { port: number }
    const taken = await once(inner.listen(port, '127.0.0.1'), 'listening').catch(
      (error: NodeJS.ErrnoException) => error,
    )
    if (Array.isArray(taken)) return port
    if (taken.code !== 'EADDRINUSE') throw taken
    await new Promise((resolve) => allowed.close(resolve))
  }
}

describe('a connection of an organization to an inner address', { timeout: 60_000 }, () => {
  it('is refused before it is opened, in the same words whether something listens there', async () => {
    const answers = new Set<string>()
    for (const host of HOSTS) for (const to of [port, 9]) answers.add(await call(host, to, reach()))
    const smpp = new Set<string>()
    for (const host of HOSTS) for (const to of [port, 9]) smpp.add(await testSmpp(host, to, reach()))
    printFigure(
      'connection-targets',
      `${2 * HOSTS.length} hosts and ports over HTTP and ${2 * HOSTS.length} over SMPP: ${connections} were called, and the answers have ${answers.size} and ${smpp.size} wording`,
    )
    expect([connections, answers.size, smpp.size]).toEqual([0, 1, 1])
    expect([...answers, ...smpp]).toEqual([
      expect.stringContaining('no public address'),
      expect.stringContaining('no public address'),
    ])
  })

  it.each([
    ['HTTP', call],
    ['SMPP', testSmpp],
  ] as const)('is refused over %s when the DNS answers with it after the first connection', async (_, connectTo) => {
    let outside = 0
    const allowed = createServer((socket) => {
      outside += 1
      socket.destroy()
    })
    const inner = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    const to = await listenAtOnePort(inner, allowed)
    let look_ups = 0
    const within: Reach = {
      ...reach()!,
      // Stands for a public address, which a test cannot have.
      allows: (address) => address === '127.0.0.2',
      async resolve() {
        look_ups += 1
        return [{ address: look_ups === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }]
      },
    }
    const answers = [await connectTo('provider.example', to, within), await connectTo('provider.example', to, within)]
    await Promise.all([allowed, inner].map((server) => new Promise((resolve) => server.close(resolve))))
    expect(answers.map((answer) => answer.includes('no public address'))).toEqual([false, true])
    // A connection goes to the address that was checked: its name is looked up once.
    expect([look_ups, outside, connections]).toEqual([2, 1, 0])
  })

  it('is opened only if the operator has named the network, or the host with its port', async () => {
    expect(await call('127.0.0.1', port, reach({ allowed_networks: '10.0.0.0/8' }))).toContain('no public address')
    expect(await call('127.0.0.1', port, reach({ hosts: { api: `http://127.0.0.1:${port + 1}` } }))).toContain(
      'no public',
    )
    expect(connections).toBe(0)
    for (const within of [
      reach({ allowed_networks: '127.0.0.0/8' }),
      reach({ hosts: { api: `http://127.0.0.1:${port}` } }),
      reach({ organization: null }),
      reach({}, false),
    ])
      expect(await call('127.0.0.1', port, within)).not.toContain('no public address')
    expect(connections).toBe(4)
  })
})

import type { LookupAddress } from 'node:dns'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAddressCheck, targetUrlError } from '../../src/core/target-urls.ts'
import { createHttpClient } from '../../src/lib/http/outgoing-http.ts'
import { openTestService, type TestService } from '../interface/test-service.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { printFigure } from './figures.ts'

/*
 * A user who may create webhooks wants the service to send requests into its own network: to this machine, to neighbours,
 * to the metadata service of a cloud. The services here listen on all addresses, live or as a sandbox.
 */

const SETTINGS = { HOST: '0.0.0.0', WEBHOOK_ALLOWED_NETWORKS: '' }
const MODES = ['live', 'sandbox'] as const

/** An internal system that notices each connection. */
let connections = 0
const internal = createServer((socket) => {
  connections += 1
  socket.destroy()
})
let port: number
let service: TestService
let receiver: Receiver

beforeAll(async () => {
  await new Promise<void>((resolve) => internal.listen(0, '::', resolve))
  port = (internal.address() as { port: number }).port
  service = await openTestService({ jobs: false, settings: { HOST: '0.0.0.0' } })
})
afterAll(async () => {
  await receiver?.close()
  await service.close()
  internal.close()
})

/** Post to a target as the service does, with a DNS of the attacker's. */
async function post(mode: (typeof MODES)[number], url: string, resolve?: () => Promise<LookupAddress[]>) {
  const client = createHttpClient({
    allowsAddress: createAddressCheck({ MODE: mode, ...SETTINGS }),
    timeout_ms: 2_000,
    resolve,
  })
  const { failure } = await client.post(new URL(url), {}, '{}', false)
  client.close()
  return failure
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
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '169.254.169.254',
  '10.0.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '①②⑦.⓪.⓪.①',
]

describe('a webhook to an internal system', () => {
  it('is never sent, however its address is written', async () => {
    let reached = 0
    for (const mode of MODES)
      for (const host of HOSTS) {
        const failure = await post(mode, `https://${host}:${port}/`)
        if (failure !== 'private_address') reached += 1
      }
    printFigure('webhook-targets', `${reached} of ${2 * HOSTS.length} spellings of internal addresses were called`)
    expect([reached, connections]).toEqual([0, 0])
  })

  it('is never sent to a name with an internal address, also beside a public one', async () => {
    const internal_address = { address: '127.0.0.1', family: 4 }
    const answers: LookupAddress[][] = [
      [internal_address],
      [{ address: '8.8.8.8', family: 4 }, internal_address],
      [
        { address: '2606:4700::1111', family: 6 },
        { address: '::ffff:127.0.0.1', family: 6 },
      ],
      [{ address: '::1', family: 6 }],
    ]
    for (const mode of MODES)
      for (const found of answers)
        expect(await post(mode, `https://shop.example:${port}/`, async () => found)).toBe('private_address')
    expect(connections).toBe(0)
  })

  it('is never sent when the DNS answer changes after the check', async () => {
    let look_ups = 0
    // The first answer is public and does not answer; every later one is internal.
    const resolve = async () => {
      look_ups += 1
      return [{ address: look_ups === 1 ? '192.88.99.1' : '127.0.0.1', family: 4 }]
    }
    const client = createHttpClient({
      allowsAddress: (address) =>
        address === '192.88.99.1' || createAddressCheck({ MODE: 'live', ...SETTINGS })(address),
      timeout_ms: 500,
      resolve,
    })
    const failures: (string | null)[] = []
    for (let tries = 0; tries < 3; tries += 1)
      failures.push((await client.post(new URL(`https://shop.example:${port}/`), {}, '{}', false)).failure)
    client.close()
    expect(failures.slice(1)).toEqual(['private_address', 'private_address'])
    expect([look_ups, connections]).toEqual([3, 0])
    printFigure('webhook-targets', `a name that changed its address was looked up ${look_ups} times and called 0 times`)
  })

  it('is never sent by a redirect', async () => {
    receiver = await openReceiver((_received, response) => {
      response.writeHead(307, { location: `https://127.0.0.1:${port}/` }).end()
    })
    const client = createHttpClient({ allowsAddress: () => true, timeout_ms: 5_000 })
    const result = await client.post(new URL(receiver.url), {}, '{}', false)
    client.close()
    expect([result.status, receiver.received.length, connections]).toEqual([307, 1, 0])
  })

  it('cannot be created in a sandbox that others can reach', async () => {
    let created = 0
    const targets = HOSTS.map((host) => `https://${host}:${port}/`).filter((url) => targetUrlError(url) === undefined)
    for (const target of targets) {
      const { status } = await service.shop.post('/api/webhooks', { event: 'contact.created', target })
      if (status === 201) created += 1
      else expect([target, status]).toEqual([target, 400])
    }
    printFigure('webhook-targets', `${created} of ${targets.length} webhooks to internal addresses were created`)
    expect(created).toBe(0)
  })
})

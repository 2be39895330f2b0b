import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deliverWebhooks } from '../../src/jobs/deliver-webhooks.ts'
import { createHttpClient } from '../../src/lib/http/outgoing-http.ts'
import { openReceiver, type Responder } from '../receiver.ts'
import { buildTestApp, type TestApp } from '../test-app.ts'
import { createWebhookHelpers, type WebhookHelpers } from './webhook-helpers.ts'

const SKIP = '?skip-cert-verify'

let house: TestApp
let test: WebhookHelpers
const closers: (() => unknown)[] = []

beforeAll(async () => {
  house = await buildTestApp()
  test = createWebhookHelpers(house)
})
afterAll(async () => {
  for (const close of closers) await close()
  await house.close()
})

async function receive(answer: Responder): Promise<string> {
  const receiver = await openReceiver(answer)
  closers.push(receiver.close)
  return receiver.url + SKIP
}

/** Something that takes connections and speaks no TLS. */
async function listenPlainly(take: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => take(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

describe('the record of an attempt names in one word why it failed:', () => {
  const targets: [string, string, () => Promise<string>][] = [
    ['timeout', 'no answer', () => receive(() => undefined)],
    [
      'timeout',
      'no end of the answer',
      () => receive((_received, response) => void response.writeHead(200).write('.')),
    ],
    ['dns', 'a name that nobody knows', async () => 'https://nowhere.example/'],
    ['tls', 'a certificate that nobody has signed', async () => (await receive(() => 200)).replace(SKIP, '')],
    ['tls', 'no TLS at all', () => listenPlainly((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))],
    ['refused', 'nobody who listens', async () => 'https://127.0.0.1:1/'],
    ['refused', 'an answer that breaks off', () => receive((_received, response) => response.destroy())],
    ['private_address', 'a name that leads into our own network', async () => 'https://intranet.example/'],
    [
      'too_large',
      'headers without end',
      () => receive((_received, response) => response.writeHead(200, { 'x-much': 'x'.repeat(20_000) }).end()),
    ],
    ['status', 'an answer that is no success', () => receive(() => 404)],
  ]

  it.each(targets)('%s, for %s', async (word, _why, open) => {
    const webhook = await test.addWebhook(await open())
    await test.emitEvents(1)
    const outgoing = createHttpClient({
      allowsAddress: (address) => address !== '10.0.0.1',
      // Nobody but those who wait for its end has to hurry.
      timeout_ms: word === 'timeout' ? 1_500 : 20_000,
      resolve: async (name) => {
        if (name === 'localhost') return [{ address: '127.0.0.1', family: 4 }]
        if (name === 'intranet.example') return [{ address: '10.0.0.1', family: 4 }]
        throw new Error('ENOTFOUND')
      },
    })
    closers.push(outgoing.close)
    const job = deliverWebhooks(house.app, outgoing)
    await job.run(await job.claim(10))
    const [attempt] = await test.attempts(webhook)
    expect(attempt).toMatchObject({
      attempt: 1,
      failure: word,
      request_headers: { 'content-type': 'application/json' },
    })
    expect(attempt!.duration_ms).toBeGreaterThanOrEqual(0)
    const [delivery] = await test.deliveries(webhook)
    expect(delivery).toMatchObject({ state: 'waiting', last_failure: word === 'status' ? '404' : word })
    await house.db`update webhooks set deleted = now()`
  })
})

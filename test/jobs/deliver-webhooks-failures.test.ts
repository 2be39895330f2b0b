import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deliverWebhooks } from '../../src/jobs/deliver-webhooks.ts'
import { createHttpClient } from '../../src/lib/http/outgoing-http.ts'
import { openReceiver, type Responder } from '../receiver.ts'
import { buildTestApp, type TestApp } from '../test-app.ts'
import { createWebhookHelpers, type WebhookHelpers } from './webhook-helpers.ts'

const SKIP = '?skip-cert-verify'

let testApp: TestApp
let test: WebhookHelpers
const closers: (() => unknown)[] = []

beforeAll(async () => {
  testApp = await buildTestApp()
  test = createWebhookHelpers(testApp)
})
afterAll(async () => {
  for (const close of closers) await close()
  await testApp.close()
})

async function receive(answer: Responder): Promise<string> {
  const receiver = await openReceiver(answer)
  closers.push(receiver.close)
  return receiver.url + SKIP
}

/** Open a server without TLS. */
async function listenWithoutTls(onConnection: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => onConnection(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

describe('the recorded reason of a failed attempt is', () => {
  const targets: [string, string, () => Promise<string>][] = [
    ['timeout', 'no answer', () => receive(() => undefined)],
    [
      'timeout',
      'no end of the answer',
      () => receive((_received, response) => void response.writeHead(200).write('.')),
    ],
    ['private_address', 'an unknown name', async () => 'https://nowhere.example/'],
    ['tls', 'an untrusted certificate', async () => (await receive(() => 200)).replace(SKIP, '')],
    ['tls', 'no TLS at all', () => listenWithoutTls((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))],
    ['refused', 'a closed port', async () => 'https://127.0.0.1:1/'],
    ['refused', 'an answer that stops before its end', () => receive((_received, response) => response.destroy())],
    ['private_address', 'a name with a private address', async () => 'https://intranet.example/'],
    [
      'too_large',
      'headers that are too large',
      () => receive((_received, response) => response.writeHead(200, { 'x-much': 'x'.repeat(20_000) }).end()),
    ],
    ['status', 'a status other than 2xx', () => receive(() => 404)],
  ]

  it.each(targets)('%s, for %s', async (reason, _target, open) => {
    const webhook = await test.addWebhook(await open())
    await test.emitEvents(1)
    const outgoing = createHttpClient({
      allowsAddress: (address) => address !== '10.0.0.1',
      // Short only for the cases that wait for the time-out.
      timeout_ms: reason === 'timeout' ? 1_500 : 20_000,
      resolve: async (name) => {
        if (name === 'localhost') return [{ address: '127.0.0.1', family: 4 }]
        if (name === 'intranet.example') return [{ address: '10.0.0.1', family: 4 }]
        throw new Error('ENOTFOUND')
      },
    })
    closers.push(outgoing.close)
    const job = deliverWebhooks(testApp.app, outgoing)
    await job.run(await job.claim(10))
    const [attempt] = await test.attempts(webhook)
    expect(attempt).toMatchObject({
      attempt: 1,
      failure: reason,
      request_headers: { 'content-type': 'application/json' },
    })
    expect(attempt!.duration_ms).toBeGreaterThanOrEqual(0)
    const [delivery] = await test.deliveries(webhook)
    expect(delivery).toMatchObject({ state: 'waiting', last_failure: reason === 'status' ? '404' : reason })
    await testApp.db`update webhooks set deleted = now()`
  })
})

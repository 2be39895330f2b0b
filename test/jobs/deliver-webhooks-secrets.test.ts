import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rotateSecret } from '../../src/core/events/endpoints.ts'
import { setCredentials, WEBHOOK_KEY_PURPOSE } from '../../src/core/events/webhooks.ts'
import { begin } from '../../src/db/client.ts'
import { startJobs } from '../../src/jobs/index.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { buildTestApp, eventually, type TestApp } from '../test-app.ts'
import { createWebhookHelpers, type WebhookHelpers } from './webhook-helpers.ts'

let testApp: TestApp
let test: WebhookHelpers
let receiver: Receiver
/** The body of a receiver that repeats all headers that it received. */
const echo = (received: { headers: Record<string, unknown> }) => JSON.stringify(received.headers)

beforeAll(async () => {
  testApp = await buildTestApp()
  test = createWebhookHelpers(testApp)
  receiver = await openReceiver((received, response) => {
    response.writeHead(500, { 'x-echo': echo(received), 'set-cookie': 'session=crumbs' }).end(echo(received))
  })
})
afterAll(async () => {
  await receiver.close()
  await testApp.close()
})

it('Secrets and credentials are never logged or recorded, whatever fails', async () => {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const app = { ...testApp.app, log: pino({ level: 'trace' }, stream) }
  const key = app.deriveSecret(WEBHOOK_KEY_PURPOSE)
  const webhook = await test.addWebhook(`${receiver.url}/?skip-cert-verify`)
  const old_secret = await test.secretOf(webhook)
  await begin(testApp.db, (tx) => rotateSecret(tx, testApp.clock.now(), webhook.id, key))
  const new_secret = await test.secretOf(webhook)
  const credentials = { user: 'shop', password: 'sesame-open' }
  await begin(testApp.db, (tx) => setCredentials(tx, testApp.clock.now(), testApp.organization, credentials, key))

  const jobs = startJobs(app)
  await test.emitEvents(1)
  await test.waitForAttempts(webhook, 1)
  await testApp.db`alter table webhook_attempts add constraint no_record check (false) not valid`
  await test.emitEvents(2)
  await eventually('the log line', async () => lines.find((line) => line.includes('webhook_delivery_failed')))
  await jobs.stop()
  await testApp.db`alter table webhook_attempts drop constraint no_record`

  const [row] = await testApp.db<{ secret: string; previous_secret: string; encrypted_credentials: string }[]>`
    select w.secret, w.previous_secret, c.encrypted_credentials from webhooks w, webhook_credentials c`
  const record = JSON.stringify([row, await test.attempts(webhook), await testApp.db`select * from webhook_attempts`])
  const basic = Buffer.from('shop:sesame-open').toString('base64')
  expect(receiver.received[0]!.headers.authorization).toBe(`Basic ${basic}`)
  for (const secret of [
    old_secret,
    new_secret,
    old_secret.slice(6),
    new_secret.slice(6),
    'sesame-open',
    basic,
    'crumbs',
  ])
    for (const text of [record, lines.join('')]) expect(text).not.toContain(secret)
  expect(record).toContain('Basic ***')
})

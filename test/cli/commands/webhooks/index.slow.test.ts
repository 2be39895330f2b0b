import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createWebhook, WEBHOOK_KEY_PURPOSE, type WebhookRow } from '../../../../src/core/events/webhooks.ts'
import { begin } from '../../../../src/db/client.ts'
import { deliverWebhooks } from '../../../../src/jobs/deliver-webhooks.ts'
import { decrypt } from '../../../../src/lib/secrets.ts'
import { createWebhookHelpers, giveUpRetries, type WebhookHelpers } from '../../../jobs/webhook-helpers.ts'
import { openReceiver, type Receiver } from '../../../receiver.ts'
import { buildTestApp, type TestApp } from '../../../test-app.ts'
import { openShell } from '../../shell.ts'

let testApp: TestApp
let test: WebhookHelpers
let receiver: Receiver
let status: number
let kusanya: ReturnType<typeof openShell>

beforeAll(async () => {
  testApp = await buildTestApp()
  test = createWebhookHelpers(testApp)
  receiver = await openReceiver((_received, response) => response.writeHead(status).end('so\nit is'))
  const { DATABASE_URL, DATA_DIR } = testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR })
})
beforeEach(async () => {
  status = 200
  await testApp.db`truncate webhooks, webhook_types, webhook_retries, webhook_attempts, webhook_credentials`
})
afterAll(async () => {
  await receiver.close()
  await testApp.close()
})

const addWebhook = () => test.addWebhook(`${receiver.url}/?skip-cert-verify`)

/** Record an event and send what is due. */
async function notify(): Promise<void> {
  await test.emitEvents(1)
  await send()
}

async function send(): Promise<void> {
  const job = deliverWebhooks(testApp.app)
  await job.run(await job.claim(10))
  await job.close?.()
}

const eventOf = async (webhook: WebhookRow) => (await test.deliveries(webhook))[0]!.event

describe('webhooks list', () => {
  it('shows each webhook with its target, and since when it fails', async () => {
    status = 500
    const webhook = await addWebhook()
    await notify()
    const { code, out } = await kusanya(['webhooks', 'list'])
    expect(code).toBe(0)
    expect(out).toContain(webhook.target)
    expect(out).toContain('2030-01-15 12:00')
    const [row] = JSON.parse((await kusanya(['webhooks', 'list', '--json'])).out)
    expect(row).toMatchObject({ id: webhook.id, event: 'contact.created' })
    expect(row.failing_since).toMatch(/^2030-01-15T12:0/)
    expect(JSON.stringify(row)).not.toContain('secret')
  })
})

describe('webhooks test, pause, resume and edit', () => {
  it('send a sample, hold what happens, and change the webhook', async () => {
    const webhook = await addWebhook()
    const id = String(webhook.id)
    expect((await kusanya(['webhooks', 'test', id])).out).toMatch(/answered 200 after \d+ ms\.$/)
    status = 404
    expect((await kusanya(['webhooks', 'test', id])).out).toContain('Answered 404. Check the path of the URL')
    expect(JSON.parse((await kusanya(['webhooks', 'test', id, '--json'])).out)).toMatchObject({ failure: '404' })
    expect((await kusanya(['webhooks', 'pause', id])).out).toBe(`Webhook ${id} (contact.created) is paused.`)
    await notify()
    expect(await test.deliveries(webhook)).toMatchObject([{ state: 'waiting', attempts: 0 }])
    status = 200
    await kusanya(['webhooks', 'resume', id])
    await send()
    expect(await test.deliveries(webhook)).toMatchObject([{ state: 'delivered' }])
    const edit = ['webhooks', 'edit', id]
    expect((await kusanya([...edit, '--description', 'Till', '--event', 'collection.received'])).code).toBe(0)
    const [row] = JSON.parse((await kusanya(['webhooks', 'list', '--json'])).out)
    expect(row).toMatchObject({ description: 'Till', event: 'collection.received', endpoint: webhook.id, paused: null })
    const two = await kusanya([...edit, '--event', 'payment.status.changed', 'collection.received', '--json'])
    expect(JSON.parse(two.out)).toMatchObject([{ event: 'collection.received' }, { event: 'payment.status.changed' }])
    expect((await kusanya([...edit, '--target', 'http://shop.example'])).err).toContain('https://')
    expect((await kusanya(edit)).code).not.toBe(0)
    expect((await kusanya(['webhooks', 'pause', '999'])).code).not.toBe(0)
  })
})

describe('webhooks deliveries and attempts', () => {
  it('show the results of notifications, and replay them', async () => {
    status = 503
    const webhook = await addWebhook()
    await notify()
    const event = await eventOf(webhook)
    const waiting = await kusanya(['webhooks', 'deliveries', String(webhook.id)])
    expect(waiting.out).toMatch(/contact\.created\s+waiting\s+1\s+503/)
    const attempts = await kusanya(['webhooks', 'attempts', String(webhook.id), String(event)])
    expect(attempts.out).toMatch(/127\.0\.0\.1\s+503\s+status\s+so it is/)

    await giveUpRetries(testApp.db)
    expect((await kusanya(['webhooks', 'deliveries', '--state', 'failed'])).out).toContain('failed')
    const replayed = await kusanya(['webhooks', 'replay', String(webhook.id), '--failed'])
    expect(replayed).toMatchObject({ code: 0, out: '1 notification is due again.' })
    const named = await kusanya(['webhooks', 'replay', String(webhook.id), '--delivery', String(event), '--json'])
    expect(JSON.parse(named.out)).toEqual({ count: 1, dry_run: false })
    // The list of deliveries and the attempt both show the replay.
    expect((await kusanya(['webhooks', 'deliveries'])).out).toMatch(/waiting\s+1\s+\d{4}-\d\d-\d\d \d\d:\d\d\s+503/)
    await send()
    expect((await kusanya(['webhooks', 'attempts', String(webhook.id), String(event)])).out).toMatch(/^ +2\s+yes/m)
  })
})

describe('webhooks replay', () => {
  /** Record and deliver one event for each number, that many minutes after noon. */
  async function deliverAt(...minutes: number[]): Promise<WebhookRow> {
    const webhook = await addWebhook()
    for (const [index, minute] of minutes.entries()) {
      testApp.clock.advance((minute - (minutes[index - 1] ?? 0)) * 60)
      await notify()
    }
    return webhook
  }
  const time = (from: Date, minutes: number) => new Date(from.getTime() + minutes * 60_000).toISOString()

  it('replays the deliveries of a period, and counts them with --dry-run', async () => {
    const start = testApp.clock.now()
    const webhook = await deliverAt(0, 10, 20, 30)
    const span = ['--since', time(start, 10), '--until', time(start, 30)]
    const replay = (...options: string[]) => kusanya(['webhooks', 'replay', String(webhook.id), ...span, ...options])
    expect((await replay('--dry-run')).out).toBe('2 notifications would be sent again.')
    expect((await test.deliveries(webhook)).map((one) => one.state)).toEqual(Array(4).fill('delivered'))
    expect((await replay('--failed')).out).toBe('0 notifications are due again.')
    expect((await replay()).out).toBe('2 notifications are due again.')
    const states = (await test.deliveries(webhook)).map((one) => one.state)
    expect(states).toEqual(['delivered', 'waiting', 'waiting', 'delivered'])
    await send()
    expect((await test.deliveries(webhook)).map((one) => one.attempts)).toEqual([1, 2, 2, 1])
  })

  it('replays all failed deliveries of all webhooks', async () => {
    status = 503
    await deliverAt(0)
    await addWebhook()
    await notify()
    await giveUpRetries(testApp.db)
    expect((await kusanya(['webhooks', 'replay', '--failed'])).out).toBe('3 notifications are due again.')
  })

  it('reports missing options, and unknown webhooks and events', async () => {
    const webhook = String((await addWebhook()).id)
    const refusal = async (...args: string[]) => {
      const { code, err } = await kusanya(['webhooks', 'replay', ...args])
      expect(code).toBe(1)
      return err
    }
    expect(await refusal('999', '--failed')).toBe('There is no webhook 999.')
    expect(await refusal('999', '--delivery', '1')).toBe('There is no webhook 999.')
    expect(await refusal(webhook, '--delivery', '888')).toBe(`Webhook ${webhook} has no delivery of event 888.`)
    expect(await refusal(webhook)).toMatch(/^Give --delivery and an event/)
    expect(await refusal('--since', '2030-01-31')).toMatch(/^Name the webhook\. Only --failed/)
    expect(await refusal('--delivery', '1')).toMatch(/^Name the webhook, such as/)
    expect(await refusal(webhook, '--failed', '--delivery', '1')).toMatch(/^Use either/)
    expect(await refusal(webhook, '--since', '2030-01-31', '--until', '2030-01-30')).toMatch(/must be before/)
    expect(await refusal(webhook, '--since', 'yesterdayish')).toMatch(/It must be a date/)
  })
})

describe('webhooks secret', () => {
  it('shows the secret, and a new one with --rotate', async () => {
    const { id } = await begin(testApp.db, (tx) =>
      createWebhook(
        tx,
        testApp.clock.now(),
        { organization: testApp.organization, user: 1, event: 'contact.created', target: 'https://shop.example/' },
        testApp.app.deriveSecret(WEBHOOK_KEY_PURPOSE),
      ),
    )
    const old = await kusanya(['webhooks', 'secret', String(id)])
    expect(old.out).toMatch(/^whsec_\S{44}$/)
    const rotated = await kusanya(['webhooks', 'secret', String(id), '--rotate'])
    expect(rotated.out).toMatch(/^whsec_\S{44}$/)
    expect(rotated.out).not.toBe(old.out)
    expect((await kusanya(['webhooks', 'secret', '999'])).err).toBe('There is no webhook 999.')
  })
})

describe('webhooks basic-auth', () => {
  const stored = async () => {
    const [row] = await testApp.db<
      { encrypted_credentials: string }[]
    >`select encrypted_credentials from webhook_credentials`
    return row && decrypt(testApp.app.deriveSecret(WEBHOOK_KEY_PURPOSE), row.encrypted_credentials)
  }

  it('asks a person, and never shows the password', async () => {
    const { code, out, err } = await kusanya(['webhooks', 'basic-auth', 'set'], { answers: ['shop', 'open:sesame'] })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('Demo Shop')
    expect(out).not.toContain('sesame')
    expect(await stored()).toBe('shop:open:sesame')
  })

  it('reads the standard input, for the given organization', async () => {
    const id = String(testApp.organization)
    await kusanya(['webhooks', 'basic-auth', 'set', id], { input: 'shop:open:sesame\n' })
    expect(await stored()).toBe('shop:open:sesame')
    expect((await kusanya(['webhooks', 'basic-auth', 'clear', id])).out).toContain('now carry no credentials')
    expect(await stored()).toBeUndefined()
    expect((await kusanya(['webhooks', 'basic-auth', 'clear', id])).out).toContain('had no credentials')
  })

  it('refuses input without a user name and password', async () => {
    const { code, err } = await kusanya(['webhooks', 'basic-auth', 'set'], { input: 'sesame' })
    expect({ code, err }).toEqual({ code: 1, err: 'Pipe in one line with the user name, a colon and the password.' })
  })
})

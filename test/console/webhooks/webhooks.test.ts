import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { giveUpRetries } from '../../jobs/webhook-helpers.ts'
import { PASSWORD } from '../../password.ts'
import { openReceiver, type Receiver } from '../../receiver.ts'
import { eventually } from '../../test-app.ts'
import { openBrowser } from '../browser.ts'
import { addPerson, openShop, type Shop } from '../shop.ts'

let shop: Shop
let receiver: Receiver
let target: string
/** The status that the receiver answers. */
let answer = 200

beforeAll(async () => {
  receiver = await openReceiver((_received, response) => {
    response.writeHead(answer, { 'x-shop': 'Kampala' }).end('{"heard":true}')
  })
  target = `${receiver.url}/notifications?skip-cert-verify`
  shop = await openShop()
})
afterAll(async () => {
  await shop.testApp.close()
  await receiver.close()
})

async function addWebhook(): Promise<number> {
  const created = await shop.owner.post('/webhooks', { event: 'contact.created', target })
  expect(created.status).toBe(201)
  return created.body.id
}

let phone = 10
/** Cause an event, and return the delivery of this webhook in the given state. */
async function deliver(webhook: number, state: string) {
  phone += 1
  const contact = { first_name: 'Ann', last_name: 'Other', phone_number: `+2567720000${phone}` }
  expect((await shop.owner.post('/contacts', contact)).status).toBe(201)
  return eventually(`a delivery that is ${state}`, async () => {
    const list = await shop.owner.get(`/webhooks/deliveries?webhook=${webhook}&state=${state}`)
    return list.body.results.find((one: { attempts: number }) => one.attempts > 0)
  })
}

describe('deliveries', () => {
  it('are listed, shown with the exact body, and replayed', async () => {
    answer = 200
    const webhook = await addWebhook()
    const { event, id } = await deliver(webhook, 'delivered')
    expect(id).toBe(`${webhook}-${event}`)
    const ofEvent = await shop.owner.get(`/webhooks/deliveries?event=${event}`)
    expect(ofEvent.body).toMatchObject({ count: 1, results: [{ webhook, event }] })
    expect((await shop.owner.get(`/webhooks/deliveries?event=${event + 1}`)).body.count).toBe(0)
    expect((await shop.owner.get('/webhooks/deliveries?event=first')).status).toBe(400)
    const path = `/webhooks/${webhook}/deliveries/${event}`
    const opened = (await shop.owner.get(path)).body
    const sent = receiver.received.at(-1)!
    expect(opened.body).toBe(sent.body)
    expect(opened.tries).toMatchObject([
      {
        attempt: 1,
        status: 200,
        replay: false,
        response_body: '{"heard":true}',
        response_headers: { 'x-shop': 'Kampala' },
      },
    ])
    expect(opened.tries[0].request_headers['webhook-id']).toBe(sent.headers['webhook-id'])

    expect((await shop.owner.post(`${path}/replay`)).status).toBe(204)
    const again = await eventually('a second attempt', async () => {
      const { tries } = (await shop.owner.get(path)).body
      return tries.length === 2 ? tries[1] : undefined
    })
    expect(again.replay).toBe(true)
    expect(receiver.received.at(-1)!.body).toBe(sent.body)
    expect(await shop.audit()).toContain('resend notification')
  })

  it('that failed after all attempts are counted, and replayed together', async () => {
    const webhook = await addWebhook()
    answer = 500
    const { event } = await deliver(webhook, 'waiting')
    await giveUpRetries(shop.testApp.db)
    expect((await shop.owner.get(`/webhooks/${webhook}/health`)).body).toMatchObject({
      failed: 1,
      waiting: 0,
      failing_since: '2030-01-15T12:00:00Z',
    })
    const input = { webhook, failed: true }
    expect((await shop.owner.post('/webhooks/replays', { webhook })).status).toBe(400)
    expect((await shop.owner.post('/webhooks/replays', { ...input, dry_run: true })).body).toEqual({
      count: 1,
      next: null,
    })
    answer = 200
    expect((await shop.owner.post('/webhooks/replays', input)).body).toEqual({ count: 1, next: null })
    await eventually('the notification', async () => {
      const { state } = (await shop.owner.get(`/webhooks/${webhook}/deliveries/${event}`)).body
      return state === 'delivered' ? true : undefined
    })
    expect((await shop.owner.get(`/webhooks/${webhook}/health`)).body).toMatchObject({ failed: 0, failing_since: null })
    expect(await shop.audit()).toContain('resend notifications')
  })
})

describe('a webhook', () => {
  it('shows its secret, and gets a new one while the old one still signs', async () => {
    const webhook = await addWebhook()
    const { secret } = (await shop.owner.post(`/webhooks/${webhook}/secret`)).body
    expect(secret).toMatch(/^whsec_/)
    const renewed = (await shop.owner.post(`/webhooks/${webhook}/secret/rotate`)).body.secret
    expect(renewed).not.toBe(secret)
    expect((await shop.owner.post(`/webhooks/${webhook}/secret`)).body.secret).toBe(renewed)
    expect((await shop.owner.get(`/webhooks/${webhook}/health`)).body.previous_secret_expires).toBe(
      '2030-01-16T12:00:00Z',
    )
    expect(await shop.audit()).toEqual(expect.arrayContaining(['show webhook secret', 'rotate webhook secret']))
  })

  it('is tested at once, signed as its notifications are, and marked', async () => {
    answer = 200
    const webhook = await addWebhook()
    const path = `/webhooks/${webhook}`
    expect((await shop.owner.get(`${path}/health`)).body).toMatchObject({ state: 'unused', failure: null })
    const { secret } = (await shop.owner.post(`${path}/secret`)).body
    const { body: result } = await shop.owner.post(`${path}/test`)
    expect(result).toMatchObject({ failure: null, status: 200, response_body: '{"heard":true}' })
    const sent = receiver.received.at(-1)!
    expect(sent.body).toBe(result.request_body)
    expect(JSON.parse(sent.body)).toMatchObject({ hook: { id: webhook }, data: { id: 0 }, test: true })
    expect(sent.headers['webhook-id']).toMatch(/^msg_.+_test_/)
    expect(() => new Webhook(secret).verify(sent.body, sent.headers as Record<string, string>)).not.toThrow()

    answer = 410
    expect((await shop.owner.post(`${path}/test`)).body).toMatchObject({ failure: '410', status: 410 })
    expect((await shop.owner.get(`${path}/health`)).body).toMatchObject({ state: 'unused', failing_since: null })
    expect((await shop.owner.get(`/webhooks/deliveries?webhook=${webhook}`)).body.count).toBe(0)
    expect(await shop.audit()).toContain('test webhook')
  })

  it('is paused: what happens meanwhile is delivered after it is resumed', async () => {
    answer = 200
    const webhook = await addWebhook()
    const path = `/webhooks/${webhook}`
    expect((await shop.owner.post(`${path}/pause`)).body).toMatchObject({ id: webhook, state: 'paused' })
    const contact = { first_name: 'Ann', last_name: 'Other', phone_number: '+256772000091' }
    const before = receiver.received.length
    expect((await shop.owner.post('/contacts', contact)).status).toBe(201)
    // The other webhooks of this file get the same event: when one has it, the paused one was passed over.
    await eventually('a notification', async () => receiver.received.length > before || undefined)
    const health = (await shop.owner.get(`${path}/health`)).body
    expect(health).toMatchObject({ state: 'paused', waiting: 1, paused: '2030-01-15T12:00:00Z' })
    expect((await shop.owner.post(`${path}/resume`)).body).toMatchObject({ paused: null })
    await eventually('the delivery', async () => {
      const { body } = await shop.owner.get(`${path}/health`)
      return body.state === 'active' && body.waiting === 0 ? true : undefined
    })
    expect(await shop.audit()).toEqual(expect.arrayContaining(['pause webhook', 'resume webhook']))
  })

  it('is created for several events as one, edited, and deleted, with one entry in the audit log each', async () => {
    const events = ['contact.created', 'collection.received']
    const wrong = await shop.owner.post('/webhooks/endpoints', { events: [...events, 'fly'], target })
    expect(wrong.status).toBe(400)
    expect((await shop.owner.post('/webhooks/endpoints', { events: [], target })).body).toHaveProperty('events')
    expect((await shop.owner.post('/webhooks/endpoints', { events, target: 'http://shop.example' })).body).toEqual({
      target: ['Enter a URL that begins with https://.'],
    })
    const created = (await shop.owner.post('/webhooks/endpoints', { events, target, description: ' Till ' })).body
    expect(created).toMatchObject({ description: 'Till', target, webhooks: events.map((event) => ({ event })) })
    const [first, second] = created.webhooks
    expect(created.id).toBe(first.id)
    // The API has a webhook for each event.
    expect((await shop.owner.get(`/webhooks/${second.id}`)).body).toMatchObject({ event: events[1], target })

    const path = `/webhooks/${second.id}`
    expect((await shop.owner.post(`${path}/edit`, { target: 'ftp://x' })).body).toHaveProperty('target')
    expect((await shop.owner.post(`${path}/edit`, { events: [] })).body).toHaveProperty('events')
    const changes = { events: [events[1], 'payment.status.changed'], description: '' }
    const edited = (await shop.owner.post(`${path}/edit`, changes)).body
    expect(edited).toMatchObject({ id: created.id, description: null, target })
    expect(edited.webhooks.map(({ event }: { event: string }) => event)).toEqual(changes.events)
    expect((await shop.owner.get(`/webhooks/${first.id}`)).status).toBe(404)
    // Its first webhook is deleted: its id still leads to it.
    expect((await shop.owner.get(`/webhooks/${first.id}/health`)).body).toEqual(edited)
    expect((await shop.owner.get('/webhooks/health?limit=100')).body.results).toContainEqual(edited)

    expect((await shop.owner.post(`/webhooks/${first.id}/delete`)).status).toBe(204)
    expect((await shop.owner.get(`${path}/health`)).status).toBe(404)
    const entries = (await shop.owner.get(`/audit?object_type=webhook&object=${created.id}`)).body.results
    const hosts = { host: new URL(target).host }
    expect(entries.map(({ action, details }: { action: string; details: object }) => [action, details])).toEqual([
      ['delete webhook', { events: changes.events, ...hosts }],
      ['edit webhook', { events: changes.events, ...hosts }],
      ['create webhook', { events, ...hosts }],
    ])
  })

  it('can be deleted', async () => {
    const webhook = await addWebhook()
    expect((await shop.owner.post(`/webhooks/${webhook}/delete`)).status).toBe(204)
    expect((await shop.owner.get(`/webhooks/${webhook}`)).status).toBe(404)
    const list = (await shop.owner.get('/webhooks/health?limit=100')).body.results
    expect(list.map((one: { id: number }) => one.id)).not.toContain(webhook)
    expect(await shop.audit()).toContain('delete webhook')
  })
})

describe('credentials of notifications', () => {
  it('are set, shown without their password, and removed', async () => {
    const url = '/webhook-credentials'
    expect((await shop.owner.get(url)).body).toEqual({ user: null, modified: null })
    expect((await shop.owner.send('PUT', url, { user: 'a:b', password: 'x' })).body).toHaveProperty('user')
    expect((await shop.owner.send('PUT', url, { user: 'shop', password: 'secret' })).status).toBe(200)
    expect((await shop.owner.get(url)).body).toEqual({ user: 'shop', modified: '2030-01-15T12:00:00Z' })
    expect((await shop.otherOwner.get(url)).body).toEqual({ user: null, modified: null })
    expect((await shop.owner.send('DELETE', url)).status).toBe(204)
    expect((await shop.owner.get(url)).body.user).toBeNull()
  })

  it('are set and removed by a developer, who manages no organization', async () => {
    const { testApp, url } = shop
    const email = 'developer@shop.example'
    const permissions = ['view', 'manage_integrations'] as const
    await addPerson(testApp, { email, organization: testApp.organization, permissions })
    const developer = openBrowser(url)
    await developer.signIn(email, PASSWORD)
    const credentials = { user: 'shop', password: 'secret' }
    expect((await developer.send('PUT', '/webhook-credentials', credentials)).status).toBe(200)
    expect((await developer.send('DELETE', '/webhook-credentials')).status).toBe(204)
  })
})

describe('webhooks', () => {
  it('need the permission, and belong to their organization', async () => {
    answer = 200
    const webhook = await addWebhook()
    const { event } = await deliver(webhook, 'delivered')
    const reads = [`/webhooks/${webhook}/health`, `/webhooks/${webhook}/deliveries/${event}`]
    const writes = [
      `/webhooks/${webhook}/secret`,
      `/webhooks/${webhook}/secret/rotate`,
      `/webhooks/${webhook}/delete`,
      `/webhooks/${webhook}/test`,
      `/webhooks/${webhook}/edit`,
      `/webhooks/${webhook}/pause`,
      `/webhooks/${webhook}/resume`,
      `/webhooks/${webhook}/deliveries/${event}/replay`,
    ]
    for (const person of [shop.viewer, shop.otherOwner]) {
      for (const path of reads) expect([path, (await person.get(path)).status]).toEqual([path, 403])
      for (const path of writes) expect([path, (await person.post(path)).status]).toEqual([path, 403])
      const replay = await person.post('/webhooks/replays', { webhook, failed: true })
      expect(replay.status).toBe(403)
    }
    for (const path of ['/webhooks/health', '/webhooks/deliveries', '/webhook-credentials'])
      expect((await shop.viewer.get(path)).status).toBe(403)
    for (const path of ['/webhooks/health', '/webhooks/deliveries'])
      expect((await shop.otherOwner.get(path)).body.count).toBe(0)
  })
})

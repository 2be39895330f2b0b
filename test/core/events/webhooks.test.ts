import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readDeliveryBacklog } from '../../../src/core/events/backlog.ts'
import { claimNotifications, findWebhooksBehind } from '../../../src/core/events/claims.ts'
import { findDelivery, listDeliveries } from '../../../src/core/events/deliveries.ts'
import { readDueWork } from '../../../src/core/events/due-work.ts'
import { editEndpoint, readSealedSecret, rotateSecret, setPaused } from '../../../src/core/events/endpoints.ts'
import { type NewEvent, recordEvents } from '../../../src/core/events/events.ts'
import {
  clearCredentials,
  createWebhook,
  deleteWebhooks,
  findWebhook,
  setCredentials,
  type WebhookRow,
} from '../../../src/core/events/webhooks.ts'
import { Invalid, NotFound } from '../../../src/core/refusals.ts'
import { createAddressCheck, mustVerifyCertificate, targetUrlError } from '../../../src/core/target-urls.ts'
import { begin, type Tx } from '../../../src/db/client.ts'
import { decrypt } from '../../../src/lib/secrets.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

const NOW = new Date('2030-01-15T12:00:00.750Z')
const KEY = 'ab'.repeat(32)
const TARGET = 'https://shop.example/'

let house: TestApp
let owner: number

beforeAll(async () => {
  house = await buildTestApp()
  const [row] = await house.db<{ id: number }[]>`select id from users where kind = 'person'`
  owner = row!.id
})
beforeEach(async () => {
  await house.db`truncate webhooks, webhook_types, webhook_retries, webhook_attempts, events`
})
afterAll(() => house.close())

const run = <T>(work: (tx: Tx) => Promise<T>) => begin(house.db, work)

function webhook(event = 'contact.created', organization = house.organization): Promise<WebhookRow> {
  return run((tx) => createWebhook(tx, NOW, { organization, user: owner, event, target: TARGET }, KEY))
}

function event(changes: Partial<NewEvent> = {}): NewEvent {
  return { organization: house.organization, type: 'contact.created', data: { name: 'Ann' }, author: 1, ...changes }
}

const record = (...events: NewEvent[]) => run((tx) => recordEvents(tx, NOW, events))

async function deliveries() {
  const rows = await house.db<{ webhook: number; event: number; state: string }[]>`
    select webhook, event, state from webhook_deliveries order by event, webhook`
  return [...rows]
}

describe('a webhook that is paused', () => {
  it('gets no delivery of a claim, and all of them after it is resumed', async () => {
    const { id } = await webhook()
    await run((tx) => setPaused(tx, NOW, id, true))
    await record(event())
    const lease_end = new Date(NOW.getTime() + 9_000)
    const times = { now: NOW, real: NOW, lease_end, renewed_before: lease_end }
    const claim = () => run((tx) => claimNotifications(tx, times, [id], [], 10))
    expect(await claim()).toMatchObject({ due: [], skipped: [id] })
    expect((await readDeliveryBacklog(house.db, NOW)).due.due).toBe(0)
    expect((await readDueWork(house.db)).filter(({ table }) => table === 'events')).toEqual([])
    await run((tx) => setPaused(tx, NOW, id, false))
    expect((await claim()).due).toMatchObject([{ webhook: id }])
    await expect(run((tx) => setPaused(tx, NOW, 999, true))).rejects.toThrow(NotFound)
  })
})

describe('an event', () => {
  it('waits for every webhook of its organization and type, and for no other', async () => {
    const [one, two] = [await webhook(), await webhook()]
    await webhook('collection.received')
    const gone = await webhook()
    await run((tx) => deleteWebhooks(tx, NOW, [gone.id]))
    await record(event(), event({ type: 'payment.status.changed' }), event({ organization: house.organization + 1 }))
    expect((await deliveries()).map((row) => row.webhook)).toEqual([one.id, two.id])
  })

  it('is the body of a notification, with its webhook in the form of the interface', async () => {
    const made = await webhook()
    await record(event({ data: { amount: '1500.0000', note: 'Zoë "the first"', score: 0.5 } }))
    const [waiting] = await deliveries()
    const body = async () => (await findDelivery(house.db, made.id, waiting!.event))!.body
    const data = '"data":{"amount":"1500.0000","note":"Zoë \\"the first\\"","score":0.5}}'
    const hook = `"id":${made.id},"user":${owner},"event":"contact.created","created":"2030-01-15T12:00:00Z","updated":"2030-01-15T12:00:00Z"`
    expect(await body()).toBe(`{"hook":{${hook},"target":"${TARGET}"},${data}`)
    // The webhook is as it is at the attempt.
    await run((tx) => editEndpoint(tx, NOW, made.id, { target: 'https://b.example/' }, null))
    expect(await body()).toBe(`{"hook":{${hook},"target":"https://b.example/"},${data}`)
  })

  it('reaches webhooks only if its transaction commits', async () => {
    await webhook()
    const never = run(async (tx) => {
      await recordEvents(tx, NOW, [event()])
      throw new Error('rolled back')
    })
    await expect(never).rejects.toThrow('rolled back')
    expect(await deliveries()).toEqual([])
  })
})

describe('the secrets of a webhook', () => {
  it('are random for each webhook, and encrypted', async () => {
    const [one, two] = [await webhook(), await webhook()]
    const secrets = [await readSealedSecret(house.db, one.id), await readSealedSecret(house.db, two.id)]
    const opened = secrets.map((sealed) => decrypt(KEY, sealed))
    for (const secret of opened) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(opened[0]).not.toBe(opened[1])
    expect(JSON.stringify([one, two])).not.toContain('whsec')
  })

  it('can be replaced by new ones', async () => {
    const { id } = await webhook()
    const old = decrypt(KEY, await readSealedSecret(house.db, id))
    await run((tx) => rotateSecret(tx, NOW, id, KEY))
    expect(decrypt(KEY, await readSealedSecret(house.db, id))).not.toBe(old)
  })

  it('exist only for existing webhooks', async () => {
    await expect(readSealedSecret(house.db, 999)).rejects.toThrow(NotFound)
    await expect(run((tx) => rotateSecret(tx, NOW, 999, KEY))).rejects.toThrow(NotFound)
  })
})

describe('Basic credentials', () => {
  it('can be set, replaced and removed', async () => {
    const set = (user: string) =>
      run((tx) => setCredentials(tx, NOW, house.organization, { user, password: 'p:w' }, KEY))
    await set('ann')
    await set('bob')
    const [row] = await house.db<
      { encrypted_credentials: string }[]
    >`select encrypted_credentials from webhook_credentials`
    expect(decrypt(KEY, row!.encrypted_credentials)).toBe('bob:p:w')
    expect(await run((tx) => clearCredentials(tx, house.organization))).toBe(true)
    expect(await run((tx) => clearCredentials(tx, house.organization))).toBe(false)
  })

  it.each([
    { user: '', password: 'x' },
    { user: 'a:b', password: 'x' },
    { user: 'a\nb', password: 'x' },
    { user: 'a', password: 'x\ny' },
  ])('are refused when they are $user and $password', async (credentials) => {
    const set = run((tx) => setCredentials(tx, NOW, house.organization, credentials, KEY))
    await expect(set).rejects.toThrow(Invalid)
  })
})

describe('a webhook that is deleted', () => {
  it('is not found, and its waiting deliveries are cancelled', async () => {
    const made = await webhook()
    await record(event())
    await run((tx) => deleteWebhooks(tx, NOW, [made.id]))
    expect(await findWebhook(house.db, made.id)).toBeUndefined()
    expect((await deliveries()).map((row) => row.state)).toEqual(['cancelled'])
    await record(event())
    expect(await deliveries()).toHaveLength(1)
    expect(await findWebhooksBehind(house.db)).toEqual([])
  })
})

describe('deliveries', () => {
  it('are listed newest first, by webhook and by state', async () => {
    const [one, two] = [await webhook(), await webhook()]
    await record(event(), event())
    await house.db`
      insert into webhook_attempts (webhook, event, attempt, type, event_created, at, duration_ms, failure, signature, recorded)
      select ${two.id}, id, 10, type, created, ${NOW}, 1, 'timeout', '', ${NOW} from events`
    const list = async (filters: Parameters<typeof listDeliveries>[2], limit = 10) =>
      (await listDeliveries(house.db, house.organization, filters, limit)).map((row) => [row.webhook, row.state])
    expect(await list({ webhook: one.id })).toEqual(Array(2).fill([one.id, 'waiting']))
    expect(await list({ state: 'failed' })).toEqual(Array(2).fill([two.id, 'failed']))
    expect(await list({}, 3)).toHaveLength(3)
    const all = await listDeliveries(house.db, house.organization, {}, 10)
    expect(all.map((row) => row.event)).toEqual([...all.map((row) => row.event)].sort((a, b) => b - a))
    expect(await listDeliveries(house.db, house.organization + 1, {}, 10)).toEqual([])
  })
})

describe('a target', () => {
  it('needs a valid certificate, unless a sandbox target asks to skip the check', () => {
    const settings = { MODE: 'sandbox' as const }
    const skipping = new URL('https://shop.example/?a=1&skip-cert-verify')
    expect(mustVerifyCertificate(settings, new URL(TARGET))).toBe(true)
    expect(mustVerifyCertificate(settings, skipping)).toBe(false)
    expect(mustVerifyCertificate({ ...settings, MODE: 'live' }, skipping)).toBe(true)
  })

  it('has a public address or one of the networks of the business; any address in a sandbox on loopback', () => {
    const own = { WEBHOOK_ALLOWED_NETWORKS: '10.1.0.0/16' }
    for (const settings of [
      { MODE: 'live' as const, HOST: '127.0.0.1', ...own },
      { MODE: 'live' as const, HOST: '0.0.0.0', ...own },
      { MODE: 'sandbox' as const, HOST: '0.0.0.0', ...own },
      { MODE: 'sandbox' as const, HOST: '10.1.2.3', ...own },
      { MODE: 'sandbox' as const, HOST: '::', ...own },
    ])
      expect(['8.8.8.8', '10.1.2.3', '10.2.0.1', '127.0.0.1'].map(createAddressCheck(settings))).toEqual([
        true,
        true,
        false,
        false,
      ])
    for (const HOST of ['127.0.0.1', '127.1.2.3', 'localhost', '::1'])
      expect(createAddressCheck({ MODE: 'sandbox', HOST, WEBHOOK_ALLOWED_NETWORKS: '' })('10.2.0.1')).toBe(true)
  })

  it('is an https URL without credentials', () => {
    expect(targetUrlError('https://shop.example?ipn=1')).toBeUndefined()
    for (const target of ['http://a.example', 'a.example', 'https://u:p@a.example', 'https:/a.example', 'https://a b/'])
      expect(targetUrlError(target)).toMatch(/^Enter a/)
  })
})

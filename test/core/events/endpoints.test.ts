import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listDeliveries } from '../../../src/core/events/deliveries.ts'
import {
  createEndpoint,
  deleteEndpoint,
  editEndpoint,
  findEndpoint,
  listEndpoints,
  readEndpoints,
  readEndpointWebhooks,
  readSealedSecret,
  rotateSecret,
  setPaused,
} from '../../../src/core/events/endpoints.ts'
import { type EventType, recordEvents } from '../../../src/core/events/events.ts'
import { createWebhook, deleteWebhooks, findWebhook } from '../../../src/core/events/webhooks.ts'
import { NotFound } from '../../../src/core/refusals.ts'
import { begin, type Tx } from '../../../src/db/client.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

const NOW = new Date('2030-01-15T12:00:00Z')
const KEY = 'ab'.repeat(32)
const TARGET = 'https://shop.example/'
const EVENTS: EventType[] = ['contact.created', 'collection.received']

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

function create(events: readonly string[] = EVENTS): Promise<number> {
  const input = { organization: house.organization, user: owner, target: TARGET, description: 'Till' }
  return run((tx) => createEndpoint(tx, NOW, { ...input, events }, KEY))
}

async function read(webhook: number) {
  const { id } = (await findEndpoint(house.db, webhook))!
  return (await readEndpoints(house.db, NOW, [id]))[0]!
}

async function record(type: EventType): Promise<void> {
  const event = { organization: house.organization, type, data: { name: 'Ann' }, author: 1 }
  await run((tx) => recordEvents(tx, NOW, [event]))
}

const list = (query = {}) =>
  listEndpoints(house.db, NOW, house.organization, { limit: 10, offset: 0, descending: true, ...query })

describe('an endpoint', () => {
  it('is one of several webhooks, each with a type, and a secret in common', async () => {
    const id = await create()
    const webhooks = await readEndpointWebhooks(house.db, id)
    expect(webhooks).toMatchObject(EVENTS.map((event) => ({ event, endpoint: id, target: TARGET, user: owner })))
    const secrets = await house.db<{ secret: string }[]>`select distinct secret from webhooks`
    expect(secrets).toHaveLength(1)
    const tokens = await house.db`select distinct token from webhooks`
    expect(tokens).toHaveLength(2)
    const alone = await run((tx) => createWebhook(tx, NOW, { ...webhooks[0]!, event: 'contact.created' }, KEY))
    expect(alone.endpoint).toBe(alone.id)
    expect((await list()).rows.map((one) => one.id)).toEqual([alone.id, id])
    const second = await list({ limit: 1, offset: 1 })
    expect(second).toMatchObject({ count: 2, rows: [{ id, webhooks: EVENTS.map((event) => ({ event })) }] })
    expect(await list({ event: 'collection.received' })).toMatchObject({
      count: 1,
      rows: [{ id, description: 'Till' }],
    })
    expect((await list({ event: 'invoice.paid' })).count).toBe(0)
  })

  it('has the deliveries of all its types, whichever of its webhooks is named', async () => {
    const id = await create()
    for (const event of [...EVENTS, 'invoice.paid'] as const) await record(event)
    const [, other] = await readEndpointWebhooks(house.db, id)
    for (const webhook of [id, other!.id])
      expect(await listDeliveries(house.db, house.organization, { webhook }, 10)).toHaveLength(2)
    expect((await read(other!.id)).waiting).toBe(2)
  })

  it('fails while one of its webhooks fails, since the first failure', async () => {
    const id = await create()
    expect((await read(id)).state).toBe('unused')
    const earlier = new Date(NOW.getTime() - 60_000)
    await house.db`update webhooks set failing_since = ${NOW} where id = ${id}`
    await house.db`update webhooks set failing_since = ${earlier} where id <> ${id}`
    expect(await read(id)).toMatchObject({ state: 'failing', failing_since: earlier })
    const edited = await run((tx) => editEndpoint(tx, NOW, id, { target: TARGET }, null))
    expect(edited.every((one) => one.failing_since !== null)).toBe(true)
    await run((tx) => editEndpoint(tx, NOW, id, { target: 'https://b.example/' }, null))
    expect(await read(id)).toMatchObject({ state: 'unused', failing_since: null, target: 'https://b.example/' })
  })

  it('is paused, resumed and gets a new secret as a whole', async () => {
    const id = await create()
    const [, other] = await readEndpointWebhooks(house.db, id)
    expect((await run((tx) => setPaused(tx, NOW, other!.id, true))).map(({ paused }) => paused)).toEqual([NOW, NOW])
    expect((await read(id)).state).toBe('paused')
    expect((await run((tx) => setPaused(tx, NOW, id, false))).map(({ paused }) => paused)).toEqual([null, null])
    const old = await readSealedSecret(house.db, id)
    await run((tx) => rotateSecret(tx, NOW, other!.id, KEY))
    const secrets = await house.db`select distinct secret, previous_secret from webhooks`
    expect(secrets).toEqual([{ secret: await readSealedSecret(house.db, other!.id), previous_secret: old }])
  })

  it('is deleted as a whole', async () => {
    const id = await create()
    const [, other] = await readEndpointWebhooks(house.db, id)
    expect(await run((tx) => deleteEndpoint(tx, NOW, other!.id))).toHaveLength(2)
    expect(await findEndpoint(house.db, id)).toBeUndefined()
    expect(await list()).toEqual({ rows: [], count: 0 })
    for (const change of [setPaused, deleteEndpoint] as const)
      await expect(run((tx) => change(tx, NOW, id, true))).rejects.toThrow(NotFound)
    await expect(run((tx) => editEndpoint(tx, NOW, 999, {}, null))).rejects.toThrow(NotFound)
  })
})

describe('the types of an endpoint', () => {
  it('are added and removed: what waits of removed ones is cancelled, and added ones share what it has', async () => {
    const id = await create()
    await run((tx) => setPaused(tx, NOW, id, true))
    await run((tx) => rotateSecret(tx, NOW, id, KEY))
    for (const event of EVENTS) await record(event)
    const events = ['collection.received', 'invoice.paid']
    const changed = await run((tx) => editEndpoint(tx, NOW, id, { events, description: null }, null))
    expect(changed).toMatchObject(events.map((event) => ({ event, endpoint: id, description: null, paused: NOW })))
    // Its first webhook is deleted, and it keeps its id.
    expect(await findWebhook(house.db, id)).toBeUndefined()
    expect((await read(changed[1]!.id)).id).toBe(id)
    expect((await read(id)).webhooks).toEqual(changed.map((one) => ({ id: one.id, event: one.event })))
    const secrets = await house.db`select distinct secret, previous_secret, previous_secret_expires from webhooks`
    expect(secrets).toHaveLength(1)
    await record('contact.created')
    await record('invoice.paid')
    const deliveries = await listDeliveries(house.db, house.organization, { webhook: id }, 10)
    expect(deliveries.map(({ type, state }) => [type, state])).toEqual([
      ['invoice.paid', 'waiting'],
      ['collection.received', 'waiting'],
      ['contact.created', 'cancelled'],
    ])
  })

  it('come back as new webhooks, and stay while no others are named', async () => {
    const id = await create()
    await run((tx) => editEndpoint(tx, NOW, id, { events: ['collection.received'] }, owner))
    await record('contact.created')
    const back = await run((tx) => editEndpoint(tx, NOW, id, { events: EVENTS }, owner))
    expect(back.map(({ event }) => event)).toEqual(['collection.received', 'contact.created'])
    expect(back[1]!.id).not.toBe(id)
    // An event between removal and return is not sent.
    expect((await read(id)).waiting).toBe(0)
    expect(await run((tx) => editEndpoint(tx, NOW, id, { description: 'Office' }, owner))).toHaveLength(2)
  })

  it('lose one whose receiver is gone, and the others stay', async () => {
    const id = await create()
    await run((tx) => deleteWebhooks(tx, NOW, [id]))
    expect((await read(id)).webhooks).toMatchObject([{ event: 'collection.received' }])
  })

  it('are each there once, when two people add the same', async () => {
    const id = await create(['contact.created'])
    const add = () => run((tx) => editEndpoint(tx, NOW, id, { events: EVENTS }, owner))
    await Promise.all([add(), add()])
    expect((await read(id)).webhooks).toHaveLength(2)
  })
})

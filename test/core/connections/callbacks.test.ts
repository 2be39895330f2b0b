import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  applyCallbackResults,
  type CallbackRow,
  claimCallbacks,
  type NewCallback,
  NOT_IN_SERVICE_NOTE,
  nextDueCallback,
  storeCallbacks,
} from '../../../src/core/connections/callbacks.ts'
import { insertConnection, setConnectionState } from '../../../src/core/connections/connections.ts'
import { begin } from '../../../src/db/client.ts'
import { openDatabase } from '../../test-app.ts'
import { openTwoConnections } from '../two-connections.ts'

let database: Awaited<ReturnType<typeof openDatabase>>

beforeAll(async () => {
  database = await openDatabase()
})
afterAll(async () => database.close())
beforeEach(async () => {
  await database.db`truncate callbacks`
})

const NOW = new Date('2030-01-15T12:00:00Z')
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000)
const CALLBACK: NewCallback = {
  network: 'sandbox',
  connection: 'sandbox',
  headers: { 'x-signature': 'abc' },
  body: '{"amount": "1500"}',
  verified: false,
  state: 'waiting',
  note: null,
}

const store = (...changes: Partial<NewCallback>[]) =>
  begin(database.db, (tx) =>
    storeCallbacks(
      tx,
      NOW,
      changes.map((change) => ({ ...CALLBACK, ...change })),
    ),
  )
const claim = (at = NOW, limit = 10): Promise<CallbackRow[]> =>
  begin(database.db, (tx) =>
    claimCallbacks(tx, { now: at, real: at, lease_end: new Date(at.getTime() + 15_000) }, limit),
  )

describe('an unverified callback', () => {
  it('is stored unchanged and is due at once', async () => {
    const [id] = await store({})
    expect(await nextDueCallback(database.db, NOW)).toEqual(NOW)
    const [row] = await claim()
    expect(row).toMatchObject({ ...CALLBACK, id, received: NOW })
  })

  it('is claimed once until its lease ends', async () => {
    await store({}, {})
    expect(await claim(NOW, 1)).toHaveLength(1)
    expect(await claim(NOW)).toHaveLength(1)
    expect(await claim(NOW)).toEqual([])
    expect(await nextDueCallback(database.db, NOW)).toBeNull()
    expect(await claim(later(16))).toHaveLength(2)
  })

  it('is due again at the time of its result, with the note of the failure', async () => {
    const [id] = await store({})
    await claim()
    await begin(database.db, (tx) =>
      applyCallbackResults(tx, NOW, [{ id: id!, state: 'waiting', note: 'The network is silent.', due_at: later(30) }]),
    )
    expect(await claim(later(29))).toEqual([])
    expect(await claim(later(30))).toMatchObject([{ id, note: 'The network is silent.' }])
  })

  it('is not due after it is settled', async () => {
    const [id] = await store({})
    await claim()
    await begin(database.db, (tx) =>
      applyCallbackResults(tx, NOW, [{ id: id!, state: 'settled', note: null, due_at: null }]),
    )
    expect(await nextDueCallback(database.db, later(3_600))).toBeNull()
  })
})

describe('a callback that is settled or ignored on arrival', () => {
  it('is stored and never due', async () => {
    expect(await store({ state: 'settled', verified: true }, { state: 'ignored', note: 'Not readable.' })).toHaveLength(
      2,
    )
    expect(await nextDueCallback(database.db, NOW)).toBeNull()
    expect(await claim()).toEqual([])
  })
})

describe('a callback that is kept until its connection is in service', () => {
  beforeAll(async () => {
    const draft = {
      slug: 'till',
      kind: 'network',
      driver: 'daraja',
      environment: 'sandbox',
      organization: null,
    } as const
    const secrets = { hosts: {}, settings: {}, sealed_secrets: '', callback_secret: '0'.repeat(48) }
    await begin(database.db, (tx) => insertConnection(tx, NOW, { ...draft, ...secrets }))
  })
  const hold = (id: number) => ({ id, state: 'waiting' as const, note: NOT_IN_SERVICE_NOTE, due_at: later(86_400) })

  it('is due when the connection comes into service, even while it is being kept', async () => {
    const two = await openTwoConnections(database.url)
    await database.db`update connections set state = 'paused' where slug = 'till'`
    const [id] = await store({ connection: 'till' })
    await claim()
    await two.runWhileHeld(
      (tx) => applyCallbackResults(tx, NOW, [hold(id!)]),
      (tx) => setConnectionState(tx, NOW, 'till', 'active', { force: true }),
    )
    await two.close()
    expect(await claim()).toMatchObject([{ id }])
  })

  it('is due at once where the connection has come into service meanwhile', async () => {
    const [id, other] = await store({ connection: 'till' }, { connection: 'another' })
    await claim()
    await begin(database.db, (tx) => applyCallbackResults(tx, NOW, [hold(id!), hold(other!)]))
    expect(await claim()).toMatchObject([{ id }])
    expect(await claim(later(86_400))).toHaveLength(2)
  })
})

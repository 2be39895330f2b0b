import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pausePlan, stopPlan } from '../../../src/core/collections/plans.ts'
import { readSchedule } from '../../../src/core/collections/recurring/recurrence.ts'
import {
  hasPassed,
  insertConnection,
  readStoredConnections,
  recordTest,
  sealSecrets,
  setConnectionState,
  updateConnection,
} from '../../../src/core/connections/connections.ts'
import { addPlace } from '../../../src/core/connections/places.ts'
import { begin } from '../../../src/db/client.ts'
import { newestPlans } from '../collections/newest-plans.ts'
import { NETWORK, openShop, type Shop } from '../shop.ts'

const key = (letter: string) => () => letter.repeat(64)
let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const insert = (slug: string, secrets: Record<string, string> = {}) =>
  begin(shop.db, (tx) =>
    insertConnection(tx, shop.now(), {
      slug,
      kind: 'network',
      driver: 'any',
      environment: 'production',
      organization: null,
      hosts: {},
      settings: { a: 1 },
      sealed_secrets: sealSecrets(key('a'), secrets),
      callback_secret: '0'.repeat(48),
    }),
  )
const place = (connection: string, account: number, number: string) =>
  begin(shop.db, (tx) => addPlace(tx, { connection, account, number }))
const outcomes = async (tries: Promise<unknown>[]) =>
  (await Promise.allSettled(tries)).map((result) => result.status).toSorted()

describe('changes at the same time', () => {
  it('never give one till at one network to two connections', async () => {
    const { id } = await shop.wallet()
    const slugs = ['race-1', 'race-2', 'race-3', 'race-4']
    for (const slug of slugs) await insert(slug)
    // A draft keeps no till from others.
    expect(await outcomes(slugs.map((slug) => place(slug, id, '612345')))).not.toContain('rejected')
    const use = (slug: string) =>
      begin(shop.db, (tx) => setConnectionState(tx, shop.now(), slug, 'active', { force: true }))
    expect(await outcomes(slugs.map(use))).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected'])
  })

  it('never give one slug to two connections', async () => {
    expect(await outcomes([insert('once'), insert('once')])).toEqual(['fulfilled', 'rejected'])
  })

  it('keep the result of a test only for the settings that were tested', async () => {
    const tested = await insert('tested')
    const results = [{ name: 'token', outcome: 'ok' as const, message: '' }]
    await begin(shop.db, (tx) => updateConnection(tx, shop.now(), 'tested', { settings: { a: 2 } }))
    await expect(begin(shop.db, (tx) => recordTest(tx, shop.now(), tested, results))).rejects.toThrow(
      'was changed during the test',
    )
  })
})

it('a connection stays while a recurring request that is active or paused needs it', async () => {
  await insert('planned')
  const now = shop.now()
  const subscription_settings = { end_date: '14/02/2030 12:00:00', frequency: 'daily' }
  const schedule = readSchedule(subscription_settings, null, { now, time_zone: 'UTC' })
  if (Array.isArray(schedule)) throw new Error(schedule.join(' '))
  await shop.createRequest({ subscription_settings, schedule, network: { ...NETWORK, slug: 'planned' } })
  const [plan] = await newestPlans(shop.db, 1)
  await shop.db`delete from open_collection_requests`
  const remove = () => begin(shop.db, (tx) => setConnectionState(tx, now, 'planned', 'removed'))
  await expect(remove()).rejects.toThrow('1 recurring requests')
  await begin(shop.db, (tx) => pausePlan(tx, now, plan!.id))
  await expect(remove()).rejects.toThrow('1 recurring requests')
  await begin(shop.db, (tx) => stopPlan(tx, now, plan!.id))
  expect(await remove()).toMatchObject({ state: 'removed' })
})

it('a test has passed when nothing was wrong, and only then', () => {
  const result = (outcome: 'ok' | 'failed' | 'unknown' | 'skipped') => ({ name: 'a', outcome, message: '' })
  expect(hasPassed({ last_test: [result('ok'), result('skipped')] })).toBe(true)
  expect(hasPassed({ last_test: [result('ok'), result('failed')] })).toBe(false)
  expect(hasPassed({ last_test: [result('unknown')] })).toBe(false)
  expect(hasPassed({ last_test: null })).toBe(false)
})

it('a connection whose secrets another key has encrypted is told, and the others are read', async () => {
  await insert('sealed', { api_key: 'the-secret' })
  const read = async (letter: string) =>
    (await readStoredConnections(shop.db, key(letter))).find(({ slug }) => slug === 'sealed')!
  expect((await read('a')).settings).toEqual({ a: 1, api_key: 'the-secret' })
  const other = await read('b')
  expect(other).toMatchObject({ problem: expect.stringContaining('Its secrets cannot be read') })
  expect(other.settings).toEqual({ a: 1 })
})

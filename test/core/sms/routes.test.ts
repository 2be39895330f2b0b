import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Invalid, NotFound } from '../../../src/core/refusals.ts'
import {
  chooseRoute,
  listSmsRoutes,
  type NewSmsRoute,
  type RouteConnection,
  type RouteQuery,
  readRoutePlan,
  removeSmsRoute,
  setSenderId,
  setSmsRoute,
} from '../../../src/core/sms/routes.ts'
import { begin } from '../../../src/db/client.ts'
import { amount, openShop, type Shop } from '../shop.ts'
import { openDesk, routeTo } from './desk.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
beforeEach(() => openDesk(shop, []).clear())
afterAll(() => shop.close())

const set = (changes: Partial<NewSmsRoute> & { connection: string }) =>
  begin(shop.db, (tx) =>
    setSmsRoute(tx, shop.now(), {
      organization: null,
      country: null,
      purpose: null,
      sender_id: null,
      priority: 100,
      price: null,
      currency: null,
      ...changes,
    }),
  )

async function choose(connections: RouteConnection[], changes: Partial<RouteQuery> = {}) {
  const { organization } = shop
  const plan = await readRoutePlan(shop.db, [organization])
  return chooseRoute(plan, connections, { organization, country: 'UG', purpose: 'success', used: [], ...changes })
}

const [a, b, c] = [routeTo('a'), routeTo('b'), routeTo('c')] as const

describe('a route', () => {
  it('is not needed: active connections serve in the order of their priorities, the own ones first', async () => {
    expect(await choose([routeTo('x', { priority: 5 }), routeTo('y', { priority: 3 })])).toMatchObject({
      connection: 'y',
    })
    const own = routeTo('own', { organization: shop.organization, priority: 900 })
    expect(await choose([a, own])).toMatchObject({ connection: 'own' })
    const theirs = routeTo('theirs', { organization: shop.organization + 1, priority: 1 })
    expect(await choose([theirs, a])).toMatchObject({ connection: 'a' })
    expect(await choose([theirs])).toBeUndefined()
  })

  it('leads to a fallback only where no other active connection reaches the phone, or where it names the fallback', async () => {
    const fallback = routeTo('fallback', { is_fallback: true, priority: 1 })
    const theirs = routeTo('theirs', { organization: shop.organization + 1 })
    expect(await choose([fallback, a])).toMatchObject({ connection: 'a' })
    expect(await choose([fallback, a], { used: ['a'] })).toBeUndefined()
    expect(await choose([fallback, routeTo('closed', { is_usable: false })])).toBe('waits')
    expect(await choose([fallback, theirs])).toMatchObject({ connection: 'fallback' })
    const kenya = routeTo('kenya', { countries: ['KE'] })
    const paused = routeTo('paused', { is_active: false, is_usable: false })
    expect(await choose([fallback, kenya, paused])).toMatchObject({ connection: 'fallback' })
    await set({ connection: 'fallback', purpose: 'success' })
    expect(await choose([fallback, a])).toMatchObject({ connection: 'fallback' })
    expect(await choose([fallback, a], { purpose: 'goods' })).toMatchObject({ connection: 'a' })
  })

  it('goes by organization, priority, price and precision, in this order', async () => {
    await set({ connection: 'a', price: amount('30'), currency: 'UGX' })
    await set({ connection: 'b', price: amount('20'), currency: 'UGX' })
    expect(await choose([a, b, c])).toMatchObject({ connection: 'b' })
    await set({ connection: 'c', priority: 50 })
    expect(await choose([a, b, c])).toMatchObject({ connection: 'c' })
    await set({ connection: 'a', organization: shop.organization, priority: 900 })
    expect(await choose([a, b, c])).toMatchObject({ connection: 'a' })
  })

  it('counts for its country and its purpose only', async () => {
    await set({ connection: 'a', country: 'KE' })
    await set({ connection: 'b', purpose: 'instructions' })
    await set({ connection: 'c', country: 'UG', purpose: 'goods' })
    expect(await choose([a, b, c], { country: 'KE' })).toMatchObject({ connection: 'a' })
    expect(await choose([a, b, c], { purpose: 'instructions' })).toMatchObject({ connection: 'b' })
    expect(await choose([a, b, c], { purpose: 'goods' })).toMatchObject({ connection: 'c' })
    // None fits, so every connection serves.
    expect(await choose([a, b, c], { country: 'TZ' })).toMatchObject({ connection: 'a' })
  })

  it('skips what cannot send now, what was used, and degraded connections while another one works', async () => {
    expect(await choose([{ ...a, is_degraded: true }, b])).toMatchObject({ connection: 'b' })
    expect(await choose([{ ...a, is_degraded: true }])).toMatchObject({ connection: 'a' })
    expect(await choose([{ ...a, is_usable: false }, b])).toMatchObject({ connection: 'b' })
    expect(await choose([{ ...a, is_usable: false }])).toBe('waits')
    expect(await choose([a, b], { used: ['a'] })).toMatchObject({ connection: 'b' })
    expect(await choose([a], { used: ['a'] })).toBeUndefined()
    expect(await choose([routeTo('a', { countries: ['KE'] }), b])).toMatchObject({ connection: 'b' })
  })

  it('has the sender id of the route, or the most precise one of the organization and the country', async () => {
    const sender = (sender_id: string, organization: number | null, country: string | null) =>
      begin(shop.db, (tx) => setSenderId(tx, shop.now(), { organization, country, sender_id }))
    await sender('Everyone', null, null)
    expect(await choose([a])).toMatchObject({ sender_id: 'Everyone' })
    await sender('Uganda', null, 'UG')
    expect(await choose([a])).toMatchObject({ sender_id: 'Uganda' })
    await sender('DemoShop', shop.organization, null)
    expect(await choose([a])).toMatchObject({ sender_id: 'DemoShop' })
    await sender('DemoUG', shop.organization, 'UG')
    expect(await choose([a])).toMatchObject({ sender_id: 'DemoUG' })
    await set({ connection: 'a', sender_id: '8008' })
    expect(await choose([a])).toMatchObject({ sender_id: '8008' })
    for (const wrong of ['TwelveLetters', '12', 'a$b', '-x', 'Shop '])
      await expect(sender(wrong, null, null)).rejects.toThrow(Invalid)
  })

  it('is one for each organization, country, purpose and connection, and can be removed', async () => {
    const first = await set({ connection: 'a' })
    const again = await set({ connection: 'a', priority: 7 })
    expect(again).toMatchObject({ id: first.id, priority: 7 })
    await expect(set({ connection: 'a', price: amount('3') })).rejects.toThrow(Invalid)
    await begin(shop.db, (tx) => removeSmsRoute(tx, first.id))
    expect(await listSmsRoutes(shop.db)).toEqual([])
    await expect(begin(shop.db, (tx) => removeSmsRoute(tx, first.id))).rejects.toThrow(NotFound)
  })
})

describe('an SMS on its way', () => {
  it('leaves a connection that is paused, and waits where there is no other', async () => {
    const before = openDesk(shop, [routeTo('a', { is_usable: false, priority: 1 })])
    const id = await before.queue()
    expect(await before.claim()).toEqual([])
    expect(await before.find(id)).toMatchObject({ state: 'waiting', attempts: 0 })
    shop.testApp.clock.advance(30)
    const on_a = openDesk(shop, [a])
    expect((await on_a.claim({ lease_ms: 0 }))[0]).toMatchObject({ connection: 'a', attempts: 1 })
    // It was claimed and not sent, as by a process that was killed.
    const after = openDesk(shop, [{ ...a, is_usable: false }, b])
    expect((await after.claim())[0]).toMatchObject({ id, connection: 'b', route_attempt: 1, attempts: 2 })
  })

  it('leaves a degraded connection that has tried it for the second route, and no other after that', async () => {
    const on_a = openDesk(shop, [a])
    const id = await on_a.queue()
    const [first] = await on_a.claim()
    await on_a.answer(first!, { outcome: 'unknown', message: 'no answer' })
    shop.testApp.clock.advance(30)
    const after = openDesk(shop, [{ ...a, is_degraded: true }, b, c])
    const [second] = await after.claim()
    expect(second).toMatchObject({ id, connection: 'b', route_attempt: 2 })
    await after.answer(second!, { outcome: 'unknown', message: 'no answer' })
    shop.testApp.clock.advance(120)
    const later = openDesk(shop, [a, { ...b, is_usable: false }, c])
    expect(await later.claim()).toEqual([])
    expect(await later.find(id)).toMatchObject({ state: 'waiting', sender: 'b' })
  })

  it('has failed where nothing could carry it, or when it is not valid any more', async () => {
    const desk = openDesk(shop, [routeTo('a', { countries: ['KE'] })])
    const id = await desk.queue()
    expect(await desk.claim()).toEqual([])
    expect(await desk.find(id)).toMatchObject({ state: 'failed', reason: 'no_route', attempts: 0 })
    const late = await desk.queue({ phonenumber: '+254712000001', valid_until: shop.now() })
    expect(await desk.claim()).toEqual([])
    expect(await desk.find(late)).toMatchObject({ state: 'failed', reason: 'expired' })
  })
})

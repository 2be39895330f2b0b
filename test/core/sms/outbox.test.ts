import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Invalid, NotFound } from '../../../src/core/refusals.ts'
import { smsSuffix } from '../../../src/core/sms/message.ts'
import { listSms, pageOfSms, queueSms, retryFailedSms, retrySms } from '../../../src/core/sms/outbox.ts'
import { reviseUnsent } from '../../../src/core/sms/unsent.ts'
import { begin } from '../../../src/db/client.ts'
import { openShop, type Shop } from '../shop.ts'
import { openDesk, routeTo, SUFFIX } from './desk.ts'

let shop: Shop
let desk: ReturnType<typeof openDesk>
beforeAll(async () => {
  shop = await openShop()
  desk = openDesk(shop, [routeTo('test')])
})
beforeEach(() => desk.clear())
afterAll(() => shop.close())

describe('the outbox', () => {
  it('gives each SMS to one process', async () => {
    for (let count = 0; count < 6; count += 1) await desk.queue()
    const claimed = (await Promise.all([4, 4, 4].map((limit) => desk.claim({ limit })))).flat()
    const later = await desk.claim()
    const ids = [...claimed, ...later].map((sms) => sms.id)
    expect(ids).toHaveLength(6)
    expect(new Set(ids).size).toBe(6)
    expect(await desk.claim()).toEqual([])
  })

  it('does not count a claimed SMS as due', async () => {
    await desk.queue()
    expect(await desk.nextDue()).toEqual(shop.now())
    await desk.claim()
    expect(await desk.nextDue()).toBeNull()
  })

  it('gives an SMS to another process when the lease of the first one has ended', async () => {
    await desk.queue()
    const [first] = await desk.claim({ lease_ms: 0 })
    expect(await desk.nextDue()).toEqual(shop.now())
    const [second] = await desk.claim()
    const changed = { queue: first!.connection, attempts: 2, leased_until: expect.any(Date) }
    expect(second).toEqual({ ...first, ...changed })
  })

  it('keeps the same text and the same reference in every attempt, even if the service is renamed in between', async () => {
    await desk.queue()
    const [sms] = await desk.claim()
    await desk.answer(sms!, { outcome: 'unknown', message: 'no answer' })
    shop.testApp.clock.advance(30)
    const [again] = await desk.claim({ suffix: smsSuffix('Other') })
    expect(again).toMatchObject({ body: 'Hello -Powered by Kusanya', reference: sms!.reference })
    expect(sms!.reference).toMatch(/^[A-Z0-9]{24}$/)
    expect((await listSms(shop.db, {}, 1, smsSuffix('Third')))[0]!.body).toBe(again!.body)
  })

  it('replaces letters that only look different, so that an SMS stays in GSM', async () => {
    const id = await desk.queue({ body: 'It’s paid – thank you…' })
    await desk.claim()
    expect(await desk.find(id)).toMatchObject({
      body: `It's paid - thank you...${SUFFIX}`,
      encoding: 'gsm',
      parts: 1,
    })
    const other = await desk.queue({ body: `${'ሰላም '.repeat(15)}` })
    await desk.claim()
    expect(await desk.find(other)).toMatchObject({ encoding: 'ucs-2', parts: 2 })
  })

  it('skips a second SMS of the same purpose for a request or a purchase', async () => {
    const request = { collection_request: 7 }
    await desk.queue(request)
    await desk.queue(request)
    await desk.queue({ ...request, purpose: 'instructions' })
    const purchase = { collection_request: null, bill_purchase: 9, purpose: 'goods' as const }
    await desk.queue(purchase)
    await desk.queue(purchase)
    await desk.queue({ collection_request: null, purpose: 'message' })
    await desk.queue({ collection_request: null, purpose: 'message' })
    expect(await listSms(shop.db, {}, 10, SUFFIX)).toHaveLength(5)
  })

  it('filters by phone and state, and pages the SMS of an organization', async () => {
    await desk.queue({ phonenumber: '+256772000008' })
    const [sms] = await desk.claim()
    await desk.answer(sms!, { outcome: 'sent' })
    await desk.queue({ phonenumber: '+256772000009' })
    const ids = async (filters: Parameters<typeof listSms>[1]) =>
      (await listSms(shop.db, filters, 10, SUFFIX)).map((row) => row.id)
    expect(await ids({ state: 'sent' })).toEqual([sms!.id])
    expect(await ids({ phonenumber: sms!.phonenumber })).toEqual([sms!.id])
    expect(await ids({ phonenumber: sms!.phonenumber, state: 'failed' })).toEqual([])
    expect(await ids({})).toHaveLength(2)
    const page = { limit: 1, offset: 1, descending: true }
    const own = await pageOfSms(shop.db, { organization: shop.organization }, page, SUFFIX)
    expect([own.count, own.rows.map(({ id }) => id)]).toEqual([2, [sms!.id]])
    expect((await pageOfSms(shop.db, { organization: shop.organization + 1 }, page, SUFFIX)).count).toBe(0)
  })

  it('takes a million SMS of one organization and one of another in turn', async () => {
    for (let count = 0; count < 5; count += 1) await desk.queue()
    const other = await shop.db<{ id: number }[]>`
      insert into organizations (name, service_user, created, modified)
      select 'Other', service_user, now(), now() from organizations where id = ${shop.organization} returning id`
    const [theirs] = await begin(shop.db, (tx) =>
      queueSms(tx, new Date(shop.now().getTime()), [
        { organization: other[0]!.id, purpose: 'message', phonenumber: '+256772000002', body: 'Hello' },
      ]),
    )
    const claimed = await desk.claim({ limit: 2 })
    expect(claimed.map(({ id }) => id)).toContain(theirs)
  })

  it('sends a failed SMS again on request, with all its attempts, over a route that is chosen anew', async () => {
    await desk.queue()
    const [sms] = await desk.claim()
    await desk.answer(sms!, { outcome: 'failed', reason: 'credentials', message: 'wrong key', retry: false })
    expect(await desk.newest()).toMatchObject({ state: 'failed', reason: 'credentials', last_error: 'wrong key' })
    await begin(shop.db, (tx) => retrySms(tx, shop.now(), sms!.id))
    expect(await desk.newest()).toMatchObject({ state: 'waiting', attempts: 0, reason: null, due_at: shop.now() })
    const [again] = await desk.claim()
    expect(again).toMatchObject({ id: sms!.id, attempts: 1, attempt: 2, route_attempt: 1, body: `Hello${SUFFIX}` })
  })

  it('sends all SMS again that have failed since a time, such as when an API key expired', async () => {
    const fail = async () => {
      const id = await desk.queue()
      const [sms] = await desk.claim()
      await desk.answer(sms!, { outcome: 'failed', message: 'wrong key', retry: false })
      return id
    }
    await fail()
    shop.testApp.clock.advance(60)
    const since = shop.now()
    const later = [await fail(), await fail()]
    const ended = await desk.queue({ purpose: 'reminder', collection_request: null })
    await begin(shop.db, (tx) => reviseUnsent(tx, [{ id: ended, body: null }]))
    expect(await desk.find(ended)).toMatchObject({ state: 'failed', reason: 'request_ended' })
    expect(await begin(shop.db, (tx) => retryFailedSms(tx, shop.now(), since))).toBe(2)
    expect((await desk.claim()).map((sms) => sms.id).sort((a, b) => a - b)).toEqual(later)
  })

  it('refuses to send an SMS again that a provider has, or that does not exist', async () => {
    await desk.queue()
    const [sms] = await desk.claim()
    await desk.answer(sms!, { outcome: 'sent' })
    const retry = (id: number) => begin(shop.db, (tx) => retrySms(tx, shop.now(), id))
    await expect(retry(sms!.id)).rejects.toThrow(Invalid)
    await expect(retry(sms!.id + 1_000)).rejects.toThrow(NotFound)
  })
})

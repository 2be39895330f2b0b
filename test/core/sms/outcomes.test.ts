import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { refuseSms } from '../../../src/core/sms/attempts.ts'
import { retrySms } from '../../../src/core/sms/outbox.ts'
import { applyEarlyReports, findEarlyReports } from '../../../src/core/sms/reports.ts'
import { readSmsUsage } from '../../../src/core/sms/usage.ts'
import { begin } from '../../../src/db/client.ts'
import type { SmsReport } from '../../../src/lib/adapter-types.ts'
import { toStorableText } from '../../../src/lib/storable-text.ts'
import { amount, openShop, type Shop } from '../shop.ts'
import { openDesk, routeTo } from './desk.ts'

let shop: Shop
let desk: ReturnType<typeof openDesk>
beforeAll(async () => {
  shop = await openShop()
})
beforeEach(async () => {
  desk = openDesk(shop, [routeTo('first'), routeTo('second', { priority: 200 })])
  await desk.clear()
})
afterAll(() => shop.close())

/** Queue an SMS that the first provider takes under the id `P1`, and return its id. */
async function send(remote_id = 'P1'): Promise<number> {
  const id = await desk.queue()
  const [sms] = await desk.claim()
  // The job makes it storable.
  await desk.answer(sms!, { outcome: 'sent', remote_id: toStorableText(remote_id) })
  return id
}

const about = (remote_id: string, state: SmsReport['state'], more: Partial<SmsReport> = {}): SmsReport => ({
  sms: { remote_id },
  state,
  ...more,
})

describe('the answer to the sending', () => {
  it('is stored with the connection, the id and the time', async () => {
    const id = await send('ATX-1')
    expect(await desk.find(id)).toMatchObject({
      state: 'sent',
      sender: 'first',
      remote_id: 'ATX-1',
      sent_at: shop.now(),
      due_at: null,
      last_error: null,
      attempts: 1,
    })
  })

  it('that is final sends over the second route at once, and only once', async () => {
    const id = await desk.queue()
    const [first] = await desk.claim()
    expect(first).toMatchObject({ connection: 'first', attempt: 1 })
    await desk.answer(first!, { outcome: 'failed', reason: 'invalid_sender', message: 'unknown sender', retry: false })
    const [second] = await desk.claim()
    expect(second).toMatchObject({ id, connection: 'second', attempt: 2, route_attempt: 2 })
    expect(second!.reference).not.toBe(first!.reference)
    await desk.answer(second!, { outcome: 'failed', reason: 'rejected', message: 'no', retry: false })
    expect(await desk.find(id)).toMatchObject({ state: 'failed', reason: 'rejected', due_at: null })
    expect(await desk.claim()).toEqual([])
  })

  it.each(['invalid_number', 'opted_out', 'too_long'] as const)('%s fails without a second route', async (reason) => {
    const id = await desk.queue()
    const [sms] = await desk.claim()
    await desk.answer(sms!, { outcome: 'failed', reason, message: 'no', retry: false })
    expect(await desk.find(id)).toMatchObject({ state: 'failed', reason, attempts: 1 })
  })

  it('that is unknown uses the second route as well: twice is better than never', async () => {
    const id = await desk.queue()
    const [first] = await desk.claim()
    await desk.answer(first!, { outcome: 'unknown', message: 'no answer' })
    const [second] = await desk.claim()
    expect(second).toMatchObject({ id, connection: 'second' })
  })

  it('without a second route leads to five more attempts, and then nothing is known', async () => {
    desk = openDesk(shop, [routeTo('only')])
    const id = await desk.queue()
    for (const wait_s of [30, 120, 600, 3_600, 21_600]) {
      const [sms] = await desk.claim()
      await desk.answer(sms!, { outcome: 'failed', reason: 'rejected', message: 'busy', retry: true })
      const due_at = new Date(shop.now().getTime() + wait_s * 1_000)
      expect(await desk.find(id)).toMatchObject({ state: 'waiting', last_error: 'busy', due_at })
      shop.testApp.clock.advance(wait_s - 1)
      expect(await desk.claim()).toEqual([])
      shop.testApp.clock.advance(1)
    }
    const [sms] = await desk.claim()
    await desk.answer(sms!, { outcome: 'unknown', message: 'no answer' })
    expect(await desk.find(id)).toMatchObject({ state: 'unknown', attempts: 6, due_at: null, last_error: 'no answer' })
    expect(await desk.nextDue()).toBeNull()
    expect(await desk.attempts(id)).toHaveLength(1)
  })

  it('that says too fast waits as long as it says, and is no attempt', async () => {
    const id = await desk.queue()
    const [sms] = await desk.claim()
    const busy = { outcome: 'failed', reason: 'throttled', message: 'slow down', retry: true } as const
    await desk.answer(sms!, { ...busy, retry_after_s: 5 })
    expect(await desk.find(id)).toMatchObject({ state: 'waiting', attempts: 0 })
    shop.testApp.clock.advance(5)
    const [again] = await desk.claim()
    expect(again).toMatchObject({ connection: 'first', reference: sms!.reference, attempts: 1 })
    // A wait of an hour is a reason for the second route.
    await desk.answer(again!, { ...busy, retry_after_s: 3_600 })
    expect((await desk.claim())[0]).toMatchObject({ connection: 'second' })
  })

  it('that comes after a report changes nothing', async () => {
    const id = await desk.queue()
    const [sms] = await desk.claim()
    await desk.report('first', { sms: { reference: sms!.reference! }, state: 'delivered' })
    await desk.answer(sms!, { outcome: 'unknown', message: 'no answer' })
    expect(await desk.find(id)).toMatchObject({ state: 'delivered', last_error: null })
    expect(await desk.claim()).toEqual([])
  })
})

describe('a report', () => {
  it('of the delivery ends the SMS, at the time that the provider says', async () => {
    const id = await send()
    const at = new Date(shop.now().getTime() - 2_000)
    await desk.report('first', about('P1', 'delivered', { at }))
    expect(await desk.find(id)).toMatchObject({ state: 'delivered', delivered_at: at })
  })

  it('of a failure sends over the second route, once', async () => {
    const id = await send()
    await desk.report('first', about('P1', 'failed', { reason: 'unreachable', code: '30003', message: 'no phone' }))
    const [second] = await desk.claim()
    expect(second).toMatchObject({ id, connection: 'second', route_attempt: 2 })
    await desk.answer(second!, { outcome: 'sent', remote_id: 'Q1' })
    await desk.report('second', about('Q1', 'failed', { reason: 'undelivered' }))
    expect(await desk.find(id)).toMatchObject({ state: 'failed', reason: 'undelivered', sender: 'second' })
    expect((await desk.attempts(id)).map(({ outcome, answers }) => [outcome, answers.length])).toEqual([
      ['failed', 2],
      ['failed', 2],
    ])
  })

  it('of a failure that is repeated does not end an SMS that a person sends again', async () => {
    desk = openDesk(shop, [routeTo('only')])
    const id = await send()
    const failed = about('P1', 'failed', { reason: 'unreachable' })
    await desk.report('only', failed)
    await begin(shop.db, (tx) => retrySms(tx, shop.now(), id))
    await desk.report('only', failed)
    expect(await desk.find(id)).toMatchObject({ state: 'waiting', due_at: shop.now() })
    const [again] = await desk.claim()
    expect(again).toMatchObject({ id, attempt: 2 })
    await desk.answer(again!, { outcome: 'sent', remote_id: 'P2' })
    await desk.report('only', failed)
    expect(await desk.find(id)).toMatchObject({ state: 'sent' })
  })

  it('that is repeated is stored once, and a failure after the delivery changes nothing', async () => {
    const id = await send()
    const delivered = about('P1', 'delivered')
    await desk.report('first', delivered, delivered)
    await desk.report('first', delivered)
    await desk.report('first', about('P1', 'failed', { reason: 'expired' }), about('P1', 'sent'))
    expect(await desk.find(id)).toMatchObject({ state: 'delivered', reason: null })
    const [attempt] = await desk.attempts(id)
    expect(attempt!.answers.map(({ outcome }) => outcome)).toEqual(['sent', 'delivered', 'failed'])
    expect(await desk.claim()).toEqual([])
  })

  it('of the first provider that comes late counts if it delivered, and is only kept if it did not', async () => {
    const id = await send()
    await desk.report('first', about('P1', 'failed', { reason: 'unreachable' }))
    const [second] = await desk.claim()
    await desk.answer(second!, { outcome: 'sent', remote_id: 'Q1' })
    await desk.report('first', about('P1', 'failed', { reason: 'expired' }))
    expect(await desk.find(id)).toMatchObject({ state: 'sent', sender: 'second' })
    await desk.report('first', about('P1', 'delivered'))
    expect(await desk.find(id)).toMatchObject({ state: 'delivered' })
    await desk.report('second', about('Q1', 'failed'))
    expect(await desk.find(id)).toMatchObject({ state: 'delivered' })
  })

  it('of the delivery stops a second route that waits', async () => {
    const id = await send()
    await desk.report('first', about('P1', 'failed', { reason: 'unreachable' }))
    await desk.report('first', about('P1', 'delivered'))
    expect(await desk.claim()).toEqual([])
    expect(await desk.find(id)).toMatchObject({ state: 'delivered', due_at: null })
  })

  it('that names no SMS of this connection changes nothing', async () => {
    const id = await send()
    const [attempt] = await desk.attempts(id)
    const forged: SmsReport = { sms: { reference: attempt!.reference }, state: 'failed' }
    expect(await desk.report('second', forged)).toMatchObject({ unknown: 1, changed: [] })
    expect(await desk.report('first', about('P2', 'failed'))).toMatchObject({ early: ['P2'] })
    expect(await desk.find(id)).toMatchObject({ state: 'sent' })
  })

  it('with the id in another form names the SMS to its phone, and no other', async () => {
    const id = await send('0000001F')
    const named = (digits: string): SmsReport => ({
      sms: { remote_id: '31', other_ids: ['1f', '0000001F'], phonenumbers: [digits, '8080'] },
      state: 'delivered',
    })
    const { phonenumber } = (await desk.find(id))!
    expect(await desk.report('first', named('256799999999'))).toMatchObject({ early: ['31'] })
    expect(await desk.find(id)).toMatchObject({ state: 'sent' })
    expect(await desk.report('first', named(phonenumber.slice(1)))).toMatchObject({ early: [] })
    expect(await desk.find(id)).toMatchObject({ state: 'delivered' })
  })

  it('names no SMS to another phone, also with the id as it is stored', async () => {
    const id = await send('1001')
    const { phonenumber } = (await desk.find(id))!
    const named = (...phonenumbers: string[]): SmsReport => ({
      sms: { remote_id: '1001', phonenumbers },
      state: 'failed',
      reason: 'undelivered',
    })
    await desk.report('first', named('256799999999', '8080'), named('+256799999999', '256414000000'))
    expect(await desk.find(id)).toMatchObject({ state: 'sent' })
    expect(await desk.claim()).toEqual([])
    // Some providers leave out the country, or swap the addresses.
    await desk.report('first', named('256414000000', phonenumber.replace('+256', '0')))
    expect((await desk.attempts(id))[0]).toMatchObject({ outcome: 'failed' })
  })

  it('of another phone that comes before the answer does not count after it', async () => {
    const id = await desk.queue()
    const [sms] = await desk.claim()
    await desk.report('first', { sms: { remote_id: '1002', phonenumbers: ['256799999999'] }, state: 'failed' })
    await desk.answer(sms!, { outcome: 'sent', remote_id: '1002' })
    const ids = await findEarlyReports(shop.db, [sms!.reference!])
    await begin(shop.db, (tx) => applyEarlyReports(tx, shop.now(), ids, desk.known))
    expect(await desk.find(id)).toMatchObject({ state: 'sent' })
  })

  it('with an id that the provider gives again is about the SMS to its phone', async () => {
    const earlier = await send('1')
    const later = await desk.queue({ phonenumber: '+256772000002' })
    const [sms] = await desk.claim()
    await desk.answer(sms!, { outcome: 'sent', remote_id: '1' })
    const about_earlier = { remote_id: '1', phonenumbers: ['256772000001'] }
    await desk.report('first', { sms: about_earlier, state: 'delivered' })
    expect(await desk.find(earlier)).toMatchObject({ state: 'delivered' })
    expect(await desk.find(later)).toMatchObject({ state: 'sent' })
  })

  it('that comes before the answer to the sending is applied after it', async () => {
    const id = await desk.queue()
    const [sms] = await desk.claim()
    await desk.report('first', about('P7', 'delivered', { cost: { amount: amount('35'), currency: 'UGX' } }))
    const ids = [{ connection: 'first', remote_id: 'P7' }]
    const apply = () => begin(shop.db, (tx) => applyEarlyReports(tx, shop.now(), ids, desk.known))
    expect(await apply()).toEqual([])
    await desk.answer(sms!, { outcome: 'sent', remote_id: 'P7' })
    expect(await findEarlyReports(shop.db, [sms!.reference!])).toEqual(ids)
    expect(await apply()).toMatchObject([{ id, before: 'sent', state: 'delivered' }])
    expect(await desk.find(id)).toMatchObject({ state: 'delivered', cost: amount('35'), currency: 'UGX' })
    expect(await findEarlyReports(shop.db, [sms!.reference!])).toEqual([])
  })

  it('of an SMS that nobody knew about says that it was sent', async () => {
    desk = openDesk(shop, [routeTo('first')])
    const id = await desk.queue()
    const [sms] = await desk.claim()
    await desk.answer(sms!, { outcome: 'unknown', message: 'no answer' })
    await desk.report('first', { sms: { reference: sms!.reference! }, state: 'sent' })
    expect(await desk.find(id)).toMatchObject({ state: 'sent', due_at: null })
    shop.testApp.clock.advance(3_600)
    expect(await desk.claim()).toEqual([])
  })
})

describe('a provider that does not report by itself', () => {
  it('is asked at growing distances, until it knows the end', async () => {
    desk = openDesk(shop, [routeTo('asked')], true)
    const id = await desk.queue()
    const [sms] = await desk.claim()
    await desk.answer(sms!, { outcome: 'sent', remote_id: 'P1' })
    for (const wait_s of [30, 120]) {
      expect(await desk.find(id)).toMatchObject({
        state: 'sent',
        due_at: new Date(shop.now().getTime() + wait_s * 1_000),
      })
      shop.testApp.clock.advance(wait_s)
      const [asked] = await desk.claim()
      expect(asked).toMatchObject({ state: 'sent', attempts: 1 })
      await desk.answer(asked!, { outcome: 'nothing', source: 'status' } as never)
    }
    shop.testApp.clock.advance(600)
    const [asked] = await desk.claim()
    await desk.answer(asked!, { outcome: 'delivered', source: 'status' } as never)
    expect(await desk.find(id)).toMatchObject({ state: 'delivered', due_at: null })
  })
})

describe('a provider that tells the price only when it is asked', () => {
  it('is asked after the delivery, twice at most', async () => {
    desk = openDesk(shop, [routeTo('asked')], true)
    const send = async () => {
      const id = await desk.queue()
      const [sms] = await desk.claim()
      await desk.answer(sms!, { outcome: 'sent', remote_id: `P${id}` })
      await desk.report('asked', about(`P${id}`, 'delivered'))
      return id
    }
    const ask = async (wait_s: number, answer: object) => {
      shop.testApp.clock.advance(wait_s)
      const [asked] = await desk.claim()
      expect(asked).toMatchObject({ state: 'delivered', attempts: 1 })
      await desk.answer(asked!, { source: 'status', ...answer } as never)
    }
    const id = await send()
    const cost = { amount: amount('0.0079'), currency: 'USD' }
    await ask(30, { outcome: 'delivered', cost })
    expect(await desk.find(id)).toMatchObject({ state: 'delivered', cost: cost.amount, due_at: null })
    const silent = await send()
    await ask(30, { outcome: 'delivered' })
    await ask(120, { outcome: 'nothing' })
    expect(await desk.find(silent)).toMatchObject({ state: 'delivered', cost: null, due_at: null })
  })
})

describe('costs and parts', () => {
  const usage = async () => (await readSmsUsage(shop.db, { since: shop.now() }))[0]

  it('are booked in the month of the sending, once, whatever is told twice', async () => {
    const id = await desk.queue()
    const [sms] = await desk.claim()
    const cost = { amount: amount('35'), currency: 'UGX' }
    await desk.answer(sms!, { outcome: 'sent', remote_id: 'P1', parts: 2, cost })
    await desk.report('first', about('P1', 'delivered', { cost, parts: 2 }))
    expect(await desk.find(id)).toMatchObject({ parts: 2, cost: amount('35'), currency: 'UGX' })
    expect(await usage()).toMatchObject({
      messages: 1,
      parts: 2,
      costs: [{ connection: 'first', currency: 'UGX', messages: 1, cost: amount('35') }],
    })
    // A later price of the same SMS replaces the earlier one.
    await desk.report('first', about('P1', 'delivered', { cost: { amount: amount('40'), currency: 'UGX' } }))
    expect((await usage())!.costs).toEqual([{ connection: 'first', currency: 'UGX', messages: 1, cost: amount('40') }])
  })

  it('that cannot be true, and texts that cannot be stored, do not stop a report', async () => {
    const id = await send('P\0')
    const nonsense = { parts: 1_000_000_000_000, cost: { amount: amount('-5'), currency: 'Shillings' } }
    await desk.report('first', about('P\0', 'delivered', { ...nonsense, message: 'a\0b', code: '\uD800' }))
    expect(await desk.find(id)).toMatchObject({ state: 'delivered', parts: 1, cost: null })
    expect(await desk.report('first', about('Q\0', 'failed', { message: '\0' }))).toMatchObject({ early: ['Q\uFFFD'] })
  })

  it.each([
    ['refused it', { outcome: 'failed', reason: 'throttled', message: 'slow', retry: true, retry_after_s: 5 }, 0],
    ['did not answer', { outcome: 'unknown', message: 'no answer' }, 1],
  ] as const)('of an SMS that we end after its provider %s', async (_, answer, count) => {
    desk = openDesk(shop, [routeTo('only')])
    const id = await desk.queue()
    const [sms] = await desk.claim()
    await desk.answer(sms!, answer)
    const { organization } = shop
    const refusal = { id, organization, reason: 'expired', message: 'Too late.' }
    await begin(shop.db, async (tx) => refuseSms(tx, [refusal]))
    expect(await desk.find(id)).toMatchObject({ state: 'failed', reason: 'expired' })
    const [usage] = await readSmsUsage(shop.db, { organization, since: shop.now() })
    expect(usage ?? { messages: 0, parts: 0 }).toMatchObject({ messages: count, parts: count })
  })

  it('of both routes count, and what a provider refused does not', async () => {
    const id = await send()
    await desk.report('first', about('P1', 'failed', { cost: { amount: amount('35'), currency: 'UGX' } }))
    const [second] = await desk.claim()
    await desk.answer(second!, {
      outcome: 'sent',
      remote_id: 'Q1',
      cost: { amount: amount('20'), currency: 'UGX' },
    })
    expect(await desk.find(id)).toMatchObject({ cost: amount('55') })
    expect(await usage()).toMatchObject({ messages: 2, parts: 2 })
    await desk.queue()
    const [refused] = await desk.claim()
    await desk.answer(refused!, { outcome: 'failed', reason: 'invalid_number', message: 'no', retry: false })
    expect(await usage()).toMatchObject({ messages: 2, parts: 2 })
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ClaimedSms } from '../../../src/core/sms/claims.ts'
import { offerDirectSending, queueOrSendSms } from '../../../src/core/sms/direct.ts'
import { readSmsUsage, setSmsLimit } from '../../../src/core/sms/usage.ts'
import {
  deleteSmsMonths,
  insertSmsMonths,
  readSmsMonths,
  tryUpdateSmsUsage,
  updateSmsUsage,
} from '../../../src/core/sms/usage-by-rows.ts'
import { begin, type Reader, type Tx } from '../../../src/db/client.ts'
import { withSnapshot } from '../../../src/db/snapshot.ts'
import { openShop, type Shop } from '../shop.ts'
import { openDesk, routeTo, SUFFIX } from './desk.ts'

let shop: Shop
let desk: ReturnType<typeof openDesk>
let requests = 7_000_000
let sent: ClaimedSms[] = []

beforeAll(async () => {
  shop = await openShop()
  desk = openDesk(shop, [routeTo('test')])
})
beforeEach(async () => {
  sent = []
  await desk.clear()
  offerDirectSending(shop.db, {
    suffix: SUFFIX,
    isIdle: () => true,
    connections: () => [routeTo('test')],
    takeSlot: () => ({
      lease_end: new Date(shop.testApp.clock.real().getTime() + 60_000),
      send: (sms) => void sent.push(sms),
      release: () => {},
    }),
  })
})
afterAll(() => shop.close())

/** Stores an SMS that its process sends at once. */
async function store(tx: Tx, body = 'Approve it') {
  requests += 1
  const sms = { organization: shop.organization, collection_request: requests, phonenumber: '+256772000001', body }
  await queueOrSendSms(tx, shop.now(), [{ ...sms, purpose: 'instructions' }])
}

const TWO_PARTS = 'Approve it. '.repeat(14)

async function usage(db: Reader = shop.db) {
  const [month] = await readSmsUsage(db, { organization: shop.organization, since: shop.now() })
  return month && { messages: month.messages, parts: month.parts }
}

/** The sums that are written, without those that rows add. */
async function written() {
  const [month] = await shop.db`select messages, parts from sms_months where organization = ${shop.organization}`
  return month
}

describe('the usage of SMS that are sent as soon as they are stored', () => {
  it('has them by their rows, and stays the same when they are added to the sums', async () => {
    await begin(shop.db, (tx) => store(tx))
    await begin(shop.db, (tx) => store(tx, TWO_PARTS))
    expect(await usage()).toEqual({ messages: 2, parts: 3 })
    expect(await written()).toBeUndefined()
    await begin(shop.db, updateSmsUsage)
    await begin(shop.db, updateSmsUsage)
    expect(await usage()).toEqual({ messages: 2, parts: 3 })
    expect(await written()).toEqual({ messages: 2, parts: 3 })
  })

  it('needs no other row for an outcome', async () => {
    await begin(shop.db, (tx) => store(tx))
    await desk.answer(sent[0]!, { outcome: 'sent', parts: 1 })
    await desk.report('test', { sms: { reference: sent[0]!.reference! }, state: 'delivered' })
    expect(await written()).toBeUndefined()
    expect(await usage()).toEqual({ messages: 1, parts: 1 })
  })

  it('has the corrections of providers, before rows are added and after it', async () => {
    for (const text of ['one', 'two', 'three', 'four']) await begin(shop.db, (tx) => store(tx, text))
    await desk.answer(sent[0]!, { outcome: 'failed', reason: 'invalid_number' })
    await desk.answer(sent[1]!, { outcome: 'sent', parts: 3 })
    expect(await usage()).toEqual({ messages: 3, parts: 5 })
    await begin(shop.db, updateSmsUsage)
    expect(await usage()).toEqual({ messages: 3, parts: 5 })
    await desk.answer(sent[2]!, { outcome: 'failed', reason: 'invalid_number' })
    await desk.answer(sent[3]!, { outcome: 'sent', parts: 2 })
    expect(await usage()).toEqual({ messages: 2, parts: 5 })
    await begin(shop.db, updateSmsUsage)
    expect(await usage()).toEqual({ messages: 2, parts: 5 })
  })

  it('counts an SMS in the month of its row', async () => {
    await begin(shop.db, (tx) => store(tx))
    await shop.db`update sms_messages set created = '2020-02-29T23:59:59.999Z'`
    await begin(shop.db, updateSmsUsage)
    const months = await readSmsUsage(shop.db, { organization: shop.organization, since: new Date('2020-02-01') })
    expect(months).toMatchObject([{ month: '2020-02', messages: 1, parts: 1 }])
  })

  it('waits for a transaction that has drawn smaller ids', async () => {
    const made = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const slow = begin(shop.db, async (tx) => {
      await store(tx)
      await tx`select 1`
      made.resolve()
      await end.promise
    })
    await made.promise
    await begin(shop.db, (tx) => store(tx))
    await begin(shop.db, updateSmsUsage)
    expect(await written()).toBeUndefined()
    expect(await usage()).toEqual({ messages: 1, parts: 1 })
    end.resolve()
    await slow
    expect(await usage()).toEqual({ messages: 2, parts: 2 })
    await begin(shop.db, updateSmsUsage)
    expect(await written()).toEqual({ messages: 2, parts: 2 })
  })

  it('is exact for a reader whose snapshot is older than an update', async () => {
    await begin(shop.db, (tx) => store(tx))
    await withSnapshot(shop.db, async (tx) => {
      expect(await usage(tx)).toEqual({ messages: 1, parts: 1 })
      await begin(shop.db, (own) => store(own))
      await begin(shop.db, updateSmsUsage)
      expect(await usage(tx)).toEqual({ messages: 1, parts: 1 })
    })
    expect(await usage()).toEqual({ messages: 2, parts: 2 })
  })

  it('is updated by one transaction at a time, and the job does not wait for it', async () => {
    await begin(shop.db, (tx) => store(tx))
    await begin(shop.db, async (tx) => {
      await updateSmsUsage(tx)
      await begin(shop.db, tryUpdateSmsUsage)
      expect(await written()).toBeUndefined()
    })
    expect(await written()).toEqual({ messages: 1, parts: 1 })
  })

  it('counts for a limit that is set later, added or not', async () => {
    await begin(shop.db, (tx) => store(tx))
    await begin(shop.db, updateSmsUsage)
    await begin(shop.db, (tx) => store(tx))
    await begin(shop.db, (tx) => setSmsLimit(tx, shop.organization, { monthly_parts: 3 }))
    await desk.queue()
    await desk.queue()
    expect(await desk.claim()).toHaveLength(1)
    expect(await usage()).toEqual({ messages: 3, parts: 3 })
    expect((await desk.newest()).reason).toBe('limit_reached')
  })

  it('comes with an organization to a new cell, and leaves the old one', async () => {
    await begin(shop.db, (tx) => store(tx))
    await begin(shop.db, updateSmsUsage)
    await begin(shop.db, (tx) => store(tx, TWO_PARTS))
    await begin(shop.db, async (tx) => {
      const months = await readSmsMonths(tx, shop.organization)
      await deleteSmsMonths(tx, shop.organization)
      await tx`delete from sms_month_position`
      await insertSmsMonths(tx, shop.organization, months)
    })
    expect(await usage()).toEqual({ messages: 2, parts: 3 })
    await begin(shop.db, (tx) => store(tx))
    await begin(shop.db, updateSmsUsage)
    expect(await usage()).toEqual({ messages: 3, parts: 4 })
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ClaimedSms, claimSms, lockDueSms } from '../../../src/core/sms/claims.ts'
import { type DirectSending, offerDirectSending, queueOrSendSms } from '../../../src/core/sms/direct.ts'
import { type Horizon, mayHaveLostSms, requeueLostSms, requeueSmsOf } from '../../../src/core/sms/lost.ts'
import type { NewSmsMessage } from '../../../src/core/sms/outbox.ts'
import type { RouteConnection } from '../../../src/core/sms/routes.ts'
import { readSmsUsage, setSmsLimit } from '../../../src/core/sms/usage.ts'
import { begin, beginFrequent, type Tx } from '../../../src/db/client.ts'
import { eventually } from '../../test-app.ts'
import { openShop, type Shop } from '../shop.ts'
import { openDesk, routeTo, SUFFIX } from './desk.ts'

let shop: Shop
let desk: ReturnType<typeof openDesk>
let requests = 5_000_000
/** SMS that the process sends, and slots that it got back. */
let sent: ClaimedSms[] = []
let released = 0

beforeAll(async () => {
  shop = await openShop()
  desk = openDesk(shop, [routeTo('test')])
})
beforeEach(async () => {
  sent = []
  released = 0
  await desk.clear()
  await begin(shop.db, (tx) => tx`delete from sms_requeued`)
})
afterAll(() => shop.close())

/** Offers slots of this process. */
function offer({
  slots = 10,
  lease_ms = 60_000,
  is_idle = true,
  connections = [routeTo('test')] as RouteConnection[],
} = {}) {
  let free = slots
  const sending: DirectSending = {
    suffix: SUFFIX,
    isIdle: () => is_idle,
    connections: () => connections,
    takeSlot() {
      if (free === 0) return undefined
      free -= 1
      return {
        lease_end: new Date(shop.testApp.clock.real().getTime() + lease_ms),
        send: (sms) => void sent.push(sms),
        release: () => {
          released += 1
        },
      }
    },
  }
  offerDirectSending(shop.db, sending)
}

function instructions(changes: Partial<NewSmsMessage> = {}): NewSmsMessage {
  requests += 1
  return {
    organization: shop.organization,
    collection_request: requests,
    purpose: 'instructions',
    phonenumber: '+256772000001',
    body: 'Approve it',
    ...changes,
  }
}

const store = (...messages: NewSmsMessage[]) => begin(shop.db, (tx) => queueOrSendSms(tx, shop.now(), messages))
const stored = () =>
  shop.db<{ id: number; due_at: Date | null; leased_until: Date | null; connection: string; attempts: number }[]>`
    select id, due_at, leased_until, connection, attempts from sms_messages order by id`

describe('an SMS that its process sends as soon as it is stored', () => {
  it('is stored with its lease, its route and its attempt, and sent after the commit', async () => {
    offer()
    let sent_before_commit = -1
    await begin(shop.db, async (tx) => {
      await queueOrSendSms(tx, shop.now(), [instructions()])
      await tx`select 1`
      sent_before_commit = sent.length
    })
    expect(sent_before_commit).toBe(0)
    expect(sent).toMatchObject([
      { body: `Approve it${SUFFIX}`, connection: 'test', attempt: 1, attempts: 1, route_attempt: 1, country: 'UG' },
    ])
    const [sms] = await stored()
    expect(sms).toMatchObject({ id: sent[0]!.id, due_at: null, connection: 'test', attempts: 1 })
    expect(sms!.leased_until).toEqual(sent[0]!.leased_until)
    expect(await desk.nextDue()).toBeNull()
    expect(await desk.claim()).toEqual([])
  })

  it('ends as a claimed one does, with an outcome that writes no index', async () => {
    offer()
    await store(instructions())
    expect(sent[0]!.reference).toMatch(/^[A-Z0-9]{24}$/)
    await desk.answer(sent[0]!, { outcome: 'sent' })
    expect(await desk.find(sent[0]!.id)).toMatchObject({ state: 'sent', sender: 'test', parts: 1, encoding: 'gsm' })
    await desk.report('test', { sms: { reference: sent[0]!.reference! }, state: 'delivered' })
    expect(await desk.find(sent[0]!.id)).toMatchObject({ state: 'delivered', due_at: null })
    const indexes = await shop.db<{ text: string }[]>`
      select pg_get_indexdef(indexrelid) as text from pg_index where indrelid = 'sms_messages'::regclass`
    const written = /\b(state|sender|attempts|attempt|sent_at|delivered_at|leased_until|providers|connection)\b/
    expect(indexes.filter(({ text }) => written.test(text))).toEqual([])
  })

  it('counts in its month once, and not where the provider refuses it', async () => {
    offer()
    await store(instructions(), instructions(), instructions())
    const usage = async () => {
      const [month] = await readSmsUsage(shop.db, { organization: shop.organization, since: shop.now() })
      return month?.messages ?? 0
    }
    expect(await usage()).toBe(3)
    await desk.answer(sent[0]!, { outcome: 'sent' })
    await desk.answer(sent[1]!, { outcome: 'failed', reason: 'invalid_number' })
    expect(await usage()).toBe(2)
    // A report that comes before the answer of the call changes nothing, and neither does the answer.
    await desk.report('test', { sms: { reference: sent[2]!.reference! }, state: 'delivered' })
    await desk.answer(sent[2]!, { outcome: 'sent' })
    expect(await usage()).toBe(2)
  })

  it('is not sent when its transaction is undone, or when its request has one already', async () => {
    offer()
    const message = instructions()
    const undone = begin(shop.db, async (tx) => {
      await queueOrSendSms(tx, shop.now(), [message])
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect([sent.length, released, (await stored()).length]).toEqual([0, 1, 0])
    await store(message)
    await store(message)
    expect([sent.length, released, (await stored()).length]).toEqual([1, 2, 1])
  })

  it('waits in the outbox as others do while there is no slot, or no offer', async () => {
    offer({ slots: 1 })
    await store(instructions(), instructions())
    expect(sent).toHaveLength(1)
    offer({ is_idle: false })
    await store(instructions())
    offerDirectSending(shop.db, undefined)
    await store(instructions())
    expect(sent).toHaveLength(1)
    expect((await desk.claim()).map(({ attempts }) => attempts)).toEqual([1, 1, 1])
  })

  it('waits where a limit of the month is to be counted, where STOP may end it, and where it is too late', async () => {
    offer()
    const limit = (change: Parameters<typeof setSmsLimit>[2]) =>
      begin(shop.db, (tx) => setSmsLimit(tx, shop.organization, change))
    await limit({ stop_covers_receipts: true })
    await store(instructions({ purpose: 'success' }))
    expect(sent).toHaveLength(0)
    await store(instructions())
    expect(sent).toHaveLength(1)
    await limit({ monthly_parts: 1_000 })
    await store(instructions())
    await limit({ monthly_parts: null, stop_covers_receipts: false })
    await store(instructions({ transactional: false }), instructions({ valid_until: shop.now() }))
    expect(sent).toHaveLength(1)
    expect((await stored()).filter(({ due_at }) => due_at !== null)).toHaveLength(4)
  })

  it('waits where no connection can carry it now, or none that answers', async () => {
    offer({ connections: [routeTo('test', { is_usable: false })] })
    await store(instructions())
    offer({ connections: [routeTo('test', { is_degraded: true })] })
    await store(instructions())
    offer({ connections: [routeTo('test', { organization: shop.organization + 1 })] })
    await store(instructions())
    expect(sent).toEqual([])
    expect(await stored()).toHaveLength(3)
  })

  it('gets its slot in turn by organization', async () => {
    const other = shop.organization + 1
    offer({ slots: 3 })
    const own = [instructions(), instructions(), instructions()]
    await store(...own, instructions({ organization: other }))
    expect(sent.map(({ organization }) => organization).toSorted()).toEqual([
      shop.organization,
      shop.organization,
      other,
    ])
  })
})

describe('an SMS whose process has ended after it stored it', () => {
  let horizon: Horizon | undefined
  beforeEach(async () => {
    horizon = undefined
    await look()
  })
  async function look(): Promise<void> {
    const times = { now: shop.now(), real: shop.testApp.clock.real() }
    horizon = await begin(shop.db, (tx) => requeueLostSms(tx, times, horizon))
  }
  /** Waits until all up to an SMS are known to be over. Transactions of other databases may still run until then. */
  const reaches = (sms: number) =>
    eventually('the mark', async () => {
      await look()
      const [mark] = await shop.db<{ up_to: number }[]>`select up_to from sms_requeued`
      return mark!.up_to === sms ? true : undefined
    })

  it('is due when its lease is over, and goes on with the same route and reference', async () => {
    offer()
    await store(instructions())
    await look()
    expect(await desk.claim()).toEqual([])
    offer({ lease_ms: 0 })
    await store(instructions())
    await look()
    const claimed = await desk.claim()
    expect(claimed).toMatchObject([{ id: sent[1]!.id, reference: sent[1]!.reference, attempt: 1, attempts: 2 }])
    await desk.answer(claimed[0]!, { outcome: 'sent' })
    expect(await desk.find(claimed[0]!.id)).toMatchObject({ state: 'sent', attempts: 2 })
  })

  it('is looked for until it is over, and others are not read again', async () => {
    offer()
    await store(instructions(), instructions())
    await reaches(sent[0]!.id - 1)
    expect(await mayHaveLostSms(shop.db)).toBe(true)
    for (const sms of sent) await desk.answer(sms, { outcome: 'sent' })
    await reaches(sent[1]!.id)
    expect(await mayHaveLostSms(shop.db)).toBe(false)
  })

  it('is found although its transaction commits after later ones', async () => {
    offer({ lease_ms: 0 })
    const done = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const slow = begin(shop.db, async (tx: Tx) => {
      await queueOrSendSms(tx, shop.now(), [instructions()])
      await tx`select 1`
      begun.resolve()
      await done.promise
    })
    await begun.promise
    offerDirectSending(shop.db, undefined)
    await store(instructions())
    for (let count = 0; count < 4; count += 1) await look()
    done.resolve()
    await slow
    await look()
    expect((await desk.claim()).map(({ id }) => id)).toContain(sent[0]!.id)
  })

  it('is due in its turn when its organization moves, and keeps its lease', async () => {
    offer()
    await store(instructions())
    await begin(shop.db, (tx) => requeueSmsOf(tx, shop.organization))
    const [sms] = await stored()
    expect(sms!.due_at).not.toBeNull()
    expect(sms!.leased_until).toEqual(sent[0]!.leased_until)
    expect(await desk.claim()).toEqual([])
  })
})

describe('the claims of SMS', () => {
  it('keep their plans', async () => {
    await desk.queue()
    const times = { now: shop.now(), real: shop.testApp.clock.real() }
    const claims = [{ connection: 'test', slots: 1, states: 'all' as const, lease_end: times.real }]
    const kept = await beginFrequent(shop.db, async (tx) => {
      await claimSms(tx, times, claims)
      await lockDueSms(tx, times, [{ connection: '', slots: 1, states: 'waiting' }], SUFFIX)
      return tx<{ statement: string }[]>`
        select statement from pg_prepared_statements where statement like '%sms_messages%for update skip locked%'
          and generic_plans > 0 and statement not like '%pg_prepared%'`
    })
    expect(kept).toHaveLength(2)
  })
})

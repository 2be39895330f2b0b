import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { queueOrSendSms } from '../../src/core/sms/direct.ts'
import { smsSuffix } from '../../src/core/sms/message.ts'
import { listSms, type NewSmsMessage, queueSms } from '../../src/core/sms/outbox.ts'
import { begin } from '../../src/db/client.ts'
import { sendSmsMessages } from '../../src/jobs/send-sms-messages.ts'
import type { OutgoingSms } from '../../src/senders/contract.ts'
import { fakeSmsConnection } from '../connections/fake-sms.ts'
import { buildTestApp, type TestApp, testClock } from '../test-app.ts'
import { slotsFor } from './orders/order-shop.ts'

let testApp: TestApp
/** The real clock, on which leases run. */
let real_ms = Date.parse('2026-03-02T08:00:00Z')
let requests = 7_000_000
let got: OutgoingSms[] = []

beforeAll(async () => {
  testApp = await buildTestApp({ clock: testClock(undefined, () => new Date(real_ms)) })
})
beforeEach(async () => {
  got = []
  connectWith(10)
  await begin(testApp.app.db, (tx) => tx`delete from sms_messages`)
})
afterAll(() => testApp.close())

/** Connects the app with a provider that has this number of slots. */
function connectWith(slots: number): void {
  const send = async (sms: OutgoingSms) => {
    got.push(sms)
    return { outcome: 'sent' as const }
  }
  const connection = { ...fakeSmsConnection('only', { send }), slots: slotsFor(slots) }
  Object.assign(testApp.app, { sms_connections: { list: () => [connection], find: () => connection } })
}

function success(): NewSmsMessage {
  requests += 1
  const { organization } = testApp
  return { organization, collection_request: requests, purpose: 'success', phonenumber: '+256772000001', body: 'Paid' }
}

const store = (count: number) =>
  begin(testApp.app.db, (tx) => queueOrSendSms(tx, testApp.clock.now(), Array.from({ length: count }, success)))

const states = async () =>
  (await listSms(testApp.db, {}, 100, smsSuffix('Kusanya'))).map(({ state, attempts }) => `${state} ${attempts}`)

async function work(job: ReturnType<typeof sendSmsMessages>): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    const due = await job.nextDue()
    if (due === null || due > testApp.clock.now()) return
    await job.run(await job.claim(10))
  }
}

describe('a process that stores an SMS', () => {
  it('sends it at once when it has looked and none waits', async () => {
    const job = sendSmsMessages(testApp.app)
    await store(1)
    expect((await testApp.db`select from sms_messages where due_at is not null`).length).toBe(1)
    await work(job)
    expect(got).toHaveLength(1)
    await store(2)
    expect((await testApp.db`select from sms_messages where due_at is not null`).length).toBe(0)
    expect(await job.nextDue()).toEqual(testApp.clock.now())
    await work(job)
    expect(await states()).toEqual(['sent 1', 'sent 1', 'sent 1'])
    expect(got).toHaveLength(3)
    await job.close!()
  })

  it('leaves it to the turn of all when others wait, when no slot is free, and when its job has not looked for long', async () => {
    const job = sendSmsMessages(testApp.app)
    connectWith(2)
    await job.nextDue()
    await store(3)
    const waiting = async () => (await testApp.db`select from sms_messages where due_at is not null`).length
    expect(await waiting()).toBe(1)
    // One slot is free again, but an SMS waits for it.
    await job.run(await job.claim(10))
    await begin(testApp.app.db, (tx) => queueSms(tx, testApp.clock.now(), [success()]))
    await job.nextDue()
    await store(1)
    expect(await waiting()).toBe(3)
    await work(job)
    expect(got).toHaveLength(5)
    await job.nextDue()
    real_ms += 6_000
    await store(1)
    expect(await waiting()).toBe(1)
    await work(job)
    expect(await states()).toEqual(Array.from({ length: 6 }, () => 'sent 1'))
    await job.close!()
  })

  it('gives its slot back when the transaction is undone', async () => {
    const job = sendSmsMessages(testApp.app)
    connectWith(1)
    await job.nextDue()
    for (let count = 0; count < 3; count += 1)
      await begin(testApp.app.db, async (tx) => {
        await queueOrSendSms(tx, testApp.clock.now(), [success()])
        throw new Error('undone')
      }).catch(() => {})
    await store(1)
    await work(job)
    expect(got).toHaveLength(1)
    await job.close!()
  })

  it('sends what it has stored before it ends, and nothing afterwards', async () => {
    const job = sendSmsMessages(testApp.app)
    await job.nextDue()
    const begun = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const slow = begin(testApp.app.db, async (tx) => {
      await queueOrSendSms(tx, testApp.clock.now(), [success()])
      begun.resolve()
      await done.promise
    })
    await begun.promise
    await store(1)
    const closed = job.close!()
    done.resolve()
    await Promise.all([slow, closed])
    expect(got).toHaveLength(2)
    await store(1)
    expect((await testApp.db`select from sms_messages where due_at is not null`).length).toBe(1)
    expect(got).toHaveLength(2)
  })

  it('is followed by another one when it is killed before the call, once its lease is over', async () => {
    const killed = sendSmsMessages(testApp.app)
    await killed.nextDue()
    await store(1)
    const next = sendSmsMessages(testApp.app)
    await work(next)
    expect(got).toEqual([])
    real_ms += 26_000
    await work(next)
    expect(got).toHaveLength(1)
    expect(await states()).toEqual(['sent 2'])
    // It was not killed, but stood still: its lease is over.
    await killed.close!()
    expect(got).toHaveLength(1)
    await next.close!()
  })

  it('does not begin a call that may outlast the lease, after a long transaction', async () => {
    const job = sendSmsMessages(testApp.app)
    await job.nextDue()
    await begin(testApp.app.db, async (tx) => {
      await queueOrSendSms(tx, testApp.clock.now(), [success()])
      real_ms += 12_000
    })
    await work(job)
    expect(got).toEqual([])
    real_ms += 20_000
    await work(job)
    await work(job)
    expect(got).toHaveLength(1)
    await job.close!()
  })
})

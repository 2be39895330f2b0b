import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SmsConnection } from '../../src/connections/connection.ts'
import { storeSmsReports } from '../../src/connections/sms-reports.ts'
import { smsSuffix } from '../../src/core/sms/message.ts'
import { listSms, type NewSmsMessage, queueSms, readSmsAttempts } from '../../src/core/sms/outbox.ts'
import { begin } from '../../src/db/client.ts'
import { sendSmsMessages } from '../../src/jobs/send-sms-messages.ts'
import type { AskedSms, OutgoingSms, SmsAnswer, SmsListener, SmsReport } from '../../src/senders/contract.ts'
import { fakeSmsConnection, useSmsConnections } from '../connections/fake-sms.ts'
import { buildTestApp, eventually, type TestApp } from '../test-app.ts'
import { slotsFor } from './orders/order-shop.ts'

const PHONE = '+256772000001'

let testApp: TestApp
beforeAll(async () => {
  testApp = await buildTestApp()
})
beforeEach(() =>
  begin(testApp.db, async (tx) => {
    await tx`delete from sms_messages`
    await tx`delete from sms_sessions`
  }),
)
afterAll(() => testApp.close())

async function queue(changes: Partial<NewSmsMessage> = {}): Promise<number> {
  const sms = { organization: testApp.organization, purpose: 'goods' as const, phonenumber: PHONE, body: 'Token 1234' }
  const [id] = await begin(testApp.db, (tx) => queueSms(tx, testApp.clock.now(), [{ ...sms, ...changes }]))
  return id!
}

async function find(id: number) {
  const [sms] = await listSms(testApp.db, { id }, 1, smsSuffix('Kusanya'))
  return sms!
}

/** Run the job until nothing is due. */
async function work(job = sendSmsMessages(testApp.app)): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    const calls = await job.claim(10)
    if (calls.length === 0) return
    await job.run(calls)
  }
}

/** A provider that answers as it is told and keeps what it got. */
function provider(slug: string, answer: () => SmsAnswer, changes: Parameters<typeof fakeSmsConnection>[2] = {}) {
  const got: OutgoingSms[] = []
  const send = async (sms: OutgoingSms) => {
    got.push(sms)
    return answer()
  }
  return { got, connection: fakeSmsConnection(slug, { send }, changes) }
}

const down = (): SmsAnswer => ({ outcome: 'unknown', message: 'no answer' })
const use = (...connections: SmsConnection[]) => useSmsConnections(testApp.app, connections)

describe('two providers', () => {
  it('carry an SMS over the second one while the first is down', async () => {
    const first = provider('first', down, { priority: 1 })
    const second = provider('second', () => ({ outcome: 'sent', remote_id: 'Q1', parts: 1 }))
    use(first.connection, second.connection)
    const id = await queue()
    await work()
    expect([first.got.length, second.got.length]).toEqual([1, 1])
    expect(second.got[0]).toMatchObject({ phonenumber: PHONE, body: 'Token 1234 -Powered by Kusanya', sender: null })
    expect(second.got[0]!.valid_s).toBeGreaterThan(80_000)
    await storeSmsReports(testApp.app, 'second', [{ sms: { remote_id: 'Q1' }, state: 'delivered' }])
    expect(await find(id)).toMatchObject({ state: 'delivered', sender: 'second', attempts: 2 })
    const attempts = (await readSmsAttempts(testApp.db, [id])).get(id)!
    expect(attempts.map(({ connection, outcome }) => `${connection}: ${outcome}`)).toEqual([
      'first: unknown',
      'second: delivered',
    ])
  })

  it('are both tried when the first one reports a failure, and no third time', async () => {
    const first = provider('first', () => ({ outcome: 'sent', remote_id: 'P1' }), { priority: 1 })
    const second = provider('second', () => ({ outcome: 'sent', remote_id: 'Q1' }))
    const third = provider('third', () => ({ outcome: 'sent', remote_id: 'R1' }), { priority: 300 })
    use(first.connection, second.connection, third.connection)
    const id = await queue()
    await work()
    const undelivered = (remote_id: string): SmsReport => ({
      sms: { remote_id },
      state: 'failed',
      reason: 'undelivered',
    })
    await storeSmsReports(testApp.app, 'first', [undelivered('P1')])
    await work()
    await storeSmsReports(testApp.app, 'second', [undelivered('Q1')])
    await work()
    expect([first.got.length, second.got.length, third.got.length]).toEqual([1, 1, 0])
    expect(await find(id)).toMatchObject({ state: 'failed', reason: 'undelivered' })
  })

  it('do not wait for each other: a provider without a free slot delays only its own', async () => {
    const full = { tryAcquire: () => undefined, nextFree: () => 1_000, state: () => 'healthy' as const }
    const slow = provider('slow', down, { countries: ['KE'], slots: full })
    const quick = provider('quick', () => ({ outcome: 'sent' }), { countries: ['UG'] })
    use(slow.connection, quick.connection)
    for (let count = 0; count < 15; count += 1) await queue({ phonenumber: '+254712000001' })
    const id = await queue()
    await work()
    expect(await find(id)).toMatchObject({ state: 'sent', sender: 'quick' })
    expect(slow.got).toHaveLength(0)
  })
})

describe('a provider that can be asked', () => {
  it('is asked before an SMS is sent to it again, with all that finds the SMS without its id', async () => {
    let known: SmsReport | undefined
    const got: OutgoingSms[] = []
    const asked: AskedSms[] = []
    const connection = fakeSmsConnection('asked', {
      send: async (sms) => {
        got.push(sms)
        return down()
      },
      report: async (one) => {
        asked.push(one)
        return known
      },
    })
    use(connection)
    const id = await queue()
    const sent = testApp.clock.now()
    await work()
    expect(await find(id)).toMatchObject({ state: 'waiting' })
    known = { sms: { reference: got[0]!.reference }, state: 'sent' }
    testApp.clock.advance(30)
    await work()
    expect(got).toHaveLength(1)
    const [{ reference, phonenumber, body }] = got as [OutgoingSms]
    expect(asked).toEqual([{ reference, remote_id: null, phonenumber, body, sent: expect.any(Date) }])
    expect(Math.abs(asked[0]!.sent!.getTime() - sent.getTime())).toBeLessThan(10_000)
    expect(await find(id)).toMatchObject({ state: 'sent' })
    known = { sms: { reference: got[0]!.reference }, state: 'delivered' }
    testApp.clock.advance(120)
    await work()
    expect(await find(id)).toMatchObject({ state: 'delivered' })
  })
})

describe('a session', () => {
  it('is open in one process, sends there only, and moves when that process ends', async () => {
    const sent: string[] = []
    const opened: SmsListener[] = []
    /** The connection in one process. */
    const process = (name: string) => {
      const connection = fakeSmsConnection(
        'smpp',
        {
          send: async () => {
            sent.push(name)
            return { outcome: 'sent', remote_id: `S${sent.length}` }
          },
          openSession: (listener) => {
            opened.push(listener)
            return { is_open: () => true, close: async () => {} }
          },
        },
        { traits: { reports: 'session' } },
      )
      const app = { ...testApp.app }
      useSmsConnections(app, [connection])
      return sendSmsMessages(app)
    }
    const [one, two] = [process('one'), process('two')]
    await one.nextDue()
    await one.nextDue()
    await two.nextDue()
    expect(opened).toHaveLength(1)
    const id = await queue()
    await eventually('the SMS at the process with the session', async () => {
      await two.nextDue()
      await two.run(await two.claim(10))
      await one.run(await one.claim(10))
      return sent.length > 0 ? true : undefined
    })
    expect(sent).toEqual(['one'])
    await opened[0]!.reports([{ sms: { remote_id: 'S1' }, state: 'delivered' }])
    expect(await find(id)).toMatchObject({ state: 'delivered' })
    await opened[0]!.incoming([{ remote_id: 'M1', from: PHONE, to: '8008', text: 'STOP' }])
    expect(await testApp.db`select from sms_consents where phonenumber = ${PHONE}`).toHaveLength(1)
    await one.close?.()
    await queue()
    await eventually('the session in the other process', async () => {
      // While no session is open, an SMS waits for half a minute.
      testApp.clock.advance(30)
      await two.nextDue()
      await two.run(await two.claim(10))
      return sent.at(-1) === 'two' ? true : undefined
    })
    await two.close?.()
  })
})

it('A claim that a deadlock has undone keeps no slot', async () => {
  const only = provider('only', () => ({ outcome: 'sent', remote_id: 'P1' }), { slots: slotsFor(1) })
  use(only.connection)
  const ids = [await queue(), await queue()]
  const { db } = testApp.app
  const begin = db.begin
  const undoFirst = vi.spyOn(db, 'begin').mockImplementationOnce((opening, work) =>
    begin(opening, async (tx) => {
      await work(tx)
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
    }),
  )
  const job = sendSmsMessages(testApp.app)
  for (const _ of ids) await job.run(await job.claim(1))
  undoFirst.mockRestore()
  expect(only.got).toHaveLength(2)
  for (const id of ids) expect(await find(id)).toMatchObject({ state: 'sent', attempts: 1 })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { smsSuffix } from '../../src/core/sms/message.ts'
import { listSms, queueSms, readSmsAttempts } from '../../src/core/sms/outbox.ts'
import { begin } from '../../src/db/client.ts'
import type { OpenedConnection } from '../../src/drivers/contract.ts'
import { sendSmsMessages } from '../../src/jobs/send-sms-messages.ts'
import { smpp } from '../../src/senders/smpp/index.ts'
import { createSmppDoor } from '../../src/simulator/doors/smpp/index.ts'
import { createSimulator, type Simulator } from '../../src/simulator/index.ts'
import { fakeSmsConnection, useSmsConnections } from '../connections/fake-sms.ts'
import { openBound } from '../drivers/bound.ts'
import { createRecordingTools } from '../networks/conformance/tools.ts'
import { openDatabase } from '../simulator/simulator-test.ts'
import { buildTestApp, eventually, type TestApp } from '../test-app.ts'

const PHONE = '+256772000001'

let testApp: TestApp
let simulator: Simulator
let closeDatabase: () => Promise<void>
const clock = { ms: Date.now() }
const now = () => new Date(clock.ms)

beforeAll(async () => {
  testApp = await buildTestApp()
  const database = await openDatabase()
  closeDatabase = () => database.drop()
  const door = createSmppDoor()
  simulator = createSimulator({
    db: database.db,
    now,
    real: now,
    doors: [door],
    secret: 'not used by the given door',
    callback_url: () => 'http://127.0.0.1:9',
    onError: (_job, error) => {
      throw error
    },
  })
  await begin(database.db, (tx) => simulator.reset(tx))
  await simulator.listen()
  simulator.start()
  const settings = Object.fromEntries(door.credentials.map(({ name, value }) => [name, value]))
  const opened = { slug: 'smsc', environment: 'simulated', hosts: simulator.hostsOf(door.code) }
  const tools = createRecordingTools({ now, callback_base: () => 'http://127.0.0.1:9', timeout_s: 4 })
  const operations = openBound(
    smpp,
    { ...opened, settings: smpp.settings.parse(settings) } as OpenedConnection<never>,
    tools,
  )
  const smsc = fakeSmsConnection('smsc', operations, { traits: smpp.traits })
  const down = fakeSmsConnection(
    'down',
    { send: async () => ({ outcome: 'unknown', message: 'no answer' }) },
    { priority: 1 },
  )
  useSmsConnections(testApp.app, [down, smsc])
})
afterAll(async () => {
  await simulator?.stop()
  await closeDatabase?.()
  await testApp?.close()
})

describe('an SMS whose first provider is down', () => {
  it('goes over a session of SMPP, and its delivery comes back over that session', async () => {
    const job = sendSmsMessages(testApp.app)
    await job.nextDue()
    const [id] = await begin(testApp.db, (tx) =>
      queueSms(tx, testApp.clock.now(), [
        { organization: testApp.organization, purpose: 'goods', phonenumber: PHONE, body: 'Token 1234 5678' },
      ]),
    )
    const find = async () => (await listSms(testApp.db, { id: id! }, 1, smsSuffix('Kusanya')))[0]!
    await eventually('the SMS at the message centre', async () => {
      await job.nextDue()
      await job.run(await job.claim(10))
      testApp.clock.advance(30)
      return (await find()).state === 'sent' ? true : undefined
    })
    await eventually('the delivery', async () => {
      clock.ms += 1_000
      simulator.wake()
      return (await find()).state === 'delivered' ? true : undefined
    })
    const attempts = (await readSmsAttempts(testApp.db, [id!])).get(id!)!
    expect(attempts.map(({ connection, outcome }) => `${connection}: ${outcome}`)).toEqual([
      'down: unknown',
      'smsc: delivered',
    ])
    await job.close?.()
  })
})

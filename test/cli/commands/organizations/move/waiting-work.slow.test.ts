import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { moveOrganization } from '../../../../../src/cli/commands/organizations/move/steps.ts'
import { prepareDemo } from '../../../../../src/cli/service/demo.ts'
import { networksForPayouts } from '../../../../../src/connections/payout-networks.ts'
import { setPaused } from '../../../../../src/core/events/endpoints.ts'
import { createWebhook, WEBHOOK_KEY_PURPOSE } from '../../../../../src/core/events/webhooks.ts'
import { readPaymentFile } from '../../../../../src/core/payments/bulk/columns.ts'
import { createDraft } from '../../../../../src/core/payments/bulk/drafts.ts'
import { startBulkPayment } from '../../../../../src/core/payments/bulk/start.ts'
import { queueSms } from '../../../../../src/core/sms/outbox.ts'
import { begin } from '../../../../../src/db/client.ts'
import { sql } from '../../../../../src/db/sql.ts'
import { startJobs } from '../../../../../src/jobs/index.ts'
import { fakeSmsConnection, useSmsConnections } from '../../../../connections/fake-sms.ts'
import { PASSWORD } from '../../../../password.ts'
import { openReceiver, type Receiver } from '../../../../receiver.ts'
import { createApiClient, eventually } from '../../../../test-app.ts'
import { openTwoCells, type TwoCells } from './two-cells.ts'

/* Work that waits when its organization moves: it goes on in the new cell, exactly once, and not in the old one. */

const SAME_KEY = { zero: 'a'.repeat(64), three: 'a'.repeat(64) }
const ASK = { phonenumber: '+80000000003', currency: 'BXC' }
const ROWS = 5

let cells: TwoCells
let receiver: Receiver
let organization: number
let jobs: { stop(): Promise<void> }[] = []
/** True while the receiver refuses what comes to /failing. */
let is_failing = true
/** Bodies of SMS that each cell has given to its provider. */
const texts = { zero: [] as string[], three: [] as string[] }
/** Work that waits at the time of the move. */
const open = { payout: 0, bulk: 0, failing: 0, paused: 0, position: 0, purchase: '' }

beforeAll(async () => {
  receiver = await openReceiver(({ path }) => (path.startsWith('/failing') && is_failing ? 500 : 200))
  cells = await openTwoCells(SAME_KEY, {
    settings: { SANDBOX_PASSWORD: PASSWORD, PUBLIC_URL: 'https://pay.example.com' },
    jobs: false,
  })
  const { zero, three } = cells
  organization = zero.testApp.organization
  for (const [name, { testApp }] of Object.entries({ zero, three })) {
    await prepareDemo(testApp.app)
    const send = async ({ body }: { body: string }) => {
      // Without what is written under it.
      texts[name as 'zero' | 'three'].push(body.split(' -')[0]!)
      return { outcome: 'sent' as const }
    }
    // biome-ignore lint/correctness/useHookAtTopLevel: it is no hook of React.
    useSmsConnections(testApp.app, [fakeSmsConnection('texts', { send })])
  }
  // Both cells have a demo organization, with the same owner and key.
  await three.testApp.db`update users set email = 'other@demo.example' where email = 'owner@demo.example'`
  await three.testApp.db`update api_keys set hash = sha256(id::text::bytea)`
  await zero.testApp.db`update connections set organization = null where slug = 'sandbox'`
  await leaveWork()
})
afterAll(async () => {
  for (const one of jobs) await one.stop()
  await cells?.close()
  await receiver?.close()
})

const post = async (path: string, body: object) => {
  const answer = await cells.zero.shop.post(path, body)
  expect([path, answer.status, answer.body]).toEqual([path, expect.toBeOneOf([200, 201]), answer.body])
  return answer.body
}

/** Wait in the old cell until a query finds a row. */
const until = (what: string, found: () => Promise<readonly unknown[]>) =>
  eventually(what, async () => {
    cells.zero.testApp.app.wake()
    return (await found()).length > 0 || undefined
  })

/** Begin work that the network, a provider, a receiver or a person has not ended, and work that no job has begun. */
async function leaveWork(): Promise<void> {
  const { db, app, clock } = cells.zero.testApp
  const jobs = startJobs(app)
  open.failing = await follow('contact.created', 'failing')
  open.paused = await follow('collectionrequest.status.changed', 'paused')
  await begin(db, (tx) => setPaused(tx, clock.now(), open.paused, true))
  const [paused] = await db<{ position: number }[]>`select position from webhooks where id = ${open.paused}`
  open.position = paused!.position
  await post('/api/contacts', { first_name: 'Ann', last_name: 'Other', phone_number: '+80000000123' })
  await until('a retry of the webhook', () => db`select 1 from webhook_retries where webhook = ${open.failing}`)
  const { id: request } = await post('/api/collectionrequests', { ...ASK, amount: '1500' })
  await until(
    'the request to be sent',
    () => db`
    select 1 from network_orders where collection_request = ${request} and answered is not null`,
  )
  open.payout = (await post('/api/payments', { ...ASK, amount: '500', description: 'Wages' })).id
  await until(
    'the payout to be taken',
    () => db`
    select 1 from network_orders o join payment_recipients r on r.id = o.payment_recipient
    where r.payment = ${open.payout} and o.answered is not null`,
  )
  open.purchase = 'pending-at-the-move'
  const bill = { service_type: 'mtn', plan: 'prepaid', amount: '100', agentId: '207', phone: '08031000203' }
  const bought = await cells.zero.shop.post('/api/gateway/services/airtime/request', {
    ...bill,
    agentReference: open.purchase,
  })
  expect(bought.body.status).toBe('pending')
  await queueText('before')
  await until('the first SMS', async () => texts.zero)
  await until('its state', () => db`select 1 from sms_messages where body like 'before%' and state = 'sent'`)
  await jobs.stop()
  await queueText('after')
  open.bulk = await startFile()
}

async function follow(event: string, path: string): Promise<number> {
  const { app, db, clock } = cells.zero.testApp
  const input = { organization, user: cells.zero.user, event, target: `${receiver.url}/${path}?skip-cert-verify` }
  return (await begin(db, (tx) => createWebhook(tx, clock.now(), input, app.sealingKeys(WEBHOOK_KEY_PURPOSE)))).id
}

async function queueText(body: string): Promise<void> {
  const { db, clock } = cells.zero.testApp
  await begin(db, (tx) =>
    queueSms(tx, clock.now(), [{ organization, purpose: 'message', phonenumber: '+256772000001', body }]),
  )
}

async function startFile(): Promise<number> {
  const { app, db, clock } = cells.zero.testApp
  const lines = Array.from({ length: ROWS }, (_, row) => `+80000001${String(row).padStart(3, '0')},Ann Other,10,BXC`)
  const bytes = Buffer.from(['phone number,name,amount,currency', ...lines].join('\n'))
  const file = await readPaymentFile({ name: 'wages.csv', bytes })
  const author = cells.zero.user
  const draft = { organization, author, description: 'Wages', account: null, send_sms_message: false, file }
  const choose = networksForPayouts(app.connections)
  const id = await begin(db, (tx) => createDraft(tx, clock.now(), draft, choose))
  await begin(db, (tx) => startBulkPayment(tx, clock.now(), { organization, bulk_payment: id, user: author }, choose))
  return id
}

/** Give the simulated network of the new cell what the one of the old cell knows: they stand for one network. */
async function shareNetwork(): Promise<void> {
  for (const name of ['simulator_payouts', 'simulator_vends', 'simulator_orders']) {
    const table = sql.identifier(name)
    const rows = await cells.zero.testApp.db<{ row: string }[]>`select row_to_json(t)::text as row from ${table} t`
    await begin(cells.three.testApp.db, async (tx) => {
      await tx`delete from ${table}`
      await tx`
        insert into ${table} overriding system value
        select * from json_populate_recordset(null::${table}, ${`[${rows.map(({ row }) => row).join()}]`}::json)`
    })
  }
}

/** Wait in the new cell, while time passes in both. */
const inThree = (what: string, look: () => Promise<boolean>) =>
  eventually(what, async () => {
    for (const cell of [cells.zero, cells.three]) cell.advance(5)
    return (await look()) || undefined
  })

const eventsTo = (path: string) =>
  receiver.received.flatMap((one) => (one.path.startsWith(`/${path}`) ? [one.headers['webhook-id']] : []))

describe('work that waits at a move', () => {
  it('goes along, and is not done before the new cell is open', async () => {
    const { zero, three } = cells
    await moveOrganization(zero.testApp.app, three.testApp.app, organization, async (says) => {
      if (says !== 'release') return
      await shareNetwork()
      is_failing = false
    })
    expect(texts).toEqual({ zero: ['before'], three: [] })
    expect(eventsTo('paused')).toEqual([])
    jobs = [zero, three].map(({ testApp }) => startJobs(testApp.app))
  })

  it('sends the waiting SMS once, and the sent one not again', async () => {
    await inThree('the SMS', async () => texts.three.includes('after'))
    expect(texts.three.filter((text) => ['before', 'after'].includes(text))).toEqual(['after'])
  })

  it('ends an open payout with the order that the old cell has sent', async () => {
    const { zero, three } = cells
    const shop = createApiClient(three.url, zero.key)
    await inThree('the payout', async () => (await shop.get(`/api/payments/${open.payout}`)).body.state === 'processed')
    const orders = await three.testApp.db<{ reference: string }[]>`
      select o.reference from network_orders o join payment_recipients r on r.id = o.payment_recipient where r.payment = ${open.payout}`
    expect(orders).toHaveLength(1)
    for (const { testApp } of [zero, three])
      expect(
        await testApp.db`select times_received from simulator_payouts where reference = ${orders[0]!.reference}`,
      ).toEqual([{ times_received: 1 }])
  })

  it('ends a purchase that its provider has not ended, and buys nothing again', async () => {
    const { zero, three } = cells
    const statuses = () => three.testApp.db<{ status: string }[]>`
      select status from bill_purchases where organization = ${organization} and agent_reference = ${open.purchase}`
    await inThree('the purchase', async () => (await statuses())[0]!.status !== 'pending')
    expect(await statuses()).toEqual([{ status: 'success' }])
    for (const { testApp } of [zero, three])
      expect(await testApp.db`select 1 from simulator_vends where phone like '%8031000203'`).toHaveLength(1)
  })

  it('makes each row of an unfinished file a payment once', async () => {
    const { three } = cells
    const paid = () => three.testApp.db`
      select distinct recipient from bulk_payment_rows where bulk_payment = ${open.bulk} and recipient is not null`
    await inThree('the payments of the file', async () => (await paid()).length === ROWS)
    const recipients = await three.testApp.db`
      select 1 from payment_recipients where organization = ${organization} and phonenumber like '+80000001%'`
    expect(recipients).toHaveLength(ROWS)
  })

  it('repeats each failed delivery once, and sends nothing to a paused webhook', async () => {
    const { three } = cells
    await inThree('the failed delivery', async () => {
      const left = await three.testApp.db`select 1 from webhook_retries where webhook = ${open.failing}`
      return left.length === 0
    })
    const succeeded = await three.testApp.db<{ event: number }[]>`
      select event from webhook_attempts where webhook = ${open.failing} and failure is null`
    expect(succeeded.length).toBeGreaterThan(0)
    expect(new Set(succeeded.map(({ event }) => event)).size).toBe(succeeded.length)
    expect(eventsTo('paused')).toEqual([])
  })

  it('sends a webhook that is resumed all that happened in its pause, from either cell and in order', async () => {
    const { db, clock } = cells.three.testApp
    const readEvents = () => db<{ id: number }[]>`
      select id from events where organization = ${organization} and type = 'collectionrequest.status.changed'
        and id > ${open.position} order by id`
    expect((await readEvents()).length).toBeGreaterThan(1)
    await begin(db, (tx) => setPaused(tx, clock.now(), open.paused, false))
    const readSent = () => db<{ id: number }[]>`
      select event as id from webhook_attempts where webhook = ${open.paused} and failure is null order by at, event`
    await inThree('the events', async () => (await readSent()).length >= (await readEvents()).length)
    expect(await readSent()).toEqual(await readEvents())
    expect(new Set(eventsTo('paused')).size).toBe(eventsTo('paused').length)
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chargeNetworks } from '../../../src/connections/request-actions.ts'
import type { DuplicateChoice } from '../../../src/core/batches/batch.ts'
import { beginBatch, digestOf, GROUP_SIZE, readBatch } from '../../../src/core/batches/batches.ts'
import { sendPaymentLink } from '../../../src/core/follow-ups/sent-links.ts'
import type { PlannedRequest } from '../../../src/core/request-batches/batch.ts'
import { makeNextRequests } from '../../../src/core/request-batches/batches.ts'
import { checkRequestFile, checkTagged } from '../../../src/core/request-batches/check.ts'
import { readRequestFile } from '../../../src/core/request-batches/columns.ts'
import { begin } from '../../../src/db/client.ts'
import { sql } from '../../../src/db/sql.ts'
import { endRequests } from '../end-requests.ts'
import { addCustomers } from '../invoices/customers.ts'
import { amount, openShop, type Shop } from '../shop.ts'

const CUSTOMERS = [
  { number: 'P5-017', tags: ['P5'], first_name: 'Amina', last_name: 'Nakato', phone: '+80000000061' },
  { number: 'P5-018', tags: ['P5'], first_name: 'Eve', last_name: 'Other' },
]
let shop: Shop
let author: number

beforeAll(async () => {
  shop = await openShop()
  author = (await shop.db<{ id: number }[]>`select id from users where kind = 'person'`)[0]!.id
})
beforeEach(async () => {
  for (const table of ['payment_link_visits', 'request_actions']) await shop.db.unsafe(`delete from ${table}`)
  await shop.clear()
  await addCustomers(shop.db, shop.organization, CUSTOMERS)
})
afterAll(() => shop.close())

const choices = {
  currency: 'BXC',
  reason: 'Term 1',
  expiry_date: undefined,
  send_instructions: true,
  currencies: ['BXC', 'UGX'],
}
const context = () => ({
  now: shop.now(),
  organization: shop.organization,
  author,
  chooseNetwork: chargeNetworks(shop.testApp.app.connections.list()),
})

async function check(lines: readonly string[]) {
  const file = await readRequestFile({ name: 'fees.csv', bytes: Buffer.from(lines.join('\n')) })
  return checkRequestFile(shop.db, file, choices, context())
}

const phone = (index: number) => `+8000001${String(index).padStart(4, '0')}`
const list = (count: number, first = 0) => [
  'Phone,Amount',
  ...Array.from({ length: count }, (_, index) => `${phone(first + index)},100`),
]

async function start(rows: number, duplicates: DuplicateChoice = 'skip'): Promise<number> {
  const of = { kind: 'requests' as const, organization: shop.organization, author, source: 'file' as const }
  const rest = {
    name: 'fees.csv',
    digest: digestOf({}),
    asked: digestOf({}),
    duplicates,
    issue: null,
    rows,
    refused: 0,
  }
  return (await begin(shop.db, (tx) => beginBatch(tx, shop.now(), { ...of, ...rest }, undefined))).id
}

const next = (id: number, planned: readonly PlannedRequest[]) =>
  begin(shop.db, (tx) => makeNextRequests(tx, { organization: shop.organization, id }, planned, shop.now()))

async function finish(id: number, planned: readonly PlannedRequest[]) {
  let more = true
  while (more) more = (await next(id, planned)).more
  return readBatch(shop.db, { kind: 'requests', organization: shop.organization, id })
}

const count = async () => (await shop.db<{ count: number }[]>`select count(*) from collection_requests`)[0]!.count

describe('a row of a file of requests', () => {
  it('is read with the titles that people use, in three languages', async () => {
    for (const titles of ['Phone,Amount,Reason', 'Numéro de téléphone,Montant,Motif', 'Nambari ya simu,Kiasi,Sababu']) {
      const { rows, all } = await check([titles, '+80000000062,"1,500",Milk'])
      expect(rows).toMatchObject([{ phone_number: '+80000000062', amount: amount('1500'), reason: 'Milk' }])
      expect(all).toMatchObject([{ currency: 'BXC', requests: 1, total: amount('1500') }])
    }
  })

  it('says everything that is wrong with it in words', async () => {
    const { rows, planned } = await check([
      'Customer number,Phone,Amount,Currency,Expiry,Send instructions',
      'X-1,,100,,,',
      ',12,0,EUR,soon,maybe',
      ',,,,,',
      'P5-018,,100,,,',
      ',+80000000062,100,,01/01/2020,',
    ])
    expect(rows.map(({ problems }) => problems.map(({ column }) => column))).toEqual([
      ['customer_number'],
      ['currency', 'phone_number', 'amount', 'expiry', 'send_instructions'],
      ['customer_number'],
      ['expiry'],
    ])
    expect(rows[2]!.problems[0]!.message).toBe('This customer has no phone number.')
    expect(rows[3]!.problems[0]!.message).toBe('The expiry date must be in the future.')
    expect(planned).toEqual([])
  })

  it('asks the phone of the customer with its number, and keeps the number', async () => {
    const { rows, planned } = await check(['Admission no,Amount,Expiry', 'p5 17,100,31/12/2030'])
    expect(rows).toMatchObject([{ customer_number: 'P5-017', phone_number: '+80000000061', name: 'Amina Nakato' }])
    await finish(await start(1), planned)
    const made = await shop.db`select phonenumber, metadata, send_instructions, status from collection_requests`
    expect(made).toMatchObject([
      {
        phonenumber: '+80000000061',
        metadata: { customer_number: 'P5-017' },
        send_instructions: true,
        status: 'pending',
      },
    ])
  })

  it('is a duplicate of one in the file, and of an open request, for the same phone, amount and reason', async () => {
    const lines = ['Phone,Amount,Reason', '+80000000062,100,Milk', '+80000000062,100, milk ', '+80000000062,100,Tea']
    const first = await check(lines)
    expect(first.rows.map(({ warnings }) => warnings)).toEqual([[], [{ code: 'twice', row: 2 }], []])
    expect(first.without_duplicates).toMatchObject([{ requests: 2, total: amount('200') }])
    expect(await finish(await start(3), first.planned)).toMatchObject({ made: 2, skipped: 1, refused: 0 })
    const again = await check(lines)
    expect(again.rows[0]!.warnings).toMatchObject([{ code: 'asked_already' }])
    expect(again.without_duplicates).toEqual([])
    expect(await finish(await start(3), again.planned)).toMatchObject({ made: 0, skipped: 3 })
    expect(await finish(await start(3, 'create'), again.planned)).toMatchObject({ made: 3, skipped: 0 })
  })

  describe('is a duplicate of an earlier request', () => {
    const phonenumber = '+80000000063'
    const DAY_S = 86_400
    const asked = async () => {
      const { rows, planned } = await check(['Phone,Amount,Reason', `${phonenumber},100,Milk`])
      const { made, skipped } = await finish(await start(1), planned)
      return { warnings: rows[0]!.warnings, made, skipped }
    }
    const ask = (days = 1) =>
      shop.createRequest({
        phonenumber,
        amount: amount('100'),
        reason: 'Milk',
        expiry_date: new Date(shop.now().getTime() + days * DAY_S * 1_000),
      })
    const order = (request: number, state: string, closed: Date | null) => shop.db`
      insert into network_orders (reference, kind, connection, organization, collection_request, attempt, receiver, phonenumber,
        amount, currency, reason, state, created, closed)
      select ${`O-${request}`}, 'charge', 'sandbox', ${shop.organization}, ${request}, 1, '1', ${phonenumber}, 100, 'BXC', '',
        ${state}, ${shop.now()}, ${closed}`
    const end = (request: number) => endRequests(shop.db, 'expired', sql`id = ${request}`)

    it('that was paid in the last seven days, however long ago it was made', async () => {
      const { id: request } = await ask(30)
      shop.testApp.clock.advance(20 * DAY_S)
      await shop.ingest(shop.paymentReport({ phonenumber, amount: amount('100') }))
      expect((await shop.request(request)).status).toBe('successful')
      shop.testApp.clock.advance(DAY_S)
      expect(await asked()).toEqual({ warnings: [{ code: 'asked_already', request }], made: 0, skipped: 1 })
      shop.testApp.clock.advance(7 * DAY_S)
      expect(await asked()).toEqual({ warnings: [], made: 1, skipped: 0 })
    })

    it('that has expired while its prompt may still be approved', async () => {
      const { id: request } = await ask()
      await order(request, 'accepted', null)
      await end(request)
      expect(await asked()).toEqual({ warnings: [{ code: 'asked_already', request }], made: 0, skipped: 1 })
      await shop.db`update network_orders set state = 'failed', closed = ${shop.now()}`
      expect(await asked()).toEqual({ warnings: [], made: 1, skipped: 0 })
    })

    it('whose money a link asks for, or got in the last seven days from any phone', async () => {
      const { id: request } = await ask()
      await end(request)
      const limits = { max_per_request: 3, interval_minutes: 10, quiet_hours: null }
      const input = { request, author, comment: '', limits, base_url: 'https://pay.example', expiry_date: '2 days' }
      const link = await begin(shop.db, (tx) => sendPaymentLink(tx, shop.now(), input))
      const duplicate = { warnings: [{ code: 'asked_already', request }], made: 0, skipped: 1 }
      expect(await asked()).toEqual(duplicate)
      const father = { phonenumber: '+80000000064', amount: amount('100') }
      const { id: paid } = await shop.createRequest({ ...father, reason: 'Milk' })
      await shop.db`
        insert into payment_link_visits (link, request, token_digest, form_digest, phone_digest, address_digest, created)
        values (${link.id}, ${paid}, '1', '1', '1', '1', ${shop.now()})`
      await shop.ingest(shop.paymentReport(father))
      expect((await shop.request(paid)).status).toBe('successful')
      shop.testApp.clock.advance(6 * DAY_S)
      expect(await asked()).toEqual(duplicate)
      shop.testApp.clock.advance(2 * DAY_S)
      expect(await asked()).toEqual({ warnings: [], made: 1, skipped: 0 })
    })

    it('that has expired before its prompt was paid', async () => {
      const { id: request } = await ask()
      await order(request, 'accepted', null)
      await end(request)
      shop.testApp.clock.advance(20 * DAY_S)
      const paid = { phonenumber, amount: amount('100'), order_reference: `O-${request}` }
      await shop.ingest(shop.paymentReport(paid))
      await shop.db`update network_orders set state = 'successful', closed = ${shop.now()}`
      expect(await asked()).toEqual({ warnings: [{ code: 'asked_already', request }], made: 0, skipped: 1 })
      shop.testApp.clock.advance(8 * DAY_S)
      expect(await asked()).toEqual({ warnings: [], made: 1, skipped: 0 })
    })
  })
})

it('a tag asks all its customers, and names those without a phone', async () => {
  const { rows, planned } = await checkTagged(shop.db, { tag: 'p5', amount: amount('100') }, choices, context())
  expect(rows).toMatchObject([
    { name: 'Amina Nakato', phone_number: '+80000000061', state: 'ready' },
    { name: 'Eve Other', state: 'refused', problems: [{ message: 'This customer has no phone number.' }] },
  ])
  expect(planned).toHaveLength(1)
  const none = checkTagged(shop.db, { tag: 'P9', amount: amount('100') }, choices, context())
  await expect(none).rejects.toMatchObject({ fields: { tag: ['No customer has the tag P9.'] } })
})

describe('a batch of requests', () => {
  it('goes on after the last request when it was cut off, and asks for nothing twice', async () => {
    const { planned } = await check(list(GROUP_SIZE + 3))
    const id = await start(planned.length)
    expect(await next(id, planned)).toEqual({ more: true, finished: false })
    const lost = begin(shop.db, async (tx) => {
      await makeNextRequests(tx, { organization: shop.organization, id }, planned, shop.now())
      throw new Error('The process ends here.')
    })
    await expect(lost).rejects.toThrow('The process ends here.')
    expect(await count()).toBe(GROUP_SIZE)
    // The rows that were made are duplicates of their own requests by now; they are not looked at again.
    const again = (await check(list(GROUP_SIZE + 3))).planned
    const [batch] = await Promise.all([finish(id, again), finish(id, again)])
    expect(batch).toMatchObject({ made: planned.length, skipped: 0, refused: 0 })
    expect(await count()).toBe(planned.length)
  })

  it('leaves out what another one makes at the same time', async () => {
    const { planned } = await check(list(40, 1_000))
    const ids = await Promise.all([start(40), start(40)])
    const batches = await Promise.all(ids.map((id) => finish(id, planned)))
    expect(batches.map(({ made, skipped }) => made + skipped)).toEqual([40, 40])
    expect(await count()).toBe(40)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eraseContact } from '../../src/core/contacts/erasure.ts'
import { begin, type Database } from '../../src/db/client.ts'
import { sql } from '../../src/db/sql.ts'
import { type Json, openTestService, type TestService } from '../interface/test-service.ts'
import { eventually } from '../test-app.ts'

const PHONE = '+80034567891'
const PERSON = { first_name: 'Wilhelmina', last_name: 'Nakimbugwe' }
/** What is the outside world's own, and what holds no row of a person. */
const OUTSIDE = /^(simulator_|migrations$)/

let market: TestService
let contact: number
/** What the network said of the person, word for word. */
let told: string[]

beforeAll(async () => {
  market = await openTestService()
  const hook = { event: 'collectionrequest.status.changed', target: 'https://nobody.invalid' }
  await market.shop.post('/api/webhooks', hook)
})
afterAll(() => market.close())

function erase(id: number) {
  return begin(market.testApp.db, (tx) =>
    eraseContact(tx, market.testApp.clock.now(), id, { author: market.user, lease_end: null }),
  )
}

describe('erasing a contact', () => {
  it('waits for money that is still to be asked for, and says what stands in the way', async () => {
    const made = await market.shop.post('/api/contacts', {
      ...PERSON,
      phone_number: PHONE,
      email: 'wilhelmina@example.com',
      metadata: { nickname: 'Nakimbugwe' },
      national_id: 'CM34567891',
      national_id_type: 'national',
    })
    contact = made.body.id
    const later = await market.createRequest({ phonenumber: PHONE, start_date: 'tomorrow' })
    await expect(erase(contact)).rejects.toThrow(
      `This contact is still needed: first cancel its collection requests or wait for them (${later.id}).`,
    )
    await market.testApp.db`update collection_requests set status = 'failed', due_at = null where id = ${later.id}`
  })

  it('leaves no trace of the person in any table', async () => {
    const paid = await market.createRequest({
      phonenumber: PHONE,
      reason: 'For Wilhelmina',
      metadata: { customer: 'Nakimbugwe' },
      send_instructions: true,
      success_message: 'Thank you Wilhelmina',
    })
    await market.advanceUntilStatus(paid.id, 'successful')
    const wages = { phonenumber: PHONE, amount: '50', currency: 'BXC', description: 'Wages of Wilhelmina' }
    const papers = { national_id: 'CM34567891', national_id_type: 'national', metadata: { who: 'Nakimbugwe' } }
    const { body: payment } = await market.shop.post('/api/payments', { ...wages, ...papers })
    await eventually('the payment to be sent', async () => {
      market.advance(1)
      const { body } = await market.shop.get(`/api/payments/${payment.id}`)
      return body.state === 'processed' || undefined
    })
    await eventually('the contact to be looked up', async () => {
      const { body } = await market.shop.get(`/api/contacts/${contact}`)
      return body.phone_is_mm_registered === 'yes' || undefined
    })
    // The network may report a payment only after we have asked about it, and what it reports names the person.
    await untilReported()
    told = (await market.testApp.db<{ body: string }[]>`select body from callbacks order by id`).map(({ body }) => body)
    expect(await tracesIn(market.testApp.db)).not.toEqual([])

    await erase(contact)
    market.testApp.app.wake()
    await eventually('the traces to be erased', async () => {
      const [row] = await market.testApp.db`select number_being_erased from contacts where id = ${contact}`
      return row!.number_being_erased === null || undefined
    })
    expect(await tracesIn(market.testApp.db)).toEqual([])
  })

  it('keeps the books, and shows who was erased as nobody', async () => {
    const { body } = await market.shop.get(`/api/contacts/${contact}`)
    expect(body).toMatchObject({ first_name: 'Erased', last_name: 'Contact', phone_number: `erased-${contact}` })
    expect(body).toMatchObject({ status: 'inactive', email: null, national_id: null, name_on_network: '' })
    const [collection] = await market.testApp.db`select * from collections where contact = ${contact}`
    expect(collection).toMatchObject({ status: 'successful', amount: 15_000_000n, phonenumber: `erased-${contact}` })
    const [event] = (await market.shop.get('/api/events?type=collection.received&limit=1')).body.results
    expect(event.data).toMatchObject({
      remote_transaction_id: collection!.remote_transaction_id,
      amount: '1500.0000',
      phonenumber: `erased-${contact}`,
      contact: { id: contact, first_name: 'Erased' },
    })
  })

  it('is for good: nothing can be written to who was erased', async () => {
    const { status, body } = await market.shop.send('PATCH', `/api/contacts/${contact}`, { first_name: 'Grace' })
    expect([status, body]).toEqual([400, { non_field_errors: ['This contact was erased.'] }])
  })

  it('happens once', async () => {
    await expect(erase(contact)).rejects.toThrow(`Contact ${contact} was erased at 2030-01-15T12:`)
  })

  it('holds for what networks say again and later, too: nothing of it is kept', async () => {
    const payments = told.filter((body) => JSON.parse(body).event === 'payment.received')
    const takenBack = payments.map((body) => {
      const { transaction } = JSON.parse(body)
      return JSON.stringify({ event: 'payment.reversed', transaction: { ...transaction, status: 'reversed' } })
    })
    expect(told.length).toBeGreaterThan(payments.length)
    const { db, clock } = market.testApp
    for (const again of [told, takenBack]) {
      await db`
        insert into simulator_callbacks (body, due_at) select body, ${clock.now()} from unnest(${again}::text[]) as c(body)`
      await untilReported()
      const kept = await db`select body, note from callbacks order by id desc limit ${again.length}`
      expect(kept).toEqual(again.map(() => ({ body: '', note: 'Erased.' })))
    }
    const [collection] = await db`select status from collections where contact = ${contact}`
    expect(collection!.status).toBe('reversed')
    expect(await tracesIn(db)).toEqual([])
  })

  it('makes room: whoever comes back with the number is somebody new', async () => {
    const again: Json = await market.createRequest({ phonenumber: PHONE })
    expect((again.contact as Json).id).toBeGreaterThan(contact)
  })
})

function untilReported() {
  return eventually('the network to have reported all', async () => {
    market.testApp.app.wake()
    const late = await market.testApp.db`
      select 1 from simulator_callbacks union all select 1 from callbacks where due_at is not null`
    return late.length === 0 || undefined
  })
}

/** The tables that still hold the person's number, name or papers anywhere in a row. */
async function tracesIn(db: Database): Promise<string[]> {
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
      and relnamespace = current_schema()::regnamespace order by relname`
  const found: string[] = []
  for (const { name } of tables.filter((table) => !OUTSIDE.test(table.name))) {
    const [row] = await db<{ count: number }[]>`
      select count(*) from ${sql.identifier(name)} t where t::text ~* '34567891|wilhelmina|nakimbugwe|Sandbox Customer'`
    if (row!.count > 0) found.push(name)
  }
  return found
}

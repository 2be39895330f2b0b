import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eraseContact } from '../../src/core/contacts/erasure.ts'
import { cancelPayment } from '../../src/core/payments/approvals.ts'
import { begin, type Database } from '../../src/db/client.ts'
import { sql } from '../../src/db/sql.ts'
import { endRequests } from '../core/end-requests.ts'
import { type Json, openTestService, type TestService } from '../interface/test-service.ts'
import { eventually } from '../test-app.ts'

const PHONE = '+80034567891'
const PERSON = { first_name: 'Wilhelmina', last_name: 'Nakimbugwe' }
/** Tables of the simulated networks, and tables without personal data. */
const OUTSIDE = /^(simulator_|migrations$)/

let service: TestService
let contact: number
/** The bodies of the network's callbacks about the person. */
let callback_bodies: string[]

beforeAll(async () => {
  service = await openTestService()
  const hook = { event: 'collectionrequest.status.changed', target: 'https://nobody.invalid' }
  await service.shop.post('/api/webhooks', hook)
})
afterAll(() => service.close())

function erase(id: number) {
  return begin(service.testApp.db, (tx) =>
    eraseContact(tx, service.testApp.clock.now(), id, { author: service.user, lease_end: null }),
  )
}

describe('erasing a contact', () => {
  it('is refused while a request is open, and says which', async () => {
    const created = await service.shop.post('/api/contacts', {
      ...PERSON,
      phone_number: PHONE,
      email: 'wilhelmina@example.com',
      metadata: { nickname: 'Nakimbugwe' },
      national_id: 'CM34567891',
      national_id_type: 'national',
    })
    contact = created.body.id
    const scheduled = await service.createRequest({ phonenumber: PHONE, start_date: 'tomorrow' })
    await expect(erase(contact)).rejects.toThrow(
      `This contact is still needed: first cancel or wait for its collection requests (${scheduled.id}).`,
    )
    await endRequests(service.testApp.db, 'failed', sql`id = ${scheduled.id}`)
  })

  it('removes the data of the person from every table', async () => {
    const paid = await service.createRequest({
      phonenumber: PHONE,
      reason: 'For Wilhelmina',
      metadata: { customer: 'Nakimbugwe' },
      send_instructions: true,
      success_message: 'Thank you Wilhelmina',
    })
    await service.advanceUntilStatus(paid.id, 'successful')
    const wages = { phonenumber: PHONE, amount: '50', currency: 'BXC', description: 'Wages of Wilhelmina' }
    const papers = { national_id: 'CM34567891', national_id_type: 'national', metadata: { who: 'Nakimbugwe' } }
    const { body: payment } = await service.shop.post('/api/payments', { ...wages, ...papers })
    await eventually('the payment to be sent', async () => {
      service.advance(1)
      const { body } = await service.shop.get(`/api/payments/${payment.id}`)
      return body.state === 'processed' || undefined
    })
    await cancelWithReason(wages)
    await eventually('the contact to be looked up', async () => {
      const { body } = await service.shop.get(`/api/contacts/${contact}`)
      return body.phone_is_mm_registered === 'yes' || undefined
    })
    // The network may report a payment only after we have checked it, and its report names the person.
    await waitForCallbacks()
    callback_bodies = (await service.testApp.db<{ body: string }[]>`select body from callbacks order by id`).map(
      ({ body }) => body,
    )
    await compareStatementWithPerson(service)
    expect(await tablesWithPerson(service.testApp.db)).not.toEqual([])

    await erase(contact)
    service.testApp.app.wake()
    await eventually('the messages to be erased', async () => {
      const [row] = await service.testApp.db`select number_being_erased from contacts where id = ${contact}`
      return row!.number_being_erased === null || undefined
    })
    expect(await tablesWithPerson(service.testApp.db)).toEqual([])
    const { results } = (await service.shop.get('/api/events?type=payment.status.changed&limit=100')).body
    expect(JSON.stringify(results)).toContain('"cancelled_reason":""')
    expect(JSON.stringify(results)).not.toMatch(/34567891|wilhelmina|nakimbugwe/i)
  })

  it('keeps the books, and shows the contact as erased', async () => {
    const { body } = await service.shop.get(`/api/contacts/${contact}`)
    expect(body).toMatchObject({ first_name: 'Erased', last_name: 'Contact', phone_number: `erased-${contact}` })
    expect(body).toMatchObject({ status: 'inactive', email: null, national_id: null, name_on_network: '' })
    const [collection] = await service.testApp.db`select * from collections where contact = ${contact}`
    expect(collection).toMatchObject({ status: 'successful', amount: 15_000_000n, phonenumber: `erased-${contact}` })
    const [event] = (await service.shop.get('/api/events?type=collection.received&limit=1')).body.results
    expect(event.data).toMatchObject({
      remote_transaction_id: collection!.remote_transaction_id,
      amount: '1500.0000',
      phonenumber: `erased-${contact}`,
      contact: { id: contact, first_name: 'Erased' },
    })
  })

  it('is permanent: an erased contact cannot be changed', async () => {
    const { status, body } = await service.shop.send('PATCH', `/api/contacts/${contact}`, { first_name: 'Grace' })
    expect([status, body]).toEqual([400, { non_field_errors: ['This contact was erased.'] }])
  })

  it('is refused a second time', async () => {
    await expect(erase(contact)).rejects.toThrow(`Contact ${contact} was erased at 2030-01-15T12:`)
  })

  it('also erases later and repeated callbacks', async () => {
    const payments = callback_bodies.filter((body) => JSON.parse(body).event === 'payment.received')
    const reversals = payments.map((body) => {
      const { transaction } = JSON.parse(body)
      return JSON.stringify({ event: 'payment.reversed', transaction: { ...transaction, status: 'reversed' } })
    })
    expect(callback_bodies.length).toBeGreaterThan(payments.length)
    const { db, clock } = service.testApp
    for (const bodies of [callback_bodies, reversals]) {
      await db`
        insert into simulator_callbacks (door, body, due_at) select 'sandbox', body, ${clock.now()} from unnest(${bodies}::text[]) as c(body)`
      await waitForCallbacks()
      const stored = await db`select body, note from callbacks order by id desc limit ${bodies.length}`
      expect(stored).toEqual(bodies.map(() => ({ body: '', note: 'Erased.' })))
    }
    const [collection] = await db`select status from collections where contact = ${contact}`
    expect(collection!.status).toBe('reversed')
    expect(await tablesWithPerson(db)).toEqual([])
  })

  it('frees the number: a new request creates a new contact', async () => {
    const request: Json = await service.createRequest({ phonenumber: PHONE })
    expect((request.contact as Json).id).toBeGreaterThan(contact)
  })
})

/** A payment to the person that a person cancels, with the reason in words. */
async function cancelWithReason(wages: object): Promise<void> {
  const { testApp, user, shop } = service
  const { body } = await shop.post('/api/payments', { ...wages, start_date: 'tomorrow' })
  const { organization, db, clock } = testApp
  const cancelled = { organization, payment: body.id, user, reason: 'Wilhelmina Nakimbugwe has left' }
  await begin(db, (tx) => cancelPayment(tx, clock.now(), cancelled))
}

function waitForCallbacks() {
  return eventually('all callbacks to be processed', async () => {
    service.testApp.app.wake()
    const open_callbacks = await service.testApp.db`
      select 1 from simulator_callbacks union all select 1 from callbacks where due_at is not null`
    return open_callbacks.length === 0 || undefined
  })
}

/** The tables that contain the person's number, name or papers in any row. */
async function tablesWithPerson(db: Database): Promise<string[]> {
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

/** A statement that lists the person, and that a person has entered a payment from. */
async function compareStatementWithPerson({ testApp: { db, organization, clock }, user }: TestService): Promise<void> {
  const now = clock.now()
  const [run] = await db<{ id: number }[]>`
    insert into reconciliation_runs (organization, connection, network, file_name, file_sha256, period_from, period_to, lines,
      agreeing, sent, differences, zone, author, author_name, created)
    values (${organization}, 'sandbox', 'sandbox', 'a.csv', ${'0'.repeat(64)}, ${now}, ${now}, 1, 0, false, 1, 'UTC', ${user}, 'Grace', ${now})
    returning id`
  const name = `${PERSON.first_name} ${PERSON.last_name}`
  await db`
    insert into reconciliation_findings (run, kind, remote_id, line, stated_phone, stated_name, problem, state, entry_phone,
      entry_note, note)
    values (${run!.id}, 'missing_in_books', 'OTHER-1', 7, ${PHONE.slice(1)}, ${name}, ${`The amount of ${name} is missing.`},
      'entered', ${PHONE}, ${`Paid by ${name}`}, ${`Paid by ${name}`})`
}

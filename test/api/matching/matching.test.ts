import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allPermissions, createKey, type Permission } from '../../../src/core/access/api-keys.ts'
import { createOrganization, createUser, setMembership } from '../../../src/core/access/organizations.ts'
import { begin } from '../../../src/db/client.ts'
import { addCustomers } from '../../core/invoices/customers.ts'
import { type InvoiceShop, openInvoiceShop } from '../../core/invoices/invoice-shop.ts'
import { amount } from '../../core/shop.ts'
import { createApiClient } from '../../test-app.ts'

let invoices: InvoiceShop
let api: InvoiceShop['api']

beforeAll(async () => {
  invoices = await openInvoiceShop()
  api = invoices.api
})
afterAll(() => invoices.close())

/** Money of an unknown phone that names nothing. @returns its collection */
async function receive(sum: string, changes: { phonenumber?: string; reference?: string } = {}): Promise<number> {
  const { shop } = invoices
  await shop.ingest(shop.paymentReport({ amount: amount(sum), phonenumber: invoices.newPhone(), ...changes }))
  return (await shop.collections()).at(-1)!.id
}

const allocationsOf = (collection: number) => `/api/collections/${collection}/allocations`
const allocate = (collection: number, body: object, headers = {}) => api.post(allocationsOf(collection), body, headers)

describe('POST /api/collections/:id/allocations', () => {
  it('splits money between an invoice, a customer and a link, and keeps why', async () => {
    const { id: invoice, contact } = await invoices.issue()
    const link = await api.post('/api/paymentlinks', { title: 'Uniforms', currency: 'BXC', amount: '30' })
    expect(link.status).toBe(201)
    const collection = await receive('2000')
    const parts = [{ invoice }, { payment_link: link.body.id, amount: '30' }, { contact, amount: '150' }]
    const { status, body } = await allocate(collection, { parts, note: 'Betty called.' })
    expect([status, body]).toEqual([
      200,
      {
        amount_unmatched: '50.0000',
        pending: [],
        allocations: [
          expect.objectContaining({ invoice, amount: '1770.0000', reason: 'person', note: 'Betty called.' }),
          expect.objectContaining({ payment_link: link.body.id, amount: '30.0000' }),
          expect.objectContaining({ contact, amount: '150.0000' }),
        ],
      },
    ])
    expect((await api.get(allocationsOf(collection))).body).toEqual(body)
    expect(await invoices.read(invoice)).toMatchObject({ state: 'paid', allocations: [{ collection }] })
    const [entry] = await invoices.shop.db`select action, object, details from audit_log order by id desc limit 1`
    expect(entry).toMatchObject({
      action: 'allocate collection',
      object: collection,
      details: { parts: expect.stringContaining(`BXC 1,770 for invoice ${invoice}`) },
    })
  })

  it('refuses impossible allocations, with the reason, and leaves nothing behind', async () => {
    const { id: invoice, contact } = await invoices.issue()
    const draft = await invoices.draft()
    const voided = await invoices.issue()
    await api.post(`/api/invoices/${voided.id}/void`, {})
    const foreign = await invoices.issue({ currency: 'UGX' })
    const collection = await receive('2000')
    const one = 'Give one of invoice, contact and payment_link.'
    const bad: [object[], number, object][] = [
      [[], 400, { parts: ['Give at least one part.'] }],
      [[{}], 400, { parts: [expect.stringContaining(one)] }],
      [[{ invoice, contact }], 400, { parts: [expect.stringContaining(one)] }],
      [[{ invoice, amount: '0' }], 400, { parts: [expect.stringContaining('greater than')] }],
      [[{ invoice, amount: '1770.01' }], 400, { amount: ['Only BXC 1,770 is still due.'] }],
      [[{ contact, amount: '2000.01' }], 400, { amount: ['Only BXC 2,000 of the money is left.'] }],
      [
        [
          { contact, amount: '1500' },
          { invoice, amount: '501' },
        ],
        400,
        { amount: ['Only BXC 500 of the money is left.'] },
      ],
      [[{ invoice }, { invoice, amount: '1' }], 400, { amount: ['Only BXC 0 is still due.'] }],
      [[{ invoice: draft.id }], 400, { invoice: [`Invoice ${draft.id} is draft. There is nothing to pay.`] }],
      [[{ invoice: voided.id }], 400, { invoice: [`Invoice ${voided.id} is void. There is nothing to pay.`] }],
      [[{ invoice: foreign.id }], 400, { invoice: [`Invoice ${foreign.id} is in UGX, the money in BXC.`] }],
      [[{ invoice: 99_999 }], 404, { detail: 'There is no invoice 99999.' }],
      [[{ contact: 99_999 }], 400, { contact: ['There is no contact 99999.'] }],
      [[{ payment_link: 99_999 }], 400, { payment_link: ['There is no payment link 99999.'] }],
    ]
    for (const [parts, status, errors] of bad) {
      const answer = await allocate(collection, { parts })
      expect([answer.status, answer.body], JSON.stringify(parts)).toEqual([status, errors])
    }
    expect((await api.get(allocationsOf(collection))).body).toEqual({
      allocations: [],
      amount_unmatched: '2000.0000',
      pending: [],
    })
  })

  it('refuses money that is for something, wholly', async () => {
    const { contact } = await invoices.issue()
    const collection = await receive('10')
    expect((await allocate(collection, { parts: [{ contact }] })).status).toBe(200)
    expect((await allocate(collection, { parts: [{ contact }] })).body).toEqual({
      collection: [`Collection ${collection} has no unmatched money left.`],
    })
    const { id: invoice } = await invoices.issue()
    await invoices.collect(invoice)
    await invoices.pay(invoice)
    const paid = (await invoices.shop.collections()).at(-1)!.id
    expect((await allocate(paid, { parts: [{ contact }] })).body.collection[0]).toContain('has fulfilled request')
    expect((await api.get(allocationsOf(paid))).body).toEqual({
      allocations: [],
      amount_unmatched: '0.0000',
      pending: [],
    })
  })

  it('acts once for a Duplicate-Check-Key', async () => {
    const { id: invoice } = await invoices.issue()
    const collection = await receive('500')
    const body = { parts: [{ invoice, amount: '100' }] }
    const headers = { 'duplicate-check-key': 'mine' }
    expect((await allocate(collection, body, headers)).status).toBe(200)
    expect((await allocate(collection, body, headers)).status).toBe(409)
    expect((await api.get(allocationsOf(collection))).body.amount_unmatched).toBe('400.0000')
  })

  it('moves money from one invoice to another in one step, or not at all', async () => {
    const [wrong, right] = [await invoices.issue(), await invoices.issue()]
    const collection = await receive('1770')
    const made = await allocate(collection, { parts: [{ invoice: wrong.id }] })
    const instead_of = made.body.allocations[0].id
    const tooMuch = await allocate(collection, { parts: [{ invoice: right.id, amount: '1770.01' }], instead_of })
    expect(tooMuch.status).toBe(400)
    expect(await invoices.read(wrong.id)).toMatchObject({ state: 'paid' })
    const moved = await allocate(collection, { parts: [{ invoice: right.id, amount: '1000' }], instead_of })
    expect(moved.body).toMatchObject({ allocations: [{ invoice: right.id }], amount_unmatched: '770.0000' })
    expect(await invoices.read(wrong.id)).toMatchObject({ state: 'issued', amount_paid: '0.0000', allocations: [] })
    expect(await invoices.read(right.id)).toMatchObject({ state: 'issued', amount_open: '770.0000' })
    expect(await invoices.eventsOf(wrong.id)).toEqual(['invoice.issued', 'invoice.paid', 'invoice.reopened'])
    expect((await allocate(collection, { parts: [{ invoice: right.id }], instead_of })).status).toBe(404)
  })

  it('gives an invoice less of the money that has paid it', async () => {
    const { id: invoice } = await invoices.issue()
    const collection = await receive('1770')
    const made = await allocate(collection, { parts: [{ invoice }] })
    const instead_of = made.body.allocations[0].id
    const { body } = await allocate(collection, { parts: [{ invoice, amount: '70' }], instead_of })
    expect(body).toMatchObject({ allocations: [{ invoice, amount: '70.0000' }], amount_unmatched: '1700.0000' })
    expect(await invoices.read(invoice)).toMatchObject({ state: 'issued', amount_open: '1700.0000' })
  })
})

describe('a large sum', () => {
  it('answers 202 with the change that waits for a second manager', async () => {
    const { db, organization, now } = invoices.shop
    await db`insert into matching_thresholds (organization, currency, threshold) values (${organization}, 'BXC', 1000)`
    await begin(db, async (tx) => {
      const { id: user } = await createUser(tx, now(), { name: 'Head', email: 'head@school.example' })
      await setMembership(tx, now(), { organization, user, permissions: ['manage_organization'] })
    })
    const [{ id: invoice }, collection] = [await invoices.issue(), await receive('2000')]
    const { status, body } = await allocate(collection, { parts: [{ invoice }] })
    expect([status, body]).toEqual([
      202,
      {
        allocations: [],
        amount_unmatched: '2000.0000',
        pending: [expect.objectContaining({ description: expect.stringContaining('BXC 1,770 for invoice INV-') })],
      },
    ])
    expect((await allocate(collection, { parts: [{ invoice }] })).body).toEqual({
      non_field_errors: ['The same change is already waiting for a second manager.'],
    })
    expect((await allocate(collection, { parts: [{ invoice, amount: '900' }] })).status).toBe(200)
    await db`delete from matching_thresholds`
  })
})

describe('DELETE /api/collections/:id/allocations/:allocation', () => {
  it('takes money back, opens the invoice again, and can be done once', async () => {
    const { id: invoice } = await invoices.issue()
    const collection = await receive('1770')
    const made = await allocate(collection, { parts: [{ invoice }] })
    const path = `${allocationsOf(collection)}/${made.body.allocations[0].id}`
    const other = await receive('5')
    const elsewhere = `${allocationsOf(other)}/${made.body.allocations[0].id}`
    expect((await api.send('DELETE', elsewhere)).status).toBe(404)
    const { status, body } = await api.send('DELETE', path)
    expect([status, body]).toEqual([200, { allocations: [], amount_unmatched: '1770.0000', pending: [] }])
    expect(await invoices.read(invoice)).toMatchObject({ state: 'issued', amount_paid: '0.0000', allocations: [] })
    expect((await api.send('DELETE', path)).status).toBe(404)
  })
})

describe('suggestions for money', () => {
  it('is suggested until it is for something', async () => {
    const { id: invoice, number, phonenumber, contact } = await invoices.issue()
    const collection = await receive('85', { phonenumber })
    const path = `/api/collections/${collection}/suggestions`
    const { body } = await api.get(path)
    expect(body.suggestions[0]).toEqual({
      reason: 'same_phone',
      parts: [
        expect.objectContaining({ invoice, contact, number, amount: '85.0000', asked: '1770.0000', name: 'Jane' }),
      ],
    })
    await allocate(collection, { parts: [{ invoice }] })
    expect((await api.get(path)).body).toEqual({ suggestions: [] })
  })

  it("with a number close to a customer's suggest the open invoice, and the rest as credit", async () => {
    const { db, organization } = invoices.shop.testApp
    const [contact] = await addCustomers(db, organization, [
      { number: 'P5-017', first_name: 'Betty', phone: '+80000770017' },
    ])
    const lines = [{ text: 'Fees', unit_price: '850' }]
    const { body: draft } = await api.post('/api/invoices', { contact, currency: 'BXC', lines })
    await api.post(`/api/invoices/${draft.id}/issue`, {})
    const collection = await receive('900', { reference: 'P5-018' })
    const { body } = await api.get(`/api/collections/${collection}/suggestions`)
    expect(body.suggestions[0]).toEqual({
      reason: 'near_number',
      parts: [
        expect.objectContaining({ invoice: draft.id, contact, amount: '850.0000', asked: '850.0000' }),
        expect.objectContaining({ invoice: null, contact, number: 'P5-017', amount: '50.0000' }),
      ],
    })
  })

  it('is suggested for all that the payer typed, and for each, when it does not add up', async () => {
    const issued = [await invoices.issue({ phonenumber: invoices.newPhone() }), await invoices.issue()]
    const collection = await receive('1900', { reference: issued.map(({ number }) => number).join(' and ') })
    const { body } = await api.get(`/api/collections/${collection}/suggestions`)
    const named = body.suggestions.filter(({ reason }: { reason: string }) => reason === 'named')
    const [one, two] = issued.map(({ id }) => id)
    expect(
      named.map(({ parts }: { parts: { invoice: number; amount: string }[] }) =>
        parts.map((part) => [part.invoice, part.amount]),
      ),
    ).toEqual([
      [
        [one, '1770.0000'],
        [two, '130.0000'],
      ],
      [[one, '1770.0000']],
      [[two, '1770.0000']],
    ])
  })

  it('is not suggested by an amount that many customers owe', async () => {
    const reasons = async (collection: number) =>
      (await api.get(`/api/collections/${collection}/suggestions`)).body.suggestions.map(
        (one: { reason: string }) => one.reason,
      )
    const lines = [{ text: 'Fees', unit_price: '4321' }]
    for (let count = 0; count < 5; count++) await invoices.issue({ lines, phonenumber: invoices.newPhone() })
    const collection = await receive('4321')
    expect(await reasons(collection)).toEqual(Array(5).fill('same_amount'))
    await invoices.issue({ lines, phonenumber: invoices.newPhone() })
    expect(await reasons(collection)).toEqual([])
  })

  it('is shown at the customer: credit, and money of its phones that matches nothing', async () => {
    const { contact, phonenumber } = await invoices.issue()
    const unmatched = await receive('60', { phonenumber, reference: 'for school' })
    const credited = await receive('40', { phonenumber })
    await allocate(credited, { parts: [{ contact, amount: '15' }] })
    const { body } = await api.get(`/api/contacts/${contact}/money`)
    expect(body).toEqual({
      credit: [expect.objectContaining({ collection: credited, currency: 'BXC', amount: '15.0000' })],
      unmatched: [
        expect.objectContaining({ collection: credited, currency: 'BXC', amount: '25.0000', phonenumber }),
        expect.objectContaining({ collection: unmatched, amount: '60.0000', reference: 'for school' }),
      ],
    })
    await invoices.shop
      .db`update collections set status = 'reversed' where id = any(${[unmatched, credited]}::bigint[])`
    expect((await api.get(`/api/contacts/${contact}/money`)).body).toEqual({ credit: [], unmatched: [] })
  })

  it('is shown at a request, the nearest amount first, until the request is paid', async () => {
    const phonenumber = invoices.newPhone()
    const before = await receive('44999', { phonenumber })
    invoices.shop.testApp.clock.advance(60)
    const made = await api.post('/api/collectionrequests', { phonenumber, amount: '45000', currency: 'BXC' })
    const path = `/api/collectionrequests/${made.body.id}/unmatched-money`
    const far = await receive('50000', { phonenumber })
    const near = await receive('44999', { phonenumber })
    await receive('44998')
    const { body } = await api.get(path)
    expect(body.unmatched).toEqual([
      expect.objectContaining({ collection: near, amount: '44999.0000', difference: '-1.0000' }),
      expect.objectContaining({ collection: far, amount: '50000.0000', difference: '5000.0000' }),
    ])
    expect(before).toBeLessThan(near)
    await receive('45000', { phonenumber })
    expect((await api.get(path)).body).toEqual({ unmatched: [] })
  })
})

describe('the rules', () => {
  it('are kept for each organization, and missing fields stay', async () => {
    const url = '/api/matching-settings'
    expect((await api.get(url)).body).toEqual({ overpayment: 'keep', unknown_number: 'accept' })
    expect((await api.send('PATCH', url, { overpayment: 'credit' })).body).toEqual({
      overpayment: 'credit',
      unknown_number: 'accept',
    })
    await api.send('PATCH', url, { unknown_number: 'reject' })
    expect((await api.get(url)).body).toEqual({ overpayment: 'credit', unknown_number: 'reject' })
    expect((await api.send('PATCH', url, { overpayment: 'sometimes' })).body).toEqual({
      overpayment: ['"sometimes" is not a valid choice. There are: keep, credit, return.'],
    })
  })
})

describe('access', () => {
  it('needs the permission for each call, and shows nothing of another organization', async () => {
    const { testApp } = invoices.shop
    const { id: invoice, contact, phonenumber } = await invoices.issue()
    const collection = await receive('85', { phonenumber })
    const made = await allocate(collection, { parts: [{ invoice, amount: '5' }] })
    const request = (await invoices.shop.createRequest()).id
    const clientWith = async (permissions: readonly Permission[], organization = testApp.organization) => {
      const [user] = await testApp.db<{ id: number }[]>`select id from users where kind = 'person'`
      await begin(testApp.db, (tx) =>
        setMembership(tx, testApp.clock.now(), { organization, user: user!.id, permissions: allPermissions }),
      )
      const key = { organization, user: user!.id, name: 'another', permissions: [...permissions] }
      return createApiClient(
        invoices.url,
        (await begin(testApp.db, (tx) => createKey(tx, testApp.clock.now(), key))).key,
      )
    }
    const { id: elsewhere } = await begin(testApp.db, (tx) =>
      createOrganization(tx, testApp.clock.now(), 'Second School'),
    )
    const [viewer, payer, stranger] = [
      await clientWith(['view']),
      await clientWith(['initiate_payments']),
      await clientWith(allPermissions, elsewhere),
    ]
    const reads = [
      allocationsOf(collection),
      `/api/collections/${collection}/suggestions`,
      `/api/contacts/${contact}/money`,
      `/api/collectionrequests/${request}/unmatched-money`,
    ]
    const writes: ['POST' | 'DELETE' | 'PATCH', string, object | undefined][] = [
      ['POST', allocationsOf(collection), { parts: [{ contact }] }],
      ['DELETE', `${allocationsOf(collection)}/${made.body.allocations[0].id}`, undefined],
    ]
    for (const path of reads) {
      expect((await viewer.get(path)).status, path).toBe(200)
      expect((await payer.get(path)).status, path).toBe(403)
      expect((await stranger.get(path)).status, path).toBe(403)
    }
    for (const [method, path, body] of writes) {
      expect((await viewer.send(method, path, body)).status, path).toBe(403)
      expect((await stranger.send(method, path, body)).status, path).toBe(403)
    }
    expect((await viewer.send('PATCH', '/api/matching-settings', { overpayment: 'keep' })).status).toBe(403)
    expect((await stranger.get('/api/matching-settings')).body).toEqual({
      overpayment: 'keep',
      unknown_number: 'accept',
    })
    expect((await api.get(allocationsOf(collection))).body.amount_unmatched).toBe('80.0000')
  })

  it('takes no invoice, customer or link of another organization', async () => {
    const { db, clock } = invoices.shop.testApp
    const { id: elsewhere } = await begin(db, (tx) => createOrganization(tx, clock.now(), 'Third School'))
    const { id: invoice, contact } = await invoices.issue()
    await db`update contacts set organization = ${elsewhere} where id = ${contact}`
    const collection = await receive('85')
    expect((await allocate(collection, { parts: [{ contact }] })).body).toEqual({
      contact: [`There is no contact ${contact}.`],
    })
    await db`update invoices set organization = ${elsewhere} where id = ${invoice}`
    expect((await allocate(collection, { parts: [{ invoice }] })).status).toBe(404)
  })
})

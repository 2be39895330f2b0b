import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Permission } from '../../../../src/core/access/api-keys.ts'
import { createUser, setMembership } from '../../../../src/core/access/organizations.ts'
import { requestChange } from '../../../../src/core/approvals/changes/changes.ts'
import type { MatchingRequest } from '../../../../src/core/approvals/changes/matching-kinds.ts'
import { eraseContact } from '../../../../src/core/contacts/erasure.ts'
import { begin } from '../../../../src/db/client.ts'
import { changeContext } from '../../../../src/http/change-context.ts'
import { type InvoiceShop, openInvoiceShop } from '../../invoices/invoice-shop.ts'
import { amount } from '../../shop.ts'
import { type ChangeDecision, decideChange } from '../decisions.ts'

let invoices: InvoiceShop
let head: number
let bursar: number
let clerk: number

beforeAll(async () => {
  invoices = await openInvoiceShop()
  head = await hire('head@school.example', ['view', 'manage_organization'])
  bursar = await hire('bursar@school.example', ['view', 'initiate_collections', 'manage_organization'])
  clerk = await hire('clerk@school.example', ['view', 'initiate_collections'])
})
afterAll(() => invoices.close())
beforeEach(async () => {
  await invoices.shop.db`delete from matching_thresholds`
  await ask(null, { kind: 'matching_threshold', currency: 'BXC', threshold: amount('1000') })
})

function hire(email: string, permissions: Permission[]): Promise<number> {
  const { db, organization, now } = invoices.shop
  return begin(db, async (tx) => {
    const user = await createUser(tx, now(), { name: email.split('@')[0]!, email })
    await setMembership(tx, now(), { organization, user: user.id, permissions })
    return user.id
  })
}

function ask(user: number | null, request: MatchingRequest) {
  const { db, organization, testApp } = invoices.shop
  return begin(db, (tx) => requestChange(tx, changeContext(testApp.app), { organization, user }, request))
}

function decide(user: number, id: number, verdict: ChangeDecision['verdict']) {
  const { db, organization, testApp } = invoices.shop
  return begin(db, (tx) => decideChange(tx, changeContext(testApp.app), { organization, user }, { id, verdict }))
}

const issue = (total: string) => invoices.issue({ first_name: 'Ada', lines: [{ text: 'Fees', unit_price: total }] })

/** Money that nobody knows comes to the till. @returns its collection */
async function pay(total: string): Promise<number> {
  const report = invoices.shop.paymentReport({ phonenumber: invoices.newPhone(), amount: amount(total) })
  await invoices.shop.ingest(report)
  const [row] = await invoices.shop.db<{ id: number }[]>`
    select id from collections where remote_transaction_id = ${report.remote_id}`
  return row!.id
}

const match = (collection: number, invoice: { id: number }): MatchingRequest => ({
  kind: 'match',
  collection,
  parts: [{ target: { invoice: invoice.id } }],
})
const stateOf = async ({ id }: { id: number }) => (await invoices.read(id)).state
const useOf = async (collection: number) => (await invoices.api.get(`/api/collections/${collection}/allocations`)).body

const entriesOf = (action: string, collection: number) => invoices.shop.db`
  select "user", details->>'change' as change from audit_log where action = ${action} and object = ${collection}`

describe('a large sum that is matched by hand', () => {
  it('waits for a manager, who sees what it is for, and nothing happens before', async () => {
    const invoice = await issue('1500')
    const collection = await pay('2000')
    const { is_pending, change } = await ask(clerk, match(collection, invoice))
    expect(is_pending).toBe(true)
    expect(change).toMatchObject({
      state: 'pending',
      description: expect.stringMatching(/^Match collection \d+ \(BXC 2,000\): BXC 1,500 for invoice INV-\d+\.$/),
    })
    expect(await stateOf(invoice)).toBe('issued')
    expect(await useOf(collection)).toMatchObject({
      allocations: [],
      amount_unmatched: '2000.0000',
      pending: [{ id: change!.id, author: clerk, author_name: 'clerk' }],
    })
    await decide(head, change!.id, 'confirm')
    expect(await stateOf(invoice)).toBe('paid')
    expect(await useOf(collection)).toMatchObject({
      allocations: [{ invoice: invoice.id, amount: '1500.0000', reason: 'person', author: clerk }],
      amount_unmatched: '500.0000',
      pending: [],
    })
  })

  it('is not confirmed by the one who asked, nor by somebody who is no manager', async () => {
    const invoice = await issue('1500')
    const { change } = await ask(bursar, match(await pay('1500'), invoice))
    await expect(decide(bursar, change!.id, 'confirm')).rejects.toThrow('A manager other than')
    await expect(decide(clerk, change!.id, 'confirm')).rejects.toThrow()
    await decide(bursar, change!.id, 'withdraw')
    expect(await stateOf(invoice)).toBe('issued')
  })

  it('is not matched when its invoice has got other money meanwhile', async () => {
    const invoice = await issue('1500')
    const { change } = await ask(clerk, match(await pay('1500'), invoice))
    await ask(clerk, match(await pay('400'), invoice))
    await expect(decide(head, change!.id, 'confirm')).rejects.toThrow('has changed since')
    expect(await invoices.read(invoice.id)).toMatchObject({ state: 'issued', amount_paid: '400.0000' })
  })

  it('waits as well when it is taken back, moved, or fulfils a request', async () => {
    const [first, second] = [await issue('1500'), await issue('1500')]
    const collection = await pay('1500')
    await ask(null, match(collection, first))
    const [{ id: instead_of }] = (await useOf(collection)).allocations
    const back = await ask(clerk, { kind: 'match', collection, parts: [], instead_of })
    expect(back.is_pending).toBe(true)
    const moved = await ask(clerk, { ...match(collection, second), instead_of } as MatchingRequest)
    await decide(head, moved.change!.id, 'confirm')
    expect([await stateOf(first), await stateOf(second)]).toEqual(['issued', 'paid'])
    await expect(decide(head, back.change!.id, 'confirm')).rejects.toThrow('has no allocation')

    const { body: request } = await invoices.api.post('/api/collectionrequests', {
      phonenumber: invoices.newPhone(),
      currency: 'BXC',
      amount: '1500',
    })
    const money = await pay('1200')
    const asked = await ask(clerk, { kind: 'match_request', collection: money, collection_request: request.id })
    expect((await invoices.api.get(`/api/collections/${money}`)).body.collection_request).toBeNull()
    await decide(head, asked.change!.id, 'confirm')
    expect((await invoices.api.get(`/api/collectionrequests/${request.id}`)).body.status).toBe('successful')
    expect(await entriesOf('match collection', money)).toEqual([{ user: clerk, change: String(asked.change!.id) }])
  })

  it('waits in parts as well', async () => {
    const collection = await pay('1800')
    const [first, second] = [await issue('900'), await issue('900')]
    expect((await ask(clerk, match(collection, first))).is_pending).toBe(false)
    expect((await ask(clerk, match(collection, second))).is_pending).toBe(true)
  })

  it('loses its note when the customer is erased', async () => {
    const { db, now } = invoices.shop
    const invoice = await issue('1500')
    const collection = await pay('1500')
    const note = 'Betty called.'
    const { change } = await ask(clerk, { ...match(collection, invoice), note } as MatchingRequest)
    await decide(head, change!.id, 'confirm')
    await begin(db, (tx) => eraseContact(tx, now(), invoice.contact, { author: clerk, lease_end: null }))
    expect(await db`select note from allocations where collection = ${collection}`).toEqual([{ note: '' }])
    const kept = await db`select change::text || description as text from control_changes where id = ${change!.id}`
    expect(kept[0]!.text).not.toMatch(/Betty|Ada|\+8000/)
    expect(await db`select 1 from audit_log where details::text like '%Betty%'`).toEqual([])
  })

  it('is matched at once up to the threshold, and by an operator', async () => {
    const [small, large] = [await issue('1000'), await issue('1500')]
    expect((await ask(clerk, match(await pay('5000'), small))).is_pending).toBe(false)
    expect((await ask(null, match(await pay('1500'), large))).is_pending).toBe(false)
    expect([await stateOf(small), await stateOf(large)]).toEqual(['paid', 'paid'])
  })

  it('has one entry in the audit log, with who asked for it', async () => {
    const collection = await pay('1500')
    const { change } = await ask(clerk, match(collection, await issue('1500')))
    await decide(head, change!.id, 'confirm')
    expect(await entriesOf('allocate collection', collection)).toEqual([{ user: clerk, change: String(change!.id) }])
  })
})

describe('the threshold', () => {
  it('is raised and removed by two managers, and lowered by one', async () => {
    const set = (threshold: string | null) =>
      ask(bursar, {
        kind: 'matching_threshold',
        currency: 'BXC',
        threshold: threshold === null ? null : amount(threshold),
      })
    expect((await set('500')).is_pending).toBe(false)
    const { is_pending, change } = await set('900')
    expect([is_pending, change!.description]).toEqual([
      true,
      'Money in BXC is matched by hand: by two persons above 900 (before: by two persons above 500).',
    ])
    expect((await set(null)).is_pending).toBe(true)
    await decide(head, change!.id, 'confirm')
    expect(await invoices.shop.db`select currency, threshold from matching_thresholds`).toEqual([
      { currency: 'BXC', threshold: amount('900') },
    ])
  })

  it('is not changed by somebody who is no manager, and is an amount in a known currency', async () => {
    const set = (user: number, currency: string, threshold: string) =>
      ask(user, { kind: 'matching_threshold', currency, threshold: amount(threshold) })
    await expect(set(clerk, 'BXC', '5')).rejects.toThrow()
    await expect(set(bursar, 'ZZZ', '5')).rejects.toThrow()
    await expect(set(bursar, 'BXC', '-5')).rejects.toThrow()
  })
})

describe('money that moves within an invoice that it has paid', () => {
  it('can be split between the same invoice and another one', async () => {
    const [first, second] = [await issue('200'), await issue('90')]
    const collection = await pay('200')
    await ask(clerk, match(collection, first))
    const [{ id: instead_of }] = (await useOf(collection)).allocations
    const parts = [{ target: { invoice: first.id }, amount: '110' }, { target: { invoice: second.id } }]
    await ask(clerk, { kind: 'match', collection, parts, instead_of })
    expect(await invoices.read(first.id)).toMatchObject({ state: 'issued', amount_open: '90.0000' })
    expect(await stateOf(second)).toBe('paid')
  })

  it('spreads what the network took back anew, and pays no invoice more than its total', async () => {
    const [first, second, third] = [await issue('100'), await issue('120'), await issue('100')]
    const { shop } = invoices
    const report = shop.paymentReport({ phonenumber: invoices.newPhone(), amount: amount('200') })
    await shop.ingest(report)
    const collection = (await shop.collections()).at(-1)!.id
    const parts = [
      { target: { invoice: first.id }, amount: '100' },
      { target: { invoice: second.id }, amount: '100' },
    ]
    await ask(clerk, { kind: 'match', collection, parts })
    await shop.ingest({ ...report, reversals: [{ remote_id: `${report.remote_id}-R`, amount: amount('50') }] })
    await invoices.countMoney()
    expect(await invoices.read(second.id)).toMatchObject({ amount_paid: '50.0000' })
    const [{ id: instead_of }] = (await useOf(collection)).allocations
    await ask(clerk, { ...match(collection, second), instead_of } as MatchingRequest)
    expect(await invoices.read(second.id)).toMatchObject({ state: 'paid', amount_paid: '120.0000' })
    const [, { id: small }] = (await useOf(collection)).allocations
    await ask(clerk, { ...match(collection, third), instead_of: small } as MatchingRequest)
    expect(await invoices.read(second.id)).toMatchObject({ state: 'issued', amount_paid: '100.0000' })
    expect(await invoices.read(third.id)).toMatchObject({ amount_paid: '50.0000' })
  })

  it('opens the other invoices of the money as far as a network took it back', async () => {
    const [first, second] = [await issue('100'), await issue('100')]
    const { shop } = invoices
    const report = shop.paymentReport({ phonenumber: invoices.newPhone(), amount: amount('200') })
    await shop.ingest(report)
    const collection = (await shop.collections()).at(-1)!.id
    await ask(clerk, {
      kind: 'match',
      collection,
      parts: [first, second].map(({ id }) => ({ target: { invoice: id } })),
    })
    await shop.ingest({ ...report, reversals: [{ remote_id: `${report.remote_id}-R`, amount: amount('50') }] })
    await invoices.countMoney()
    const [{ id: instead_of }] = (await useOf(collection)).allocations
    await ask(clerk, { kind: 'match', collection, parts: [], instead_of })
    expect(await invoices.read(first.id)).toMatchObject({ state: 'issued', amount_paid: '0.0000' })
    expect(await invoices.read(second.id)).toMatchObject({ state: 'paid', amount_paid: '100.0000' })
  })
})

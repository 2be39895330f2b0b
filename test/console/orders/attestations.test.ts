import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setMembership } from '../../../src/core/access/organizations.ts'
import { begin } from '../../../src/db/client.ts'
import { PASSWORD } from '../../password.ts'
import { openBrowser } from '../browser.ts'
import { addPerson, openShop, type Shop } from '../shop.ts'

const APPROVER = 'approver@shop.example'
const PDF = Buffer.from('%PDF-1.7 statement of March')

let shop: Shop
let approver: Shop['owner']
let clerk: Shop['owner']

beforeAll(async () => {
  shop = await openShop()
  const { testApp, url } = shop
  const { db, organization, clock } = testApp
  await addPerson(testApp, { email: APPROVER, organization, permissions: ['view', 'approve_payments'] })
  const user = await addPerson(testApp, { email: 'clerk@shop.example', organization, permissions: ['view'] })
  const permissions = ['view', 'initiate_payments'] as const
  await begin(db, (tx) => setMembership(tx, clock.now(), { organization, user, permissions }))
  approver = openBrowser(url)
  clerk = openBrowser(url)
  await approver.signIn(APPROVER, PASSWORD)
  await clerk.signIn('clerk@shop.example', PASSWORD)
  await db`
    insert into connections (slug, driver, environment, callback_secret, state, created, modified, organization)
    values ('sandbox', 'sandbox', 'sandbox', ${'0'.repeat(32)}, 'active', now(), now(), ${organization})
    on conflict (slug) do update set organization = excluded.organization`
})
afterAll(() => shop.testApp.close())

/** The order of a request, as if it was sent two days ago and never answered. */
async function lostOrder(): Promise<string> {
  const input = { phonenumber: '+80000000077', amount: '1500', currency: 'BXC', send_instructions: false }
  const { body } = await shop.owner.post('/collectionrequests', input)
  const reference = `LOST${body.id}`
  const { db, clock, organization } = shop.testApp
  const sent = new Date(clock.now().getTime() - 48 * 3_600_000)
  await db`
    insert into network_orders (reference, kind, connection, organization, collection_request, attempt, receiver,
      phonenumber, amount, currency, reason, state, created, sent, due_at)
    select ${reference}, 'charge', 'sandbox', ${organization}, ${body.id}, 99, p.number, '+80000000077', 1500, 'BXC', '',
      'accepted', ${sent}, ${sent}, '2100-01-01'
    from connection_places p join accounts a on a.id = p.account where a.currency = 'BXC' and a.organization = ${organization}`
  return reference
}

const attestation = (changes: object = {}) => ({
  outcome: 'failed',
  statement: 'March, page 2',
  note: 'It is not there.',
  document: { name: 'März 1.pdf', content: PDF.toString('base64') },
  ...changes,
})

describe('orders that need a person', () => {
  it('are listed, attested, approved by somebody else and audited', async () => {
    const reference = await lostOrder()
    const { body } = await shop.viewer.get('/orders?needs_attention=true')
    expect(body.results).toContainEqual(expect.objectContaining({ reference, kind: 'charge', state: 'accepted' }))
    expect((await shop.viewer.post(`/orders/${reference}/attest`, attestation())).status).toBe(403)
    expect((await shop.otherOwner.post(`/orders/${reference}/attest`, attestation())).status).toBe(404)
    const made = await clerk.post(`/orders/${reference}/attest`, attestation())
    expect(made.status).toBe(201)
    const { id } = made.body
    expect((await clerk.post(`/attestations/${id}/approve`)).status).toBe(403)
    expect((await shop.otherOwner.post(`/attestations/${id}/approve`)).status).toBe(404)
    const approved = await approver.post(`/attestations/${id}/approve`, { note: 'I have seen it too.' })
    expect(approved.body).toMatchObject({ state: 'approved', decision_note: 'I have seen it too.' })
    const { answers, attestations } = (await shop.viewer.get(`/orders/${reference}`)).body
    expect(answers).toMatchObject([{ source: 'operator', outcome: 'failed' }])
    expect(attestations).toMatchObject([{ id, state: 'approved' }])
    expect((await shop.owner.get('/attestations?state=approved')).body.count).toBe(1)
    expect(await shop.audit()).toEqual(expect.arrayContaining(['attest order', 'approve attestation']))
    expect((await shop.owner.post(`/orders/${reference}/review`)).status).toBe(400)
  })

  it('have a document that browsers save and do not show', async () => {
    const made = await clerk.post(`/orders/${await lostOrder()}/attest`, attestation())
    const path = `/attestations/${made.body.id}/document`
    const answer = await clerk.open(path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="M?rz 1.pdf"; filename*=UTF-8''M%C3%A4rz%201.pdf`,
    )
    expect(Buffer.from(await answer.arrayBuffer()).equals(PDF)).toBe(true)
    expect((await shop.otherOwner.get(path)).status).toBe(404)
    expect((await clerk.post(`/attestations/${made.body.id}/withdraw`)).body.state).toBe('withdrawn')
  })

  it('take a document of 2 MB, and none that is larger or not in base64', async () => {
    const reference = await lostOrder()
    const content = (bytes: number) => Buffer.concat([PDF, Buffer.alloc(bytes - PDF.length)]).toString('base64')
    const sending = (text: string) =>
      clerk.post(`/orders/${reference}/attest`, attestation({ document: { name: 'a.pdf', content: text } }))
    expect((await sending('%%%')).status).toBe(400)
    expect((await sending(content(2 * 1024 * 1024 + 3))).status).toBe(400)
    expect((await sending(content(3 * 1024 * 1024))).status).toBe(413)
    expect((await sending(content(2 * 1024 * 1024))).status).toBe(201)
  })
})

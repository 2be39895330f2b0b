import { afterAll, beforeAll, expect, it } from 'vitest'
import { allPermissions } from '../../src/core/access/api-keys.ts'
import { setMembership } from '../../src/core/access/organizations.ts'
import { begin } from '../../src/db/client.ts'
import { openBrowser } from '../console/browser.ts'
import { addPerson, openShop, type Shop } from '../console/shop.ts'
import { PASSWORD } from '../password.ts'
import { printFigure } from './figures.ts'

/*
 * A manager with all permissions attests that money has come which never came, and tries to approve it alone. There is a
 * second person who may approve, and who does nothing.
 */

const MANAGER = 'owner@demo.example'
const NEW_SELF = 'self@shop.example'

let shop: Shop
let other_session: Shop['owner']
let new_self: Shop['owner']
let id: number
let reference: string

beforeAll(async () => {
  shop = await openShop({ APPROVER_WAIT_HOURS: '24' })
  const { testApp, url } = shop
  const { db, organization } = testApp
  await addPerson(testApp, { email: 'second@shop.example', organization, permissions: allPermissions })
  other_session = openBrowser(url)
  await other_session.signIn(MANAGER, PASSWORD)
  new_self = openBrowser(url)
  await addPerson(testApp, { email: NEW_SELF, organization, permissions: ['view'] })
  await new_self.signIn(NEW_SELF, PASSWORD)
  await own(organization)
  const input = { phonenumber: '+80000000077', amount: '1500', currency: 'BXC', send_instructions: false }
  const { body } = await shop.owner.post('/collectionrequests', input)
  reference = `LOST${body.id}`
  const sent = new Date(testApp.clock.now().getTime() - 48 * 3_600_000)
  await db`
    insert into network_orders (reference, kind, connection, organization, collection_request, attempt, receiver,
      phonenumber, amount, currency, reason, state, created, sent, due_at)
    select ${reference}, 'charge', 'sandbox', ${organization}, ${body.id}, 99, p.number, '+80000000077', 1500, 'BXC', '',
      'accepted', ${sent}, ${sent}, '2100-01-01'
    from connection_places p join accounts a on a.id = p.account where a.currency = 'BXC' and a.organization = ${organization}`
  const made = await shop.owner.post(`/orders/${reference}/attest`, attestation())
  expect(made.status).toBe(201)
  id = made.body.id
})
afterAll(() => shop.testApp.close())

/** Set the owner of the connection's merchant account. */
const own = (organization: number | null) => shop.testApp.db`
  insert into connections (slug, driver, environment, callback_secret, state, created, modified, organization)
  values ('sandbox', 'sandbox', 'sandbox', ${'0'.repeat(32)}, 'active', now(), now(), ${organization})
  on conflict (slug) do update set organization = excluded.organization`

const attestation = () => ({
  outcome: 'successful',
  remote_id: 'NEVER-CAME',
  amount: '1500',
  statement: 'March',
  note: 'Believe me',
  document: { name: 'a.txt', content: Buffer.from('Forged').toString('base64') },
})

const approve = (browser: Shop['owner']) => browser.post(`/attestations/${id}/approve`)

/** Return true if the order is settled in the database. */
async function isSettled(): Promise<boolean> {
  const [row] = await shop.testApp.db`
    select 1 from network_orders where reference = ${reference} and (state <> 'accepted' or attested is not null)`
  const [money] = await shop.testApp.db`select 1 from collections where remote_transaction_id = 'NEVER-CAME'`
  return row !== undefined || money !== undefined
}

/** With the API key of the manager, which acts for the manager, and has no way into the console. */
async function approveByKey() {
  const headers = { authorization: `Token ${shop.testApp.api_key}`, 'x-requested-with': 'console' }
  for (const path of ['/console/api', '/api'])
    await fetch(`${shop.url}${path}/attestations/${id}/approve`, { method: 'POST', headers })
}

async function approveUnderOtherEmail() {
  await shop.testApp.db`update users set email = 'renamed@shop.example', name = 'Renamed' where email = ${MANAGER}`
  const browser = openBrowser(shop.url)
  await browser.signIn('renamed@shop.example', PASSWORD)
  await approve(browser)
  await approve(shop.owner)
  await shop.testApp.db`update users set email = ${MANAGER} where email = 'renamed@shop.example'`
}

/** The manager has the account of a colleague who has just become an approver. */
async function approveAsNewApprover() {
  const { db, organization, clock } = shop.testApp
  const [self] = await db<{ id: number }[]>`select id from users where email = ${NEW_SELF}`
  const membership = { organization, user: self!.id, permissions: ['view', 'approve_payments'] as const }
  await begin(db, (tx) => setMembership(tx, clock.now(), { ...membership, approver_wait_ms: 24 * 3_600_000 }))
  await approve(new_self)
}

/** The money would come out of the pocket of the operator. Even two users of the organization cannot settle it. */
async function approveOnOperatorsAccount() {
  await own(null)
  const second = openBrowser(shop.url)
  await second.signIn('second@shop.example', PASSWORD)
  await approve(second)
  await own(shop.testApp.organization)
}

const ways: [way: string, attempt: () => Promise<unknown>][] = [
  ['approves in the same session', () => approve(shop.owner)],
  ['approves in another session', () => approve(other_session)],
  ['approves with an API key', approveByKey],
  ['approves forty times at once', () => Promise.all(Array.from({ length: 40 }, () => approve(other_session)))],
  ['attests again and approves at once', attestAndApproveAtOnce],
  ['approves under another e-mail address', approveUnderOtherEmail],
  ['approves as a colleague who may only view', () => approve(new_self)],
  ['approves as a new approver', approveAsNewApprover],
  ['approves from another organization', () => approve(shop.otherOwner)],
  ['approves with a colleague what the operator pays for', approveOnOperatorsAccount],
]

function attestAndApproveAtOnce() {
  return Promise.all([
    ...Array.from({ length: 5 }, () => shop.owner.post(`/orders/${reference}/attest`, attestation())),
    ...Array.from({ length: 5 }, () => approve(other_session)),
  ])
}

it('no person can settle an order alone', async () => {
  const passed: string[] = []
  for (const [way, attempt] of ways) {
    await attempt()
    if (await isSettled()) passed.push(way)
  }
  printFigure('attest-alone', `${passed.length} of ${ways.length} ways for one person to settle an order passed`)
  expect(passed).toEqual([])
  // The order could be settled: by the second person.
  const second = openBrowser(shop.url)
  await second.signIn('second@shop.example', PASSWORD)
  expect((await approve(second)).status).toBe(200)
  expect(await isSettled()).toBe(true)
})

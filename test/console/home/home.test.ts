import { afterAll, beforeAll, expect, it } from 'vitest'
import { prepareDemo } from '../../../src/cli/service/demo.ts'
import { createOrganization, findUser, setMembership } from '../../../src/core/access/organizations.ts'
import { type IncomingPaymentReport, ingestIncomingPayments } from '../../../src/core/collections/incoming-payments.ts'
import { createWebhook, WEBHOOK_KEY_PURPOSE } from '../../../src/core/events/webhooks.ts'
import { begin } from '../../../src/db/client.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { PASSWORD } from '../../password.ts'
import { buildTestApp, createApiClient, eventually, type TestApp } from '../../test-app.ts'
import { openBrowser } from '../browser.ts'

const OWNER = 'owner@demo.example'

let testApp: TestApp
let url: string
let owner: ReturnType<typeof openBrowser>

beforeAll(async () => {
  testApp = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD } })
  await prepareDemo(testApp.app)
  url = (await testApp.startService()).url
  owner = openBrowser(url)
  await owner.signIn(OWNER, PASSWORD)
})
afterAll(() => testApp.close())

const home = async () => (await owner.get('/home')).body
const readFigures = async (query: string) => (await owner.get(`/home/figures?${query}`)).body

it('is complete before there is any data', async () => {
  expect(await home()).toMatchObject({
    requests: { total: 0, open: 0, successful: 0 },
    networks: [],
    webhooks: [],
    unassigned: [],
    attention: [],
  })
  const figures = await readFigures('period=today')
  expect(figures).toMatchObject({ zone: 'Africa/Kampala', today: '2030-01-15', before: { from: '2030-01-14' } })
  expect(figures.current).toEqual({
    from: '2030-01-15',
    to: '2030-01-15',
    money: [],
    requests: { ended: 0, successful: 0 },
    networks: [],
    failures: [],
  })
})

it('counts the collected money, the failures by reason, and the answers of networks', async () => {
  const api = createApiClient(url, testApp.api_key)
  const create = (ending: string, amount: string) =>
    api.post('/api/collectionrequests', {
      phonenumber: `+80000${ending}`,
      amount,
      currency: 'BXC',
      send_instructions: true,
    })
  await Promise.all([
    create('000003', '1500.5'),
    create('000004', '10'),
    create('000101', '20'),
    create('000009', '30'),
  ])
  const webhook = {
    organization: testApp.organization,
    user: 1,
    event: 'contact.created',
    target: 'https://127.0.0.1:9/',
  }
  await begin(testApp.db, (tx) =>
    createWebhook(tx, testApp.clock.now(), webhook, testApp.app.deriveSecret(WEBHOOK_KEY_PURPOSE)),
  )
  // An order is counted before the network has it, and customers pay a second after the network has it.
  await eventually('the orders to be accepted', async () => {
    const accepted = await testApp.db`select 1 from network_orders where state = 'accepted'`
    return accepted.length === 4 && (await home()).networks[0]?.asked === 4 ? true : undefined
  })
  testApp.clock.advance(2)
  testApp.app.wake()
  const overview = await eventually('the outcomes', async () => {
    const body = await home()
    return body.requests.open === 1 ? body : undefined
  })
  expect(overview).toMatchObject({
    requests: { total: 4, open: 1, successful: 2 },
    networks: [{ code: 'sandbox', name: 'Sandbox Network', asked: 4, unclear: 0 }],
    webhooks: [{ target: 'https://127.0.0.1:9/', failing_since: null, waiting: 0 }],
  })
  const money = { currency: 'BXC', count: 2, gross: '1510.5000', returned: '0.0000', fees: '0.0000', net: '1510.5000' }
  // Days are kept for a time that depends on how long it took to read them: on a busy machine those from before may still be.
  const { current, days } = await eventually('the figures of now', async () => {
    const figures = await readFigures('period=custom&from=2030-01-14&to=2030-01-15')
    return figures.current.requests.ended === 3 ? figures : undefined
  })
  expect(current).toMatchObject({
    money: [money],
    requests: { ended: 3, successful: 2 },
    networks: [{ network: 'sandbox', name: 'Sandbox Network', ended: 3, successful: 2 }],
    failures: [{ reason: 'insufficient_funds', count: 1 }],
  })
  expect(days).toEqual([
    { day: '2030-01-14', money: [], requests: { ended: 0, successful: 0 } },
    { day: '2030-01-15', money: [money], requests: { ended: 3, successful: 2 } },
  ])
  expect(overview.wallets.map((wallet: { currency: string; low: boolean }) => [wallet.currency, wallet.low])).toEqual([
    ['BXC', false],
    ['UGX', false],
    ['KES', false],
    ['NGN', false],
  ])
})

it.each([
  ['from=2030-01-15&to=2030-01-14', { to: ['The last day is before the first.'] }],
  ['from=2030-01-01&to=2030-04-03', { to: ['Choose at most 92 days.'] }],
  ['from=2030-02-30&to=2030-03-01', { from: ['Enter a day such as 2030-01-31.'] }],
])('refuses the days %s', async (days, body) => {
  expect(await owner.get(`/home/figures?period=custom&${days}`)).toMatchObject({ status: 400, body })
})

it('finds only objects that the user may read, and none without the permission to view', async () => {
  const { body } = await owner.get('/search?q=1500.5')
  expect(body.groups).toMatchObject([
    { kind: 'collection_request', hits: [{ amount: '1500.5000', state: 'successful', phonenumber: '+80000000003' }] },
    { kind: 'collection', hits: [{ amount: '1500.5000' }] },
  ])
  expect((await owner.get(`/search?q=${'x'.repeat(101)}`)).status).toBe(400)
  expect((await openBrowser(url).get('/search?q=1')).status).toBe(401)
})

it('warns of a wallet that holds less than it spent within the week', async () => {
  await testApp.db`update accounts set balance = 0 where currency = 'KES' and kind = 'local'`
  const { wallets, attention } = await home()
  expect(wallets.filter((wallet: { low: boolean }) => wallet.low)).toMatchObject([{ currency: 'KES' }])
  expect(attention).toEqual([{ kind: 'low_wallets', count: 1 }])
  await testApp.db`update accounts set balance = 500000 where currency = 'KES' and kind = 'local'`
})

/** Ingest money for a receiver without a wallet. */
async function receiveLostMoney(remote_id: string): Promise<void> {
  const now = testApp.clock.now()
  const report: IncomingPaymentReport = {
    network: { slug: 'sandbox', code: 'sandbox', name: 'Sandbox' },
    remote_id,
    status: 'successful',
    receiver: '424242',
    phonenumber: '+80000000055',
    currency: 'BXC',
    amount: parseAmount('70')!,
    order_reference: null,
    reference: null,
    paid_at: now,
  }
  await begin(testApp.db, (tx) => ingestIncomingPayments(tx, now, [report]))
}

it('shows money without a wallet to a manager of the only organization, who assigns it', async () => {
  await receiveLostMoney('LOST1')
  expect((await home()).unassigned).toEqual([
    { network: 'sandbox', receiver: '424242', currency: 'BXC', count: 1, amount: '70.0000' },
  ])
  const { body: list } = await owner.get('/unassigned?state=unassigned')
  expect(list).toMatchObject({ count: 1, results: [{ receiver: '424242', state: 'unassigned', amount: '70.0000' }] })
  const [bxc, ugx] = await Promise.all(
    ['BXC', 'UGX'].map(async (currency) => (await owner.get(`/accounts?currency=${currency}`)).body.results[0].id),
  )
  const assign = (account: unknown) => owner.post(`/unassigned/${list.results[0].id}/assign`, { account })
  expect(await assign(ugx)).toMatchObject({ status: 400, body: { account: [expect.stringContaining('is in UGX')] } })
  expect((await assign(999_999)).status).toBe(404)
  expect(await assign(undefined)).toMatchObject({ status: 400, body: { account: expect.any(Array) } })
  expect(await assign(bxc)).toMatchObject({ status: 200, body: { account: bxc, remote_transaction_id: 'LOST1' } })
  expect((await assign(bxc)).status).toBe(400)
  expect((await home()).unassigned).toEqual([])
})

it('warns of floats that drift away from the books, as long as this is the only organization', async () => {
  await testApp.db`
    insert into connection_floats (connection, currency, balance, booked, drift, drifts_in_a_row, reported, drift_since)
    values ('sandbox', 'KES', 80, 100, -19, 2, now(), now())`
  expect((await home()).warnings).toEqual([
    'The network of sandbox states KES 80, which is KES 19 less than the books allow. `npx kusanya reconcile --connection sandbox` finds the difference.',
  ])
})

it('shows only the current organization, and webhooks only to users who may list them', async () => {
  const user = (await findUser(testApp.db, OWNER))!.id
  const other = await begin(testApp.db, async (tx) => {
    await setMembership(tx, testApp.clock.now(), { organization: testApp.organization, user, permissions: ['view'] })
    const created = await createOrganization(tx, testApp.clock.now(), 'Other Shop')
    await setMembership(tx, testApp.clock.now(), { organization: created.id, user, permissions: ['pay_bills'] })
    return created
  })
  await receiveLostMoney('LOST2')
  expect(await home()).toMatchObject({ webhooks: [], unassigned: [] })
  expect((await owner.get('/unassigned')).status).toBe(403)
  await testApp.db`update memberships set permissions = '{view,manage_organization}' where "user" = ${user} and organization = ${testApp.organization}`
  // With a second organization, money without a wallet may belong to either.
  expect((await home()).warnings).toEqual([])
  expect((await home()).unassigned).toEqual([])
  expect((await owner.get('/unassigned')).status).toBe(403)
  expect((await owner.post('/unassigned/2/assign', { account: 1 })).status).toBe(403)
  await testApp.db`update sessions set organization = ${other.id}`
  expect((await owner.get('/home')).status).toBe(403)
  expect((await owner.get('/home/figures')).status).toBe(403)
  expect((await owner.get('/search?q=1500.5')).status).toBe(403)
  await testApp.db`update memberships set permissions = '{view}' where organization = ${other.id}`
  expect(await home()).toMatchObject({ requests: { total: 0 }, wallets: [], attention: [] })
  expect((await openBrowser(url).get('/home')).status).toBe(401)
})

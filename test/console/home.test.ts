import { afterAll, beforeAll, expect, it } from 'vitest'
import { prepareDemo } from '../../src/cli/service/demo.ts'
import { createOrganization, findUser, setMembership } from '../../src/core/access/organizations.ts'
import { createWebhook, WEBHOOK_KEY_PURPOSE } from '../../src/core/events/webhooks.ts'
import { begin } from '../../src/db/client.ts'
import { buildTestApp, createApiClient, eventually, type TestApp } from '../test-app.ts'
import { openBrowser } from './browser.ts'

const PASSWORD = 'correct horse battery'
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

it('is complete before there is any data', async () => {
  expect(await home()).toMatchObject({
    requests: { total: 0, open: 0, successful: 0 },
    days: [],
    week: { successful: 0, ended: 0, failures: [] },
    networks: [],
    webhooks: [],
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
    const accepted = await testApp.db`select 1 from collection_orders where outcome = 'accepted'`
    return accepted.length === 4 && (await home()).networks[0]?.asked === 4 ? true : undefined
  })
  testApp.clock.advance(2)
  testApp.app.wake()
  const overview = await eventually('the outcomes', async () => {
    const body = await home()
    return body.requests.open === 1 && body.days[0]?.count === 2 ? body : undefined
  })
  expect(overview).toMatchObject({
    requests: { total: 4, open: 1, successful: 2 },
    days: [{ day: '2030-01-15', currency: 'BXC', amount: '1510.5000', count: 2 }],
    week: { successful: 2, ended: 3, failures: [{ reason: 'Insufficient Funds', count: 1 }] },
    networks: [{ code: 'sandbox', asked: 4, unclear: 0 }],
    webhooks: [{ event: 'contact.created', failing_since: null, waiting: 0 }],
  })
  expect(overview.wallets.map((wallet: { currency: string; low: boolean }) => [wallet.currency, wallet.low])).toEqual([
    ['BXC', false],
    ['UGX', false],
    ['KES', false],
    ['NGN', false],
  ])
})

it('warns of a wallet that holds less than it spent within the week', async () => {
  await testApp.db`update accounts set balance = 0 where currency = 'KES' and kind = 'local'`
  const { wallets } = await home()
  expect(wallets.filter((wallet: { low: boolean }) => wallet.low)).toMatchObject([{ currency: 'KES' }])
  await testApp.db`update accounts set balance = 500000 where currency = 'KES' and kind = 'local'`
})

it('shows only the current organization, and webhooks only to users who may list them', async () => {
  const user = (await findUser(testApp.db, OWNER))!.id
  const other = await begin(testApp.db, async (tx) => {
    await setMembership(tx, testApp.clock.now(), { organization: testApp.organization, user, permissions: ['view'] })
    const created = await createOrganization(tx, testApp.clock.now(), 'Other Shop')
    await setMembership(tx, testApp.clock.now(), { organization: created.id, user, permissions: ['pay_bills'] })
    return created
  })
  expect((await home()).webhooks).toEqual([])
  await testApp.db`update sessions set organization = ${other.id}`
  expect((await owner.get('/home')).status).toBe(403)
  await testApp.db`update memberships set permissions = '{view}' where organization = ${other.id}`
  expect(await home()).toMatchObject({ requests: { total: 0 }, days: [], wallets: [] })
  expect((await openBrowser(url).get('/home')).status).toBe(401)
})

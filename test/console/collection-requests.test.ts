import { afterAll, beforeAll, expect, it } from 'vitest'
import { prepareDemo } from '../../src/cli/service/demo.ts'
import { createOrganization, createUser, setMembership, setPassword } from '../../src/core/access/organizations.ts'
import { begin } from '../../src/db/client.ts'
import { PASSWORD, PASSWORD_HASH } from '../password.ts'
import { buildTestApp, type TestApp } from '../test-app.ts'
import { openBrowser } from './browser.ts'

let testApp: TestApp
let url: string
let owner: ReturnType<typeof openBrowser>

beforeAll(async () => {
  testApp = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD } })
  await prepareDemo(testApp.app)
  url = (await testApp.startService({ jobs: false })).url
  owner = openBrowser(url)
  await owner.signIn('owner@demo.example', PASSWORD)
})
afterAll(() => testApp.close())

async function create(): Promise<number> {
  const body = { phonenumber: '+80000000003', amount: '1500', currency: 'BXC' }
  return (await owner.post('/collectionrequests', body)).body.id
}

it('is cancelled once by the signed-in user, and the audit log records it', async () => {
  const id = await create()
  const cancelled = await owner.post(`/collectionrequests/${id}/cancel`)
  expect(cancelled.body).toMatchObject({ id, status: 'failed', error_message: 'Cancelled by Demo Owner' })
  expect((await owner.post(`/collectionrequests/${id}/cancel`)).status).toBe(400)
  const [line] = (await owner.get('/audit')).body.results
  expect(line).toMatchObject({ user_name: 'Demo Owner', object_type: 'collectionrequest', object: id })
})

it('is made for a tag with one entry in the audit log, and its preview has none', async () => {
  const contact = { first_name: 'Ann', last_name: 'Odoi', phone_number: '+80000000003', tags: ['P5'] }
  expect((await owner.post('/contacts', contact)).status).toBe(201)
  const { length } = (await owner.get('/audit?limit=100')).body.results
  const body = { tag: 'P5', amount: '1500', currency: 'BXC', reason: 'Fees' }
  expect((await owner.post('/collectionrequests/batches/preview', body)).status).toBe(200)
  expect((await owner.post('/collectionrequests/batches', body)).status).toBe(201)
  const { results } = (await owner.get('/audit?limit=100')).body
  expect([results.length - length, results[0].action]).toEqual([1, 'make requests for a tag'])
})

it('cannot be cancelled by another organization', async () => {
  const id = await create()
  const password_hash = PASSWORD_HASH
  await begin(testApp.db, async (tx) => {
    const { id: organization } = await createOrganization(tx, testApp.clock.now(), 'Elsewhere')
    const user = await createUser(tx, testApp.clock.now(), { name: 'Eve', email: 'eve@elsewhere.example' })
    await setPassword(tx, user.id, password_hash)
    const permissions = ['view', 'initiate_collections'] as const
    await setMembership(tx, testApp.clock.now(), { organization, user: user.id, permissions })
  })
  const eve = openBrowser(url)
  await eve.signIn('eve@elsewhere.example', PASSWORD)
  expect((await eve.post(`/collectionrequests/${id}/cancel`)).status).toBe(403)
  expect((await eve.post('/collectionrequests/999999/cancel')).status).toBe(404)
})

it('shows its result, and the reason against another try', async () => {
  const id = await create()
  const read = async () => (await owner.get(`/collectionrequests/${id}/outcome`)).body
  expect(await read()).toEqual({
    money: null,
    reason: null,
    invoice: null,
    not_retryable: `Request ${id} is still open. Cancel it first, or wait until it ends.`,
  })
  await owner.post(`/collectionrequests/${id}/cancel`)
  expect(await read()).toEqual({
    money: null,
    invoice: null,
    not_retryable: null,
    reason: expect.stringMatching(/^Cancelled by /),
  })
  const again = await owner.post(`/collectionrequests/${id}/retry`, {})
  expect(await read()).toMatchObject({ not_retryable: `It was already retried: request ${again.body.id}.` })
  expect((await owner.get('/collectionrequests/999999/outcome')).status).toBe(404)
})

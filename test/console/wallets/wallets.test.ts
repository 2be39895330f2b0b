import { afterAll, beforeAll, expect, it } from 'vitest'
import { prepareDemo } from '../../../src/cli/service/demo.ts'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import { begin } from '../../../src/db/client.ts'
import { PASSWORD } from '../../password.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'
import { openBrowser } from '../browser.ts'
import { addPerson } from '../shop.ts'

let testApp: TestApp
let owner: ReturnType<typeof openBrowser>
let viewer: ReturnType<typeof openBrowser>

beforeAll(async () => {
  testApp = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD } })
  await prepareDemo(testApp.app)
  const { url } = await testApp.startService()
  const { organization } = testApp
  await addPerson(testApp, { email: 'viewer@shop.example', organization, permissions: ['view'] })
  owner = openBrowser(url)
  viewer = openBrowser(url)
  await owner.signIn('owner@demo.example', PASSWORD)
  await viewer.signIn('viewer@shop.example', PASSWORD)
})
afterAll(() => testApp.close())

const entry = async () => {
  const [newest] = await testApp.db`select action, object, details from audit_log order by id desc limit 1`
  return newest
}

it('a manager opens, names and funds a wallet, with entries in the audit log', async () => {
  const opened = await owner.post('/wallets', { currency: 'ugx', name: ' Till ' })
  expect(opened).toMatchObject({ status: 201, body: { name: 'Till', currency: 'UGX', balance: 0, kind: 'local' } })
  const { id } = opened.body as { id: number }
  expect(await entry()).toMatchObject({ action: 'create account', object: id, details: { name: 'Till' } })

  expect((await owner.send('PUT', `/wallets/${id}/name`, { name: 'Main till' })).body).toMatchObject({
    name: 'Main till',
  })
  expect(await entry()).toMatchObject({ action: 'rename account', details: { name: 'Main till', before: 'Till' } })

  const funded = await owner.post(`/wallets/${id}/funds`, { amount: '100000', description: 'Opening balance' })
  expect(funded).toMatchObject({ status: 201, body: { balance: 100_000 } })
  expect(await entry()).toMatchObject({
    action: 'fund account',
    object: id,
    details: { amount: 'UGX 100,000', description: 'Opening balance' },
  })
  const { results } = (await owner.get(`/wallets/${id}/transactions`)).body
  expect(results).toMatchObject([{ type: 'admin_funds_update', amount: '100000.0000', description: 'Opening balance' }])
})

it('is funded once for each Duplicate-Check-Key, and only by a person who confirms it', async () => {
  const { id } = (await owner.post('/wallets', { currency: 'KES' })).body as { id: number }
  const path = `/wallets/${id}/funds`
  const funds = { amount: '50', description: 'Opening balance' }
  expect((await owner.post(path, { ...funds, password: undefined })).body).toHaveProperty('password')
  expect((await owner.post(path, { ...funds, password: 'wrong' })).status).toBe(400)
  const key = { 'duplicate-check-key': 'a key of this test' }
  expect((await owner.send('POST', path, funds, key)).body).toMatchObject({ name: 'KES wallet', balance: 50 })
  expect((await owner.send('POST', path, funds, key)).status).toBe(409)
  expect((await owner.get(`/accounts/${id}`)).body).toMatchObject({ balance: 50 })
})

it('refuses wrong input, and everything to others', async () => {
  const { id } = (await owner.post('/wallets', { currency: 'UGX', name: 'Other' })).body as { id: number }
  const path = `/wallets/${id}/funds`
  for (const amount of ['0', '-5', '1.5', 'much'])
    expect((await owner.post(path, { amount, description: 'x' })).body).toHaveProperty('amount')
  expect((await owner.post('/wallets', { currency: 'XXX' })).body).toHaveProperty('currency')
  expect((await owner.send('PUT', `/wallets/${id}/name`, { name: ' ' })).body).toHaveProperty('name')
  expect((await owner.post('/wallets/999999/funds', { amount: '5', description: 'x' })).status).toBe(404)
  expect((await viewer.post('/wallets', { currency: 'UGX' })).status).toBe(403)
  expect((await viewer.post(path, { amount: '5', description: 'x' })).status).toBe(403)

  // With a second organization, the managers of the first do not operate the service any more.
  await begin(testApp.db, (tx) => createOrganization(tx, testApp.clock.now(), 'Another'))
  expect((await owner.post('/wallets', { currency: 'UGX' })).status).toBe(403)
  expect((await owner.post(path, { amount: '5', description: 'x' })).status).toBe(403)
  expect((await owner.send('PUT', `/wallets/${id}/name`, { name: 'Still named' })).status).toBe(200)
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { prepareDemo } from '../../src/cli/service/demo.ts'
import { PASSWORD } from '../password.ts'
import { buildTestApp, type TestApp } from '../test-app.ts'
import { openBrowser } from './browser.ts'
import { addPerson } from './shop.ts'

let testApp: TestApp
let owner: ReturnType<typeof openBrowser>
let visitor: ReturnType<typeof openBrowser>

beforeAll(async () => {
  testApp = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD } })
  await prepareDemo(testApp.app)
  const { url } = await testApp.startService({ jobs: false })
  owner = openBrowser(url)
  visitor = openBrowser(url)
  await owner.signIn('owner@demo.example', PASSWORD)
})
afterAll(() => testApp.close())

const path = (settings: object) =>
  `/plans/preview?${new URLSearchParams({ subscription_settings: JSON.stringify(settings) })}`

it('previews the first dates of a recurring request', async () => {
  const { body } = await owner.get(path({ frequency: 'weekly', end_date: '31/12/2030 23:59:59' }))
  expect(body).toEqual({
    dates: ['15', '22', '29']
      .map((day) => `2030-01-${day}T12:00:00Z`)
      .concat('2030-02-05T12:00:00Z', '2030-02-12T12:00:00Z'),
    more: true,
  })
  const short = await owner.get(path({ frequency: 'daily', end_date: '16/01/2030 23:59:59' }))
  expect(short.body).toMatchObject({ dates: { length: 2 }, more: false })
})

it('reports errors in the settings, and needs a session', async () => {
  const { status, body } = await owner.get(path({ frequency: 'daily', end_date: '01/01/2030 00:00:00' }))
  expect(status).toBe(400)
  expect(body.subscription_settings[0]).toContain('end_date')
  expect((await visitor.get(path({}))).status).toBe(401)
})

it('shows the plan of a request, and pauses, resumes and stops it with the permission to initiate collections', async () => {
  const input = { phonenumber: '+80000000003', amount: '250', currency: 'BXC' }
  const settings = { frequency: 'weekly', end_date: '31/12/2030 23:59:59' }
  const { body: recurring } = await owner.post('/collectionrequests', { ...input, subscription_settings: settings })
  const { body: single } = await owner.post('/collectionrequests', { ...input, amount: '251' })
  expect((await owner.get(`/collectionrequests/${single.id}/plan`)).body).toEqual({ plan: null })
  expect((await owner.get(`/collectionrequests/${recurring.id}/plan`)).body.plan).toMatchObject({
    collection_request: recurring.id,
    frequencies: ['weekly'],
    occurrence_count: 1,
    stopped: null,
    next_dates: { length: 5, 0: '2030-01-22T12:00:00Z' },
  })
  const [plan] = (await owner.get(`/plans?phonenumber=${encodeURIComponent('+80000000003')}`)).body.results
  expect(plan).toMatchObject({ collection_request: recurring.id, amount: '250.0000', open_count: 1 })
  // Every week from 15 January to 31 December.
  expect((await owner.get(`/plans/${plan.id}/total`)).body).toEqual({ count: 51, amount: '12750.0000' })
  expect((await owner.get('/plans/999999/total')).status).toBe(404)
  const requests = await owner.get(`/collectionrequests?plan=${plan.id}`)
  expect(requests.body).toMatchObject({ count: 1, results: [{ id: recurring.id }] })
  const stop = `/plans/${plan.id}/stop`
  expect((await visitor.post(stop)).status).toBe(401)
  await addPerson(testApp, { email: 'viewer@shop.example', organization: testApp.organization, permissions: ['view'] })
  await visitor.signIn('viewer@shop.example', PASSWORD)
  expect((await visitor.post(stop)).status).toBe(403)
  expect((await owner.post(`/plans/${plan.id}/pause`)).body).toMatchObject({ state: 'paused', next_date: null })
  expect((await owner.post(`/plans/${plan.id}/resume`)).body).toMatchObject({ next_date: '2030-01-22T12:00:00Z' })
  expect((await owner.post(stop)).body).toMatchObject({ stopped: '2030-01-15T12:00:00Z', next_dates: [] })
  const refused = await owner.post(`/plans/${plan.id}/pause`)
  expect([refused.status, refused.body]).toEqual([400, { state: ['The plan has been stopped.'] }])
  const lines = await testApp.db`select action, object from audit_log where action like '%repeating' order by id`
  expect(lines).toEqual(
    ['pause', 'resume', 'stop'].map((verb) => ({ action: `${verb} repeating`, object: recurring.id })),
  )
})

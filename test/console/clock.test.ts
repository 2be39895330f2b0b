import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareDemo } from '../../src/cli/service/demo.ts'
import { PASSWORD } from '../password.ts'
import { buildTestApp, createApiClient, eventually, type TestApp } from '../test-app.ts'
import { openBrowser } from './browser.ts'

const DAY_MS = 24 * 3_600_000

let testApp: TestApp
let url: string
let owner: ReturnType<typeof openBrowser>

beforeAll(async () => {
  // This test app has the clock of the program.
  testApp = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD }, overrides: { clock: undefined } })
  await prepareDemo(testApp.app)
  url = (await testApp.startService()).url
  owner = openBrowser(url)
  await owner.signIn('owner@demo.example', PASSWORD)
})
afterAll(() => testApp.close())

describe('the clock of the sandbox, from the console', () => {
  it('advances to its target with several calls, and does the work that becomes due', async () => {
    const fields = { phonenumber: '+80000000009', amount: '1500', currency: 'BXC', expiry_date: '2 hours' }
    const { body: request } = await createApiClient(url, testApp.api_key).post('/api/collectionrequests', fields)
    const first = (await owner.post('/clock', { to: '3 days' })).body
    const { begun, target } = first
    expect(Date.parse(target) - Date.parse(begun)).toBeGreaterThan(3 * DAY_MS - 2_000)
    let progress = first
    await eventually(
      'the clock to reach its target',
      async () => {
        if (progress.done) return progress
        progress = (await owner.post('/clock', { to: target, begun })).body
        return undefined
      },
      60_000,
    )
    const { now, real } = (await owner.get('/clock')).body
    expect(Date.parse(now) - Date.parse(real)).toBeGreaterThan(3 * DAY_MS - 60_000)
    expect((await owner.get(`/collectionrequests/${request.id}`)).body.status).toBe('expired')
    const { body: log } = await owner.get('/audit?action=move%20clock')
    expect(log.count).toBe(1)
  })

  it('only moves forward, and refuses text that is no time', async () => {
    expect((await owner.post('/clock', { to: 'soonish' })).body.to[0]).toContain('such as 3 days')
    expect((await owner.post('/clock', { to: '2020-01-01' })).body.to).toEqual(['The clock only moves forward.'])
  })

  it('needs the permission to manage the organization', async () => {
    await testApp.db`update memberships set permissions = '{view}'`
    expect((await owner.get('/clock')).status).toBe(200)
    expect((await owner.post('/clock', { to: '1 day' })).status).toBe(403)
    expect((await openBrowser(url).get('/clock')).status).toBe(401)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareDemo } from '../../src/cli/service/demo.ts'
import { buildTestApp, createApiClient, eventually, type TestApp } from '../test-app.ts'
import { openBrowser } from './browser.ts'

const PASSWORD = 'correct horse battery'
const DAY_MS = 24 * 3_600_000

let testApp: TestApp
let url: string
let owner: ReturnType<typeof openBrowser>

beforeAll(async () => {
  // The clock of this testApp is the one that the program has.
  testApp = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD }, overrides: { clock: undefined } })
  await prepareDemo(testApp.app)
  url = (await testApp.startService()).url
  owner = openBrowser(url)
  await owner.signIn('owner@demo.example', PASSWORD)
})
afterAll(() => testApp.close())

describe('the clock of the sandbox, from the console', () => {
  it('walks to its target call by call, and what falls due on the way happens', async () => {
    const fields = { phonenumber: '+80000000009', amount: '1500', currency: 'BXC', expiry_date: '2 hours' }
    const { body: request } = await createApiClient(url, testApp.api_key).post('/api/collectionrequests', fields)
    const first = (await owner.post('/clock', { to: '3 days' })).body
    const { begun, target } = first
    expect(Date.parse(target) - Date.parse(begun)).toBeGreaterThan(3 * DAY_MS - 2_000)
    let walked = first
    await eventually(
      'the end of the walk',
      async () => {
        if (walked.done) return walked
        walked = (await owner.post('/clock', { to: target, begun })).body
        return undefined
      },
      60_000,
    )
    const { now, real } = (await owner.get('/clock')).body
    expect(Date.parse(now) - Date.parse(real)).toBeGreaterThan(3 * DAY_MS - 60_000)
    expect((await owner.get(`/collectionrequests/${request.id}`)).body.status).toBe('expired')
    const { body: log } = await owner.get('/audit?action=move%20clock')
    expect(log.count).toBe(1)
  }, 90_000)

  it('goes forward only, and understands what people say', async () => {
    expect((await owner.post('/clock', { to: 'soonish' })).body.to[0]).toContain('such as 3 days')
    expect((await owner.post('/clock', { to: '2020-01-01' })).body.to).toEqual(['The clock goes forward only.'])
  })

  it('is moved by those who manage the organization', async () => {
    await testApp.db`update memberships set permissions = '{view}'`
    expect((await owner.get('/clock')).status).toBe(200)
    expect((await owner.post('/clock', { to: '1 day' })).status).toBe(403)
    expect((await openBrowser(url).get('/clock')).status).toBe(401)
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { prepareDemo } from '../../src/cli/service/demo.ts'
import type { DiskSpace, DiskWatch } from '../../src/lib/disk-space.ts'
import { openBrowser } from '../console/browser.ts'
import { PASSWORD } from '../password.ts'
import { buildTestApp, createApiClient, type TestApp } from '../test-app.ts'

const body = { phonenumber: '+80000000003', amount: '5', currency: 'BXC' }

let testApp: TestApp
let url: string
let space: DiskSpace
const disk: DiskWatch = { state: () => space, look: async () => space, start() {}, stop() {} }
const setLevel = (level: DiskSpace['level'], free_bytes: number) => {
  space = { folder: '/data', free_bytes, total_bytes: 2 ** 30, level }
}

beforeAll(async () => {
  setLevel('enough', 2 ** 29)
  testApp = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD }, overrides: { disk } })
  await prepareDemo(testApp.app)
  url = (await testApp.startService({ jobs: false })).url
})
afterAll(() => testApp.close())

it('a full disk refuses writes and lets reads and callbacks through', async () => {
  const shop = createApiClient(url, testApp.api_key)
  expect((await shop.post('/api/collectionrequests', body)).status).toBe(201)
  setLevel('full', 2 ** 20)
  const refused = await shop.post('/api/collectionrequests', body)
  expect(refused).toMatchObject({
    status: 503,
    body: { detail: 'The disk of the service is full. Nothing was stored; reading works.' },
  })
  expect(refused.headers.get('retry-after')).toBe('60')
  expect((await shop.get('/api/collectionrequests')).body.count).toBe(1)
  expect((await fetch(`${url}/api/callbacks/sandbox`, { method: 'POST', body: '{}' })).status).not.toBe(503)
  setLevel('critical', 2 ** 24)
  expect((await shop.post('/api/collectionrequests', body)).status).toBe(201)
})

it('the console warns who manages the organization, and the metrics have the room', async () => {
  const owner = openBrowser(url)
  await owner.signIn('owner@demo.example', PASSWORD)
  expect((await owner.get('/home')).body.warnings).toEqual(['The disk of /data has 16 MB (1.6 %) left.'])
  const metrics = await (await fetch(`${url}/metrics`)).text()
  expect(metrics).toMatch(/^kusanya_disk_free_bytes 16777216$/m)
  expect(metrics).toMatch(/^kusanya_disk_total_bytes 1073741824$/m)
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, createApiClient, eventually, type TestApp } from '../../test-app.ts'
import { openShell } from '../shell.ts'

let testApp: TestApp
let base: string
let kusanya: ReturnType<typeof openShell>

beforeAll(async () => {
  testApp = await buildTestApp()
  base = (await testApp.startService()).url
  kusanya = openShell({ DATABASE_URL: testApp.app.config.DATABASE_URL!, DATA_DIR: testApp.app.config.DATA_DIR })
})
afterAll(() => testApp.close())

const isOpen = async () => (await fetch(`${base}/api/currencies`)).status !== 503

async function turn(mode: 'on' | 'off') {
  expect((await kusanya(['maintenance', mode])).code).toBe(0)
  // The change takes effect within a second; on a busy machine the requests take longer.
  await eventually(`maintenance ${mode}`, async () => ((await isOpen()) === (mode === 'off') ? true : undefined), 8_000)
}

describe('during maintenance', () => {
  it('every request gets 503 with Retry-After before any other check', async () => {
    await turn('on')
    const large = 'x'.repeat(2_000_000)
    const answers = await Promise.all([
      createApiClient(base, testApp.api_key).get('/api/collectionrequests'),
      createApiClient(base, 'wrong key').get('/api/currencies'),
      createApiClient(base, testApp.api_key).get('/nowhere'),
      createApiClient(base, testApp.api_key).send('PUT', '/api/currencies'),
      createApiClient(base, testApp.api_key).get('/api/currencies', { accept: 'text/html' }),
      createApiClient(base, testApp.api_key).post('/api/collectionrequests', large),
      createApiClient(base, testApp.api_key).post('/api/collectionrequests', 'no json'),
    ])
    for (const { status, headers, body } of answers) {
      expect(status).toBe(503)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(body).toEqual({ detail: 'The service is temporarily offline for maintenance.' })
    }
  })

  it('health checks and metrics still work', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) expect((await fetch(base + path)).status).toBe(200)
  })

  it('callbacks of a network are recorded, because a network may send them only once', async () => {
    const count = async () => (await testApp.db<{ count: number }[]>`select count(*) from callbacks`)[0]!.count
    const before = await count()
    const answer = await fetch(`${base}/api/callbacks/sandbox`, { method: 'POST', body: '{}' })
    expect(answer.status).toBe(200)
    expect(await count()).toBe(before + 1)
  })

  it('the command shows the mode, and opens the service again', async () => {
    expect(JSON.parse((await kusanya(['maintenance', 'status', '--json'])).out)).toEqual({ maintenance: true })
    await turn('off')
    expect((await kusanya(['maintenance', 'status'])).out).toBe('Maintenance is off: the service is open.')
    expect((await createApiClient(base, testApp.api_key).get('/api/currencies')).status).toBe(200)
  })
})

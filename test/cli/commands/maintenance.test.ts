import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, createApiClient, eventually, type TestApp } from '../../test-app.ts'
import { openShell } from '../shell.ts'

let house: TestApp
let base: string
let kusanya: ReturnType<typeof openShell>

beforeAll(async () => {
  house = await buildTestApp()
  base = (await house.startService()).url
  kusanya = openShell({ DATABASE_URL: house.app.config.DATABASE_URL!, DATA_DIR: house.app.config.DATA_DIR })
})
afterAll(() => house.close())

const isOpen = async () => (await fetch(`${base}/api/currencies`)).status !== 503

async function turn(position: 'on' | 'off') {
  expect((await kusanya(['maintenance', position])).code).toBe(0)
  // Within a second, says the command; on a busy machine it takes longer to do so, and to ask.
  await eventually(
    `maintenance ${position}`,
    async () => ((await isOpen()) === (position === 'off') ? true : undefined),
    8_000,
  )
}

describe('during maintenance', () => {
  it('everything is answered with 503 and when to come again, before anything else is looked at', async () => {
    await turn('on')
    const large = 'x'.repeat(2_000_000)
    const answers = await Promise.all([
      createApiClient(base, house.api_key).get('/api/collectionrequests'),
      createApiClient(base, 'wrong key').get('/api/currencies'),
      createApiClient(base, house.api_key).get('/nowhere'),
      createApiClient(base, house.api_key).send('PUT', '/api/currencies'),
      createApiClient(base, house.api_key).get('/api/currencies', { accept: 'text/html' }),
      createApiClient(base, house.api_key).post('/api/collectionrequests', large),
      createApiClient(base, house.api_key).post('/api/collectionrequests', 'no json'),
    ])
    for (const { status, headers, body } of answers) {
      expect(status).toBe(503)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(body).toEqual({ detail: 'The service is temporarily offline for maintenance.' })
    }
  })

  it('health and figures are still there for those who watch', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) expect((await fetch(base + path)).status).toBe(200)
  })

  it('what a network reports is recorded, because it may report only once', async () => {
    const count = async () => (await house.db<{ count: number }[]>`select count(*) from callbacks`)[0]!.count
    const before = await count()
    const answer = await fetch(`${base}/api/callbacks/sandbox`, { method: 'POST', body: '{}' })
    expect(answer.status).toBe(200)
    expect(await count()).toBe(before + 1)
  })

  it('the command says where the switch stands, and opens the service again', async () => {
    expect(JSON.parse((await kusanya(['maintenance', 'status', '--json'])).out)).toEqual({ maintenance: true })
    await turn('off')
    expect((await kusanya(['maintenance', 'status'])).out).toBe('Maintenance is off: the service is open.')
    expect((await createApiClient(base, house.api_key).get('/api/currencies')).status).toBe(200)
  })
})

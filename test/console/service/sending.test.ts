import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareDemo } from '../../../src/cli/service/demo.ts'
import { holdSending } from '../../../src/core/sending.ts'
import { begin } from '../../../src/db/client.ts'
import { PASSWORD } from '../../password.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'
import { openBrowser } from '../browser.ts'
import { addPerson, openShop } from '../shop.ts'

describe('held sending with one organization', () => {
  let testApp: TestApp
  let owner: ReturnType<typeof openBrowser>
  let viewer: ReturnType<typeof openBrowser>
  const entries = () =>
    testApp.db<{ action: string; user: number | null; details: object }[]>`
      select action, "user", details from audit_log where action like '%sending' order by id`

  beforeAll(async () => {
    testApp = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD } })
    await prepareDemo(testApp.app)
    const { url } = await testApp.startService()
    const viewing = ['view'] as const
    await addPerson(testApp, {
      email: 'viewer@shop.example',
      organization: testApp.organization,
      permissions: viewing,
    })
    owner = openBrowser(url)
    viewer = openBrowser(url)
    await owner.signIn('owner@demo.example', PASSWORD)
    await viewer.signIn('viewer@shop.example', PASSWORD)
  })
  afterAll(() => testApp.close())

  it('is held with a reason and released by a manager, and the audit log says so', async () => {
    const released = { held: false, since: null, by: null, reason: null, open: null, yours: true }
    expect((await owner.get('/sending')).body).toEqual(released)
    const held = await owner.send('PUT', '/sending', { held: true, reason: 'A key has leaked' })
    expect(held.status).toBe(200)
    expect(held.body).toMatchObject({ held: true, reason: 'A key has leaked', open: 0 })
    expect(held.body.since).toMatch(/Z$/)
    const [user] = await testApp.db<{ id: number; name: string }[]>`
      select id, name from users where email = 'owner@demo.example'`
    expect(held.body.by).toBe(user!.name)
    // A second hold does not hide who held first.
    expect((await owner.send('PUT', '/sending', { held: true, reason: 'Again' })).body).toEqual(held.body)
    expect((await viewer.get('/sending')).body).toEqual(held.body)
    expect((await owner.send('PUT', '/sending', { held: false })).body).toEqual(released)
    expect((await owner.send('PUT', '/sending', { held: false })).body).toEqual(released)
    expect(await entries()).toEqual([
      { action: 'hold sending', user: user!.id, details: { reason: 'A key has leaked' } },
      { action: 'release sending', user: user!.id, details: {} },
    ])
  })

  it('refuses users who do not manage, and bad input, and changes nothing', async () => {
    const before = await entries()
    expect((await viewer.send('PUT', '/sending', { held: true })).status).toBe(403)
    for (const [body, field] of [
      [{}, 'held'],
      [{ held: 'perhaps' }, 'held'],
      [{ held: true, reason: 'x'.repeat(501) }, 'reason'],
    ] as const) {
      const refused = await owner.send('PUT', '/sending', body)
      expect(refused).toMatchObject({ status: 400, body: { [field]: expect.anything() } })
    }
    expect((await owner.get('/sending')).body.held).toBe(false)
    expect(await entries()).toEqual(before)
  })

  it('is shown and released during maintenance, and also where earlier versions held it', async () => {
    await testApp.db`insert into flags (name, value) values ('sending', 'held')`
    await owner.send('PUT', '/maintenance', { on: true })
    const { body } = await owner.get('/sending')
    expect(body).toEqual({ held: true, since: null, by: null, reason: null, open: 0, yours: true })
    expect((await owner.send('PUT', '/sending', { held: false })).body.held).toBe(false)
    await owner.send('PUT', '/maintenance', { on: false })
  })
})

it('is for the operator alone where several organizations are served', async () => {
  const shop = await openShop()
  try {
    const { db, clock } = shop.testApp
    await begin(db, (tx) => holdSending(tx, clock.now(), { by: 'an operator', reason: 'Other Shop pays wrong people' }))
    const { body } = await shop.owner.get('/sending')
    expect(body).toMatchObject({ held: true, by: null, reason: null, open: null, yours: false })
    expect(body.since).toMatch(/Z$/)
    expect((await shop.owner.send('PUT', '/sending', { held: false })).status).toBe(403)
    expect((await shop.viewer.get('/sending')).body.held).toBe(true)
  } finally {
    await shop.testApp.close()
  }
})

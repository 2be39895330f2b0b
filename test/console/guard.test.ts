import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requireRouteGuard } from '../../src/console/guard.ts'
import { allPermissions } from '../../src/core/access/api-keys.ts'
import { createOrganization, createUser, setMembership, setPassword } from '../../src/core/access/organizations.ts'
import { setFlag } from '../../src/core/flags.ts'
import { setApprovalRule } from '../../src/core/spending/approval-rules.ts'
import { begin } from '../../src/db/client.ts'
import { PASSWORD, PASSWORD_HASH } from '../password.ts'
import { buildTestApp, type TestApp } from '../test-app.ts'
import { openBrowser } from './browser.ts'

let testApp: TestApp
let url: string

beforeAll(async () => {
  testApp = await buildTestApp()
  url = (await testApp.startService({ jobs: false })).url
})
afterAll(() => testApp.close())

describe('the guard of the console', () => {
  it('requires every route to declare its access', () => {
    const handler = () => {}
    expect(() => requireRouteGuard({ method: 'GET', url: '/console/api/x', handler })).toThrow('must have a permission')
    expect(() =>
      requireRouteGuard({ method: 'GET', url: '/console/api/x', handler, config: { open: true } }),
    ).not.toThrow()
  })

  it('gives a user without an organization access only to their account', async () => {
    const password_hash = PASSWORD_HASH
    await begin(testApp.db, async (tx) => {
      const user = await createUser(tx, testApp.clock.now(), { name: 'Alone', email: 'alone@demo.example' })
      await setPassword(tx, user.id, password_hash)
    })
    const alone = openBrowser(url)
    const session = await alone.signIn('alone@demo.example', PASSWORD)
    expect(session.body).toMatchObject({ stage: 'signed_in', organization: null, permissions: [] })
    expect((await alone.get('/collectionrequests')).status).toBe(403)
    expect((await alone.get('/account/sessions')).status).toBe(200)
  })

  it('refuses a user who loses all permissions, at once', async () => {
    const password_hash = PASSWORD_HASH
    const { id: organization } = await begin(testApp.db, (tx) =>
      createOrganization(tx, testApp.clock.now(), 'Kampala Books'),
    )
    const user = await begin(testApp.db, async (tx) => {
      const created = await createUser(tx, testApp.clock.now(), { name: 'Leaver', email: 'leaver@demo.example' })
      await setPassword(tx, created.id, password_hash)
      return created.id
    })
    const permit = (permissions: typeof allPermissions) =>
      begin(testApp.db, (tx) => setMembership(tx, testApp.clock.now(), { organization, user, permissions }))
    await permit(allPermissions)
    const leaver = openBrowser(url)
    await leaver.signIn('leaver@demo.example', PASSWORD)
    expect((await leaver.get('/users')).status).toBe(200)
    const stream = await leaver.open('/events/stream')
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    const chunks = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    let received = ''
    const receive = async (text: string) => {
      while (!received.includes(text)) received += (await chunks.read()).value
    }
    await receive('id: ')
    // Pages show whether sending is held, without asking.
    await begin(testApp.db, (tx) => setFlag(tx, 'sending', null))
    await receive('event: service\n')
    // The queues of approvals change with the rules.
    received = ''
    await begin(testApp.db, (tx) => setApprovalRule(tx, { organization, currency: 'BXC', threshold: 10_000n }))
    await receive('event: rules\n')
    await permit([])
    // The stream ends without another event.
    for (let chunk = await chunks.read(); !chunk.done; chunk = await chunks.read()) received += chunk.value
    expect(received).toMatch(/^(event: (service|rules)\ndata: {}\n\n)+$/)
    expect((await leaver.get('/users')).status).toBe(403)
    expect((await leaver.get('/session')).body).toMatchObject({ organization: null, organizations: [] })
  })
})

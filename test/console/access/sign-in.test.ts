import { generateSync } from 'otplib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { prepareDemo } from '../../../src/cli/service/demo.ts'
import { createKey } from '../../../src/core/access/api-keys.ts'
import { createOrganization, createUser, setMembership, setPassword } from '../../../src/core/access/organizations.ts'
import { begin } from '../../../src/db/client.ts'
import { PASSWORD, PASSWORD_HASH } from '../../password.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'
import { openBrowser } from '../browser.ts'

const OWNER = 'owner@demo.example'

let testApp: TestApp
let url: string
let browser: ReturnType<typeof openBrowser>

beforeAll(async () => {
  testApp = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD } })
  await prepareDemo(testApp.app)
  url = (await testApp.startService({ jobs: false })).url
})
afterAll(() => testApp.close())
beforeEach(() => {
  browser = openBrowser(url)
})

/** Create a user of the demo shop with these permissions. */
async function person(email: string, permissions: 'view'[] = ['view']) {
  const password_hash = PASSWORD_HASH
  return begin(testApp.db, async (tx) => {
    const user = await createUser(tx, testApp.clock.now(), { name: email.split('@')[0]!, email })
    await setPassword(tx, user.id, password_hash)
    await setMembership(tx, testApp.clock.now(), { organization: testApp.organization, user: user.id, permissions })
    return user
  })
}

describe('signing in', () => {
  it('gives a cookie that scripts cannot read and other sites cannot use', async () => {
    const answer = await browser.signIn(' Owner@Demo.example', PASSWORD)
    expect(answer.status).toBe(200)
    const [session, known, ...others] = answer.headers.getSetCookie()
    expect(session).toMatch(/^kusanya_session=[\w-]{43}; Path=\/console; HttpOnly; SameSite=Strict$/)
    expect(known).toMatch(
      /^kusanya_browser=[\w-]{43}; Max-Age=31536000; Path=\/console\/api; HttpOnly; SameSite=Strict$/,
    )
    expect(others).toEqual([])
    expect(answer.body).toMatchObject({
      stage: 'signed_in',
      user: { email: OWNER },
      organization: { name: 'Demo Shop' },
    })
    expect((await browser.get('/session')).body.permissions).toContain('manage_organization')
  })

  it('gives the same answer for a wrong password and an unknown user', async () => {
    const wrong = { non_field_errors: ['The e-mail or the password is wrong.'] }
    expect(await browser.signIn(OWNER, 'wrong')).toMatchObject({ status: 400, body: wrong })
    expect(await browser.signIn('nobody@demo.example', PASSWORD)).toMatchObject({ status: 400, body: wrong })
    expect((await browser.get('/session')).body.stage).toBe('signed_out')
  })

  it('limits attempts, even with the right password', async () => {
    await person('guessed@demo.example')
    for (let tries = 0; tries < 5; tries += 1)
      expect((await browser.signIn('guessed@demo.example', `guess ${tries}`)).status).toBe(400)
    const refused = await browser.signIn('guessed@demo.example', PASSWORD)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await testApp.db`update sign_in_failures set last_failure = last_failure - interval '1 hour'`
    expect((await browser.signIn('guessed@demo.example', PASSWORD)).status).toBe(200)
  })

  it('ends by signing out, of one session or all', async () => {
    await person('two@demo.example')
    const other = openBrowser(url)
    for (const one of [browser, other]) await one.signIn('two@demo.example', PASSWORD)
    expect((await browser.get('/account/sessions')).body.results).toHaveLength(2)
    expect((await browser.send('DELETE', '/account/sessions')).status).toBe(204)
    expect((await other.get('/collectionrequests')).status).toBe(401)
    await browser.signIn('two@demo.example', PASSWORD)
    expect((await browser.send('DELETE', '/session')).status).toBe(204)
    expect((await browser.get('/session')).body.stage).toBe('signed_out')
  })

  it('ends the API keys of the person as well, if asked', async () => {
    const user = await person('keys@demo.example')
    const other = await person('colleague@demo.example')
    const { organization } = testApp
    const newKey = (owner: number, name: string) =>
      begin(testApp.db, (tx) => createKey(tx, testApp.clock.now(), { organization, user: owner, name }))
    const [till, colleague] = [await newKey(user.id, 'Till'), await newKey(other.id, 'Colleague')]
    const answerTo = async (key: string) =>
      (await fetch(`${url}/api/accounts`, { headers: { authorization: `Token ${key}` } })).status
    const signOut = async (body: object) => {
      await browser.signIn('keys@demo.example', PASSWORD)
      return (await browser.send('DELETE', '/account/sessions', body)).status
    }
    expect(await signOut({ end_keys: 'perhaps' })).toBe(400)
    expect(await signOut({ end_keys: false })).toBe(204)
    expect(await answerTo(till.key)).toBe(200)
    expect(await signOut({ end_keys: true })).toBe(204)
    // Processes forget a key when the database has told them, within a second.
    await expect.poll(() => answerTo(till.key), { interval: 500 }).toBe(401)
    expect(await answerTo(colleague.key)).toBe(200)
    const entries = await testApp.db`
      select action, object, details from audit_log where "user" = ${user.id} and details::text ~ '"(keys|name)"' order by id`
    expect(entries).toMatchObject([
      { action: 'sign out everywhere', details: { keys: 0 } },
      { action: 'revoke key', object: till.row.id, details: { name: 'Till' } },
      { action: 'sign out everywhere', details: { keys: 1 } },
    ])
  })

  it('ends after twelve hours without a request', async () => {
    await person('idle@demo.example')
    await browser.signIn('idle@demo.example', PASSWORD)
    await testApp.db`update sessions set last_seen = last_seen - interval '13 hours'`
    expect((await browser.get('/collectionrequests')).status).toBe(401)
  })
})

describe('a request of the console', () => {
  it('is refused when it comes from another site', async () => {
    await browser.signIn(OWNER, PASSWORD)
    const forged = await browser.send('POST', '/collectionrequests', {}, { 'x-requested-with': 'XMLHttpRequest' })
    expect(forged.status).toBe(403)
    const cross = await browser.send('POST', '/collectionrequests', {}, { 'sec-fetch-site': 'cross-site' })
    expect(cross.status).toBe(403)
  })

  it('works like a request of the interface with the permissions of the user, and is recorded', async () => {
    await browser.signIn(OWNER, PASSWORD)
    const body = { phonenumber: '+80000000003', amount: '1500', currency: 'BXC' }
    const created = await browser.post('/collectionrequests', body)
    expect(created).toMatchObject({ status: 201, body: { amount: '1500.0000', status: 'pending' } })
    const list = await browser.get('/collectionrequests?limit=1')
    expect(list.body).toMatchObject({ count: 1, results: [{ id: created.body.id }] })
    expect((await browser.get('/audit?action=create collection request')).body.results).toMatchObject([
      { user_name: 'Demo Owner', object_type: 'collectionrequest', object: created.body.id },
    ])

    await person('polyglot@demo.example')
    const reader = openBrowser(url)
    await reader.signIn('polyglot@demo.example', PASSWORD)
    expect((await reader.get(`/collectionrequests/${created.body.id}`)).status).toBe(200)
    expect((await reader.post('/collectionrequests', body)).status).toBe(403)
    expect((await reader.get('/users')).status).toBe(403)
  })

  it('is refused without a session', async () => {
    for (const path of ['/collectionrequests', '/users', '/audit', '/account/sessions'])
      expect([path, (await browser.get(path)).status]).toEqual([path, 401])
  })
})

describe('the second factor', () => {
  it('is required after its confirmation, and accepts each code and recovery code once', async () => {
    await person('careful@demo.example')
    await browser.signIn('careful@demo.example', PASSWORD)
    const { secret } = (await browser.post('/account/second-factor', { password: PASSWORD })).body
    const code = generateSync({ secret })
    expect((await browser.send('PUT', '/account/second-factor', { code: '000000' })).status).toBe(400)
    const { recovery_codes } = (await browser.send('PUT', '/account/second-factor', { code })).body
    expect(new Set(recovery_codes).size).toBe(10)

    const other = openBrowser(url)
    expect((await other.signIn('careful@demo.example', PASSWORD)).body.stage).toBe('second_factor')
    expect((await other.get('/collectionrequests')).status).toBe(401)
    expect((await other.post('/session/second-factor', { code })).status).toBe(400)
    const [recovery] = recovery_codes
    expect((await other.post('/session/second-factor', { code: recovery })).body.stage).toBe('signed_in')
    expect((await other.get('/collectionrequests')).status).toBe(200)

    const third = openBrowser(url)
    await third.signIn('careful@demo.example', PASSWORD)
    expect((await third.post('/session/second-factor', { code: recovery })).status).toBe(400)
  })
})

describe('several organizations', () => {
  it('are shown one at a time, and only to their users', async () => {
    const user = await person('both@demo.example')
    const other = await begin(testApp.db, async (tx) => {
      const created = await createOrganization(tx, testApp.clock.now(), 'Kampala Books')
      await setMembership(tx, testApp.clock.now(), { organization: created.id, user: user.id, permissions: ['view'] })
      return created
    })
    const session = await browser.signIn('both@demo.example', PASSWORD)
    expect(session.body.organizations.map((one: { name: string }) => one.name)).toEqual(['Demo Shop', 'Kampala Books'])
    const switched = await browser.post('/session/organization', { organization: other.id })
    expect(switched.body.organization).toEqual({
      id: other.id,
      name: 'Kampala Books',
      time_zone: 'Africa/Kampala',
      country: 'UG',
    })
    expect((await browser.get('/collectionrequests')).body.count).toBe(0)

    const owner = openBrowser(url)
    await owner.signIn(OWNER, PASSWORD)
    expect((await owner.post('/session/organization', { organization: other.id })).status).toBe(403)
  })
})

describe('the language of a user', () => {
  it('is chosen in one browser and shown by all, and must be one of the console', async () => {
    await person('reader-of-swahili@demo.example')
    const session = await browser.signIn('reader-of-swahili@demo.example', PASSWORD)
    expect(session.body.user.language).toBeNull()
    expect((await browser.send('PUT', '/account/language', { language: 'sw' })).status).toBe(204)
    expect((await browser.get('/session')).body.user.language).toBe('sw')
    const other = openBrowser(url)
    expect((await other.signIn('reader-of-swahili@demo.example', PASSWORD)).body.user.language).toBe('sw')
    const refused = await other.send('PUT', '/account/language', { language: 'xx' })
    expect(refused).toMatchObject({ status: 400, body: { language: [expect.stringContaining('choice')] } })
    expect((await other.get('/session')).body.user.language).toBe('sw')
    expect((await openBrowser(url).send('PUT', '/account/language', { language: 'fr' })).status).toBe(401)
  })
})

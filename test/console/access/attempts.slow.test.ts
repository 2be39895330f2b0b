import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { startService } from '../../../src/cli/service/serve.ts'
import { readConfig } from '../../../src/config.ts'
import { PASSWORD } from '../../password.ts'
import { openBrowser } from '../browser.ts'
import { openSignInService, type SignInService } from './people.ts'

const WRONG = { status: 400, body: { non_field_errors: ['The e-mail or the password is wrong.'] } }

let service: SignInService

beforeAll(async () => {
  service = await openSignInService()
})
afterAll(() => service.close())

/** Sign in with wrong passwords until the service refuses to check another one. */
async function exhaust(browser: ReturnType<typeof openBrowser>, email: string): Promise<number> {
  for (let tries = 0; ; tries += 1) if ((await browser.signIn(email, `guess ${tries}`)).status === 429) return tries
}

describe('wrong passwords from one address', () => {
  it('do not lock the person out elsewhere', async () => {
    await service.addPerson('ann@demo.example')
    expect(await exhaust(service.openAt('203.0.113.1'), 'ann@demo.example')).toBe(5)
    expect((await service.openAt('203.0.113.1').signIn('ann@demo.example', PASSWORD)).status).toBe(429)
    expect((await service.openAt('198.51.100.1').signIn('ann@demo.example', PASSWORD)).status).toBe(200)
  })

  it('do not lock out a browser behind that address which has signed in before', async () => {
    await service.addPerson('bea@demo.example')
    const known = service.openAt('203.0.113.2')
    await known.signIn('bea@demo.example', PASSWORD)
    await known.send('DELETE', '/session')
    await exhaust(service.openAt('203.0.113.2'), 'bea@demo.example')
    expect((await known.signIn('bea@demo.example', PASSWORD)).status).toBe(200)
  })

  it('count for a whole IPv6 network', async () => {
    await service.addPerson('cyn@demo.example')
    await exhaust(service.openAt('2001:db8:0:1::1'), 'cyn@demo.example')
    expect((await service.openAt('2001:db8:0:1::2').signIn('cyn@demo.example', PASSWORD)).status).toBe(429)
    expect((await service.openAt('2001:db8:0:2::1').signIn('cyn@demo.example', PASSWORD)).status).toBe(200)
  })

  it('do not keep the person from changing the password, or from setting up a second factor', async () => {
    await service.addPerson('dot@demo.example')
    const own = service.openAt('203.0.113.4')
    await own.signIn('dot@demo.example', PASSWORD)
    await exhaust(service.openAt('203.0.113.4'), 'dot@demo.example')
    expect((await own.post('/account/second-factor', { password: PASSWORD })).status).toBe(200)
    const change = { current_password: PASSWORD, password: 'another long password' }
    expect((await own.post('/account/password', change)).status).toBe(204)
  })
})

it('strangers behind the address of a known browser use up none of its requests', async () => {
  await service.addPerson('tom@demo.example')
  const known = service.openAt('203.0.113.50')
  await known.signIn('tom@demo.example', PASSWORD)
  await known.send('DELETE', '/session')
  const guesses = Array.from({ length: 70 }, (_, index) =>
    service.openAt('203.0.113.50').signIn(`stranger${index}@demo.example`, 'guess'),
  )
  expect((await Promise.all(guesses)).map((answer) => answer.status)).toContain(429)
  expect((await service.openAt('203.0.113.50').signIn('tom@demo.example', PASSWORD)).status).toBe(429)
  expect((await known.signIn('tom@demo.example', PASSWORD)).status).toBe(200)
})

describe('wrong passwords from many addresses', () => {
  it('make new browsers wait, and known ones not', async () => {
    await service.addPerson('eve@demo.example')
    const known = service.openAt('198.51.100.5')
    await known.signIn('eve@demo.example', PASSWORD)
    const addresses = Array.from({ length: 50 }, (_, index) => `192.0.2.${index}`)
    const guesses = addresses.map((address) => service.openAt(address).signIn('eve@demo.example', 'guess'))
    expect((await Promise.all(guesses)).map((answer) => answer.status)).toEqual(addresses.map(() => 400))
    expect((await service.openAt('198.51.100.6').signIn('eve@demo.example', PASSWORD)).status).toBe(429)
    expect((await known.signIn('eve@demo.example', PASSWORD)).status).toBe(200)
    expect(await service.audit('locked sign-in')).toContainEqual(
      expect.objectContaining({ details: { step: 'password', scope: 'everywhere', wait_s: 15 } }),
    )
  })
})

describe('a known browser', () => {
  it('is known for its own user only, and its attempts are limited too', async () => {
    await service.addPerson('fay@demo.example')
    await service.addPerson('gil@demo.example')
    const browser = service.openAt('203.0.113.6')
    await browser.signIn('fay@demo.example', PASSWORD)
    expect(await exhaust(browser, 'gil@demo.example')).toBe(5)
    expect(await exhaust(browser, 'fay@demo.example')).toBe(10)
    // It is known for both once both have signed in with it.
    await service.testApp.db`update sign_in_failures set last_failure = last_failure - interval '1 hour'`
    await browser.signIn('gil@demo.example', PASSWORD)
    expect(browser.cookies.get('kusanya_browser')).toMatch(/^[\w-]{43}\.[\w-]{43}$/)
  })

  it('is listed and forgotten by its user', async () => {
    const user = await service.addPerson('hal@demo.example')
    const [one, other] = [service.openAt('198.51.100.7'), service.openAt('198.51.100.8')]
    for (const browser of [one, other]) await browser.signIn('hal@demo.example', PASSWORD)
    const { results } = (await one.get('/account/browsers')).body
    expect(results).toMatchObject([
      { address: '198.51.100.8', current: false },
      { address: '198.51.100.7', current: true },
    ])
    expect((await one.send('DELETE', `/account/browsers/${results[0].id}`)).status).toBe(204)
    expect((await one.send('DELETE', `/account/browsers/${results[0].id}`)).status).toBe(404)
    expect((await other.send('DELETE', '/account/browsers')).status).toBe(204)
    expect((await one.get('/account/browsers')).body.results).toEqual([])
    expect(await service.audit('forget browsers')).toMatchObject([
      { user, details: { at: '198.51.100.8' } },
      { user, details: { browsers: 1 } },
    ])
  })

  it('is not made by a cookie of somebody else, or by one that was made up', async () => {
    await service.addPerson('ida@demo.example')
    await service.addPerson('jon@demo.example')
    const attacker = service.openAt('203.0.113.9')
    await attacker.signIn('jon@demo.example', PASSWORD)
    expect(await exhaust(attacker, 'ida@demo.example')).toBe(5)
    const forger = service.openAt('203.0.113.10')
    forger.cookies.set('kusanya_browser', `${'A'.repeat(43)}.x.${'-'.repeat(43)}`)
    expect(await exhaust(forger, 'ida@demo.example')).toBe(5)
  })

  it('stays known when its user changes the password there, and others do not', async () => {
    await service.addPerson('uma@demo.example')
    const [here, elsewhere] = [service.openAt('198.51.100.30'), service.openAt('198.51.100.31')]
    for (const browser of [here, elsewhere]) await browser.signIn('uma@demo.example', PASSWORD)
    await here.post('/account/password', { current_password: PASSWORD, password: 'another long password' })
    expect((await here.get('/account/browsers')).body.results).toMatchObject([
      { address: '198.51.100.30', current: true },
    ])
  })

  it('belongs to the person who followed the mailed link in it, and to nobody after that', async () => {
    const email = 'kim@demo.example'
    await service.addPerson(email)
    const before = service.openAt('198.51.100.9')
    await before.signIn(email, PASSWORD)
    const owner = service.openAt('198.51.100.10')
    await owner.signIn('owner@demo.example', PASSWORD)
    const people = (await owner.get('/users')).body.results as { id: number; email: string }[]
    const { id } = people.find((one) => one.email === email)!
    const { path } = (await owner.post(`/users/${id}/password-reset`)).body
    const browser = service.openAt('203.0.113.11')
    await exhaust(service.openAt('203.0.113.11'), email)
    await exhaust(service.openAt('198.51.100.9'), email)
    const used = { token: path.split('#')[1], password: 'another long password' }
    expect((await browser.post('/links/use', used)).status).toBe(200)
    expect((await before.signIn(email, 'another long password')).status).toBe(429)
    expect((await browser.signIn(email, 'another long password')).status).toBe(200)
  })
})

it('attempts at several processes count together', async () => {
  await service.addPerson('sam@demo.example')
  const { DATABASE_URL, DATA_DIR } = service.testApp.app.config
  const settings = { DATABASE_URL, DATA_DIR, PORT: '0', LOG_LEVEL: 'silent' }
  const other = await startService(await buildApp(readConfig(settings), pino({ level: 'silent' })), {
    api: true,
    jobs: false,
  })
  try {
    const [here, there] = [openBrowser(service.url), openBrowser(other.url)]
    const tries: number[] = []
    for (const browser of [here, there, here, there, here, there, here])
      tries.push((await browser.signIn('sam@demo.example', 'guess')).status)
    expect(tries).toEqual([400, 400, 400, 400, 400, 429, 429])
  } finally {
    await other.stop()
  }
})

describe('an unknown e-mail', () => {
  it('is answered and limited like a known one', async () => {
    await service.addPerson('lea@demo.example')
    for (const [index, email] of ['lea@demo.example', 'nobody@demo.example'].entries()) {
      const browser = service.openAt(`203.0.113.${20 + index}`)
      const started_ms = performance.now()
      for (let tries = 0; tries < 5; tries += 1) expect(await browser.signIn(email, 'guess')).toMatchObject(WRONG)
      // Each answer waits until all that could have been done is done.
      expect(performance.now() - started_ms).toBeGreaterThan(5 * 295)
      const refused = await browser.signIn(email, 'guess')
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '15'])
      expect(refused.headers.getSetCookie()).toEqual([])
    }
  })
})

describe('the audit log', () => {
  it('has failed sign-ins of users in their organization, the wait that follows, and no typed word', async () => {
    const user = await service.addPerson('max@demo.example')
    await exhaust(service.openAt('203.0.113.30'), 'max@demo.example')
    const entries = (await service.audit('failed sign-in', 'locked sign-in')).filter((one) => one.object === user)
    const failed = { organization: service.testApp.organization, user: null, address: '203.0.113.30' }
    expect(entries).toHaveLength(6)
    expect(entries[0]).toMatchObject({ ...failed, details: { step: 'password', browser: 'new' } })
    expect(entries[5]).toMatchObject({
      ...failed,
      action: 'locked sign-in',
      details: { step: 'password', scope: 'address', wait_s: 15 },
    })
    expect(JSON.stringify(entries)).not.toMatch(/guess|max@/)
  })

  it('has one entry a minute for all unknown e-mails, with the number of attempts', async () => {
    const about = async () =>
      (await service.audit('failed sign-in')).filter((one) => (one.details as { email?: string }).email === 'unknown')
    await service.testApp.db`update sign_in_failures set last_failure = last_failure - interval '1 hour'`
    const before = (await about()).length
    for (let count = 0; count < 4; count += 1)
      await service.openAt('203.0.113.40').signIn(`stranger${count}@demo.example`, 'guess')
    expect((await about()).length).toBe(before + 1)
    await service.testApp.db`update sign_in_failures set last_failure = last_failure - interval '1 hour'`
    await service.openAt('203.0.113.40').signIn('another@demo.example', 'guess')
    const last = (await about()).at(-1)
    expect(last).toMatchObject({ organization: null, user: null, object: null, address: '203.0.113.40' })
    expect(last!.details).toEqual({ email: 'unknown', attempts: 4 })
  })
})

describe('signing in anew', () => {
  it('ends the session that the browser had before', async () => {
    await service.addPerson('nan@demo.example')
    const browser = service.openAt('198.51.100.20')
    await browser.signIn('nan@demo.example', PASSWORD)
    const former = openBrowser(service.url)
    former.cookies.set('kusanya_session', browser.cookies.get('kusanya_session')!)
    expect((await former.get('/account/sessions')).body.results).toHaveLength(1)
    expect((await browser.signIn('nan@demo.example', 'wrong')).status).toBe(400)
    expect((await former.get('/account/sessions')).status).toBe(200)
    await browser.signIn('nan@demo.example', PASSWORD)
    expect((await former.get('/account/sessions')).status).toBe(401)
    expect((await browser.get('/account/sessions')).body.results).toMatchObject([{ current: true }])
  })

  it('as somebody else ends it, too', async () => {
    await service.addPerson('oda@demo.example')
    await service.addPerson('pam@demo.example')
    const browser = service.openAt('198.51.100.21')
    await browser.signIn('oda@demo.example', PASSWORD)
    const former = openBrowser(service.url)
    former.cookies.set('kusanya_session', browser.cookies.get('kusanya_session')!)
    await browser.signIn('pam@demo.example', PASSWORD)
    expect((await former.get('/session')).body.stage).toBe('signed_out')
  })
})

import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '../../password.ts'
import { createPasskey } from './authenticator.ts'
import { openSignInService, type SignInService } from './people.ts'

type Browser = ReturnType<SignInService['openAt']>
type Passkey = ReturnType<typeof createPasskey>

const REFUSED = { status: 400, body: { non_field_errors: ['This passkey was not accepted.'] } }
const SPENT = {
  status: 400,
  body: { non_field_errors: ['This took too long, or the answer was already used. Try again.'] },
}

let service: SignInService
let people = 0

beforeAll(async () => {
  service = await openSignInService()
})
afterAll(() => service.close())

/** A person who is signed in, with these passkeys. */
async function personWith(...names: string[]) {
  people += 1
  const email = `passkey${people}@demo.example`
  const user = await service.addPerson(email)
  const browser = service.openAt(`198.51.100.${people}`)
  await browser.signIn(email, PASSWORD)
  const passkeys: Passkey[] = []
  let recovery_codes: string[] = []
  for (const name of names) {
    const passkey = createPasskey(service.origin)
    const added = await addPasskey(browser, passkey, name)
    expect(added.status).toBe(201)
    recovery_codes = added.body.recovery_codes ?? recovery_codes
    passkeys.push(passkey)
  }
  return { email, user, browser, passkeys, recovery_codes, passkey: passkeys[0]! }
}

async function addPasskey(browser: Browser, passkey: Passkey, name: string) {
  const { body: options } = await browser.post('/account/passkeys/options', { password: PASSWORD })
  return browser.post('/account/passkeys', { name, answer: passkey.create(options) })
}

/** A browser in which this person has entered the password. */
async function halfSignedIn(email: string): Promise<Browser> {
  const browser = service.openAt('203.0.113.7')
  expect((await browser.signIn(email, PASSWORD)).body.stage).toBe('second_factor')
  return browser
}

const optionsOf = async (browser: Browser) => (await browser.post('/session/passkey/options')).body

describe('a passkey', () => {
  it('is added, signs in after the password, and shows when it was used', async () => {
    const { email, user, browser, passkey, recovery_codes } = await personWith('Phone')
    expect(new Set(recovery_codes).size).toBe(10)
    expect((await browser.get('/session')).body.user.second_factor).toBe(true)
    expect((await browser.get('/account/passkeys')).body).toMatchObject({
      origin: service.origin,
      results: [{ name: 'Phone', domain: 'localhost', synced: false, last_used: null }],
    })
    const other = await halfSignedIn(email)
    const second_step = { app: false, passkey: true, passkey_origin: service.origin }
    expect((await other.get('/session')).body).toMatchObject({ user: null, second_step })
    expect((await other.get('/collectionrequests')).status).toBe(401)
    const options = await optionsOf(other)
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'preferred' })
    expect(options.allowCredentials).toMatchObject([{ id: passkey.id, transports: ['internal'] }])
    expect((await other.post('/session/passkey', passkey.use(options))).body.stage).toBe('signed_in')
    expect((await other.get('/account/passkeys')).body.results[0].last_used).not.toBeNull()
    expect((await service.audit('sign in')).at(-1)).toMatchObject({ user, details: { second_factor: 'passkey' } })
    expect((await service.audit('add passkey')).at(-1)).toMatchObject({ user, details: { name: 'Phone' } })
  })

  it('is one of several, each with its name; only the first brings recovery codes', async () => {
    const { browser, passkeys, recovery_codes } = await personWith('Phone', 'Key')
    expect(recovery_codes).toHaveLength(10)
    const { results } = (await browser.get('/account/passkeys')).body
    expect(results.map((one: { name: string }) => one.name)).toEqual(['Phone', 'Key'])
    const renamed = await browser.send('PATCH', `/account/passkeys/${results[1].id}`, { name: 'Key in the safe' })
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Key in the safe' } })
    expect((await browser.send('PATCH', `/account/passkeys/${results[1].id}`, { name: ' ' })).status).toBe(400)
    const again = await addPasskey(browser, passkeys[0]!, 'The same once more')
    expect(again).toMatchObject({ status: 400, body: { non_field_errors: ['This passkey was already added.'] } })
  })

  it('ends all other sessions when it is the first second factor', async () => {
    const { email, browser } = await personWith()
    const other = service.openAt('203.0.113.8')
    await other.signIn(email, PASSWORD)
    await addPasskey(browser, createPasskey(service.origin), 'Phone')
    expect((await other.get('/account/sessions')).status).toBe(401)
    expect((await browser.get('/account/sessions')).status).toBe(200)
  })

  it('works beside the codes of an app, and the codes beside it', async () => {
    const { email, browser, passkey } = await personWith('Phone')
    const { secret } = (await browser.post('/account/second-factor', { password: PASSWORD })).body
    const on = await browser.send('PUT', '/account/second-factor', { code: generateSync({ secret }) })
    expect(on.body.recovery_codes).toHaveLength(10)
    const by_passkey = await halfSignedIn(email)
    expect((await by_passkey.get('/session')).body.second_step).toMatchObject({ app: true, passkey: true })
    const signed_in = await by_passkey.post('/session/passkey', passkey.use(await optionsOf(by_passkey)))
    expect(signed_in.body.stage).toBe('signed_in')
    const by_code = await halfSignedIn(email)
    const [recovery] = on.body.recovery_codes
    expect((await by_code.post('/session/second-factor', { code: recovery })).body.stage).toBe('signed_in')
  })

  it('can be replaced by a recovery code, also when it is the only second factor', async () => {
    const { email, recovery_codes } = await personWith('Phone')
    const browser = await halfSignedIn(email)
    expect((await browser.post('/session/second-factor', { code: recovery_codes[0] })).body.stage).toBe('signed_in')
  })

  it('is removed with the password, a code, or a passkey', async () => {
    const { browser, user, passkeys, recovery_codes } = await personWith('One', 'Two', 'Three')
    const { results } = (await browser.get('/account/passkeys')).body as { results: { id: number }[] }
    const [one, two, three] = results.map(({ id }) => `/account/passkeys/${id}`)
    for (const body of [{}, { password: 'wrong' }, { code: 'wrong' }, { password: PASSWORD, code: 'both' }])
      expect((await browser.send('DELETE', one!, body)).status).toBe(400)
    const { body: options } = await browser.post('/account/confirmation')
    const used = { passkey: passkeys[2]!.use(options) }
    expect((await browser.send('DELETE', one!, used)).status).toBe(204)
    expect((await browser.send('DELETE', two!, used)).status).toBe(400)
    expect((await browser.send('DELETE', two!, { code: recovery_codes[0] })).status).toBe(204)
    expect((await browser.get('/session')).body.user.second_factor).toBe(true)
    expect((await browser.send('DELETE', three!, { password: PASSWORD })).status).toBe(204)
    expect((await browser.get('/session')).body.user.second_factor).toBe(false)
    // The recovery codes go with the last second factor.
    expect(await service.testApp.db`select 1 from recovery_codes where "user" = ${user}`).toHaveLength(0)
    const removed = (await service.audit('remove passkey')).filter((one) => one.user === user)
    expect(removed.map((entry) => entry.details)).toEqual([{ name: 'One' }, { name: 'Two' }, { name: 'Three' }])
  })

  it('is counted with the other second factors, and without any there are no recovery codes', async () => {
    const { browser } = await personWith('One', 'Two')
    const counted = await browser.get('/account/second-factor')
    expect(counted.body).toEqual({ app: false, passkeys: 2, recovery_codes: 10 })
    const nobody = await personWith()
    const drawn = await nobody.browser.post('/account/recovery-codes', { password: PASSWORD })
    expect(drawn).toMatchObject({ status: 400, body: { non_field_errors: [expect.stringContaining('you have none')] } })
  })

  it('keeps the recovery codes when the app is removed, and the app when the passkey is', async () => {
    const { browser, user } = await personWith('Phone')
    const { secret } = (await browser.post('/account/second-factor', { password: PASSWORD })).body
    await browser.send('PUT', '/account/second-factor', { code: generateSync({ secret }) })
    expect((await browser.send('DELETE', '/account/second-factor', { password: PASSWORD })).status).toBe(204)
    expect((await browser.get('/session')).body.user.second_factor).toBe(true)
    expect(await service.testApp.db`select 1 from recovery_codes where "user" = ${user}`).toHaveLength(10)
  })

  it('is added and removed with a limited number of wrong passwords, which others cannot use up', async () => {
    const { browser } = await personWith('Phone')
    const tries: number[] = []
    for (let count = 0; count < 6; count += 1)
      tries.push((await browser.post('/account/passkeys/options', { password: `guess ${count}` })).status)
    expect(tries).toEqual([400, 400, 400, 400, 400, 429])
    expect((await service.audit('failed confirmation')).at(-1)).toMatchObject({
      details: { step: 'password', locked: true },
    })
  })
})

describe('an answer of a passkey is refused if', () => {
  it('its challenge was used before, or was replaced by a newer one, or has expired', async () => {
    const { email, passkey } = await personWith('Phone')
    const browser = await halfSignedIn(email)
    const answer = passkey.use(await optionsOf(browser))
    expect((await browser.post('/session/passkey', passkey.use(await optionsOf(browser)))).body.stage).toBe('signed_in')
    const replaying = await halfSignedIn(email)
    expect(await replaying.post('/session/passkey', answer)).toMatchObject(SPENT)
    const stale = passkey.use(await optionsOf(replaying))
    await optionsOf(replaying)
    expect(await replaying.post('/session/passkey', stale)).toMatchObject(REFUSED)
    const late = passkey.use(await optionsOf(replaying))
    await service.testApp.db`update passkey_challenges set expires = expires - interval '6 minutes'`
    expect(await replaying.post('/session/passkey', late)).toMatchObject(SPENT)
  })

  it('a challenge for another purpose or another session was signed', async () => {
    const { email, browser, passkey } = await personWith('Phone')
    const waiting = await halfSignedIn(email)
    const other = await halfSignedIn(email)
    const elsewhere = passkey.use(await optionsOf(other))
    await optionsOf(waiting)
    expect(await waiting.post('/session/passkey', elsewhere)).toMatchObject(REFUSED)
    const { body: confirming } = await browser.post('/account/confirmation')
    await optionsOf(waiting)
    expect(await waiting.post('/session/passkey', passkey.use({ ...confirming }))).toMatchObject(REFUSED)
  })

  it('its origin, domain, type, signature or presence is wrong', async () => {
    const { email, passkey } = await personWith('Phone')
    const browser = await halfSignedIn(email)
    const { privateKey } = (await import('node:crypto')).generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const forgeries = [
      { origin: 'https://localhost.example' },
      { origin: service.url },
      { domain: 'evil.example' },
      { type: 'webauthn.create' },
      { key: privateKey },
      { flags: 0 },
    ]
    for (const forgery of forgeries) {
      const answer = passkey.use(await optionsOf(browser), forgery)
      expect([forgery, await browser.post('/session/passkey', answer)]).toMatchObject([forgery, REFUSED])
      await service.testApp.db`delete from sign_in_failures`
    }
    expect((await browser.post('/session/passkey', passkey.use(await optionsOf(browser)))).status).toBe(200)
  })

  it('its counter has gone back or stood still', async () => {
    const { email, passkey } = await personWith('Phone')
    const first = await halfSignedIn(email)
    await first.post('/session/passkey', passkey.use(await optionsOf(first), { counter: 7 }))
    for (const counter of [6, 7, 0]) {
      const browser = await halfSignedIn(email)
      expect(await browser.post('/session/passkey', passkey.use(await optionsOf(browser), { counter }))).toMatchObject(
        REFUSED,
      )
    }
    const last = await halfSignedIn(email)
    expect((await last.post('/session/passkey', passkey.use(await optionsOf(last), { counter: 8 }))).status).toBe(200)
  })

  it('a copy of the passkey answers at the same time', async () => {
    const { email, passkey } = await personWith('Phone')
    const browsers = [await halfSignedIn(email), await halfSignedIn(email)]
    const answers: object[] = []
    for (const browser of browsers) answers.push(passkey.use(await optionsOf(browser), { counter: 20 }))
    const sent = await Promise.all(browsers.map((browser, index) => browser.post('/session/passkey', answers[index])))
    expect(sent.map((one) => one.status).sort()).toEqual([200, 400])
  })

  it('it belongs to somebody else, or is not readable', async () => {
    const [ann, bea] = [await personWith('Phone'), await personWith('Phone')]
    const browser = await halfSignedIn(ann.email)
    expect(await browser.post('/session/passkey', bea.passkey.use(await optionsOf(browser)))).toMatchObject(REFUSED)
    const good = ann.passkey.use(await optionsOf(browser))
    const broken = { ...good, response: { ...good.response, authenticatorData: 'AAAA' } }
    expect(await browser.post('/session/passkey', broken)).toMatchObject(REFUSED)
    for (const body of [{}, { ...good, id: '?' }, { ...good, response: {} }])
      expect((await browser.post('/session/passkey', body)).status).toBe(400)
  })
})

describe('a new passkey is refused if', () => {
  it('its challenge, origin or domain is wrong, or its options were not confirmed', async () => {
    const { browser } = await personWith()
    const passkey = createPasskey(service.origin)
    const optionsToAdd = async () => (await browser.post('/account/passkeys/options', { password: PASSWORD })).body
    const options = await optionsToAdd()
    expect(
      await browser.post('/account/passkeys', {
        name: 'x',
        answer: passkey.create(options, { origin: 'https://evil.example' }),
      }),
    ).toMatchObject(REFUSED)
    const answer = passkey.create(options)
    expect(await browser.post('/account/passkeys', { name: 'x', answer })).toMatchObject(SPENT)
    const other = passkey.create(await optionsToAdd(), { domain: 'evil.example' })
    expect(await browser.post('/account/passkeys', { name: 'x', answer: other })).toMatchObject(REFUSED)
    expect((await browser.post('/account/passkeys/options')).status).toBe(400)
    expect((await browser.get('/account/passkeys')).body.results).toEqual([])
  })

  it('another user has added it already', async () => {
    const { passkey } = await personWith('Phone')
    const { browser } = await personWith()
    expect((await addPasskey(browser, passkey, 'Stolen')).status).toBe(400)
  })

  it('never because of its claimed make, which is not read', async () => {
    const { browser } = await personWith()
    const { body: options } = await browser.post('/account/passkeys/options', { password: PASSWORD })
    const statement: [string, Map<string, unknown>] = [
      'packed',
      new Map<string, unknown>([['x5c', [new Uint8Array([1, 2, 3])]]]),
    ]
    const answer = createPasskey(service.origin).create(options, {}, statement)
    expect((await browser.post('/account/passkeys', { name: 'Phone', answer })).status).toBe(201)
  })
})

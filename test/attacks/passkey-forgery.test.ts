import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPasskey, type Options } from '../console/access/authenticator.ts'
import { openSignInService, type SignInService } from '../console/access/people.ts'
import { PASSWORD } from '../password.ts'
import { printFigure } from './figures.ts'

/*
 * An attacker who knows the password of somebody with a passkey tries to sign in without it: with an answer that was
 * recorded, made on another site, by another passkey, for an earlier challenge, or changed on the way.
 */

type Browser = ReturnType<SignInService['openAt']>
type Passkey = ReturnType<typeof createPasskey>

const VICTIM = 'owner@demo.example'
const ATTACKER = 'mallory@demo.example'

let service: SignInService
let owned: Passkey
let own: Passkey

beforeAll(async () => {
  service = await openSignInService()
  await service.addPerson(ATTACKER)
  owned = await addPasskey(VICTIM)
  own = await addPasskey(ATTACKER)
})
afterAll(() => service.close())

async function addPasskey(email: string): Promise<Passkey> {
  const browser = service.openAt('198.51.100.1')
  await browser.signIn(email, PASSWORD)
  const passkey = createPasskey(service.origin)
  const { body: options } = await browser.post('/account/passkeys/options', { password: PASSWORD })
  expect((await browser.post('/account/passkeys', { name: 'Phone', answer: passkey.create(options) })).status).toBe(201)
  return passkey
}

async function enterPassword(email = VICTIM): Promise<Browser> {
  const browser = service.openAt('203.0.113.1')
  await browser.signIn(email, PASSWORD)
  return browser
}

const optionsOf = async (browser: Browser): Promise<Options> => (await browser.post('/session/passkey/options')).body

/** Change one bit of a part of an answer. */
function flip(text: string): string {
  const bytes = Buffer.from(text, 'base64url')
  bytes[bytes.length - 1]! ^= 1
  return bytes.toString('base64url')
}

it('no forged or replayed answer of a passkey signs anybody in', async () => {
  // An attacker could have recorded this answer of the victim.
  const victim = await enterPassword()
  const recorded = owned.use(await optionsOf(victim))
  expect((await victim.post('/session/passkey', recorded)).body.stage).toBe('signed_in')
  const foreign_key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const changed = (options: Options, part: 'clientDataJSON' | 'authenticatorData' | 'signature') => {
    const answer = owned.use(options)
    return { ...answer, response: { ...answer.response, [part]: flip(answer.response[part]) } }
  }
  const stale = async (browser: Browser) => {
    const answer = owned.use(await optionsOf(browser))
    await optionsOf(browser)
    return answer
  }
  const attempts: Record<string, (browser: Browser) => Promise<object>> = {
    'a replayed answer': async () => recorded,
    'a replayed answer after new options': async (browser) => optionsOf(browser).then(() => recorded),
    'an answer made on another site': async (browser) =>
      owned.use(await optionsOf(browser), { origin: 'https://kusanya.evil.example' }),
    'an answer for another domain': async (browser) => owned.use(await optionsOf(browser), { domain: 'evil.example' }),
    'a stale challenge': stale,
    'a challenge of one’s own': async (browser) =>
      owned.use(await optionsOf(browser), { challenge: Buffer.alloc(32).toString('base64url') }),
    'the challenge of another session': async () => owned.use(await optionsOf(await enterPassword())),
    'one’s own passkey': async (browser) => own.use(await optionsOf(browser)),
    'the id of the passkey with another key': async (browser) =>
      owned.use(await optionsOf(browser), { key: foreign_key }),
    'an answer that was made to add a passkey': async (browser) =>
      owned.use(await optionsOf(browser), { type: 'webauthn.create' }),
    'nobody at the device': async (browser) => owned.use(await optionsOf(browser), { flags: 0 }),
    'a counter that goes back': async (browser) => owned.use(await optionsOf(browser), { counter: 1 }),
    'changed client data': async (browser) => changed(await optionsOf(browser), 'clientDataJSON'),
    'changed authenticator data': async (browser) => changed(await optionsOf(browser), 'authenticatorData'),
    'a changed signature': async (browser) => changed(await optionsOf(browser), 'signature'),
  }
  const passed: string[] = []
  for (const [name, forge] of Object.entries(attempts)) {
    // Each attempt by itself: the limit on attempts would refuse most of them before they are checked.
    await service.testApp.db`delete from sign_in_failures`
    const browser = await enterPassword()
    const answer = await browser.post('/session/passkey', await forge(browser))
    expect([name, answer.status]).toEqual([name, 400])
    if ((await browser.get('/account/sessions')).status === 200) passed.push(name)
  }
  // The passkey itself still works, from where its counter stands.
  const browser = await enterPassword()
  const genuine = owned.use(await optionsOf(browser), { counter: 1_000 })
  expect((await browser.post('/session/passkey', genuine)).body.stage).toBe('signed_in')
  expect(passed).toEqual([])
  printFigure('passkey-forgery', `${passed.length} of ${Object.keys(attempts).length} forged answers signed in`)
})

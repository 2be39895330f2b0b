import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSignInService, type SignInService } from '../console/access/people.ts'
import { PASSWORD } from '../password.ts'
import { printFigure } from './figures.ts'

/*
 * An attacker who knows somebody's e-mail tries passwords, to guess the right one or to keep the person out: from one
 * address, as fast as it is answered, then from a hundred addresses.
 */

const OWNER = 'owner@demo.example'
const GUESSES = 1_000
const AT_ONCE = 50

let service: SignInService

beforeAll(async () => {
  service = await openSignInService()
})
afterAll(() => service.close())

/** Try wrong passwords, each from the address with its number. @returns how many of them were checked */
async function guess(count: number, addressOf: (index: number) => string): Promise<number> {
  let checked = 0
  for (let start = 0; start < count; start += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, count - start) }, (_, index) => start + index)
    const answers = await Promise.all(
      batch.map((index) => service.openAt(addressOf(index)).signIn(OWNER, `guess ${index}`)),
    )
    checked += answers.filter(({ status }) => status === 400).length
    expect(answers.every(({ status }) => status === 400 || status === 429)).toBe(true)
  }
  return checked
}

it('a thousand wrong passwords from one address lock nobody out', async () => {
  const known = service.openAt('198.51.100.1')
  await known.signIn(OWNER, PASSWORD)
  await known.send('DELETE', '/session')

  const checked = await guess(GUESSES, () => '203.0.113.1')
  // The first five, and one more if the attack takes as long as the first wait.
  expect(checked).toBeGreaterThanOrEqual(5)
  expect(checked).toBeLessThanOrEqual(8)
  const from_known = (await known.signIn(OWNER, PASSWORD)).status
  const from_new = (await service.openAt('198.51.100.2').signIn(OWNER, PASSWORD)).status
  expect([from_known, from_new]).toEqual([200, 200])
  printFigure(
    'sign-in-lockout',
    `${checked} of ${GUESSES} wrong passwords from one address were checked; the owner signed in from a known browser ` +
      `(${from_known}) and from a new one (${from_new})`,
  )
})

it('wrong passwords from a hundred addresses are slowed, and known browsers are not', {
  timeout: 120_000,
}, async () => {
  const known = service.openAt('198.51.100.3')
  await known.signIn(OWNER, PASSWORD)
  const checked = await guess(300, (index) => `192.0.2.${index % 100}`)
  expect(checked).toBeLessThanOrEqual(55)
  expect((await known.signIn(OWNER, PASSWORD)).status).toBe(200)
  const change = { current_password: PASSWORD, password: 'another long password' }
  expect((await known.post('/account/password', change)).status).toBe(204)
  printFigure(
    'sign-in-lockout',
    `${checked} of 300 wrong passwords from 100 addresses were checked; the owner signed in from a known browser and ` +
      'changed the password',
  )
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runAction, stranger } from '../../src/actions/run.ts'
import { actions } from '../../src/actions/table.ts'
import type { Action, Actor } from '../../src/core/access/action.ts'
import { Invalid, Throttled } from '../../src/core/refusals.ts'
import { openSignInService, type SignInService } from '../console/access/people.ts'
import type { openBrowser } from '../console/browser.ts'
import { PASSWORD } from '../password.ts'
import { addAppFor } from './account.ts'
import { testsOf } from './tests-of.ts'

/* What each action with a throttle does in its door: the console, since no other lets strangers in. */

type Browser = ReturnType<typeof openBrowser>

/** Call of an action in its door, and the answer to a wrong one. */
interface Call {
  method: 'POST' | 'PUT' | 'DELETE'
  path: string
  body: object
  status: number
  /** Open a browser that may send the call. Missing where a stranger may. */
  open?(browser: Browser): Promise<void>
  /** Words of the entry about a wrong call. */
  entry?: string
}

const EMAIL = 'eve@shop.example'
const signIn = async (browser: Browser) => void (await browser.signIn(EMAIL, PASSWORD))
const setUp = async (browser: Browser) => {
  await signIn(browser)
  await browser.post('/account/second-factor', { password: PASSWORD })
}
const wrong_code = { code: '000000' }

/** A wrong call of each action with a throttle, by its name. */
const calls: Readonly<Record<string, Call>> = {
  'sign in': {
    method: 'POST',
    path: '/session',
    body: { email: EMAIL, password: 'guess' },
    status: 400,
    entry: 'failed sign-in',
  },
  'complete sign-in': {
    method: 'POST',
    path: '/session/second-factor',
    body: wrong_code,
    status: 400,
    open: async (browser) => void (await browser.signIn('app@shop.example', PASSWORD)),
    entry: 'failed sign-in',
  },
  'confirm identity': {
    method: 'POST',
    path: '/account/second-factor',
    body: { password: 'guess' },
    status: 400,
    open: signIn,
    entry: 'failed confirmation',
  },
  'turn second factor on': {
    method: 'PUT',
    path: '/account/second-factor',
    body: wrong_code,
    status: 400,
    open: setUp,
    entry: 'failed confirmation',
  },
  'use link': { method: 'POST', path: '/links/use', body: { token: 'none', password: PASSWORD }, status: 400 },
  'forget password': { method: 'POST', path: '/password-resets', body: { email: EMAIL }, status: 204 },
}

const throttled = actions.filter(({ throttle }) => throttle)
let service: SignInService
let addresses = 0

beforeAll(async () => {
  service = await openSignInService()
  await service.addPerson(EMAIL)
  await addAppFor(service.testApp, await service.addPerson('app@shop.example'))
})
afterAll(() => service.close())

async function openDoor({ open }: Call): Promise<Browser> {
  addresses += 1
  const browser = service.openAt(`203.0.113.${addresses}`)
  await open?.(browser)
  return browser
}

const failures = () => service.audit('failed sign-in', 'failed confirmation')

/** Return an actor at an address of its own. */
function personAt(address: string): Actor {
  return { ...stranger(address), source: async () => ({ address }) }
}

it('Each action with a throttle has a call here, and its windows have names of their own', () => {
  expect(throttled.map(({ name }) => name).sort()).toEqual(Object.keys(calls).sort())
  const names = throttled.map(({ throttle }) => throttle!.name)
  expect(new Set(names).size).toBe(names.length)
})

describe.each(throttled.map((action) => [action.name, action] as const))('the action "%s"', (name, action) => {
  const call = calls[name]!
  const itIf = testsOf()
  const send = (browser: Browser) => browser.send(call.method, call.path, call.body)

  itIf(action.throttle!.attempts)('makes the next guesses wait, which change nothing and are no failures', async () => {
    const browser = await openDoor(call)
    const entries = (await failures()).length
    let tries = 0
    let answer = await send(browser)
    for (; answer.status !== 429 && tries < 50; tries += 1) {
      expect([answer.status, (await failures()).length]).toEqual([call.status, entries + (call.entry ? tries + 1 : 0)])
      answer = await send(browser)
    }
    expect(tries).toBeGreaterThan(3)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    const recorded = (await failures()).slice(entries)
    expect(recorded.map((entry) => entry.action)).toEqual(Array(call.entry ? tries : 0).fill(call.entry))
  })

  itIf(action.throttle!.per_minute)(
    'is refused above its calls of a minute, and at another address it is not',
    async () => {
      const { name: window, per_minute } = action.throttle!
      const browser = await openDoor(call)
      const key = `${window} address 203.0.113.${addresses}`
      for (let count = 1; count <= per_minute!; count += 1) await service.testApp.app.throttle.take(key, per_minute!)
      const answer = await send(browser)
      expect([answer.status, Number(answer.headers.get('retry-after'))]).toEqual([429, expect.closeTo(60, -2)])
      expect((await send(await openDoor(call))).status).not.toBe(429)
    },
  )
})

describe('an action with a throttle, in any door,', () => {
  const guess = { email: 'nobody@shop.example', prove: () => Promise.reject(new Invalid({ code: ['Wrong.'] })) }
  const signInAction = throttled.find(({ name }) => name === 'sign in')! as Action
  const tryOnce = (actor: Actor, prove: () => Promise<unknown> = guess.prove) =>
    runAction(service.testApp.app, actor, signInAction, { ...guess, prove })

  it('needs a door that says who sends a call', async () => {
    await expect(tryOnce(stranger('192.0.2.1'))).rejects.toThrow('counted by their source')
  })

  it('counts no guess that broke off as a failure of the person', async () => {
    const before = (await failures()).length
    await expect(tryOnce(personAt('192.0.2.2'), () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await failures()).toHaveLength(before)
  })

  it('takes guesses of one moment one by one, so that a crowd of them does not pass the limit', async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => tryOnce(personAt('192.0.2.3'))))
    const refusals = results.map((result) => (result as PromiseRejectedResult).reason)
    expect(refusals.filter((one) => one instanceof Throttled)).toHaveLength(15)
  })
})

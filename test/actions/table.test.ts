import type { Argument, Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operator, operatorFor, runAction, stranger } from '../../src/actions/run.ts'
import { actions } from '../../src/actions/table.ts'
import { createProgram } from '../../src/cli/command-table.ts'
import { prepareDemo } from '../../src/cli/service/demo.ts'
import { processTerminal } from '../../src/cli/terminal.ts'
import type { Action, Actor } from '../../src/core/access/action.ts'
import { allPermissions, includesPermission } from '../../src/core/access/api-keys.ts'
import { createOrganization, findUser } from '../../src/core/access/organizations.ts'
import { confirmChangeAction } from '../../src/core/approvals/changes/decisions.ts'
import { Forbidden } from '../../src/core/refusals.ts'
import { begin } from '../../src/db/client.ts'
import { fakeSmsConnection, useSmsConnections } from '../connections/fake-sms.ts'
import { addDriver, testNetwork } from '../connections/test-network.ts'
import { openBrowser } from '../console/browser.ts'
import { addPerson } from '../console/shop.ts'
import { PASSWORD } from '../password.ts'
import { buildTestApp, type TestApp } from '../test-app.ts'
import { type Sample, samples } from './samples.ts'
import { testsOf } from './tests-of.ts'

/* What no use case may forget, asked of each action of the table and of each door. */

type Browser = ReturnType<typeof openBrowser>
let testApp: TestApp
let url: string
let owner: Browser
let powerless: Map<string, Browser>
let manager: Actor
/** Another manager. */
let second: number

afterAll(addDriver(testNetwork))
beforeAll(async () => {
  testApp = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD } })
  await prepareDemo(testApp.app)
  useSmsConnections(testApp.app, [fakeSmsConnection('texts', { send: async () => ({ outcome: 'sent' }) })])
  url = (await testApp.startService({ jobs: false })).url
  owner = openBrowser(url)
  await owner.signIn('owner@demo.example', PASSWORD)
  const { organization } = testApp
  powerless = new Map()
  for (const permission of new Set(actions.map((action) => action.permission))) {
    if (permission === 'self' || permission === 'operator' || permission === 'anyone') continue
    const email = `${permission.replaceAll('_', '-')}@shop.example`
    const permissions = allPermissions.filter((one) => !includesPermission(new Set([one]), permission))
    await addPerson(testApp, { email, organization, permissions })
    const browser = openBrowser(url)
    await browser.signIn(email, PASSWORD)
    powerless.set(permission, browser)
  }
  const { id: user, name } = (await findUser(testApp.db, 'owner@demo.example'))!
  const permissions = new Set(allPermissions)
  manager = { organization, user, name, permissions, address: '127.0.0.1', confirm: async () => {} }
  second = await addPerson(testApp, { email: 'second@shop.example', organization, permissions: allPermissions })
})
afterAll(() => testApp.close())

/** Make what the action is about, and return its input. */
async function prepare({ prepare, input }: Sample): Promise<Record<string, unknown>> {
  const named = await begin(testApp.db, async (tx) => {
    // A hook of an earlier sample would keep money waiting.
    await tx`delete from acceptance_urls`
    return prepare?.(tx, testApp)
  })
  return { ...input, ...named }
}

/** Return the route of an action in the console: its own, or the one of the interface at the same address. */
function routeOf({ console, api }: Action) {
  return console ?? api
}

/** Send an action to its route, with the parameters of its path in the address. */
function send(browser: Browser, action: Action, input: Record<string, unknown>) {
  const route = routeOf(action)
  const path = route!.path.replace(/:(\w+)/g, (_, name: string) => String(input[name] ?? 1))
  const confirmation = 'password' in input ? { password: input.password } : undefined
  return browser.send(route!.method, path, route!.method === 'DELETE' ? confirmation : input)
}

async function entries() {
  return testApp.db<
    {
      id: number
      user: number | null
      object_type: string | null
      action: string
      details: object
      address: string | null
    }[]
  >`
    select id, "user", object_type, action, details, address from audit_log
    where action <> 'sign in' or address = '192.0.2.1' order by id`
}

/** Return what an action writes to the audit log. @param events the types of the events that it records */
async function written(work: () => Promise<unknown>, events: readonly string[] = []) {
  const before = (await entries()).length
  const [last] = await testApp.db<{ id: number }[]>`select coalesce(max(id), 0) as id from events`
  await work()
  const recorded = await testApp.db<{ type: string }[]>`select type from events where id > ${last!.id}`
  expect(recorded.map(({ type }) => type).sort()).toEqual([...events].sort())
  return (await entries()).slice(before)
}

/** Return the types of the events that the sample of an action causes. */
function eventsOf(action: Action): readonly string[] {
  return samples[action.name]!.events ?? action.events ?? []
}

/** Return true unless the installation has several organizations after this action. */
function isFirst({ name }: Action): boolean {
  return !samples[name]?.is_last
}

let _selves = 0
/** Make a user who signs in. */
async function aSelf() {
  _selves += 1
  const { organization } = testApp
  const email = `self-${_selves}@shop.example`
  const user = await addPerson(testApp, { email, organization, permissions: ['view'] })
  const browser = openBrowser(url)
  await browser.signIn(email, PASSWORD)
  return { browser, actor: { ...manager, user, permissions: new Set(['view'] as const) } }
}

it('Each action has a name of its own, and a sample', () => {
  const names = actions.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => !(name in samples))).toEqual([])
  expect(Object.keys(samples).filter((name) => !names.includes(name))).toEqual([])
})

for (const action of actions.filter(isFirst)) {
  const { name } = action
  const itIf = testsOf(`the action "${name}"`)
  const sample = samples[name]!

  itIf(routeOf(action) && action.permission !== 'self')(
    'is refused to a user with all permissions but its own, and leaves nothing',
    async () => {
      const input = await prepare(sample)
      const done = await written(async () => {
        expect((await send(powerless.get(action.permission)!, action, input)).status).toBe(403)
      })
      expect(done).toEqual([])
    },
  )

  itIf(action.permission === 'operator')('is refused to every user, and leaves nothing', async () => {
    const input = action.input.parse(await prepare(sample))
    const done = await written(() =>
      expect(runAction(testApp.app, manager, action, input)).rejects.toBeInstanceOf(Forbidden),
    )
    expect(done).toEqual([])
  })

  itIf(action.console && action.confirmed)('is refused without the password of the user', async () => {
    if (action.permission === 'self') await aSelf()
    const input = await prepare(sample)
    const done = await written(async () => {
      const { status, body } = await send(owner, action, { ...input, password: undefined })
      expect([status, body]).toEqual([400, { password: expect.anything() }])
    })
    expect(done).toEqual([])
  })
}

for (const action of actions.filter(isFirst)) {
  const { name } = action
  const itIf = testsOf(`the action "${name}", when it is done,`)
  const sample = samples[name]!

  itIf(action.second_person === 'manager' && !sample.at_once)(
    'waits for a second manager, who makes it with the details that an operator writes',
    async () => {
      const name_of_entry = sample.entry ?? name
      const wanted = await prepare(sample)
      const asked = await written(async () => {
        if (action.console) expect((await send(owner, action, wanted)).status).toBe(202)
        else await runAction(testApp.app, manager, action, action.input.parse(wanted))
      })
      expect(asked.map((entry) => entry.action)).toEqual(['ask for change'])
      const { change } = asked[0]!.details as { change: number }
      const decider = { ...manager, user: second }
      const confirm = () => runAction(testApp.app, decider, confirmChangeAction, { id: change })
      const confirmed = await written(confirm, eventsOf(action))
      const made = confirmed.find((entry) => entry.action === name_of_entry)
      expect([confirmed.length, made]).toMatchObject([2, { user: manager.user, details: { change } }])
      const input = action.input.parse(await prepare(sample))
      const [told] = await written(() => runAction(testApp.app, operatorOf(sample), action, input), eventsOf(action))
      expect(told).toMatchObject({ user: null, action: name_of_entry, object_type: made!.object_type })
      expect(Object.keys(told!.details).sort()).toEqual(
        ['by', ...Object.keys(made!.details).filter((one) => one !== 'change')].sort(),
      )
    },
  )

  itIf(routeOf(action) && sample.wrong)('leaves nothing behind when its input is wrong', async () => {
    for (const wrong of sample.wrong ?? []) {
      const prepared = await prepare(sample)
      const done = await written(async () => {
        const input = { ...pick(prepared, action), ...wrong }
        const { status } = await send(owner, action, input)
        expect([wrong, status]).toEqual([wrong, 400])
      })
      expect(done).toEqual([])
    }
  })
}

for (const action of actions.filter(isFirst)) {
  const { name } = action
  const itIf = testsOf(`the action "${name}", done at once,`)
  const sample = samples[name]!

  itIf(action.permission === 'self')('is done by a user on the own account, with one entry', async () => {
    const { browser, actor } = await aSelf()
    const input = await prepare(sample)
    if (action.console)
      expect((await send(openBrowser(url), action, { ...input, password: PASSWORD })).status).toBe(401)
    const done = await written(async () => {
      if (!action.console) return runAction(testApp.app, actor, action, action.input.parse(input))
      const body = { ...input, ...(action.confirmed && { password: PASSWORD }) }
      expect((await send(browser, action, body)).status).toBeLessThan(300)
    })
    const entry = { user: actor.user, action: sample.entry ?? name }
    expect(done).toMatchObject(sample.is_silent ? [] : [entry])
  })

  const is_pending = action.second_person === 'manager' && !sample.at_once
  itIf(action.permission === 'anyone')('is done without a session, with one entry that names no operator', async () => {
    const input = action.input.parse(await prepare(sample))
    const visitor = { ...stranger('192.0.2.1'), source: async () => ({ address: '192.0.2.1' }) }
    const done = await written(() => runAction(testApp.app, visitor, action, input))
    expect(done.map((entry) => entry.action)).toEqual(sample.is_silent ? [] : [sample.entry ?? name])
    for (const { details, address } of done)
      expect([details, address]).toEqual([expect.not.objectContaining({ by: '' }), '192.0.2.1'])
  })

  itIf(!is_pending && action.permission !== 'self' && action.permission !== 'anyone')(
    'writes one entry to the audit log and its events, with the same details from each door',
    async () => {
      const name_of_entry = sample.entry ?? name
      const read = (input: Record<string, unknown>) => action.input.parse(input)
      const one = await prepare(sample)
      const by_manager = await written(
        async () => {
          if (action.permission === 'operator') return
          if (!routeOf(action)) return runAction(testApp.app, manager, action, read(one))
          const { status, body } = await send(owner, action, one)
          expect([status, body]).toEqual([status < 300 ? status : 'below 300', body])
        },
        action.permission === 'operator' ? [] : eventsOf(action),
      )
      const two = await prepare(sample)
      const by_operator = await written(
        () => runAction(testApp.app, operatorOf(sample), action, read(two)),
        eventsOf(action),
      )
      const names = sample.is_silent ? [] : [name_of_entry, ...(sample.more ?? [])].sort()
      const doors = action.permission === 'operator' ? [by_operator] : [by_manager, by_operator]
      for (const done of doors) expect(done.map((entry) => entry.action).sort()).toEqual(names)
      if (sample.is_silent || doors.length === 1) return
      const [first, second] = doors.map((done) => done.find((entry) => entry.action === name_of_entry)!)
      const object_type = action.object_type ?? first!.object_type
      expect(first).toMatchObject({ user: manager.user, object_type })
      expect(second).toMatchObject({ user: null, object_type, details: { by: 'an operator' } })
      const more = sample.as_person ? ['by', 'for'] : ['by']
      expect(Object.keys(second!.details).sort()).toEqual([...more, ...Object.keys(first!.details)].sort())
    },
  )
}

it('Each change of who may move money belongs to managers, who confirm it', () => {
  const by_hand = ['allocate collection', 'match collection']
  const changes = actions.filter(({ name, second_person }) => second_person && !by_hand.includes(name))
  expect(changes.length).toBeGreaterThan(10)
  for (const { name, permission, confirmed } of changes)
    expect([name, permission, confirmed]).toEqual([name, 'manage_organization', true])
})

it('Each command of an action stands in the program, with what the action says', async () => {
  const program = await createProgram(processTerminal(), [])
  for (const { name, cli } of actions.filter((one) => one.cli)) {
    const { path, description, typed = {} } = cli!
    let command: Command | undefined = program
    for (const word of path.split(' ')) command = command?.commands.find((one) => one.name() === word)
    expect([name, command?.description()]).toEqual([name, description])
    const shown = [...command!.options.map((one) => one.flags), ...command!.registeredArguments.map(argumentFlags)]
    expect([name, shown]).toEqual([name, expect.arrayContaining(Object.values(typed).map((one) => one![0]))])
  }
})

function argumentFlags(argument: Argument): string {
  const word = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${word}>` : `[${word}]`
}

it.each(actions.filter((action) => action.creates).map((action) => [action.name, action] as const))(
  '"%s" is done once for each Duplicate-Check-Key, and a refused one uses up no key',
  async (name, action) => {
    const key = `key of ${name}`
    const read = async () => action.input.parse(await prepare(samples[name]!))
    const fail = (): never => {
      throw new Error('broken')
    }
    const broken = { ...action, audit: fail }
    await expect(runAction(testApp.app, manager, broken, await read(), key)).rejects.toThrow('broken')
    const made = await runAction(testApp.app, manager, action, await read(), key)
    const first = { type: action.creates!.type, id: action.creates!.id(made) }
    const again = await read()
    const done = await written(() =>
      expect(runAction(testApp.app, manager, action, again, key)).rejects.toMatchObject(first),
    )
    expect(done).toEqual([])
  },
)

/** Actor of the command line, with the user whom a command names where a person decides. */
function operatorOf({ as_person }: Sample): Actor {
  const member = { id: manager.user!, email: 'owner@demo.example' }
  return as_person ? operatorFor(testApp.organization, member) : operator(testApp.organization)
}

describe('with a second organization', () => {
  it.each(actions.filter((action) => !isFirst(action)).map((action) => [action.name, action] as const))(
    '"%s" writes one entry',
    async (name, action) => {
      const input = action.input.parse(await prepare(samples[name]!))
      const done = await written(() => runAction(testApp.app, operator(null), action, input))
      expect(done).toMatchObject([{ action: name, user: null, object_type: action.object_type }])
    },
  )

  beforeAll(async () => {
    await begin(testApp.db, (tx) => createOrganization(tx, testApp.clock.now(), 'Other Shop'))
  })

  it.each(actions.filter((action) => action.is_operators).map((action) => [action.name, action] as const))(
    '"%s" belongs to the operator alone, and leaves nothing',
    async (name, action) => {
      const input = action.input.parse(await prepare(samples[name]!))
      const done = await written(() =>
        expect(runAction(testApp.app, manager, action, input)).rejects.toBeInstanceOf(Forbidden),
      )
      expect(done).toEqual([])
      const perform = () => runAction(testApp.app, operator(testApp.organization), action, input)
      expect(await written(perform, eventsOf(action))).toHaveLength(1)
    },
  )
})

/** Return the members of an input that stand in the path of the route. */
function pick(input: Record<string, unknown>, action: Action): Record<string, unknown> {
  const names = [...routeOf(action)!.path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  return Object.fromEntries(names.map((name) => [name, input[name]]))
}

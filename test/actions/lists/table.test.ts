import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { List } from '../../../src/actions/lists/list.ts'
import { lists } from '../../../src/actions/lists/table.ts'
import { filtersOf } from '../../../src/cli/list-command.ts'
import { prepareDemo } from '../../../src/cli/service/demo.ts'
import { allPermissions, createKey, includesPermission, type Permission } from '../../../src/core/access/api-keys.ts'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import { begin } from '../../../src/db/client.ts'
import { openShell } from '../../cli/shell.ts'
import { fakeSmsConnection, useSmsConnections } from '../../connections/fake-sms.ts'
import { addDriver, testNetwork } from '../../connections/test-network.ts'
import { openBrowser } from '../../console/browser.ts'
import { addPerson } from '../../console/shop.ts'
import { PASSWORD } from '../../password.ts'
import { buildTestApp, createApiClient, type TestApp } from '../../test-app.ts'
import { addressesOf, type Door, fillOrganization, findObjects } from '../filled-organization.ts'
import { testsOf } from '../tests-of.ts'

/* What no list may forget, asked of each list of the table and of each door. */

type Row = Record<string, unknown>
interface Answer {
  status: number
  body: { count: number; next: string | null; results: Row[] } & Record<string, unknown>
}

let testApp: TestApp
/** Managers who take turns, since each has a limit of requests. */
let managers: ReturnType<typeof openBrowser>[]
let address: string
let api: ReturnType<typeof createApiClient>
let kusanya: ReturnType<typeof openShell>
/** Clients of the doors with all permissions but one. */
let powerless: Map<Permission, Record<Door, (path: string) => Promise<Answer>>>
/** An object for each list that belongs to one. */
let objects: Record<string, number>

/** The commands read what the service has encrypted. */
const SECRET_KEY = 'k'.repeat(40)

afterAll(addDriver(testNetwork))
beforeAll(async () => {
  testApp = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD, SECRET_KEY } })
  await prepareDemo(testApp.app)
  useSmsConnections(testApp.app, [fakeSmsConnection('texts', { send: async () => ({ outcome: 'sent' }) })])
  await fillOrganization(testApp)
  const { url } = await testApp.startService({ jobs: false })
  address = url
  managers = await Promise.all(
    [1, 2, 3, 4, 5].map(async (number) => {
      const email = `manager-${number}@shop.example`
      await addPerson(testApp, { email, organization: testApp.organization, permissions: allPermissions })
      const browser = openBrowser(url)
      await browser.signIn(email, PASSWORD)
      return browser
    }),
  )
  api = createApiClient(url, testApp.api_key)
  const { DATABASE_URL, DATA_DIR } = testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR, SECRET_KEY, LOG_LEVEL: 'silent' })
  powerless = new Map()
  for (const permission of new Set(lists.map((list) => list.permission)))
    powerless.set(permission, await clientsWithout(url, permission))
  objects = await findObjects(testApp.db)
})
afterAll(() => testApp.close())

async function clientsWithout(url: string, permission: Permission) {
  const permissions = allPermissions.filter((one) => !includesPermission(new Set([one]), permission))
  const { organization, clock } = testApp
  const email = `without-${permission.replaceAll('_', '-')}@shop.example`
  const user = await addPerson(testApp, { email, organization, permissions })
  const browser = openBrowser(url)
  await browser.signIn(email, PASSWORD)
  const { key } = await begin(testApp.db, (tx) =>
    createKey(tx, clock.now(), { organization, user, name: email, permissions: null, read_only: false }),
  )
  return { API: createApiClient(url, key).get, console: browser.get }
}

function read(door: Door, path: string, query: Record<string, string> = {}): Promise<Answer> {
  const url = `${path}?${new URLSearchParams(query)}`
  if (door === 'API') return api.get(url)
  managers.push(managers.shift()!)
  return managers[0]!.get(url)
}

/** Filters that a list cannot do without, in its queries here. */
const needed = (list: List): Record<string, string> => (list.api?.path === '/invoices/customers' ? { tag: 'P5' } : {})

/** Return the filters of a list in a door. */
function filtersIn(list: List, door: Door): [string, z.ZodType][] {
  return Object.entries({ ...list.filters, ...(door === 'console' && list.people) })
}

/** Values of which one changes what a list with rows shows. */
const CANDIDATES = ['2001-01-01', '2099-01-01', '999999', '0.0001', '+80000009999', 'no such value', 'true', 'false']

function candidatesOf(field: z.ZodType): string[] {
  const inner = 'unwrap' in field ? (field as z.ZodOptional).unwrap() : field
  const choices = 'options' in inner ? (inner.options as unknown[]).filter((one) => typeof one === 'string') : []
  return [...choices, ...CANDIDATES].filter((one) => field.safeParse(one).success) as string[]
}

it('Each list has a name and a door, and its filters have words', () => {
  expect(new Set(lists.map(({ name }) => name)).size).toBe(lists.length)
  for (const list of lists) {
    expect([list.name, Boolean(list.api ?? list.console)]).toEqual([list.name, true])
    const silent = list.cli ? filtersOf(list).filter(([, [, text]]) => text === '') : []
    expect([list.name, silent]).toEqual([list.name, []])
  }
})

describe.each(lists.map((list) => [list.name, list] as const))('the list "%s"', (_, list) => {
  const itIf = testsOf()
  it('is refused to users and keys with all permissions but its own', async () => {
    for (const [door, path] of addressesOf(list, objects)) {
      const { status } = await powerless.get(list.permission)![door](path)
      expect([door, status]).toEqual([door, 403])
    }
  })

  it('has pages without gaps or repeats, in both directions', async () => {
    for (const [door, path] of addressesOf(list, objects)) {
      const readPage = (ordering: string, offset: number, limit: number) =>
        read(door, path, { ...needed(list), ordering, limit: String(limit), offset: String(offset) })
      for (const ordering of ['id', '-id', '-modified', 'amount']) {
        const { status, body: whole } = await readPage(ordering, 0, 1_000)
        expect([door, status]).toEqual([door, 200])
        expect([door, whole.count > 0, whole.results.length]).toEqual([door, true, whole.count])
        const size = Math.max(1, Math.ceil(whole.count / 3))
        const pages: Row[] = []
        for (let offset = 0; offset < whole.count; offset += size)
          pages.push(...(await readPage(ordering, offset, size)).body.results)
        expect(pages).toEqual(whole.results)
        const texts = whole.results.map((row) => JSON.stringify(row))
        expect(new Set(texts).size).toBe(texts.length)
      }
    }
  })

  it('refuses an unknown order, and ignores parameters that it does not know', async () => {
    for (const [door, path] of addressesOf(list, objects)) {
      const { status, body } = await read(door, path, { ...needed(list), ordering: '-name' })
      expect([door, status]).toEqual([door, 400])
      expect(body).toEqual({ ordering: [expect.stringContaining('"-name" is not a valid choice.')] })
      const results = async (query: object) => (await read(door, path, { ...needed(list), ...query })).body.results
      expect(await results({ colour: 'green' })).toEqual(await results({}))
    }
  })

  it('has filters that choose rows, and that refuse by name what they cannot read', async () => {
    for (const [door, path] of addressesOf(list, objects)) {
      const base = { ...needed(list), limit: '1000' }
      const all = JSON.stringify((await read(door, path, base)).body.results)
      for (const [filter, field] of filtersIn(list, door)) {
        const shown = await Promise.all(
          candidatesOf(field).map(async (value) => {
            const { status, body } = await read(door, path, { ...base, [filter]: value })
            expect([door, filter, value, status]).toEqual([door, filter, value, 200])
            return JSON.stringify(body.results)
          }),
        )
        expect([door, filter, shown.some((one) => one !== all)]).toEqual([door, filter, true])
        const wrong = ['no such value!', 'x'.repeat(2_000)].find((value) => !field.safeParse(value).success)
        if (wrong === undefined) continue
        const { status, body } = await read(door, path, { ...base, [filter]: wrong })
        expect([door, filter, status, body]).toEqual([door, filter, 400, { [filter]: [expect.stringMatching(/\w/)] }])
      }
    }
  })

  itIf(list.api?.csv)('is a CSV file with its columns and all rows', async () => {
    const path = `/api${list.api!.path}`
    const headers = { authorization: `Token ${testApp.api_key}` }
    const response = await fetch(`${address}${path}?format=csv`, { headers })
    const statement = list.api!.csv!(testApp.app.reads.exports, testApp.organization, {})
    const [titles, ...rows] = parse(await response.text()) as string[][]
    expect(titles).toEqual(statement.columns)
    expect(rows).toHaveLength((await read('API', path)).body.count)
  })

  itIf(list.cli)('has a command with the same rows and filters', async () => {
    const [door, path] = addressesOf(list, objects)[0]!
    const { cli } = list
    const preset = { ...needed(list), ...cli!.preset }
    const given = Object.entries(needed(list)).flatMap(([filter, value]) => [`--${filter}`, value])
    const words = [...cli!.path.split(' '), ...given, ...(cli!.limit === null ? [] : ['--limit', '1000'])]
    const { code, out, err } = await kusanya([...words, '--json'])
    expect([code, err]).toEqual([0, ''])
    const shown = (await read(door, path, { ...preset, limit: '1000' })).body.results
    expect(JSON.parse(out)).toHaveLength(shown.length)
    for (const [filter, [flags]] of filtersOf(list)) {
      const field = { ...list.filters, ...list.people }[filter] as z.ZodType
      const [flag] = flags.split(' ')
      if (!flags.startsWith('--') || !flags.includes('<') || field.safeParse('no such value!').success) continue
      const refused = await kusanya([...words, flag!, 'no such value!'])
      expect([filter, refused.code, refused.out]).toEqual([filter, 1, ''])
      expect(refused.err).toMatch(new RegExp(`${flag}|${filter}`))
      break
    }
  })
})

describe('with a second organization', () => {
  beforeAll(async () => {
    await begin(testApp.db, (tx) => createOrganization(tx, testApp.clock.now(), 'Other Shop'))
  })

  it.each(lists.filter((list) => list.is_operators).map((list) => [list.name, list] as const))(
    'the list "%s" belongs to the operator alone',
    async (_, list) => {
      for (const [door, path] of addressesOf(list, objects)) expect((await read(door, path)).status).toBe(403)
    },
  )
})

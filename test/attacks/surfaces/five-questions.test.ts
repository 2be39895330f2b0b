import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '../../../src/cli/service/log.ts'
import { allPermissions, type Permission } from '../../../src/core/access/api-keys.ts'
import { createUser, setMembership } from '../../../src/core/access/organizations.ts'
import { startSession } from '../../../src/core/access/sessions.ts'
import { begin } from '../../../src/db/client.ts'
import { sql } from '../../../src/db/sql.ts'
import { callRaw, openTestService, type RawResponse, type TestService } from '../../interface/test-service.ts'
import { printFigure } from '../figures.ts'
import { type Route, type Schema, watchRoutes } from '../texts/routes.ts'

/*
 * The questions of CONTRIBUTING.md for every new surface, asked of every route of the API and of the console that writes. A
 * further route is asked by itself. How long a route can take, `longest-turn` measures; what drivers call,
 * `test/drivers/outgoing-calls.test.ts` reads.
 */

/** Texts that steer a terminal, end a line, or show a text in another order. */
const CONTROLS = 'a\u001b[2J\u009bK\rb\u202ec\u2066d\u2028e\u0085f'
const HOSTILE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
/** Each object of the shop has one of these ids. */
const IDS = Array.from({ length: 6 }, (_, index) => String(index + 1))
/** Routes of a person about the own account and session. They take no permission. */
const OWN = /^\/console\/api\/(account|session|links)/
/** Doors of networks and of other cells, which prove what they report, and the form for a forgotten password. */
const STRANGERS = /^\/api\/callbacks\/|^\/console\/api\/(password-resets|cells\/callbacks)$/

let service: TestService
let routes: Route[]
const log_lines: string[] = []

beforeAll(async () => {
  const watched = watchRoutes()
  const log = createLogger('debug', { write: (line) => void log_lines.push(line) })
  // Nobody works on purchases here, so each that is accepted waits in vain.
  service = await openTestService({ jobs: false, log, settings: { BILL_WAIT_SECONDS: '1' } })
  routes = watched.stop().filter(({ method, path }) => method !== 'GET' && /^\/(console\/)?api\//.test(path))
  await fill()
})
afterAll(() => service.close())

/** Give the demo organization objects of many kinds, whose ids begin at 1. */
async function fill(): Promise<void> {
  const { shop } = service
  const order = { phonenumber: '+80000000003', amount: '20', currency: 'BXC', description: 'Rent' }
  const lines = [{ text: 'Fees', unit_price: '100' }]
  for (const [path, body] of [
    ['/collectionrequests', order],
    ['/payments', order],
    ['/contacts', { phone_number: '+80000000077', first_name: 'Grace', last_name: 'Demo' }],
    ['/webhooks', { event: 'contact.created', target: 'https://shop.example' }],
    ['/paymentlinks', { title: 'Fees', amount: '100', currency: 'BXC' }],
    ['/invoices', { phonenumber: '+80000000098', currency: 'BXC', lines }],
  ] as const)
    expect([path, (await shop.post(`/api${path}`, body)).status]).toEqual([path, 201])
}

/** A signed-in person of an organization. */
function signIn(organization: number, permissions: readonly Permission[]): Promise<string> {
  return begin(service.testApp.db, async (tx) => {
    const now = service.testApp.clock.now()
    const { id: user } = await createUser(tx, now, { name: 'Person', email: `${randomUUID()}@shop.example` })
    await setMembership(tx, now, { organization, user, permissions })
    const session = { user, complete: true, address: '127.0.0.1', user_agent: 'attack' }
    return startSession(tx, service.testApp.app.clock.real(), session)
  })
}

interface Caller {
  key: string
  /** The session of the next request; a person has a few hundred a minute. */
  session(): Promise<string>
}

function callerOf(organization: number, key: string, permissions: readonly Permission[]): Caller {
  let writes = 0
  let session: Promise<string> | undefined
  return {
    key,
    session() {
      if (writes % 200 === 0) session = signIn(organization, permissions)
      writes += 1
      return session!
    },
  }
}

async function send({ method, path }: Route, caller: Caller | null, body: object, id = '1'): Promise<RawResponse> {
  const address = path
    .replace(':phonenumber', encodeURIComponent('+80000000109'))
    .replace(/:(network|connection|slug)/, 'sandbox')
    .replace(':currency', 'BXC')
    .replace(/:\w+/g, id)
  const access: Record<string, string> = !caller
    ? {}
    : path.startsWith('/console')
      ? { cookie: `kusanya_session=${await caller.session()}` }
      : { authorization: `Token ${caller.key}` }
  const headers = { ...access, 'x-requested-with': 'console', 'content-type': 'application/json' }
  return callRaw(service.url, method, address, { headers, body: JSON.stringify(body) })
}

/** A valid value of a field, from its description. */
function sample({ examples, enum: choices, type, minimum, anyOf }: Schema): unknown {
  if (Array.isArray(examples)) return examples[0]
  if (choices) return choices[0]
  const [first] = [type ?? (anyOf?.[0] as Schema | undefined)?.type].flat()
  const samples: Record<string, unknown> = { integer: minimum ?? 1, number: 1, boolean: true, array: [], object: {} }
  return samples[String(first)] ?? 'x'
}

const sampleBody = ({ fields }: Route) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, sample(schema)]))

const nameOf = ({ method, path }: Route) => `${method} ${path}`

/** Return a digest per table over the demo organization's rows. */
async function readOwnRows(): Promise<Map<string, string>> {
  const { db } = service.testApp
  const tables = await db<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where a.attname = 'organization' and not a.attisdropped and c.relkind in ('r', 'p') and not c.relispartition
      and c.relnamespace = 'public'::regnamespace order by 1`
  const digests = new Map<string, string>()
  for (const { name } of tables) {
    const [row] = await db<{ count: number; digest: string | null }[]>`
      select count(*) as count, md5(string_agg(t::text, '' order by t::text)) as digest from ${sql.identifier(name)} t
      where organization = ${service.organization}`
    if (row!.count > 0) digests.set(name, row!.digest!)
  }
  return digests
}

describe('every route that writes', () => {
  it('who can cause it alone: only a caller with a key or a session, and with the permission', async () => {
    const key = await service.newKey({ permissions: [] })
    const powerless = callerOf(service.organization, key, [])
    const passed: string[] = []
    for (const route of routes.filter(({ path }) => !OWN.test(path) && !STRANGERS.test(path))) {
      const answers = [await send(route, null, sampleBody(route)), await send(route, powerless, sampleBody(route))]
      const statuses = answers.map(({ status }) => status)
      if (statuses.join() !== '401,403') passed.push(`${nameOf(route)}: ${statuses}`)
    }
    expect(passed).toEqual([])
  })

  it('whose is it: no id changes anything of another organization', async () => {
    const before = await readOwnRows()
    const { organization, key } = service.otherShop
    const stranger = callerOf(organization, key, allPermissions)
    const failed: string[] = []
    let tries = 0
    for (const route of routes.filter(({ path }) => path.includes(':')))
      for (const id of IDS) {
        tries += 1
        const { status, text } = await send(route, stranger, sampleBody(route), id)
        if (status >= 500 || text.includes('+80000000077')) failed.push(`${nameOf(route)} ${id}: ${status} ${text}`)
      }
    expect(failed).toEqual([])
    expect(await readOwnRows()).toEqual(before)
    expect([...before.keys()]).toEqual(
      expect.arrayContaining(['collection_requests', 'payments', 'contacts', 'webhooks', 'payment_links', 'invoices']),
    )
    printFigure('five-questions', `0 of ${tries} writes to objects of another organization changed one`)
  })

  it('what does it print: control characters of any field reach no header, and no line of the log', async () => {
    const owner = callerOf(service.organization, service.key, allPermissions)
    const printed: string[] = []
    log_lines.length = 0
    let texts = 0
    for (const route of routes.filter(({ path }) => !OWN.test(path)))
      for (const [name, schema] of Object.entries(route.fields)) {
        if (typeof sample(schema) !== 'string') continue
        texts += 1
        const { headers, status } = await send(route, owner, { ...sampleBody(route), [name]: CONTROLS })
        // A purchase that waits in vain is answered with 503.
        if (status === 500) printed.push(`${nameOf(route)} ${name}: ${status}`)
        if (HOSTILE.test(JSON.stringify(headers))) printed.push(`${nameOf(route)} ${name}: a header`)
      }
    printed.push(...log_lines.filter((line) => HOSTILE.test(line.slice(0, -1))))
    expect(printed).toEqual([])
    expect(texts).toBeGreaterThan(150)
    printFigure('five-questions', `control characters in ${texts} fields reached no header and no line of the log`)
  })
})

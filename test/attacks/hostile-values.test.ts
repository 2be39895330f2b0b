import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allPermissions } from '../../src/core/access/api-keys.ts'
import { createUser, setMembership } from '../../src/core/access/organizations.ts'
import { startSession } from '../../src/core/access/sessions.ts'
import { begin } from '../../src/db/client.ts'
import { callRaw, type RawResponse } from '../interface/test-service.ts'
import { buildTestApp, type TestApp } from '../test-app.ts'
import { printFigure } from './figures.ts'
import { isNotRepeated, type Route, type Schema, watchRoutes } from './texts/routes.ts'

/*
 * Values that careless programs fail to convert to a text, a number or a list. They stand in every field of every
 * writing route, including the console's, with valid values in all other fields.
 */

/** JSON texts of objects and lists that look like something else. */
const CONFUSING_VALUES = [
  '{"toString":1}',
  '{"toString":null,"valueOf":null,"length":-1}',
  '[{"toString":1}]',
  '["monday",{"valueOf":null,"toString":null},[["x"]]]',
]
const HOSTILE_VALUES = [
  ...CONFUSING_VALUES,
  '{"length":4294967295,"0":"monday"}',
  '{"then":1,"toJSON":1}',
  `${'['.repeat(15)}1${']'.repeat(15)}`,
  `${'['.repeat(5_000)}1${']'.repeat(5_000)}`,
  '{"__proto__":{"toString":1}}',
  '{"constructor":{"prototype":1}}',
  '1e400',
  '123456789012345678901234567890',
  '-0',
  '"a\\u0000b"',
  '"\\ud800"',
]

/** The same in forms, where the name of a field carries its structure. */
const HOSTILE_ENDINGS = ['[toString]=1', '[length]=-1']

/** Fields whose inner parts are read, too. */
const INNER_FIELDS: Readonly<Record<string, readonly string[]>> = {
  metadata: ['order', 'toString'],
  'the service': ['order', 'toString'],
  subscription_settings: ['start_date', 'end_date', 'weekdays', 'months', 'frequency'],
  recipient_data: ['phonenumber', 'amount', 'description', 'metadata', 'first_name', 'national_id_type'],
}

/** Other names of fields. Both together are compared. */
const ALIASES: Readonly<Record<string, string>> = {
  metadata: 'the service',
  agentReference: 'agentRefernce',
  datacode: 'data_code',
  numberOfPins: 'pinCount',
}

const AT_ONCE = 20

/**
 * Kinds of fields, each with the number of console routes that have refused everything. What so many have refused is left out at the
 * next ones: one name and one description are one schema, such as those of the password with which a hundred actions are confirmed.
 */
const refusing_routes = new Map<string, number>()
const ALIKE = 3

const kindOf = (field: string, { path, fields }: Route) =>
  `${path.startsWith('/console') ? 'console' : path} ${field} ${JSON.stringify(fields[field])}`

let testApp: TestApp
let url: string
let routes: Route[] = []
const faults: unknown[] = []

beforeAll(async () => {
  const watched = watchRoutes()
  testApp = await buildTestApp()
  testApp.app.log.error = (...said: unknown[]) => void faults.push(said)
  url = (await testApp.startService()).url
  routes = watched.stop().filter(({ method }) => method !== 'GET')
})
afterAll(() => testApp.close())

it('no hostile value in any field of any write route is an error of the service', async () => {
  const answers = { requests: 0, accepted: 0, refused: 0, failed: 0 }
  const wrong: string[] = []
  const unexpected = new Set<string>()
  for (const route of routes.filter((one) => isNotRepeated(one, routes))) {
    const send = openSender(route)
    const note = ({ status, text }: RawResponse, body: string) => {
      answers.requests += 1
      answers[status < 300 ? 'accepted' : status < 500 ? 'refused' : 'failed'] += 1
      if (status >= 500)
        wrong.push(`${route.method} ${route.path} ${body.slice(0, 200)}: ${status} ${text.slice(0, 200)}`)
      if (status === 403 || status === 415 || status === 429) unexpected.add(`${route.method} ${route.path}: ${status}`)
    }
    const known = Object.keys(route.fields).filter((field) => (refusing_routes.get(kindOf(field, route)) ?? 0) >= ALIKE)
    const bodies = [
      ...Array.from(jsonBodies(route, known), (body) => ['application/json', body] as const),
      ...Array.from(formBodies(route), (body) => ['application/x-www-form-urlencoded', body] as const),
    ]
    const accepted = answers.accepted
    for (let sent = 0; sent < bodies.length; sent += AT_ONCE)
      await Promise.all(
        bodies.slice(sent, sent + AT_ONCE).map(async ([type, body]) => note(await send(type, body), body)),
      )
    if (answers.accepted > accepted) continue
    for (const kind of Object.keys(route.fields).map((field) => kindOf(field, route)))
      refusing_routes.set(kind, (refusing_routes.get(kind) ?? 0) + 1)
  }
  expect(wrong).toEqual([])
  expect(faults).toEqual([])
  // Accepted objects can be read.
  for (const list of ['collectionrequests', 'payments', 'contacts', 'webhooks', 'events'])
    expect([list, (await callApi('GET', `/api/${list}?limit=1000`)).status]).toEqual([list, 200])
  const { requests, accepted, refused, failed } = answers
  printFigure(
    'hostile-values',
    `${requests} requests to ${routes.filter((one) => isNotRepeated(one, routes)).length} write routes: ${accepted} accepted, ${refused} refused (4xx), ${failed} failed (5xx)`,
  )
  // No one may switch to an organization of others, and forms of strangers are counted before they are read.
  const right = ['POST /console/api/session/organization: 403', 'POST /console/api/links/use: 429']
  expect([...unexpected].filter((one) => !right.includes(one))).toEqual([])
  // These are the routes of the API, the console, the sandbox and the networks.
  expect(routes.length).toBeGreaterThan(50)
  expect(accepted).toBeGreaterThan(100)
})

/** Each hostile value as the body, in each field but `known`, in its inner parts, and beside the other name of the field. */
function* jsonBodies({ path, fields, required }: Route, known: readonly string[]): Generator<string> {
  // All routes of the console read bodies and fields with the same code.
  const values = path.startsWith('/console') ? CONFUSING_VALUES : HOSTILE_VALUES
  yield* values
  for (const field of Object.keys(fields).filter((one) => !known.includes(one))) {
    const others = required.filter((name) => name !== field)
    const others_text = () =>
      others.map((name) => `${JSON.stringify(name)}:${JSON.stringify(sample(name, fields))},`).join('')
    const place = (text: string) => `{${others_text()}${text}}`
    const alias = ALIASES[field]
    for (const value of values) {
      yield place(`"${field}":${value}`)
    }
    for (const value of CONFUSING_VALUES) {
      for (const inner of INNER_FIELDS[field] ?? []) {
        const object = `{"end_date":"31/12/2031 08:00:00","frequency":"monthly","${inner}":${value}}`
        yield place(`"${field}":${field === 'recipient_data' ? `[${object}]` : object}`)
      }
      if (alias) yield place(`"${alias}":${value},"${field}":${JSON.stringify(sample(field, fields))}`)
      if (alias) yield place(`"${alias}":${value},"${field}":${value}`)
    }
  }
}

function* formBodies({ path, fields, required }: Route): Generator<string> {
  if (path.startsWith('/console')) return
  for (const field of Object.keys(fields)) {
    const others = required.filter((name) => name !== field)
    const valid = others.map((name) => `${name}=${encodeURIComponent(String(sample(name, fields)))}&`).join('')
    for (const ending of HOSTILE_ENDINGS) {
      yield `${valid}${field}${ending}`
      for (const inner of INNER_FIELDS[field] ?? []) yield `${valid}${field}[${inner}]${ending}`
    }
  }
}

/** A valid value of a field, from its description. */
function sample(name: string, fields: Route['fields']): unknown {
  if (name === 'agentReference') return randomUUID()
  const { examples, enum: choices, type, minimum, anyOf } = fields[name] ?? {}
  if (Array.isArray(examples)) return examples[0]
  if (choices) return choices[0]
  const [first] = [type ?? (anyOf?.[0] as Schema | undefined)?.type].flat()
  const samples: Record<string, unknown> = { integer: minimum ?? 1, number: 1, boolean: true, array: [], object: {} }
  return samples[String(first)] ?? 'x'
}

/** Send bodies to a route as a caller who may use it. In the console a person has a few hundred writes a minute. */
function openSender({ method, path }: Route): (type: string, body: string) => Promise<RawResponse> {
  const id = path.startsWith('/api/contacts') ? '1' : '999999'
  const address = path.replace(':phonenumber', '+80000000109').replace(':network', 'sandbox').replace(/:\w+/g, id)
  if (!path.startsWith('/console')) return (type, body) => callApi(method, address, { 'content-type': type }, body)
  let session: Promise<string> | undefined
  let writes = 0
  return async (type, body) => {
    if (writes % 200 === 0) session = openSession()
    writes += 1
    const cookie = `kusanya_session=${await session}`
    const headers = { cookie, 'x-requested-with': 'console', 'content-type': type }
    return callRaw(url, method, address, { headers, body })
  }
}

/** Sign in another person, who may do everything. */
function openSession(): Promise<string> {
  const { organization } = testApp
  return begin(testApp.db, async (tx) => {
    const person = { name: 'Owner', email: `${randomUUID()}@demo.example` }
    const { id: user } = await createUser(tx, testApp.clock.now(), person)
    await setMembership(tx, testApp.clock.now(), { organization, user, permissions: allPermissions })
    const session = { user, complete: true, address: '127.0.0.1', user_agent: 'attack' }
    return startSession(tx, testApp.app.clock.real(), session)
  })
}

function callApi(method: string, path: string, headers: Record<string, string> = {}, body?: string) {
  return callRaw(url, method, path, { headers: { authorization: `Token ${testApp.api_key}`, ...headers }, body })
}

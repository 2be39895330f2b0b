import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allPermissions } from '../../../src/core/access/api-keys.ts'
import { createUser, setMembership } from '../../../src/core/access/organizations.ts'
import { startSession } from '../../../src/core/access/sessions.ts'
import { begin } from '../../../src/db/client.ts'
import { openTestService, type TestService } from '../../interface/test-service.ts'
import { createLink } from '../../pay/customer.ts'
import { printFigure } from '../figures.ts'
import type { Target } from './hostile-bodies.ts'
import type { Sent } from './hostile-sender.ts'
import { isNotRepeated, type Route, type Schema, watchRoutes } from './routes.ts'
import { allowedTurn, measureTurn } from './turns.ts'

/*
 * Callers send the longest and strangest bodies and queries that are allowed, to every route of the service. A thread of its own
 * sends them, so that the thread of this test does nothing but serve.
 */

let service: TestService
let routes: Route[]
let link = ''

beforeAll(async () => {
  const watched = watchRoutes()
  service = await openTestService({ jobs: false, settings: { TRUST_PROXY: 'on' } })
  link = (await createLink(service)).url.split('/').at(-1)!
  routes = watched.stop()
})
afterAll(() => service.close())

it('no request holds the event loop for long', { timeout: 1_800_000 }, async () => {
  const allowed_ms = allowedTurn()
  const targets = await Promise.all(
    routes
      .filter((one) => isNotRepeated(one, routes))
      .filter(isAnswered)
      .map(toTarget),
  )
  const sender = new Worker(new URL('hostile-sender.ts', import.meta.url), {
    workerData: { url: service.url, targets },
  })
  const slow: string[] = []
  const refused = new Map<string, number>()
  const longest = { ms: 0, what: '' }
  let count = 0
  const ask = async (tries: number) => {
    sender.postMessage(tries === 0 ? 'next' : 'again')
    const [sent] = (await once(sender, 'message')) as [Sent | null]
    return sent
  }
  for (;;) {
    const { result: sent, ms } = await measureTurn(ask, { short_ms: longest.ms, allowed_ms })
    if (!sent) break
    count += 1
    const { method, path } = targets[sent.target]!
    const what = `${method} ${path}: ${sent.what} (${sent.bytes} bytes, ${sent.status})`
    if (ms > allowed_ms) slow.push(`${Math.round(ms)} ms ${what}`)
    if (ms > longest.ms) Object.assign(longest, { ms, what })
    if ([401, 403, 429].includes(sent.status) || sent.status >= 500)
      refused.set(`${sent.status} ${method} ${path}`, (refused.get(`${sent.status} ${method} ${path}`) ?? 0) + 1)
  }
  await sender.terminate()
  printFigure(
    'longest-turn',
    `${count} hostile requests to ${targets.length} routes; the longest turn takes ${Math.round(longest.ms)} ms of processor time (${longest.what}), allowed are ${Math.round(allowed_ms)} ms here`,
  )
  expect(slow).toEqual([])
  expect([...refused.keys()].sort()).toEqual(REFUSED)
  expect(targets.length).toBeGreaterThan(200)
})

/** These need the operator, or a session that is not complete; one ends the session. Their bodies are not read any further. */
const REFUSED = [
  '401 DELETE /console/api/account/sessions',
  '401 POST /console/api/session/passkey/options',
  '401 POST /console/api/session/second-factor',
  '403 DELETE /console/api/settings/fees/:id',
  '403 DELETE /console/api/settings/sms/routes/:id',
  '403 DELETE /console/api/settings/sms/senders/:id',
  '403 GET /console/api/unassigned',
]

/** A stream does not end by itself. */
const isAnswered = ({ path }: Route) => !path.includes('stream') && !path.includes('*')

async function toTarget(route: Route, turn: number): Promise<Target> {
  const { path, fields } = route
  const samples = Object.fromEntries(Object.keys(fields).map((name) => [name, sample(fields[name]!)]))
  const address = path
    .replace(/^\/pay\/:link/, `/pay/${link}`)
    .replace(':phonenumber', '+80000000109')
    .replace(/:(network|connection)/, 'sandbox')
    .replace(/:\w+/g, '999999')
  const headers: Record<string, string> = path.startsWith('/console')
    ? { cookie: `kusanya_session=${await nextSession()}`, 'x-requested-with': 'console' }
    : { authorization: `Token ${service.key}` }
  return {
    ...route,
    address,
    headers,
    samples,
    turn,
    alone: Object.keys(fields).filter((name) => isNew(name, fields[name]!)),
  }
}

const routes_with = new Map<string, number>()

/**
 * Return true for a field of the first two routes that read it alike: one name and one description are one schema, such as those
 * of the password with which a hundred actions are confirmed.
 */
function isNew(name: string, schema: Schema): boolean {
  const kind = `${name} ${JSON.stringify(schema)}`
  routes_with.set(kind, (routes_with.get(kind) ?? 0) + 1)
  return routes_with.get(kind)! <= 2
}

/** A valid value of a field, from its description. */
function sample({ examples, enum: choices, type, minimum, anyOf }: Schema): unknown {
  if (Array.isArray(examples)) return examples[0]
  if (choices) return choices[0]
  const [first] = [type ?? (anyOf?.[0] as Schema | undefined)?.type].flat()
  const samples: Record<string, unknown> = { integer: minimum ?? 1, number: 1, boolean: true, array: [], object: {} }
  return samples[String(first)] ?? 'x'
}

/** A person who may do everything. Each has a few hundred requests a minute. */
function nextSession(): Promise<string> {
  return begin(service.testApp.db, async (tx) => {
    const now = service.testApp.clock.now()
    const { id: user } = await createUser(tx, now, { name: 'Owner', email: `${randomUUID()}@demo.example` })
    await setMembership(tx, now, { organization: service.organization, user, permissions: allPermissions })
    return startSession(tx, service.testApp.app.clock.real(), {
      user,
      complete: true,
      address: '127.0.0.1',
      user_agent: 'attack',
    })
  })
}

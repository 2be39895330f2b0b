import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Operation, pathFor, readDescription } from './openapi.ts'
import { callRaw, openTestService, type TestService } from './test-service.ts'

let service: TestService
let operations: Operation[]

beforeAll(async () => {
  service = await openTestService()
  operations = (await readDescription(service)).operations
})
afterAll(() => service.close())

/** An object of the demo shop behind each address that shows one. What is everybody's has none to protect. */
const PUBLIC = ['/api/currencies/{id}', '/api/networks/{id}']
const objects: Record<string, () => Promise<number>> = {
  '/api/collectionrequests/{id}': async () => (await service.createRequest()).id,
  '/api/collections/{id}': async () =>
    (await service.advanceUntilStatus((await service.createRequest({ phonenumber: '+80000000092' })).id, 'successful'))
      .collection as number,
  '/api/payments/{id}': async () => {
    const body = { phonenumber: '+80000000093', amount: '100', currency: 'BXC', description: 'Wages' }
    return (await service.shop.post('/api/payments', body)).body.id
  },
  '/api/events/{id}': async () => {
    await service.createRequest({ phonenumber: '+80000000091' })
    await service.waitForFeed()
    return (await service.shop.get('/api/events?limit=1')).body.results[0].id
  },
  '/api/contacts/{id}': async () => ((await service.createRequest()).contact as { id: number }).id,
  '/api/accounts/{id}': async () => (await service.shop.get('/api/accounts?limit=1')).body.results[0].id,
  '/api/transactions/{id}': async () => (await service.shop.get('/api/transactions?limit=1')).body.results[0].id,
  '/api/webhooks/{id}': async () => {
    const body = { event: 'payment.status.changed', target: 'https://shop.example' }
    return (await service.shop.post('/api/webhooks', body)).body.id
  },
}

function call({ method, path }: { method: string; path: string }, authorization?: string, body?: string) {
  const headers = {
    ...(authorization !== undefined && { authorization }),
    ...(body && { 'content-type': 'application/json' }),
  }
  return callRaw(service.url, method, path, { headers, body })
}

/** What every operation answers, to be compared as a whole: one line for each that answers otherwise. */
async function whoAnswersOtherwise(
  status: number,
  detail: string | RegExp,
  send: (one: Operation) => ReturnType<typeof call>,
  some = operations,
) {
  const others: string[] = []
  for (const operation of some) {
    const answer = await send(operation)
    const said = wordsOf(answer.body)
    const fits = typeof detail === 'string' ? said === detail : detail.test(said)
    if (answer.status !== status || !fits)
      others.push(`${operation.method} ${operation.path}: ${answer.status} ${answer.text}`)
  }
  return others
}

/** Core says `detail`; the bill counter puts its words into an envelope. */
function wordsOf(body: Record<string, unknown> | undefined): string {
  return String(body?.status === 'error' ? body.message : body?.detail)
}

const isRead = ({ method }: Operation) => method === 'GET'
const showsObject = ({ path }: Operation) => path.includes('{')
const at = (operation: Operation, id: number | string = 1) => ({
  method: operation.method,
  path: pathFor(operation, id),
})

describe('every route of the interface', () => {
  it('is in the document, sections 4.1 to 4.4 at least', () => {
    expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining([
        'GET /api/currencies',
        'GET /api/currencies/{id}',
        'POST /api/webhooks',
        'GET /api/webhooks',
        'GET /api/webhooks/{id}',
        'POST /api/collectionrequests',
        'GET /api/collectionrequests',
        'GET /api/collectionrequests/{id}',
        'GET /api/events',
        'GET /api/events/{id}',
      ]),
    )
  })

  it('refuses who brings no key', async () => {
    const missing = 'Authentication credentials were not provided.'
    expect(await whoAnswersOtherwise(401, missing, (one) => call(at(one)))).toEqual([])
  })

  it('refuses who brings a wrong key', async () => {
    expect(await whoAnswersOtherwise(401, 'Invalid token.', (one) => call(at(one), 'Token wrong'))).toEqual([])
  })

  it('refuses who lacks the permission, before looking at the body or for the object', async () => {
    const powerless = `Token ${await service.newKey({ permissions: [] })}`
    const refusal = 'You do not have permission to perform this action.'
    expect(await whoAnswersOtherwise(403, refusal, (one) => call(at(one, 999_999), powerless, '{'))).toEqual([])
  })

  it('refuses a read-only key if it writes', async () => {
    const reader = `Token ${await service.newKey({ read_only: true })}`
    const writes = operations.filter((one) => !isRead(one))
    expect(writes.length).toBeGreaterThan(0)
    expect(await whoAnswersOtherwise(403, /read-only/, (one) => call(at(one), reader, '{}'), writes)).toEqual([])
  })

  it("refuses another organization's object, and says that one does not exist which does not", async () => {
    const showing = operations.filter((one) => showsObject(one) && !PUBLIC.includes(one.path))
    const { newKey } = service
    const own = `Token ${await newKey()}`
    for (const operation of showing) {
      const make = objects[operation.path]
      if (!make) throw new Error(`Say in this test how one comes by an object of ${operation.path}.`)
      const id = await make()
      if (isRead(operation)) expect((await call(at(operation, id), own)).status).toBe(200)
      const foreign = await service.otherShop.send(operation.method, pathFor(operation, id))
      expect([operation.path, foreign.status, foreign.body]).toEqual([
        operation.path,
        403,
        { detail: 'You do not have permission to perform this action.' },
      ])
    }
    const all = operations.filter(showsObject)
    expect(await whoAnswersOtherwise(404, 'Not found.', (one) => call(at(one, 999_999_999), own), all)).toEqual([])
  })

  it('refuses an id that is none', async () => {
    const own = `Token ${service.key}`
    for (const id of ['0x1', '1.5', '-1', 'one', '9'.repeat(30), '%00', '1%20', '😀'.repeat(3)].map(encodeURI))
      for (const operation of operations.filter(showsObject)) {
        const { status } = await call(at(operation, id), own)
        expect([operation.path, id, [400, 404].includes(status)]).toEqual([operation.path, id, true])
      }
  })

  it('answers 405 to every method it does not offer, with those that it does', async () => {
    const own = `Token ${service.key}`
    for (const path of new Set(operations.map((one) => one.path))) {
      const offered = operations.filter((one) => one.path === path).map(({ method }) => method)
      const order = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'TRACE']
      const allow = [...order, 'HEAD', 'OPTIONS']
        .filter((one) => offered.includes(one === 'HEAD' ? 'GET' : one) || one === 'OPTIONS')
        .join(', ')
      for (const method of order.filter((one) => !offered.includes(one))) {
        const answer = await call({ method, path: path.replace(/\{\w+\}/, '1') }, own, '{}')
        expect([path, answer.status, answer.headers.allow, wordsOf(answer.body)]).toEqual([
          path,
          405,
          allow,
          `Method "${method}" not allowed.`,
        ])
      }
      const options = await call({ method: 'OPTIONS', path: path.replace(/\{\w+\}/, '1') }, own)
      expect([path, options.status, options.headers.allow]).toEqual([path, 200, allow])
    }
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { queueSms } from '../../src/core/sms/outbox.ts'
import { begin } from '../../src/db/client.ts'
import { type Operation, pathFor, readDescription } from './openapi.ts'
import { callRaw, openTestService, type TestService } from './test-service.ts'

let service: TestService
let operations: Operation[]

beforeAll(async () => {
  service = await openTestService()
  operations = (await readDescription(service)).operations
})
afterAll(() => service.close())

/** Make the receipt of a payment of a phone. */
async function issueReceipt(phonenumber: string): Promise<number> {
  const { collection } = await service.advanceUntilStatus(
    (await service.createRequest({ phonenumber })).id,
    'successful',
  )
  return (await service.shop.post('/api/receipts', { collection })).body.id
}

/** Make a draft of an invoice. */
async function createInvoice(): Promise<number> {
  const lines = [{ text: 'Fees', unit_price: '100' }]
  const body = { phonenumber: '+80000000098', currency: 'BXC', lines }
  return (await service.shop.post('/api/invoices', body)).body.id
}

/** Give the customer of an invoice the tag P5. */
async function tagCustomer({ db, organization }: TestService['testApp'], invoice: number): Promise<void> {
  await db`
    insert into contact_tags (contact, organization, tag) select contact, ${organization}, 'P5' from invoices
    where id = ${invoice} on conflict do nothing`
}

/** Have a request paid. @returns the id of the money */
async function createCollection(): Promise<number> {
  const { id } = await service.createRequest({ phonenumber: '+80000000092' })
  return (await service.advanceUntilStatus(id, 'successful')).collection as number
}

/** Make a recurring request. @returns the id of its plan */
async function createPlan(): Promise<number> {
  const subscription_settings = { frequency: 'daily', end_date: '31/12/2030 12:00:00' }
  const { id } = await service.createRequest({ phonenumber: '+80000000099', subscription_settings })
  return (await service.shop.get(`/api/plans?collection_request=${id}`)).body.results[0].id
}

/** The paths of objects that belong to no organization. */
const PUBLIC = ['/api/currencies/{id}', '/api/networks/{id}']
/** Create an object of the demo organization for each path of one object. */
const createObject: Record<string, () => Promise<number>> = {
  '/api/collectionrequests/{id}': async () => (await service.createRequest()).id,
  ...Object.fromEntries(
    ['remind', 'retry', 'paymentlink', 'refund', 'actions'].map((verb) => [
      `/api/collectionrequests/{id}/${verb}`,
      async () => (await service.createRequest()).id,
    ]),
  ),
  '/api/collectionrequests/{id}/unmatched-money': async () => (await service.createRequest()).id,
  '/api/collections/{id}': createCollection,
  ...Object.fromEntries(
    ['allocations', 'suggestions'].map((name) => [`/api/collections/{id}/${name}`, createCollection]),
  ),
  '/api/collections/{id}/allocations/{allocation}': createCollection,
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
  ...Object.fromEntries(
    ['statement', 'money'].map((name) => [
      `/api/contacts/{id}/${name}`,
      async () => ((await service.createRequest()).contact as { id: number }).id,
    ]),
  ),
  '/api/accounts/{id}': async () => (await service.shop.get('/api/accounts?limit=1')).body.results[0].id,
  '/api/transactions/{id}': async () => (await service.shop.get('/api/transactions?limit=1')).body.results[0].id,
  '/api/sms/{id}': async () => {
    const { db, clock, organization } = service.testApp
    const sms = { organization, purpose: 'message' as const, phonenumber: '+80000000094', body: 'Hello' }
    const [id] = await begin(db, (tx) => queueSms(tx, clock.now(), [sms]))
    return id!
  },
  '/api/paymentlinks/{id}': async () => {
    const body = { title: 'Fees', amount: '100', currency: 'BXC' }
    return (await service.shop.post('/api/paymentlinks', body)).body.id
  },
  '/api/receipts/{id}': () => issueReceipt('+80000000096'),
  '/api/receipts/{id}/send': () => issueReceipt('+80000000097'),
  '/api/invoices/{id}': createInvoice,
  ...Object.fromEntries(
    ['issue', 'void', 'send', 'collect'].map((verb) => [`/api/invoices/{id}/${verb}`, createInvoice]),
  ),
  '/api/invoices/batches/{id}': async () => {
    await tagCustomer(service.testApp, await createInvoice())
    const body = { tag: 'P5', text: 'Fees', amount: '100', currency: 'BXC' }
    return (await service.shop.post('/api/invoices/batches', body)).body.id
  },
  '/api/collectionrequests/batches/{id}': async () => {
    await tagCustomer(service.testApp, await createInvoice())
    const body = { tag: 'P5', amount: '100', currency: 'BXC' }
    return (await service.shop.post('/api/collectionrequests/batches', body)).body.id
  },
  '/api/plans/{id}': createPlan,
  ...Object.fromEntries(['pause', 'resume', 'stop'].map((verb) => [`/api/plans/{id}/${verb}`, createPlan])),
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

/** Return a line for each operation whose response differs from this status and detail. */
async function findOtherResponses(
  status: number,
  detail: string | RegExp,
  send: (one: Operation) => ReturnType<typeof call>,
  selected = operations,
) {
  const others: string[] = []
  for (const operation of selected) {
    const answer = await send(operation)
    const message = messageOf(answer.body)
    const matches = typeof detail === 'string' ? message === detail : detail.test(message)
    if (answer.status !== status || !matches)
      others.push(`${operation.method} ${operation.path}: ${answer.status} ${answer.text}`)
  }
  return others
}

/** The error message: `detail` of the core interface, or `message` of the bill-payment envelope. */
function messageOf(body: Record<string, unknown> | undefined): string {
  return String(body?.status === 'error' ? body.message : body?.detail)
}

const isRead = ({ method }: Operation) => method === 'GET'
const showsObject = ({ path }: Operation) => path.includes('{')
const at = (operation: Operation, id: number | string = 1) => ({
  method: operation.method,
  path: pathFor(operation, id),
})

describe('every route of the interface', () => {
  it('of sections 4.1 to 4.4 is in the document', () => {
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

  it('refuses a request without a key', async () => {
    const missing = 'Authentication credentials were not provided.'
    expect(await findOtherResponses(401, missing, (one) => call(at(one)))).toEqual([])
  })

  it('refuses a wrong key', async () => {
    expect(await findOtherResponses(401, 'Invalid token.', (one) => call(at(one), 'Token wrong'))).toEqual([])
  })

  it('refuses a key without the permission, before it reads the body or the object', async () => {
    const without_permission = `Token ${await service.newKey({ permissions: [] })}`
    const refusal = 'You do not have permission to perform this action.'
    expect(await findOtherResponses(403, refusal, (one) => call(at(one, 999_999), without_permission, '{'))).toEqual([])
  })

  it('refuses writes with a read-only key', async () => {
    const reader = `Token ${await service.newKey({ read_only: true })}`
    const writes = operations.filter((one) => !isRead(one))
    expect(writes.length).toBeGreaterThan(0)
    expect(await findOtherResponses(403, /read-only/, (one) => call(at(one), reader, '{}'), writes)).toEqual([])
  })

  it("answers 403 for another organization's object and 404 for an unknown object", async () => {
    const showing = operations.filter((one) => showsObject(one) && !PUBLIC.includes(one.path))
    const { newKey } = service
    const own = `Token ${await newKey()}`
    for (const operation of showing) {
      const create = createObject[operation.path]
      if (!create) throw new Error(`Add a function to createObject that creates an object for ${operation.path}.`)
      const id = await create()
      if (isRead(operation)) expect((await call(at(operation, id), own)).status).toBe(200)
      const other = await service.otherShop.send(operation.method, pathFor(operation, id))
      expect([operation.path, other.status, other.body]).toEqual([
        operation.path,
        403,
        { detail: 'You do not have permission to perform this action.' },
      ])
    }
    const all = operations.filter(showsObject)
    expect(await findOtherResponses(404, 'Not found.', (one) => call(at(one, 999_999_999), own), all)).toEqual([])
  })

  it('refuses an invalid id', async () => {
    const own = `Token ${service.key}`
    for (const id of ['0x1', '1.5', '-1', 'one', '9'.repeat(30), '%00', '1%20', '😀'.repeat(3)].map(encodeURI))
      for (const operation of operations.filter(showsObject)) {
        const { status } = await call(at(operation, id), own)
        expect([operation.path, id, [400, 404].includes(status)]).toEqual([operation.path, id, true])
      }
  })

  it('answers 405 to all other methods, with the offered methods in Allow', async () => {
    const own = `Token ${service.key}`
    for (const path of new Set(operations.map((one) => one.path))) {
      const offered = operations.filter((one) => one.path === path).map(({ method }) => method)
      const order = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'TRACE']
      const allow = [...order, 'HEAD', 'OPTIONS']
        .filter((one) => offered.includes(one === 'HEAD' ? 'GET' : one) || one === 'OPTIONS')
        .join(', ')
      for (const method of order.filter((one) => !offered.includes(one))) {
        const answer = await call({ method, path: path.replace(/\{\w+\}/, '1') }, own, '{}')
        expect([path, answer.status, answer.headers.allow, messageOf(answer.body)]).toEqual([
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

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setFlag } from '../../src/core/flags.ts'
import { begin } from '../../src/db/client.ts'
import { eventually } from '../test-app.ts'
import { callRaw, openTestService, REQUIRED_FIELDS, type TestService } from './test-service.ts'

let service: TestService
const PATH = '/api/collectionrequests'

beforeAll(async () => {
  service = await openTestService({ jobs: false })
})
afterAll(() => service.close())

function send(method: string, path: string, headers: Record<string, string> = {}, body?: string) {
  return callRaw(service.url, method, path, { headers: { authorization: `Token ${service.key}`, ...headers }, body })
}
const JSON_TYPE = { 'content-type': 'application/json' }

describe('interface 7: errors', () => {
  it('"Validation errors use each field name as a key with a list of message strings"', async () => {
    const wrong = { phonenumber: 'x', amount: 'x', currency: 'x', max_attempts: 9, send_instructions: 'x' }
    const body = { ...wrong, start_date: '31/02/2030', subscription_settings: 'x' }
    const { status, body: errors } = await service.shop.post(PATH, body)
    expect(status).toBe(400)
    expect(Object.keys(errors).sort()).toEqual(Object.keys(body).sort())
    for (const messages of Object.values(errors)) expect(messages).toEqual([expect.stringMatching(/\.$/)])
  })

  it('400 "Malformed request"', async () => {
    for (const text of ['{', '{"a":}', 'hello', '{"a":1}}']) {
      const { status, body } = await send('POST', PATH, JSON_TYPE, text)
      expect([text, status, body.detail]).toEqual([text, 400, expect.stringMatching(/^JSON parse error - /)])
    }
    for (const text of ['[]', '"text"', '7', 'null']) {
      const { status, body } = await send('POST', PATH, JSON_TYPE, text)
      expect([text, status, Object.keys(body)]).toEqual([text, 400, ['non_field_errors']])
    }
  })

  it('400 that names the missing fields, for a POST without a body on every resource', async () => {
    for (const resource of ['collectionrequests', 'payments', 'contacts', 'webhooks']) {
      const bare = await send('POST', `/api/${resource}`)
      const empty = await send('POST', `/api/${resource}`, JSON_TYPE, '{}')
      expect([resource, bare.status, bare.body]).toEqual([resource, 400, empty.body])
      expect(Object.values(bare.body)).toContainEqual(['This field is required.'])
    }
  })

  it('400 for a null character in a query, after authentication', async () => {
    const refused = { x: ['Null characters are not allowed.'] }
    expect(await send('GET', `${PATH}?x=%00`)).toMatchObject({ status: 400, body: refused })
    expect(await send('GET', '/api/currencies/1?x=%00')).toMatchObject({ status: 400, body: refused })
    expect(await callRaw(service.url, 'GET', '/healthz?x=%00')).toMatchObject({ status: 400, body: refused })
    expect((await callRaw(service.url, 'GET', `${PATH}?x=%00`)).status).toBe(401)
    expect((await callRaw(service.url, 'GET', '/nowhere?x=%00')).status).toBe(404)
  })

  it('405 for methods that no address offers, after the key', async () => {
    for (const method of ['PROPFIND', 'SEARCH', 'LOCK', 'QUERY', 'LINK', 'TRACE']) {
      const { status, body, headers } = await send(method, PATH)
      expect([status, body, headers.allow]).toEqual([
        405,
        { detail: `Method "${method}" not allowed.` },
        'GET, POST, HEAD, OPTIONS',
      ])
      expect([method, (await callRaw(service.url, method, PATH)).status]).toEqual([method, 401])
      expect([method, (await send(method, '/nowhere')).status]).toEqual([method, 404])
    }
  })

  it('406 for a format that an address does not have', async () => {
    for (const path of [PATH, '/api/currencies', '/api/contacts', '/api/transactions', '/api/payments'])
      expect([path, (await send('GET', `${path}?format=xml`)).status]).toEqual([path, 406])
    expect((await send('GET', `${PATH}?format=csv`)).status).toBe(200)
    expect((await send('GET', '/api/contacts?format=csv')).status).toBe(406)
    expect((await send('GET', '/api/contacts?format=json')).status).toBe(200)
  })

  it('400 that names the choices', async () => {
    const { body } = await service.shop.post(PATH, { ...REQUIRED_FIELDS, currency: 'EUR' })
    expect(body).toEqual({ currency: ['"EUR" is not a valid choice. There are: BXC, UGX, KES.'] })
  })

  it('401 "the body is detail with the text Invalid token."', async () => {
    const { status, body } = await send('GET', PATH, { authorization: 'Token wrong' })
    expect([status, body]).toEqual([401, { detail: 'Invalid token.' }])
  })

  it('403 "Resource belongs to someone else", 404 "Resource does not exist"', async () => {
    const { id } = await service.createRequest()
    expect((await service.otherShop.get(`${PATH}/${id}`)).status).toBe(403)
    for (const path of [`${PATH}/999999`, '/api/nothing', '/nothing', '/api/v6/currencies']) {
      const { status, body } = await send('GET', path)
      expect([path, status, body]).toEqual([path, 404, { detail: 'Not found.' }])
    }
  })

  it('404 for an invalid path', async () => {
    for (const path of ['/api/%zz', '/api/currencies/%ff', `${PATH}/${'1'.repeat(500)}`, '/%']) {
      const { status, body } = await send('GET', path)
      expect([path, status, body]).toEqual([path, 404, { detail: 'Not found.' }])
    }
  })

  it('405 "Invalid method for the endpoint"', async () => {
    const { status, body, headers } = await send('PUT', PATH, JSON_TYPE, '{}')
    expect([status, body]).toEqual([405, { detail: 'Method "PUT" not allowed.' }])
    expect(headers.allow).toBe('GET, POST, HEAD, OPTIONS')
  })

  it('406 "the Accept header should ask for JSON"', async () => {
    for (const accept of ['application/xml', 'text/html, application/xml;q=0.9', 'application/json;q=0']) {
      const { status, body } = await send('GET', PATH, { accept })
      expect([accept, status, body]).toEqual([accept, 406, { detail: 'Could not satisfy the request Accept header.' }])
    }
    for (const accept of ['application/json', '*/*', 'application/*', 'text/html, */*;q=0.1', ''])
      expect((await send('GET', PATH, { accept })).status).toBe(200)
  })

  it('409 "the detail message contains the text Duplicate Request Detected!"', async () => {
    const headers = { 'Duplicate-Check-Key': 'twice' }
    const { body: created } = await service.shop.post(PATH, REQUIRED_FIELDS, headers)
    const { status, body } = await service.shop.post(PATH, REQUIRED_FIELDS, headers)
    expect([status, body]).toEqual([
      409,
      { detail: expect.stringContaining('Duplicate Request Detected!'), type: 'collectionrequest', id: created.id },
    ])
  })

  it('409 for the same key on another endpoint too, and for keys of any length; an empty key is ignored', async () => {
    const hook = { event: 'contact.created', target: 'https://shop.example' }
    const key = 'ä'.repeat(2_000)
    const post = (path: string, body: object, value: string) =>
      send(
        'POST',
        path,
        { ...JSON_TYPE, 'duplicate-check-key': Buffer.from(value).toString('latin1') },
        JSON.stringify(body),
      )
    expect((await post('/api/webhooks', hook, key)).status).toBe(201)
    expect((await post(PATH, REQUIRED_FIELDS, key)).body).toMatchObject({ type: 'webhook', id: expect.any(Number) })
    for (let time = 0; time < 2; time += 1) expect((await post(PATH, REQUIRED_FIELDS, '')).status).toBe(201)
  })

  it('415 "content-type of the sent data is wrong"', async () => {
    for (const type of ['text/plain', 'application/xml', 'multipart/form-data; boundary=x']) {
      const { status, body } = await send('POST', PATH, { 'content-type': type }, 'x')
      expect([status, body]).toEqual([415, { detail: `Unsupported media type "${type}" in request.` }])
    }
    const zipped = { ...JSON_TYPE, 'content-encoding': 'gzip' }
    const { status, body } = await send('POST', PATH, zipped, JSON.stringify(REQUIRED_FIELDS))
    expect([status, body]).toEqual([415, { detail: 'Unsupported content encoding "gzip" in request.' }])
  })

  it('413 for more than 1 MB', async () => {
    const { status, body } = await send('POST', PATH, JSON_TYPE, JSON.stringify({ reason: 'x'.repeat(1_100_000) }))
    expect([status, body]).toEqual([413, { detail: 'The request body is larger than 1 MB.' }])
  })

  it('500 "Internal server error" with a request id, and no internal details', async () => {
    await service.testApp.db.unsafe('alter table currencies rename to hidden')
    try {
      const { status, body, headers } = await send('GET', '/api/currencies')
      expect([status, body]).toEqual([
        500,
        { detail: 'An unexpected error has occurred.', request_id: headers['x-request-id'] },
      ])
    } finally {
      await service.testApp.db.unsafe('alter table hidden rename to currencies')
    }
  })

  it('503 "Temporarily offline for maintenance", for everything but health, with Retry-After', async () => {
    const turn = (value: string | null) => begin(service.testApp.db, (tx) => setFlag(tx, 'maintenance', value))
    await turn('on')
    try {
      const closed = await eventually('maintenance', async () => {
        const answer = await send('GET', PATH)
        return answer.status === 503 ? answer : undefined
      })
      expect(closed.body).toEqual({ detail: expect.any(String) })
      expect(Number(closed.headers['retry-after'])).toBeGreaterThan(0)
      expect((await send('POST', PATH, JSON_TYPE, '{}')).status).toBe(503)
      expect((await callRaw(service.url, 'GET', PATH)).status).toBe(503)
      expect((await callRaw(service.url, 'GET', '/healthz')).status).toBe(200)
    } finally {
      await turn(null)
    }
    await eventually('the end of maintenance', async () =>
      (await send('GET', PATH)).status === 200 ? true : undefined,
    )
  })
})

describe('interface 7: of several errors the response has the first in this order', () => {
  it('404 route, 406, 401, 403 permission, 405, 415, 400', async () => {
    const viewer = await service.newKey({ permissions: ['view'] })
    const everything = { authorization: 'Token wrong', accept: 'text/html', 'content-type': 'text/plain' }
    expect((await send('PUT', '/nowhere', everything, 'x')).status).toBe(404)
    expect((await send('PUT', PATH, everything, 'x')).status).toBe(406)
    expect((await send('PUT', PATH, { ...everything, accept: '*/*' }, 'x')).status).toBe(401)
    const known = { ...everything, accept: '*/*', authorization: `Token ${viewer}` }
    expect((await send('POST', PATH, known, 'x')).status).toBe(403)
    expect((await send('PUT', PATH, known, 'x')).status).toBe(405)
    const able = { ...known, authorization: `Token ${service.key}` }
    expect((await send('POST', PATH, able, 'x')).status).toBe(415)
    expect((await send('POST', PATH, { ...able, ...JSON_TYPE }, 'x')).status).toBe(400)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callRaw, openTestService, REQUIRED_FIELDS, type TestService } from './test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ jobs: false })
})
afterAll(() => service.close())

function send(method: string, path: string, body?: object) {
  const headers = { authorization: `Token ${service.key}`, ...(body && { 'content-type': 'application/json' }) }
  return callRaw(service.url, method, path, { headers, body: body && JSON.stringify(body) })
}

describe('interface 9: versioning', () => {
  it('"Paths carry no version segment", and a version segment is ignored', async () => {
    const plain = await send('GET', '/api/currencies')
    for (const version of ['v1', 'v2', 'v3', 'v4', 'v5'])
      for (const end of ['', '/', '?', '/?', '?limit=10&']) {
        const { status, body } = await send('GET', `/api/${version}/currencies${end}`)
        expect([version, end, status, body.results]).toEqual([version, end, 200, plain.body.results])
      }
  })

  it('accepts a POST under every version', async () => {
    for (const path of ['/api/v1/collectionrequests', '/api/v5/collectionrequests/', '/api/collectionrequests/'])
      expect((await send('POST', path, REQUIRED_FIELDS)).status).toBe(201)
  })

  it('answers 404 for unknown versions', async () => {
    for (const path of ['/api/v0/currencies', '/api/v6/currencies', '/api/v1x/currencies', '/api/V1/currencies'])
      expect((await send('GET', path)).status).toBe(404)
  })

  it('has the same response for every version in a header', async () => {
    for (const version of ['1', '2', 'nonsense']) {
      const headers = { authorization: `Token ${service.key}`, 'beyonic-version': version }
      const { body } = await callRaw(service.url, 'GET', '/api/currencies', { headers })
      expect(Object.keys(body).sort()).toEqual(['count', 'next', 'previous', 'results'])
    }
  })
})

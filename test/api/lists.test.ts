import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, createApiClient, type TestApp } from '../test-app.ts'

let testApp: TestApp
let api: ReturnType<typeof createApiClient>

beforeAll(async () => {
  testApp = await buildTestApp()
  const service = await testApp.startService({ jobs: false })
  api = createApiClient(service.url, testApp.api_key)
})
afterAll(() => testApp.close())

describe.each(['currencies', 'collectionrequests', 'events'])('the list of %s', (name) => {
  it('accepts the query that an existing client sends with every list', async () => {
    const { status, body } = await api.get(`/api/${name}?ordering=-created&limit=20&offset=0`)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['count', 'next', 'previous', 'results'])
  })

  it('refuses an unknown ordering', async () => {
    const { status, body } = await api.get(`/api/${name}?ordering=-name`)
    expect(status).toBe(400)
    expect(body).toEqual({ ordering: [expect.stringContaining('"-name" is not a valid choice.')] })
  })

  it('ignores unknown parameters', async () => {
    const plain = await api.get(`/api/${name}`)
    expect((await api.get(`/api/${name}?colour=green&&`)).body).toEqual(plain.body)
  })
})

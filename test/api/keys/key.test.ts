import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestService, type TestService } from '../../interface/test-service.ts'
import { createApiClient } from '../../test-app.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ jobs: false })
})
afterAll(() => service.close())

const readKey = (key: string) => createApiClient(service.url, key).get('/api/key')

it('tells a program what its key may do', async () => {
  const key = await service.newKey({ permissions: ['view', 'manage_contacts'], read_only: true })
  const { status, body } = await readKey(key)
  expect(status).toBe(200)
  expect(body).toEqual({
    organization: service.organization,
    mode: 'sandbox',
    permissions: ['view', 'manage_contacts'],
    read_only: true,
    expires: null,
  })
})

it('tells nothing to others', async () => {
  expect((await readKey('wrong')).status).toBe(401)
})

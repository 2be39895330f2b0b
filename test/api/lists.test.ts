import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildHouse, client, type House } from '../test-app.ts'

let house: House
let api: ReturnType<typeof client>

beforeAll(async () => {
  house = await buildHouse()
  const service = await house.open({ jobs: false })
  api = client(service.url, house.api_key)
})
afterAll(() => house.close())

describe.each(['currencies', 'collectionrequests', 'events'])('the list of %s', (name) => {
  it('answers the query that an existing client sends with every list', async () => {
    const { status, body } = await api.get(`/api/${name}?ordering=-created&limit=20&offset=0`)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['count', 'next', 'previous', 'results'])
  })

  it('refuses an order that no list has', async () => {
    const { status, body } = await api.get(`/api/${name}?ordering=-name`)
    expect(status).toBe(400)
    expect(body).toEqual({ ordering: ['"-name" is not a valid choice.'] })
  })

  it('ignores what it does not know', async () => {
    const plain = await api.get(`/api/${name}`)
    expect((await api.get(`/api/${name}?colour=green&&`)).body).toEqual(plain.body)
  })
})

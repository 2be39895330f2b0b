import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildHouse, client, eventually, type House } from '../house.ts'

let house: House
let api: ReturnType<typeof client>

beforeAll(async () => {
  house = await buildHouse()
  const service = await house.open()
  api = client(service.url, house.api_key)
})
afterAll(() => house.close())

describe('a collection request', () => {
  it('is answered with 201 and every field of the interface, and is paid a second later', async () => {
    const made = await api.post('/api/collectionrequests', {
      phonenumber: '+80000000003',
      amount: '1500',
      currency: 'BXC',
      send_instructions: true,
      metadata: { order: 7 },
    })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      amount: '1500.0000',
      status: 'pending',
      metadata: { order: 7 },
      collection: null,
    })
    await eventually('the prompt', async () => {
      const { body } = await api.get(`/api/collectionrequests/${made.body.id}`)
      return body.status === 'instructions_sent' ? true : undefined
    })
    house.clock.advance(2)
    house.app.wake()
    const paid = await eventually('the money', async () => {
      const { body } = await api.get(`/api/collectionrequests/${made.body.id}`)
      return body.status === 'successful' ? body : undefined
    })
    expect(paid.collection).toBeGreaterThan(0)
  })
})

import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestService, type TestService } from '../../interface/test-service.ts'
import { callOnWire, DECODERS } from '../wire.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ jobs: false })
  for (let count = 0; count < 5; count += 1) await service.createRequest({ reason: 'x'.repeat(200) })
})
afterAll(() => service.close())

const LIST = '/api/collectionrequests'

const call = (path: string, headers: Record<string, string> = {}, method = 'GET', body = '') =>
  callOnWire(service.url + path, {
    headers: { authorization: `Token ${service.key}`, 'content-type': 'application/json', ...headers },
    method,
    body,
  })

describe('answers', () => {
  it.each(['br', 'gzip'] as const)('above 1 kB are sent in %s, and say the same', async (coding) => {
    const plain = await call(LIST)
    expect(plain.headers).not.toHaveProperty('content-encoding')
    const { headers, bytes } = await call(LIST, { 'accept-encoding': coding })
    expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'accept-encoding' })
    expect(headers['content-type']).toBe(plain.headers['content-type'])
    expect(DECODERS[coding](bytes)).toEqual(plain.bytes)
    expect(bytes.length).toBeLessThan(plain.bytes.length / 3)
  })

  it('are in the coding that the caller likes best, and in none that it refuses', async () => {
    const codingFor = async (accepted: string) =>
      (await call(LIST, { 'accept-encoding': accepted })).headers['content-encoding']
    expect(await codingFor('gzip, deflate, br, zstd')).toBe('br')
    expect(await codingFor('gzip;q=1, br;q=0.5')).toBe('gzip')
    for (const accepted of ['identity', 'br;q=0, gzip;q=0', 'deflate', 'nonsense'])
      expect([accepted, await codingFor(accepted)]).toEqual([accepted, undefined])
  })

  it('of at most 1 kB are sent as they are', async () => {
    const { headers, bytes } = await call(`${LIST}?status=failed`, { 'accept-encoding': 'br' })
    expect(bytes.length).toBeLessThan(1_024)
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers['content-length']).toBe(String(bytes.length))
  })

  it("to writes are sent uncompressed: only they show secrets beside the caller's input", async () => {
    const body = JSON.stringify({ phonenumber: '+80000000003', amount: '5', currency: 'BXC', reason: 'y'.repeat(200) })
    const { status, headers, bytes } = await call(LIST, { 'accept-encoding': 'br' }, 'POST', body)
    expect(status).toBe(201)
    expect(bytes.length).toBeGreaterThan(1_024)
    expect(headers).not.toHaveProperty('content-encoding')
  })

  it('to HEAD have the headers of GET without a body', async () => {
    const { status, headers, bytes } = await call(LIST, { 'accept-encoding': 'br' }, 'HEAD')
    expect([status, bytes.length]).toEqual([200, 0])
    expect(headers['content-type']).toContain('application/json')
  })

  it('that are streams of events are sent as they are, event by event', async () => {
    const sent = request(`${service.url}/api/events/stream`, {
      headers: { authorization: `Token ${service.key}`, 'accept-encoding': 'gzip, br' },
    }).end()
    const [answer] = (await once(sent, 'response')) as [import('node:http').IncomingMessage]
    expect(answer.headers).not.toHaveProperty('content-encoding')
    const [first] = (await once(answer, 'data')) as [Buffer]
    expect(String(first)).toMatch(/^retry: 1000\n/)
    sent.destroy()
  })

  it('to compressed bodies refuse their coding', async () => {
    const body = JSON.stringify({ phonenumber: '+80000000003' })
    const { status } = await call(LIST, { 'content-encoding': 'gzip' }, 'POST', body)
    expect(status).toBe(415)
  })
})

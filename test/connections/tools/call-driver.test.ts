import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Connection } from '../../../src/connections/connection.ts'
import { callDriver, readCallback } from '../../../src/connections/tools/call-driver.ts'
import type { NetworkOperations, Order, OrderAnswer } from '../../../src/networks/contract.ts'
import { openDatabase } from '../../test-app.ts'
import { fakeConnection, rawCallback } from '../fake-connection.ts'
import { openProcess, serve, stillClock } from './setup.ts'

/*
 * One operation of a driver, called as the jobs call it. `tools.http` belongs to the call that hands it to the driver.
 */

let database: Awaited<ReturnType<typeof openDatabase>>
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.close())

const order: Order = {
  reference: 'r1',
  receiver: '600000',
  phonenumber: '+256772000001',
  amount: 50_000_000n,
  currency: 'UGX',
  reason: 'Fees',
  remote_id: null,
  collection_request: 7,
}
const NOT_CALLED = { outcome: 'unknown', message: '' } as const
const accepted: OrderAnswer = { outcome: 'accepted', remote_id: 'R1' }

/** A network that answers with this status, and a driver whose charge fetches a token, calls it, and says `answer`. */
async function open(status: number, answer: OrderAnswer = accepted) {
  const url = await serve((_, response) => response.writeHead(status).end('{}'))
  const process = openProcess(database.db, stillClock())
  const tools = process.tools({ max_concurrent: 4 })
  const operations: NetworkOperations = {
    async charge(_, { http }) {
      await http({ verb: 'token', is_token: true, method: 'GET', url })
      await http({ verb: 'charge', method: 'POST', url, body: '{}' })
      return answer
    },
  }
  const network = { code: 'mtn', name: 'MTN', limits: { decimals: 0, min: 1n, max: 1n } }
  const connection: Connection = { ...fakeConnection(network), slug: 'mtn-ug', operations, tools, slots: tools }
  const caller = { log: process.shared.log }
  const charge = (of = order) => callDriver(caller, connection, 'charge', of)
  const calls = () => process.lines.filter(({ event }) => /^network_(called|not_answered)$/.test(String(event)))
  return { process, tools, operations, connection, caller, charge, calls }
}

describe('a call of a driver', () => {
  it('is logged with the order and the request in each line, and a token with neither', async () => {
    const { charge, calls } = await open(200)
    expect(await charge()).toEqual(accepted)
    const about = { event: 'network_called', connection: 'mtn-ug', outcome: '2xx' }
    expect(calls()).toMatchObject([
      { ...about, verb: 'token', reference: null, collection_request: null },
      { ...about, verb: 'charge', reference: 'r1', collection_request: 7 },
    ])
  })

  it('keeps its order among many at once', async () => {
    const { charge, calls } = await open(200)
    const references = Array.from({ length: 20 }, (_, index) => `order-${index}`)
    await Promise.all(references.map((reference) => charge({ ...order, reference })))
    const named = calls().flatMap(({ verb, reference }) => (verb === 'charge' ? [reference] : []))
    expect(named.sort()).toEqual([...references].sort())
  })

  it('is measured by its verb, and counted while it runs', async () => {
    const { process, operations, charge } = await open(200)
    const { charge: call } = operations
    const running: string[] = []
    operations.charge = async (of, tools) => {
      const answer = await call!(of, tools)
      running.push(await process.metrics())
      return answer
    }
    await charge()
    expect(running[0]).toContain('kusanya_connection_operations{connection="mtn-ug"} 1')
    const after = await process.metrics()
    expect(after).toContain('kusanya_connection_operations{connection="mtn-ug"} 0')
    for (const verb of ['token', 'charge']) expect(after).toMatch(new RegExp(`verb="${verb}".*outcome="2xx"`))
  })

  it.each<[string, number, OrderAnswer, 'healthy' | 'degraded']>([
    ['a 5xx that the driver understood', 500, { outcome: 'failed', reason: 'cancelled', message: '' }, 'healthy'],
    ['a 5xx that tells nothing', 500, { outcome: 'unknown', message: '' }, 'degraded'],
    [
      'a 401 before an order that was not sent',
      401,
      { outcome: 'failed', reason: 'unreachable', message: '' },
      'degraded',
    ],
    ['a 401 before an order that was taken', 401, accepted, 'healthy'],
  ])('is judged by its answer: %s', async (_name, status, answer, state) => {
    const { operations, tools, charge } = await open(status, answer)
    const { charge: call } = operations
    // A 5xx to a token counts by itself.
    operations.charge = (of, own) =>
      call!(of, { ...own, http: async (given) => (given.is_token ? NOT_CALLED : own.http(given)) })
    for (let count = 0; count < 12; count += 1) await charge()
    expect(tools.state()).toBe(state)
    expect(tools.nextFree() > 0).toBe(state === 'degraded')
  })

  it('never judges a token by the answer of the operation', async () => {
    const { charge, calls } = await open(500)
    await charge()
    expect(calls()).toMatchObject([
      { event: 'network_not_answered', verb: 'token' },
      { event: 'network_called', verb: 'charge', outcome: '5xx' },
    ])
  })

  it('stays within the slots of its connection', async () => {
    const { tools } = await open(200)
    const taken = Array.from({ length: 6 }, () => tools.tryAcquire()).filter((release) => release !== undefined)
    expect(taken).toHaveLength(4)
    for (const release of taken) release(false)
  })

  it('that throws is logged as a bug and counts as unknown', async () => {
    const { process, connection, operations, caller, charge } = await open(200)
    operations.charge = async () => Promise.reject(new Error('a bug'))
    operations.accountHolder = () => {
      throw new Error('another bug')
    }
    const unknown = { outcome: 'unknown', message: expect.any(String) }
    expect(await charge()).toEqual(unknown)
    expect(await callDriver({ ...caller, contact: 3 }, connection, 'accountHolder', '+256772000001')).toEqual(unknown)
    const about = { event: 'network_call_failed', network: 'mtn', connection: 'mtn-ug' }
    expect(process.lines).toMatchObject([
      { ...about, call: 'charge', reference: 'r1', collection_request: 7 },
      { ...about, call: 'accountHolder', contact: 3 },
    ])
  })

  it('needs no tools where its connection has no driver of a provider', async () => {
    const { connection, operations, caller } = await open(200)
    operations.charge = async ({ reference }) => ({ outcome: 'accepted', remote_id: `of ${reference}` })
    const { tools: _, ...bare } = connection
    expect(await callDriver(caller, bare, 'charge', order)).toEqual({ outcome: 'accepted', remote_id: 'of r1' })
  })
})

describe('what a provider says', () => {
  it('has an id too long for an index as its beginning and a hash, and a message as a whole', async () => {
    const [long, other] = ['a'.repeat(1_000_000), `${'a'.repeat(999_999)}b`]
    const say = async (id: string) => {
      const { charge } = await open(200, { outcome: 'accepted', remote_id: id, message: id } as OrderAnswer)
      return (await charge()) as unknown as { remote_id: string; message: string }
    }
    const { remote_id, message } = await say(long)
    expect(remote_id).toMatch(/^a{128}~[0-9a-f]{64}$/)
    expect(message).toBe(long)
    expect((await say(long)).remote_id).toBe(remote_id)
    expect((await say(other)).remote_id).not.toBe(remote_id)
    for (const usual of ['MP261122.0930.L06941', 'x'.repeat(256), '\u{1f600}'.repeat(128)])
      expect((await say(usual)).remote_id).toBe(usual)
  })

  it('can be stored at any depth, and amounts and dates stay unchanged', async () => {
    const paid_at = new Date(0)
    const said = {
      outcome: 'failed',
      message: 'No\0money',
      codes: ['A\0', 5n],
      receipt: { paid_at, name: 'Grace\ud83d' },
    }
    const { charge } = await open(200, said as unknown as OrderAnswer)
    expect(await charge()).toEqual({
      outcome: 'failed',
      message: 'No\ufffdmoney',
      codes: ['A\ufffd', 5n],
      receipt: { paid_at, name: 'Grace\ufffd' },
    })
    const operations = { readCallback: ({ body }: { body: string }) => ({ order: { reference: body } }) }
    expect(readCallback({ operations }, rawCallback({ body: 'r\u00001' }))).toEqual({
      order: { reference: 'r\ufffd1' },
    })
  })
})

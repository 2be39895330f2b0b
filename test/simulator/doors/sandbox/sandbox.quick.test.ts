import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../../src/db/client.ts'
import { openDatabase, openSimulatorTest, SECRET, type SimulatorTest } from '../../simulator-test.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
let db: Database
let harness: SimulatorTest

beforeAll(async () => {
  database = await openDatabase()
  db = database.db
})
afterAll(() => database.drop())
beforeEach(async () => {
  harness = await openSimulatorTest(db, { start: false })
})
afterEach(() => harness.close())

const body = {
  reference: 'KR1-1',
  receiver: '700100',
  phonenumber: '+80000000002',
  amount: '1500.5',
  currency: 'BXC',
  reason: 'School fees',
  prompt: true,
}

async function call(method: string, path: string, json?: unknown, secret = SECRET) {
  const response = await fetch(harness.url + path, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: json === undefined ? null : JSON.stringify(json),
  })
  return { status: response.status, body: (await response.json()) as { reference: string; remote_id: string } }
}

describe('the server of the simulated network', () => {
  it.each([
    ['POST', '/orders'],
    ['GET', '/orders/KR1-1'],
    ['GET', '/transactions/SBX1'],
    ['GET', '/nowhere'],
  ])('refuses %s %s without the secret', async (method, path) => {
    expect(await call(method, path, method === 'POST' ? body : undefined, 'guessed')).toMatchObject({ status: 401 })
    expect((await fetch(harness.url + path, { method })).status).toBe(401)
  })

  it('accepts an order and shows it again', async () => {
    const order = {
      reference: 'KR1-1',
      remote_id: expect.stringMatching(/^SBO[0-9A-Z]{20,}$/),
      receiver: '700100',
      phonenumber: '+80000000002',
      amount: '1500.5000',
      currency: 'BXC',
      state: 'pending',
      failure: null,
      transaction: null,
    }
    const placed = await call('POST', '/orders', body)
    expect(placed).toEqual({ status: 202, body: order })
    expect(await call('GET', '/orders/KR1-1')).toEqual({ status: 200, body: placed.body })
  })

  it('gives the same answer to the same order, many times at once and later', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('POST', '/orders', body)))
    answers.push(await call('POST', '/orders', { ...body, amount: '1500.5000', reason: 'Other words' }))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await db`select reference from simulator_orders`).toHaveLength(1)
  })

  it.each([
    ['amount', '1500.5001'],
    ['phonenumber', '+80000000003'],
    ['receiver', '700200'],
    ['currency', 'UGX'],
    ['prompt', false],
  ])('refuses another order with the same reference: %s', async (field, value) => {
    const first = await call('POST', '/orders', body)
    expect(await call('POST', '/orders', { ...body, [field]: value })).toMatchObject({
      status: 409,
      body: { error: 'conflict' },
    })
    expect(await call('GET', '/orders/KR1-1')).toEqual({ status: 200, body: first.body })
  })

  it('keeps the first of two different orders that arrive at once with one reference', async () => {
    const answers = await Promise.all([
      call('POST', '/orders', body),
      call('POST', '/orders', { ...body, amount: '7' }),
    ])
    expect(answers.map((answer) => answer.status).sort()).toEqual([202, 409])
    const accepted = answers.find((answer) => answer.status === 202)!
    expect((await call('GET', '/orders/KR1-1')).body).toEqual(accepted.body)
  })

  it.each([
    ['reference', ''],
    ['reference', 'two words'],
    ['reference', 'x'.repeat(201)],
    ['receiver', ''],
    ['phonenumber', '0772000001'],
    ['amount', '0'],
    ['amount', '-1'],
    ['amount', '1.00001'],
    ['amount', '1000000000000000'],
    ['amount', 1500],
    ['currency', 'bxc'],
    ['reason', 'a NUL \0'],
    ['reason', 'half a character \ud83d'],
    ['prompt', 'yes'],
  ])('refuses an order whose %s is %j', async (field, value) => {
    const answer = await call('POST', '/orders', { ...body, [field]: value })
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'invalid_order', message: expect.stringContaining(field) },
    })
  })

  it('refuses a body that is not JSON', async () => {
    const headers = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' }
    const response = await fetch(`${harness.url}/orders`, { method: 'POST', headers, body: '{' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'unreadable' })
  })

  it('answers an unknown order or transaction with its own error code', async () => {
    for (const name of ['KR9-9', '%00', '%F0%9F%98%80', 'x'.repeat(900)]) {
      expect(await call('GET', `/orders/${name}`)).toMatchObject({ status: 404, body: { error: 'order_not_found' } })
      expect(await call('GET', `/transactions/${name}`)).toMatchObject({
        status: 404,
        body: { error: 'transaction_not_found' },
      })
    }
  })

  it('accepts a thousand orders, a hundred at once', async () => {
    const remote_ids = new Set<string>()
    for (let turn = 0; turn < 10; turn++) {
      const references = Array.from({ length: 100 }, (_, index) => `KR${turn * 100 + index}-1`)
      const answers = await Promise.all(references.map((reference) => call('POST', '/orders', { ...body, reference })))
      expect(answers.map((answer) => answer.body.reference)).toEqual(references)
      for (const answer of answers) remote_ids.add(answer.body.remote_id)
    }
    expect(remote_ids.size).toBe(1_000)
  })
})

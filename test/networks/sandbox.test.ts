import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { placeFor } from '../../src/connections/connection.ts'
import type { Database } from '../../src/db/client.ts'
import type { RawCallback } from '../../src/drivers/raw-callback.ts'
import { rawCallback, sandboxConnection } from '../connections/fake-connection.ts'
import { bindConnection } from '../drivers/bound.ts'
import { createTestSimulator, money, openDatabase, orderFor, SECRET } from '../simulator/simulator-test.ts'
import { defineNetworkTests } from './contract.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
let db: Database
beforeAll(async () => {
  database = await openDatabase()
  db = database.db
})
afterAll(() => database.drop())

const transaction = {
  remote_id: 'SBX123',
  status: 'successful',
  receiver: '700100',
  phonenumber: '+80000000002',
  amount: '1500.5000',
  currency: 'BXC',
  order_reference: 'KR7-1',
  reference: null,
  name: 'Sandbox Customer',
  paid_at: '2030-01-02T03:04:05.678Z',
}

function signed(content: object, secret = SECRET): RawCallback {
  const body = JSON.stringify(content)
  return rawCallback({
    headers: { 'x-sandbox-signature': createHmac('sha256', secret).update(body).digest('hex') },
    body,
  })
}

defineNetworkTests({
  connection: (url, timeout_ms) => sandboxConnection({ url: () => url, secret: SECRET, timeout_s: timeout_ms / 1_000 }),
  order: () => orderFor('+80000000009'),
  async open() {
    const simulator = createTestSimulator(db)
    return {
      url: await simulator.listen(),
      async orders(reference) {
        return (await db`select from simulator_orders where reference = ${reference}`).length
      },
      close: () => simulator.stop(),
    }
  },
  callback: () => ({ callback: signed({ event: 'payment.received', transaction }), signed: true }),
})

describe('the sandbox network', () => {
  const connection = sandboxConnection({ url: () => '', secret: SECRET })
  const network = bindConnection(connection)
  const read = (callback: RawCallback) => network.readCallback!(callback)

  it('serves every phone and currency', () => {
    expect(placeFor(connection, { phonenumber: '+80000000002', currency: 'BXC' })).toBeDefined()
    expect(placeFor(connection, { phonenumber: '+256772000001', currency: 'UGX' })).toBeDefined()
  })

  it('accepts a signed payment', () => {
    expect(read(signed({ event: 'payment.received', transaction }))).toEqual({
      subject: 'transaction',
      remote_id: 'SBX123',
      verified: true,
      receipt: {
        ...transaction,
        amount: money('1500.5'),
        reversals: [],
        paid_at: new Date('2030-01-02T03:04:05.678Z'),
      },
    })
  })

  it('accepts a signed payment without a date that can be read, as of now', () => {
    const before = new Date()
    for (const paid_at of ['yesterday', 7, null, undefined]) {
      const parsed = read(signed({ event: 'payment.received', transaction: { ...transaction, paid_at } }))
      expect(parsed).toMatchObject({ subject: 'transaction', verified: true, receipt: { amount: money('1500.5') } })
      if (parsed.subject === 'transaction')
        expect(parsed.receipt!.paid_at.getTime()).toBeGreaterThanOrEqual(before.getTime())
    }
  })

  it('accepts a signed failure', () => {
    const order = { reference: 'KR7-1', state: 'failed', failure: { reason: 'wrong_pin', message: 'Wrong PIN' } }
    expect(read(signed({ event: 'order.failed', order }))).toEqual({
      subject: 'order',
      order: { reference: 'KR7-1' },
      verified: true,
      answer: { outcome: 'failed', reason: 'wrong_pin', message: 'Wrong PIN' },
    })
  })

  it('accepts a failure with an unknown reason as rejected', () => {
    const order = { reference: 'KR7-1', state: 'failed', failure: { reason: 'strike', message: 'On strike' } }
    expect(read(signed({ event: 'order.failed', order }))).toMatchObject({
      answer: { outcome: 'failed', reason: 'rejected', message: 'On strike' },
    })
  })

  it.each([
    ['without a signature', (callback: RawCallback) => ({ ...callback, headers: {} })],
    ['signed with another secret', (callback: RawCallback) => signed(JSON.parse(callback.body), 'another secret')],
    [
      'with a signature in capitals',
      (callback: RawCallback) => ({
        ...callback,
        headers: { 'x-sandbox-signature': callback.headers['x-sandbox-signature']!.toUpperCase() },
      }),
    ],
    ['with one more blank at its end', (callback: RawCallback) => ({ ...callback, body: `${callback.body} ` })],
  ])('reads a callback %s as unverified, without its content', (_name, change) => {
    expect(read(change(signed({ event: 'payment.received', transaction })))).toEqual({
      subject: 'transaction',
      remote_id: 'SBX123',
      verified: false,
      receipt: null,
    })
    const order = { reference: 'KR7-1', state: 'failed', failure: { reason: 'cancelled', message: 'Cancelled' } }
    expect(read(change(signed({ event: 'order.failed', order })))).toMatchObject({
      subject: 'order',
      order: { reference: 'KR7-1' },
      verified: false,
      answer: { outcome: 'unknown' },
    })
  })

  it.each([
    ['no JSON', 'paid!'],
    ['an unknown event', { event: 'payment.imagined', transaction }],
    ['no amount', { event: 'payment.received', transaction: { ...transaction, amount: undefined } }],
    ['an amount as a number', { event: 'payment.received', transaction: { ...transaction, amount: 1500.5 } }],
    ['nothing paid', { event: 'payment.received', transaction: { ...transaction, amount: '0.0000' } }],
    ['a negative amount', { event: 'payment.received', transaction: { ...transaction, amount: '-5' } }],
    ['an id with a path in it', { event: 'payment.received', transaction: { ...transaction, remote_id: '../orders' } }],
  ])('does not recognize a signed callback with %s', (_name, content) => {
    const callback =
      typeof content === 'string' ? rawCallback({ headers: signed({}).headers, body: content }) : signed(content)
    const verified = typeof content !== 'string'
    expect(read(callback)).toEqual({ subject: 'unrecognized', message: expect.any(String), verified })
  })

  it('reports not_found for an id of another form, without a call', async () => {
    for (const id of ['', '..', 'a/b', '\ud800', 'SBX\0', 'x'.repeat(5_000)])
      expect(await network.transaction!({ remote_id: id })).toEqual({ outcome: 'not_found' })
  })

  it('reports the account holder of a number', async () => {
    const simulator = createTestSimulator(db)
    const url = await simulator.listen()
    const adapter = bindConnection(sandboxConnection({ url: () => url, secret: SECRET, timeout_s: 20 }))
    const find = (phonenumber: string) => adapter.accountHolder!(phonenumber)
    expect(await find('+80000000002')).toEqual({ outcome: 'found', name: 'Sandbox Customer' })
    expect(await find('+256770000402')).toEqual({ outcome: 'found', name: 'AKELLO, Grâce Namukasa' })
    expect(await find('+80000000403')).toEqual({ outcome: 'found', name: null })
    expect(await find('+80000000401')).toEqual({ outcome: 'not_found' })
    expect(await find('+80000000404')).toEqual({ outcome: 'unknown', message: expect.any(String) })
    await simulator.stop()
  })

  it('fails an order only if the network calls it invalid', async () => {
    const simulator = createTestSimulator(db)
    const url = await simulator.listen()
    const adapter = bindConnection(sandboxConnection({ url: () => url, secret: SECRET, timeout_s: 20 }))
    expect(await adapter.charge!(orderFor('no phone at all'))).toEqual({
      outcome: 'failed',
      reason: 'rejected',
      message: expect.stringContaining('phonenumber'),
    })
    const order = orderFor('+80000000009')
    await adapter.charge!(order)
    expect(await adapter.charge!({ ...order, amount: 1n })).toMatchObject({ outcome: 'unknown' })
    const unauthorized = bindConnection(
      sandboxConnection({ url: () => url, secret: 'the secret of another', timeout_s: 20 }),
    )
    expect(await unauthorized.charge!(order)).toMatchObject({ outcome: 'unknown' })
    expect(await unauthorized.chargeStatus!(order)).toMatchObject({ outcome: 'unknown' })
    await simulator.stop()
  })
})

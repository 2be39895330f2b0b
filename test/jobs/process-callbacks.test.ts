import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ingestIncomingPayments } from '../../src/core/collections/incoming-payments.ts'
import { listAccounts } from '../../src/core/ledger/accounts.ts'
import { begin } from '../../src/db/client.ts'
import type { ParsedCallback } from '../../src/networks/callbacks.ts'
import type { NetworkTransaction, Order, OrderCheck, TransactionLookup } from '../../src/networks/contract.ts'
import { type FakeNetwork, fakeConnection, storePlace } from '../connections/fake-connection.ts'
import { buildTestApp, createApiClient, eventually, type TestApp } from '../test-app.ts'

/*
 * A network that does not sign its callbacks: they are unverified, and only the network's answers to our checks count.
 */

let testApp: TestApp
let url: string
let api: ReturnType<typeof createApiClient>
let network: Answers

/** The answers of the network, and the calls that it got. */
interface Answers {
  found: TransactionLookup
  check: OrderCheck
  calls: string[]
}

const no_answer = { outcome: 'unknown', message: 'no answer' } as const

/** The body of a callback is `order <reference>`, `money <remote id>`, or something unrecognized. */
function unsigned(code: string, changes: Partial<FakeNetwork> = {}): FakeNetwork {
  return {
    code,
    name: 'Plain Network',
    limits: { decimals: 0, min: 10_000n, max: 10n ** 12n },
    charge: async () => ({ outcome: 'accepted', remote_id: 'P1' }),
    chargeStatus: async (order: Order) => {
      network.calls.push(`order ${order.reference}`)
      return network.check
    },
    transaction: async ({ remote_id }) => {
      network.calls.push(`money ${remote_id}`)
      if (remote_id === 'BUG') throw new Error('a bug in the connector')
      return network.found
    },
    callbackReply: () => ({ status: 200, content_type: 'text/plain', body: 'OK' }),
    readCallback: ({ body }): ParsedCallback => {
      const [subject, id = ''] = body.split(' ')
      if (subject === 'money') return { subject: 'transaction', remote_id: id, verified: false, receipt: null }
      if (subject === 'order')
        return {
          subject: 'order',
          order: { reference: id },
          verified: false,
          answer: { outcome: 'failed', reason: 'cancelled', message: 'forged' },
        }
      return { subject: 'unrecognized', message: 'nonsense' }
    },
    ...changes,
  }
}

beforeAll(async () => {
  // The second network neither signs nor answers checks.
  const without_checks = unsigned('mute', { transaction: undefined, chargeStatus: undefined })
  const networks = [unsigned('plain'), without_checks, unsigned('other', { phones: /^\+9/ })]
  testApp = await buildTestApp({ overrides: { connections: networks.map(fakeConnection) } })
  const [account] = await listAccounts(testApp.db, testApp.organization)
  await storePlace(testApp.db, { connection: 'plain', number: '555', account: account!.id })
  url = (await testApp.startService()).url
  api = createApiClient(url, testApp.api_key)
})
beforeEach(async () => {
  network = { found: no_answer, check: no_answer, calls: [] }
  await testApp.db.unsafe(
    'delete from callbacks; delete from unassigned_payments; delete from collections; delete from collection_requests',
  )
})
afterAll(() => testApp.close())

describe('an unverified callback about money', () => {
  it('is credited as the network confirms it', async () => {
    network.found = receipt('7')
    expect(await sendCallback('money M1')).toEqual({ status: 200, text: 'OK' })
    expect(await settled()).toMatchObject({ state: 'settled', note: null, attempts: 1 })
    expect(await testApp.db`select remote_transaction_id, amount from collections`).toMatchObject([
      { remote_transaction_id: 'M1', amount: 70_000n },
    ])
    expect(network.calls).toEqual(['money M1'])
  })

  it('is ignored if the network does not know the transaction', async () => {
    network.found = { outcome: 'not_found' }
    await sendCallback('money M1')
    expect(await settled()).toMatchObject({ state: 'ignored', note: 'The network does not know this transaction.' })
    expect(await testApp.db`select 1 from collections`).toHaveLength(0)
  })

  it('is checked again while the network gives no answer: after 5 s, 30 s, each minute for seven minutes, 5 and 30 minutes, three times after an hour', async () => {
    await sendCallback('money M1')
    const waits: number[] = []
    for (let attempts = 1; attempts <= 14; attempts += 1) {
      const { due_at } = await attempted(attempts)
      const wait_s = (due_at!.getTime() - testApp.clock.now().getTime()) / 1_000
      waits.push(wait_s)
      testApp.clock.advance(wait_s)
      testApp.app.wake()
    }
    expect(waits).toEqual([5, 30, ...new Array<number>(7).fill(60), 300, 1_800, 3_600, 3_600, 3_600])
    expect(await settled()).toMatchObject({
      state: 'ignored',
      note: 'Failed after all attempts: no answer',
      attempts: 15,
    })
  })

  it('is credited when the network answers again', async () => {
    await sendCallback('money M1')
    await attempted(1)
    network.found = receipt('7')
    testApp.clock.advance(5)
    testApp.app.wake()
    expect(await settled()).toMatchObject({ state: 'settled', attempts: 2 })
    expect(await testApp.db`select 1 from collections`).toHaveLength(1)
  })

  it('is settled without a further question once its money has come by another way', async () => {
    for (const receiver of ['555', '556']) {
      network.calls = []
      await testApp.db.unsafe('delete from unassigned_payments; delete from collections')
      await sendCallback('money M1')
      await attempted(1)
      await ingest({ receiver })
      testApp.clock.advance(5)
      testApp.app.wake()
      expect(await settled()).toMatchObject({ state: 'settled', note: null, attempts: 2 })
      expect(network.calls).toEqual(['money M1'])
    }
  })

  it('is checked again if its money came long before: it may have gone back since', async () => {
    await ingest({})
    testApp.clock.advance(3_600)
    await sendCallback('money M1')
    await attempted(1)
    network.found = { outcome: 'found', receipt: { ...receipt('7').receipt, status: 'reversed' } }
    testApp.clock.advance(5)
    testApp.app.wake()
    await settled()
    expect(await testApp.db`select status from collections`).toMatchObject([{ status: 'reversed' }])
  })

  it('is checked again after a bug in the connector, and does not affect other callbacks', async () => {
    network.found = receipt('7')
    await Promise.all(['money M1', 'money BUG'].map((body) => sendCallback(body)))
    await eventually('the money', async () => {
      const rows = await testApp.db`select 1 from collections`
      return rows.length === 1 || undefined
    })
    const row = await eventually('the failed callback', async () => {
      const [failed] = await testApp.db<
        Row[]
      >`select state, note, attempts, due_at from callbacks where body = 'money BUG'`
      return failed?.note ? failed : undefined
    })
    expect(row).toMatchObject({ state: 'waiting', note: 'The connector to this provider failed.', attempts: 1 })
  })

  it('is kept as failed if the network confirms what no books can hold, and the others are credited', async () => {
    network.found = receipt('9'.repeat(25))
    await sendCallback('money M1')
    expect(await settled()).toMatchObject({ state: 'failed', note: 'numeric field overflow' })
    network.found = receipt('7')
    await sendCallback('money M1')
    expect(await settled()).toMatchObject({ state: 'settled' })
    expect(await testApp.db`select 1 from collections`).toHaveLength(1)
  })

  it('is checked by its id, although only its beginning is stored', async () => {
    network.found = receipt('7')
    expect((await sendCallback(`money M1 ${'x'.repeat(50_000)}`)).status).toBe(200)
    expect(await settled()).toMatchObject({ state: 'settled' })
    expect(network.calls).toEqual(['money M1'])
    expect(await testApp.db`select length(body) as length, size, subject, reference from callbacks`).toEqual([
      { length: 1_024, size: 50_009, subject: 'transaction', reference: 'M1' },
    ])
  })

  it('that an earlier version has stored is read again', async () => {
    network.found = receipt('7')
    await testApp.db`
      insert into callbacks (network, connection, received, headers, body, verified, state, due_at)
      values ('plain', 'plain', ${testApp.clock.now()}, '{}', 'money M1', false, 'waiting', ${testApp.clock.now()})`
    testApp.app.wake()
    expect(await settled()).toMatchObject({ state: 'settled' })
    expect(await testApp.db`select 1 from collections`).toHaveLength(1)
  })

  it('to a receiver without an account is kept as unassigned money', async () => {
    network.found = receipt('7')
    Object.assign(network.found.outcome === 'found' ? network.found.receipt : {}, { receiver: 'unknown' })
    await sendCallback('money M1')
    expect(await settled()).toMatchObject({ state: 'settled' })
    expect(await testApp.db`select receiver, state from unassigned_payments`).toEqual([
      { receiver: 'unknown', state: 'unassigned' },
    ])
  })

  it('is credited once, even if it arrives many times', async () => {
    network.found = receipt('7')
    await Promise.all(Array.from({ length: 10 }, () => sendCallback('money M1')))
    await eventually('all to be settled', async () => {
      const open = await testApp.db`select 1 from callbacks where state <> 'settled'`
      return open.length === 0 || undefined
    })
    expect(await testApp.db`select 1 from collections`).toHaveLength(1)
  })

  it('is never credited if the network cannot be asked', async () => {
    await sendCallback('money M1', 'mute')
    expect(await settled()).toMatchObject({
      state: 'ignored',
      note: 'The callback is not signed, and the network cannot be asked about it.',
    })
    expect(await testApp.db`select 1 from collections`).toHaveLength(0)
  })
})

describe('an unverified callback about an order', () => {
  it('has the order checked, and the answer is applied', async () => {
    const { id, reference } = await createPromptedRequest()
    network.check = { outcome: 'failed', reason: 'wrong_pin', message: 'Wrong PIN' }
    await sendCallback(`order ${reference}`)
    await settled()
    // The content of the callback itself does not count.
    expect((await api.get(`/api/collectionrequests/${id}`)).body).toMatchObject({
      status: 'failed',
      error_message: 'Wrong PIN',
    })
  })

  it('credits an order that the network confirms as paid', async () => {
    const { id, reference } = await createPromptedRequest()
    network.check = { outcome: 'successful', remote_id: 'M7', amount: 70_000n }
    await Promise.all([sendCallback(`order ${reference}`), sendCallback(`order ${reference}`)])
    await eventually('the request to be successful', async () => {
      const { body } = await api.get(`/api/collectionrequests/${id}`)
      return body.status === 'successful' || undefined
    })
    await settled()
    expect(await testApp.db`select remote_transaction_id from collections`).toMatchObject([
      { remote_transaction_id: 'M7' },
    ])
  })

  it('changes nothing while the order is open', async () => {
    const { id, reference } = await createPromptedRequest()
    network.check = { outcome: 'accepted', remote_id: 'P1' }
    await sendCallback(`order ${reference}`)
    expect(await settled()).toMatchObject({ state: 'settled' })
    expect((await api.get(`/api/collectionrequests/${id}`)).body.status).toBe('instructions_sent')
  })

  it('is settled without a further question once the order has ended by another way', async () => {
    const { reference } = await createPromptedRequest()
    await sendCallback(`order ${reference}`)
    await attempted(1)
    await ingest({ order_reference: reference })
    testApp.clock.advance(5)
    testApp.app.wake()
    expect(await settled()).toMatchObject({ state: 'settled', note: null, attempts: 2 })
    expect(network.calls.filter((call) => call === `order ${reference}`)).toHaveLength(1)
  })

  it('is checked again if the order had ended before', async () => {
    const { reference } = await createPromptedRequest()
    network.check = { outcome: 'failed', reason: 'wrong_pin', message: 'Wrong PIN' }
    await sendCallback(`order ${reference}`)
    await settled()
    network.check = no_answer
    testApp.clock.advance(1)
    await sendCallback(`order ${reference}`)
    await attempted(1)
    network.check = { outcome: 'successful', remote_id: 'M7', amount: 70_000n }
    testApp.clock.advance(5)
    testApp.app.wake()
    await settled()
    expect(await testApp.db`select remote_transaction_id from collections`).toMatchObject([
      { remote_transaction_id: 'M7' },
    ])
  })

  it.each(['KR999999-1', 'nonsense', ''])('is ignored with an unknown reference: %j', async (reference) => {
    await sendCallback(`order ${reference}`)
    expect(await settled()).toMatchObject({ state: 'ignored', note: 'No order of ours has this reference.' })
    expect(network.calls).toEqual([])
  })

  it('is ignored if it names an order of another connection', async () => {
    const { id, reference } = await createPromptedRequest()
    network.check = { outcome: 'failed', reason: 'wrong_pin', message: 'Wrong PIN' }
    await sendCallback(`order ${reference}`, 'other')
    expect(await settled()).toMatchObject({ state: 'ignored', note: 'No order of ours has this reference.' })
    expect(network.calls).toEqual([])
    expect((await api.get(`/api/collectionrequests/${id}`)).body.status).toBe('instructions_sent')
  })
})

/** Bring the money M1 into the books without a callback. */
function ingest(changes: Partial<NetworkTransaction>): Promise<unknown> {
  const network = { slug: 'plain', code: 'plain', name: 'Plain Network' }
  const now = testApp.clock.now()
  return begin(testApp.db, (tx) => ingestIncomingPayments(tx, now, [{ ...receipt('7').receipt, network, ...changes }]))
}

function receipt(units: string) {
  return {
    outcome: 'found',
    receipt: {
      remote_id: 'M1',
      status: 'successful',
      receiver: '555',
      phonenumber: '+80000000042',
      amount: BigInt(units) * 10_000n,
      currency: 'BXC',
      order_reference: null,
      reference: null,
      name: null,
      paid_at: testApp.clock.now(),
    },
  } satisfies TransactionLookup
}

/** Create a request and wait until the network has prompted the customer. */
async function createPromptedRequest(): Promise<{ id: number; reference: string }> {
  const body = { phonenumber: '+80000000042', amount: 7, currency: 'BXC', send_instructions: true }
  const { id } = (await api.post('/api/collectionrequests', body)).body
  await eventually('the prompt', async () => {
    const { body } = await api.get(`/api/collectionrequests/${id}`)
    return body.status === 'instructions_sent' || undefined
  })
  const [order] = await testApp.db<{ reference: string }[]>`
    select reference from network_orders where collection_request = ${id}`
  return { id, reference: order!.reference }
}

async function sendCallback(body: string, code = 'plain') {
  const answer = await fetch(`${url}/api/callbacks/${code}`, { method: 'POST', body })
  return { status: answer.status, text: await answer.text() }
}

interface Row {
  state: string
  note: string | null
  attempts: number
  due_at: Date | null
}

async function lastCallback(): Promise<Row> {
  const [row] = await testApp.db<Row[]>`select state, note, attempts, due_at from callbacks order by id desc limit 1`
  return row!
}

/** Wait until the last callback is processed. */
function settled(): Promise<Row> {
  return eventually('the callback to be settled', async () => {
    const row = await lastCallback()
    return row.due_at === null ? row : undefined
  })
}

/** Wait until the last callback has had this number of attempts and wait for the next. */
function attempted(attempts: number): Promise<Row> {
  return eventually(`attempt ${attempts}`, async () => {
    const row = await lastCallback()
    return row.attempts === attempts && row.due_at! > testApp.clock.now() ? row : undefined
  })
}

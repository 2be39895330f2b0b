import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listAccounts } from '../../src/core/ledger/accounts.ts'
import type { Network, Order, OrderCheck, ParsedCallback, TransactionLookup } from '../../src/networks/network.ts'
import { buildTestApp, createApiClient, eventually, type TestApp } from '../test-app.ts'

/*
 * A network that does not sign its callbacks: what it sends is a knock, and only what is read back is believed.
 */

let testApp: TestApp
let url: string
let api: ReturnType<typeof createApiClient>
let far: Far

/** What the network says when it is asked, and what it was asked. */
interface Far {
  found: TransactionLookup
  check: OrderCheck
  asked: string[]
}

const silence = { outcome: 'unknown', message: 'no answer' } as const

/** An unsigned callback is `order <reference>`, `money <remote id>`, or nothing. */
function unsigned(code: string, changes: Partial<Network> = {}): Network {
  return {
    code,
    name: 'Plain Network',
    limits: { decimals: 0, min: 10_000n, max: 10n ** 12n },
    serves: () => true,
    callbackReply: { content_type: 'text/plain', body: 'OK' },
    requestMoney: async () => ({ outcome: 'accepted', remote_id: 'P1' }),
    checkOrder: async (order: Order) => {
      far.asked.push(`order ${order.reference}`)
      return far.check
    },
    findTransaction: async (remote_id) => {
      far.asked.push(`money ${remote_id}`)
      if (remote_id === 'BUG') throw new Error('a bug in the connector')
      return far.found
    },
    readCallback: ({ body }): ParsedCallback => {
      const [about, name = ''] = body.split(' ')
      if (about === 'money') return { subject: 'transaction', remote_id: name, verified: false, receipt: null }
      if (about === 'order')
        return {
          subject: 'order',
          order_reference: name,
          verified: false,
          answer: { outcome: 'failed', reason: 'cancelled', message: 'forged' },
        }
      return { subject: 'unrecognized', message: 'nonsense' }
    },
    ...changes,
  }
}

beforeAll(async () => {
  // The second network can be neither checked nor asked.
  const mute = unsigned('mute', { findTransaction: undefined, checkOrder: undefined })
  testApp = await buildTestApp({ overrides: { networks: [unsigned('plain'), mute] } })
  const [account] = await listAccounts(testApp.db, testApp.organization)
  await testApp.db`insert into receivers values ('plain', '555', ${account!.id})`
  url = (await testApp.startService()).url
  api = createApiClient(url, testApp.api_key)
})
beforeEach(async () => {
  far = { found: silence, check: silence, asked: [] }
  await testApp.db.unsafe('delete from callbacks; delete from collections; delete from collection_requests')
})
afterAll(() => testApp.close())

describe('a knock about money', () => {
  it('is credited as the network says when it is asked, whatever the knock said', async () => {
    far.found = receipt('7')
    expect(await knock('money M1')).toEqual({ status: 200, text: 'OK' })
    expect(await settled()).toMatchObject({ state: 'settled', note: null, attempts: 1 })
    expect(await testApp.db`select remote_transaction_id, amount from collections`).toMatchObject([
      { remote_transaction_id: 'M1', amount: 70_000n },
    ])
    expect(far.asked).toEqual(['money M1'])
  })

  it('that the network knows nothing of is forged: it is kept, and never credited', async () => {
    far.found = { outcome: 'not_found' }
    await knock('money M1')
    expect(await settled()).toMatchObject({ state: 'ignored', note: 'The network does not know this transaction.' })
    expect(await testApp.db`select 1 from collections`).toHaveLength(0)
  })

  it('is asked about again while the network is silent: after 5 s, 30 s, 5 and 30 minutes, then hours, then no more', async () => {
    await knock('money M1')
    const waits: number[] = []
    for (let attempts = 1; attempts <= 7; attempts += 1) {
      const { due_at } = await tried(attempts)
      const wait_s = (due_at!.getTime() - testApp.clock.now().getTime()) / 1_000
      waits.push(wait_s)
      testApp.clock.advance(wait_s)
      testApp.app.wake()
    }
    expect(waits).toEqual([5, 30, 300, 1_800, 3_600, 3_600, 3_600])
    expect(await settled()).toMatchObject({
      state: 'ignored',
      note: 'Failed after all attempts: no answer',
      attempts: 8,
    })
  })

  it('is credited when the network finds its voice', async () => {
    await knock('money M1')
    await tried(1)
    far.found = receipt('7')
    testApp.clock.advance(5)
    testApp.app.wake()
    expect(await settled()).toMatchObject({ state: 'settled', attempts: 2 })
    expect(await testApp.db`select 1 from collections`).toHaveLength(1)
  })

  it('is asked about again after a bug in the connector, and spoils nothing for the others', async () => {
    far.found = receipt('7')
    await Promise.all(['money M1', 'money BUG'].map((body) => knock(body)))
    await eventually('the money', async () => {
      const rows = await testApp.db`select 1 from collections`
      return rows.length === 1 || undefined
    })
    const row = await eventually('the other one', async () => {
      const [one] = await testApp.db<
        Row[]
      >`select state, note, attempts, due_at from callbacks where body = 'money BUG'`
      return one?.note ? one : undefined
    })
    expect(row).toMatchObject({ state: 'waiting', note: 'The connector to this network failed.', attempts: 1 })
  })

  it('that comes many times is credited once', async () => {
    far.found = receipt('7')
    await Promise.all(Array.from({ length: 10 }, () => knock('money M1')))
    await eventually('all to be settled', async () => {
      const open = await testApp.db`select 1 from callbacks where state <> 'settled'`
      return open.length === 0 || undefined
    })
    expect(await testApp.db`select 1 from collections`).toHaveLength(1)
  })

  it('is never credited when the network can be neither checked nor asked', async () => {
    await knock('money M1', 'mute')
    expect(await settled()).toMatchObject({
      state: 'ignored',
      note: 'The callback is not signed, and the network cannot be asked about it.',
    })
    expect(await testApp.db`select 1 from collections`).toHaveLength(0)
  })
})

describe('a knock about an order', () => {
  it('has the order asked about, and what the network says is what happens', async () => {
    const { id, reference } = await placed()
    far.check = { outcome: 'failed', reason: 'wrong_pin', message: 'Wrong PIN' }
    await knock(`order ${reference}`)
    await settled()
    // The words of the knock itself do not count.
    expect((await api.get(`/api/collectionrequests/${id}`)).body).toMatchObject({
      status: 'failed',
      error_message: 'Wrong PIN',
    })
  })

  it('credits an order that the network calls paid', async () => {
    const { id, reference } = await placed()
    far.check = { outcome: 'successful', remote_id: 'M7', amount: 70_000n }
    await Promise.all([knock(`order ${reference}`), knock(`order ${reference}`)])
    await eventually('the request to be fulfilled', async () => {
      const { body } = await api.get(`/api/collectionrequests/${id}`)
      return body.status === 'successful' || undefined
    })
    await settled()
    expect(await testApp.db`select remote_transaction_id from collections`).toMatchObject([
      { remote_transaction_id: 'M7' },
    ])
  })

  it('changes nothing while the order is open', async () => {
    const { id, reference } = await placed()
    far.check = { outcome: 'accepted', remote_id: 'P1' }
    await knock(`order ${reference}`)
    expect(await settled()).toMatchObject({ state: 'settled' })
    expect((await api.get(`/api/collectionrequests/${id}`)).body.status).toBe('instructions_sent')
  })

  it.each(['KR999999-1', 'nonsense', ''])('of nobody is ignored: %j', async (reference) => {
    await knock(`order ${reference}`)
    expect(await settled()).toMatchObject({ state: 'ignored', note: 'No order of ours has this reference.' })
    expect(far.asked).toEqual([])
  })
})

function receipt(units: string): TransactionLookup {
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
  }
}

/** A request whose customer has been prompted by this network. */
async function placed(): Promise<{ id: number; reference: string }> {
  const body = { phonenumber: '+80000000042', amount: 7, currency: 'BXC', send_instructions: true }
  const { id } = (await api.post('/api/collectionrequests', body)).body
  await eventually('the prompt', async () => {
    const { body } = await api.get(`/api/collectionrequests/${id}`)
    return body.status === 'instructions_sent' || undefined
  })
  return { id, reference: `KR${id}-1` }
}

async function knock(body: string, network = 'plain') {
  const answer = await fetch(`${url}/api/callbacks/${network}`, { method: 'POST', body })
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

/** The last callback, once nothing is to be done about it any more. */
function settled(): Promise<Row> {
  return eventually('the callback to be settled', async () => {
    const row = await lastCallback()
    return row.due_at === null ? row : undefined
  })
}

/** The last callback, once it was tried so often and waits for the next time. */
function tried(attempts: number): Promise<Row> {
  return eventually(`attempt ${attempts}`, async () => {
    const row = await lastCallback()
    return row.attempts === attempts && row.due_at! > testApp.clock.now() ? row : undefined
  })
}

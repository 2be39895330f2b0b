import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countOverdue, readDueWork } from '../../src/core/events/due-work.ts'
import { parseAmount } from '../../src/lib/money.ts'
import type { Order, OrderAnswer, OrderCheck } from '../../src/networks/contract.ts'
import { type FakeNetwork, fakeConnection } from '../connections/fake-connection.ts'
import { openShop, type Shop } from '../core/shop.ts'
import { eventually } from '../test-app.ts'

/** A network with the answers of the test, which records its calls. */
function scriptedNetwork() {
  const calls: string[] = []
  const answers: { send: OrderAnswer; check: OrderCheck } = {
    send: { outcome: 'accepted', remote_id: 'A' },
    check: { outcome: 'accepted', remote_id: 'A' },
  }
  /** The references of the orders of one request, the first attempt first. */
  const references: string[] = []
  const recordCall = (verb: string, { reference }: Order) => {
    if (!references.includes(reference)) references.push(reference)
    calls.push(`${verb} ${references.indexOf(reference) + 1}`)
  }
  const network: FakeNetwork = {
    code: 'sandbox',
    name: 'Sandbox Network',
    limits: { decimals: 4, min: 1n, max: parseAmount('1000000000')! },
    async charge(order) {
      recordCall('prompt', order)
      return answers.send
    },
    async chargeStatus(order) {
      recordCall('check', order)
      return answers.check
    },
  }
  return { network, calls, references, answers }
}

const EXPIRED_PROMPT: OrderAnswer = { outcome: 'failed', reason: 'prompt_expired', message: 'Prompt Expired' }

let shop: Shop
const script = scriptedNetwork()

beforeAll(async () => {
  shop = await openShop({ overrides: { connections: [fakeConnection(script.network)] } })
  await shop.testApp.startService()
})
beforeEach(async () => {
  await shop.clear()
  script.calls.length = 0
  script.references.length = 0
  script.answers.send = { outcome: 'accepted', remote_id: 'A' }
  script.answers.check = { outcome: 'accepted', remote_id: 'A' }
})
afterAll(() => shop.close())

/** Move the clock and wait until all due work is done. */
async function advance(seconds: number): Promise<void> {
  shop.testApp.clock.advance(seconds)
  await waitUntilIdle()
}

async function waitUntilIdle(): Promise<void> {
  shop.testApp.app.wake()
  await eventually('no due work', async () => ((await countOverdue(shop.db, shop.now())) === 0 ? true : undefined))
}

const statusOf = async (id: number) => (await shop.request(id)).status

describe('a prompt that expired', () => {
  it('is checked first, and only then followed by another', async () => {
    const { id } = await shop.createRequest()
    await waitUntilIdle()
    script.answers.check = EXPIRED_PROMPT
    await advance(5)
    expect(script.calls).toEqual(['prompt 1', 'check 1'])
    await advance(599)
    expect(script.calls).toHaveLength(2)
    await advance(1)
    expect(script.calls).toEqual(['prompt 1', 'check 1', 'check 1', 'prompt 2'])
    expect(await statusOf(id)).toBe('instructions_sent')
  })

  it('and was paid after all is not followed by another prompt, and fulfils the request once', async () => {
    const { id } = await shop.createRequest()
    await waitUntilIdle()
    script.answers.check = EXPIRED_PROMPT
    await advance(5)
    script.answers.check = { outcome: 'successful', remote_id: 'R1', amount: parseAmount('1500')! }
    await advance(600)
    expect(script.calls).toEqual(['prompt 1', 'check 1', 'check 1'])
    expect(await statusOf(id)).toBe('successful')
    expect(await shop.collections()).toMatchObject([{ remote_transaction_id: 'R1', collection_request: id }])
  })

  it.each<[string, OrderCheck]>([
    ['is open again', { outcome: 'accepted', remote_id: 'A' }],
    ['is not known to have ended', { outcome: 'unknown', message: 'HTTP 500' }],
  ])('and %s gets no second prompt before its result is certain', async (_, answer) => {
    await shop.createRequest()
    await waitUntilIdle()
    script.answers.check = EXPIRED_PROMPT
    await advance(5)
    script.answers.check = answer
    await advance(600)
    await advance(3_600)
    expect(script.calls.filter((line) => line.startsWith('prompt'))).toEqual(['prompt 1'])
    script.answers.check = EXPIRED_PROMPT
    await advance(3_600)
    await advance(600)
    expect(script.calls.filter((line) => line.startsWith('prompt'))).toEqual(['prompt 1', 'prompt 2'])
  })

  it('fails when a later check says that the customer refused', async () => {
    const { id } = await shop.createRequest()
    await waitUntilIdle()
    script.answers.check = EXPIRED_PROMPT
    await advance(5)
    script.answers.check = { outcome: 'failed', reason: 'cancelled', message: 'Cancelled By User' }
    await advance(600)
    expect(script.calls).toEqual(['prompt 1', 'check 1', 'check 1'])
    expect(await shop.request(id)).toMatchObject({ status: 'failed', error_message: 'Cancelled By User' })
  })

  it('is not followed by another after the request has expired', async () => {
    const { id } = await shop.createRequest({ expiry_date: new Date(shop.now().getTime() + 300_000) })
    await waitUntilIdle()
    script.answers.check = EXPIRED_PROMPT
    await advance(5)
    await advance(295)
    expect(script.calls).toEqual(['prompt 1', 'check 1'])
    expect(await statusOf(id)).toBe('expired')
  })
})

describe('an order without a known result', () => {
  it('is checked and never sent twice while the request is open', async () => {
    script.answers.send = { outcome: 'unknown', message: 'time-out' }
    script.answers.check = { outcome: 'unknown', message: 'time-out' }
    const { id } = await shop.createRequest()
    await waitUntilIdle()
    for (const seconds of [5, 15, 60, 300, 900, 3_600]) await advance(seconds)
    expect(script.calls).toEqual(['prompt 1', ...Array.from({ length: 6 }, () => 'check 1')])
    await advance(24 * 3_600)
    expect(await statusOf(id)).toBe('expired')
  })

  it('is sent again with the same reference when the network does not know it', async () => {
    script.answers.send = { outcome: 'unknown', message: 'time-out' }
    await shop.createRequest()
    await waitUntilIdle()
    script.answers.check = { outcome: 'not_found' }
    script.answers.send = { outcome: 'accepted', remote_id: 'A' }
    await advance(5)
    // It may still be on its way.
    expect(script.calls).toEqual(['prompt 1', 'check 1'])
    await advance(15)
    expect(script.calls).toEqual(['prompt 1', 'check 1', 'check 1', 'prompt 1'])
  })
})

describe('money for either attempt', () => {
  it.each([
    ['the first', [1, 2]],
    ['the second', [2, 1]],
  ])('fulfils the request once: %s comes first', async (_, [one, other]) => {
    const { id } = await shop.createRequest()
    await waitUntilIdle()
    script.answers.check = EXPIRED_PROMPT
    await advance(5)
    await advance(600)
    script.answers.check = { outcome: 'accepted', remote_id: 'A' }
    expect(await statusOf(id)).toBe('instructions_sent')
    await shop.ingest(shop.paymentReport({ order_reference: script.references[one! - 1]! }))
    expect(await statusOf(id)).toBe('successful')
    await shop.ingest(shop.paymentReport({ order_reference: script.references[other! - 1]! }))
    const collections = await shop.collections()
    expect(collections.map((collection) => collection.collection_request)).toEqual([id, null])
    expect(await shop.history(id)).toEqual([
      'pending → processing_started',
      'processing_started → instructions_sent',
      'instructions_sent → successful',
    ])
    // Both amounts are in the wallet: money is never refused.
    expect((await readDueWork(shop.db)).filter(({ table }) => table === 'open_collection_requests')).toEqual([])
  })
})

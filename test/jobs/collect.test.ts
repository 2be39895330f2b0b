import { afterEach, describe, expect, it } from 'vitest'
import type { Clock } from '../../src/app.ts'
import { listAccounts } from '../../src/core/ledger/accounts.ts'
import { collect } from '../../src/jobs/collect.ts'
import type { Order, OrderAnswer, OrderCheck } from '../../src/networks/contract.ts'
import { type FakeNetwork, fakeConnection, storePlace } from '../connections/fake-connection.ts'
import { buildTestApp, createApiClient, eventually, type TestApp, testClock } from '../test-app.ts'

/*
 * The job with networks that are slow, silent or broken. test/core tests the result for the request, and
 * test/api/sandbox-numbers.test.ts tests it with the simulated network.
 */

let testApp: TestApp
let api: ReturnType<typeof createApiClient>
/** The calls to the network, in order. */
let calls: string[]

afterEach(() => testApp.close())

describe('the job that collects', () => {
  it('calls the network outside of transactions, so other processes can lock the request', async () => {
    const lockable: unknown[] = []
    await openApp({
      charge: async ({ reference }) => {
        const id = Number(/\d+/.exec(reference))
        lockable.push(...(await testApp.db`select id from collection_requests where id = ${id} for update skip locked`))
        return accepted
      },
    })
    const id = await createRequest()
    await requestReached(id, 'instructions_sent')
    expect(lockable).toEqual([{ id }])
  })

  it('records the order before it calls the network', async () => {
    const seen: unknown[] = []
    await openApp({
      charge: async ({ reference }) => {
        seen.push(
          ...(await testApp.db`select reference, outcome from collection_orders where reference = ${reference}`),
        )
        return accepted
      },
    })
    const id = await createRequest()
    await requestReached(id, 'instructions_sent')
    expect(seen).toEqual([{ reference: `KR${id}-1`, outcome: null }])
  })

  it('checks an order without an answer, and sends the same reference again if the order did not arrive', async () => {
    const answers: OrderAnswer[] = [silence, silence, accepted]
    await openApp({ charge: async () => answers.shift()!, chargeStatus: async () => ({ outcome: 'not_found' }) })
    const id = await createRequest()
    await orderAnswered(id, 'unknown')
    await advance(5)
    await eventually('the second try', async () =>
      calls.filter((call) => call.startsWith('send')).length === 2 ? true : undefined,
    )
    await advance(15)
    await requestReached(id, 'instructions_sent')
    const reference = `KR${id}-1`
    expect(calls).toEqual([
      `send ${reference}`,
      `check ${reference}`,
      `send ${reference}`,
      `check ${reference}`,
      `send ${reference}`,
    ])
  })

  it('does not send an order again that may have arrived', async () => {
    await openApp({ charge: async () => silence, chargeStatus: async () => silence })
    const id = await createRequest()
    await orderAnswered(id, 'unknown')
    for (const wait_s of [5, 15, 60]) {
      const before = calls.length
      await advance(wait_s)
      await eventually('the network to be asked', async () => (calls.length > before ? true : undefined))
    }
    expect(calls.filter((call) => call.startsWith('send'))).toHaveLength(1)
    expect((await api.get(`/api/collectionrequests/${id}`)).body).toMatchObject({
      status: 'processing_started',
      error_message: null,
    })
  })

  it('is not delayed by a connector that throws, and counts its answer as unknown', async () => {
    await openApp(
      {
        charge: async ({ phonenumber }) => {
          if (phonenumber.endsWith('66')) throw new Error('a bug in the connector')
          return accepted
        },
        chargeStatus: async () => accepted,
      },
      undefined,
      false,
    )
    const [normal, broken, another] = [
      await createRequest(),
      await createRequest('+80000000066'),
      await createRequest(),
    ]
    const job = collect(testApp.app)
    await job.run(await job.claim(10))
    for (const id of [normal, another]) expect((await requestReached(id, 'instructions_sent')).error_message).toBeNull()
    expect((await orderAnswered(broken, 'unknown')).message).toBe('The connector to this network failed.')
    testApp.clock.advance(5)
    await job.run(await job.claim(10))
    await requestReached(broken, 'instructions_sent')
  })

  it('continues the work of a killed process after its lease', async () => {
    let ahead_ms = 0
    const clock = testClock()
    await openApp(
      { charge: async () => accepted, chargeStatus: async () => ({ outcome: 'not_found' }) },
      {
        ...clock,
        real: () => new Date(Date.now() + ahead_ms),
      },
      false,
    )
    const id = await createRequest()
    const job = collect(testApp.app)
    // Claimed by a process that dies here.
    expect(await job.claim(10)).toMatchObject([{ id }])
    expect(await job.claim(10)).toEqual([])
    ahead_ms = 16_000
    const rows = await job.claim(10)
    expect(rows).toMatchObject([{ id }])
    await job.run(rows)
    expect((await api.get(`/api/collectionrequests/${id}`)).body.status).toBe('instructions_sent')
  })

  it('sends the order of a killed process with the same reference', async () => {
    let ahead_ms = 0
    let killed = true
    const clock = testClock()
    await openApp(
      {
        charge: () => (killed ? new Promise(() => {}) : Promise.resolve(accepted)),
        chargeStatus: async () => ({ outcome: 'not_found' }),
      },
      { ...clock, real: () => new Date(Date.now() + ahead_ms) },
      false,
    )
    const id = await createRequest()
    const job = collect(testApp.app)
    void job.run(await job.claim(10))
    await eventually('the call', async () => (calls.length === 1 ? true : undefined))
    killed = false
    ahead_ms = 16_000
    await job.run(await job.claim(10))
    expect(calls).toEqual([`send KR${id}-1`, `check KR${id}-1`, `send KR${id}-1`])
    expect((await api.get(`/api/collectionrequests/${id}`)).body.status).toBe('instructions_sent')
  })

  it('does not touch an order after its lease, because another process may have claimed it', async () => {
    let ahead_ms = 0
    await openApp(
      {
        charge: async () => accepted,
        chargeStatus: async () => {
          ahead_ms += 16_000
          return { outcome: 'not_found' }
        },
      },
      { ...testClock(), real: () => new Date(Date.now() + ahead_ms) },
      false,
    )
    const id = await createRequest()
    const job = collect(testApp.app)
    const late = await job.claim(10)
    ahead_ms = 16_000
    await job.run(late)
    expect(calls).toEqual([])
    await job.run(await job.claim(10))
    expect(calls).toEqual([`check KR${id}-1`])
  })

  it('checks the order once more before a request expires, because the callback of a payment may be lost', async () => {
    const paid: OrderCheck = { outcome: 'successful', remote_id: 'M1', amount: 70_000n }
    let answer: OrderCheck = accepted
    await openApp({ charge: async () => accepted, chargeStatus: async () => answer }, undefined, false)
    const [paid_request, refused_request, unanswered_request] = [
      await createRequest(),
      await createRequest('+80000000066'),
      await createRequest('+80000000067'),
    ]
    const job = collect(testApp.app)
    const run = async () => {
      const [row] = await testApp.db<{ id: number }[]>`
        select id from collection_requests where due_at <= ${testApp.clock.now()} order by id limit 1`
      if (row) await job.run([{ id: row.id, leased_until: new Date(Date.now() + 15_000) }])
      return row?.id
    }
    for (let runs = 0; runs < 3; runs += 1) await run()
    testApp.clock.advance(DAY_S + 1)
    answer = paid
    expect(await run()).toBe(paid_request)
    await requestReached(paid_request, 'successful')
    answer = { outcome: 'failed', reason: 'cancelled', message: 'Cancelled By User' }
    expect(await run()).toBe(refused_request)
    await requestReached(refused_request, 'failed')
    answer = { outcome: 'not_found' }
    const before = calls.length
    expect(await run()).toBe(unanswered_request)
    await requestReached(unanswered_request, 'expired')
    expect(calls.slice(before)).toEqual([`check KR${unanswered_request}-1`])
  })
})

const DAY_S = 24 * 60 * 60
const accepted: OrderAnswer = { outcome: 'accepted', remote_id: 'P1' }
const silence: OrderAnswer & OrderCheck = { outcome: 'unknown', message: 'no answer' }

/** Opens an app with one fake network, which records its calls. */
async function openApp(
  network: Required<Pick<FakeNetwork, 'charge'>> & Pick<FakeNetwork, 'chargeStatus'>,
  clock?: Clock,
  jobs = true,
) {
  calls = []
  const recordCall = (call: string, order: Order) => calls.push(`${call} ${order.reference}`)
  const fake: FakeNetwork = {
    code: 'fake',
    name: 'Fake Network',
    limits: { decimals: 0, min: 10_000n, max: 10n ** 12n },
    charge: (order) => {
      recordCall('send', order)
      return network.charge(order)
    },
    chargeStatus:
      network.chargeStatus &&
      ((order) => {
        recordCall('check', order)
        return network.chargeStatus!(order)
      }),
  }
  testApp = await buildTestApp({ overrides: { connections: [fakeConnection(fake)], ...(clock ? { clock } : {}) } })
  const [account] = await listAccounts(testApp.db, testApp.organization)
  await storePlace(testApp.db, { connection: 'fake', number: '555', account: account!.id })
  const service = await testApp.startService({ jobs })
  api = createApiClient(service.url, testApp.api_key)
}

async function createRequest(phonenumber = '+80000000003'): Promise<number> {
  const body = { phonenumber, amount: 7, currency: 'BXC', send_instructions: true }
  return (await api.post('/api/collectionrequests', body)).body.id
}

function requestReached(id: number, status: string) {
  return eventually(`request ${id} to be ${status}`, async () => {
    const { body } = await api.get(`/api/collectionrequests/${id}`)
    return body.status === status ? body : undefined
  })
}

/** Waits until the network's answer to the order of a request is stored. */
function orderAnswered(id: number, outcome: string) {
  return eventually(`the order to be ${outcome}`, async () => {
    const [row] = await testApp.db`select outcome, message from collection_orders where collection_request = ${id}`
    return row?.outcome === outcome ? row : undefined
  })
}

async function advance(seconds: number) {
  await eventually('the request to wait', async () => {
    const leased = await testApp.db`select 1 from collection_requests where leased_until is not null`
    return leased.length === 0 ? true : undefined
  })
  testApp.clock.advance(seconds)
  testApp.app.wake()
}

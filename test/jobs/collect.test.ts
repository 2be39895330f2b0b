import { afterEach, describe, expect, it } from 'vitest'
import type { Clock } from '../../src/app.ts'
import { listAccounts } from '../../src/core/ledger/accounts.ts'
import { collect } from '../../src/jobs/collect.ts'
import type { Network, Order, OrderAnswer, OrderCheck } from '../../src/networks/network.ts'
import { buildTestApp, createApiClient, eventually, type TestApp, testClock } from '../test-app.ts'

/*
 * What the job does when networks are slow, silent or broken. What becomes of a request is tried in test/core and, with
 * the simulated network, in test/api/sandbox-numbers.test.ts.
 */

let house: TestApp
let api: ReturnType<typeof createApiClient>
/** What the network was told, in order. */
let told: string[]

afterEach(() => house.close())

describe('the job that collects', () => {
  it('never calls a network inside of a transaction: whoever wants the request may have it', async () => {
    const free: unknown[] = []
    await openHouse({
      requestMoney: async ({ reference }) => {
        const id = Number(/\d+/.exec(reference))
        free.push(...(await house.db`select id from collection_requests where id = ${id} for update skip locked`))
        return accepted
      },
    })
    const id = await ask()
    await reached(id, 'instructions_sent')
    expect(free).toEqual([{ id }])
  })

  it('writes the order down before it calls the network', async () => {
    const seen: unknown[] = []
    await openHouse({
      requestMoney: async ({ reference }) => {
        seen.push(...(await house.db`select reference, outcome from collection_orders where reference = ${reference}`))
        return accepted
      },
    })
    const id = await ask()
    await reached(id, 'instructions_sent')
    expect(seen).toEqual([{ reference: `KR${id}-1`, outcome: null }])
  })

  it('asks a network that did not answer, and sends the same reference again where it never arrived', async () => {
    const answers: OrderAnswer[] = [silence, silence, accepted]
    await openHouse({ requestMoney: async () => answers.shift()!, checkOrder: async () => ({ outcome: 'not_found' }) })
    const id = await ask()
    await orders(id, 'unknown')
    await pass(5)
    await eventually('the second try', async () =>
      told.filter((one) => one.startsWith('send')).length === 2 ? true : undefined,
    )
    await pass(15)
    await reached(id, 'instructions_sent')
    const reference = `KR${id}-1`
    expect(told).toEqual([
      `send ${reference}`,
      `check ${reference}`,
      `send ${reference}`,
      `check ${reference}`,
      `send ${reference}`,
    ])
  })

  it('does not send again what may have arrived', async () => {
    await openHouse({ requestMoney: async () => silence, checkOrder: async () => silence })
    const id = await ask()
    await orders(id, 'unknown')
    for (const wait_s of [5, 15, 60]) {
      const before = told.length
      await pass(wait_s)
      await eventually('the network to be asked', async () => (told.length > before ? true : undefined))
    }
    expect(told.filter((one) => one.startsWith('send'))).toHaveLength(1)
    expect((await api.get(`/api/collectionrequests/${id}`)).body).toMatchObject({
      status: 'processing_started',
      error_message: null,
    })
  })

  it('lets a connector that throws hold up nobody else, and counts its answer as unknown', async () => {
    await openHouse(
      {
        requestMoney: async ({ phonenumber }) => {
          if (phonenumber.endsWith('66')) throw new Error('a bug in the connector')
          return accepted
        },
        checkOrder: async () => accepted,
      },
      undefined,
      false,
    )
    const [good, bad, another] = [await ask(), await ask('+80000000066'), await ask()]
    const job = collect(house.app)
    await job.run(await job.claim(10))
    for (const id of [good, another]) expect((await reached(id, 'instructions_sent')).error_message).toBeNull()
    expect((await orders(bad, 'unknown')).message).toBe('The connector to this network failed.')
    house.clock.advance(5)
    await job.run(await job.claim(10))
    await reached(bad, 'instructions_sent')
  })

  it('goes on with what a killed process held, once its lease is over', async () => {
    let ahead_ms = 0
    const still = testClock()
    await openHouse(
      { requestMoney: async () => accepted, checkOrder: async () => ({ outcome: 'not_found' }) },
      {
        ...still,
        real: () => new Date(Date.now() + ahead_ms),
      },
      false,
    )
    const id = await ask()
    const job = collect(house.app)
    // Claimed by a process that dies here.
    expect(await job.claim(10)).toMatchObject([{ id }])
    expect(await job.claim(10)).toEqual([])
    ahead_ms = 16_000
    const rows = await job.claim(10)
    expect(rows).toMatchObject([{ id }])
    await job.run(rows)
    expect((await api.get(`/api/collectionrequests/${id}`)).body.status).toBe('instructions_sent')
  })

  it('sends under the same reference what a killed process was about to send', async () => {
    let ahead_ms = 0
    let killed = true
    const still = testClock()
    await openHouse(
      {
        requestMoney: () => (killed ? new Promise(() => {}) : Promise.resolve(accepted)),
        checkOrder: async () => ({ outcome: 'not_found' }),
      },
      { ...still, real: () => new Date(Date.now() + ahead_ms) },
      false,
    )
    const id = await ask()
    const job = collect(house.app)
    void job.run(await job.claim(10))
    await eventually('the call', async () => (told.length === 1 ? true : undefined))
    killed = false
    ahead_ms = 16_000
    await job.run(await job.claim(10))
    expect(told).toEqual([`send KR${id}-1`, `check KR${id}-1`, `send KR${id}-1`])
    expect((await api.get(`/api/collectionrequests/${id}`)).body.status).toBe('instructions_sent')
  })

  it('leaves an order alone when it stood still until its lease was over, because another process has it now', async () => {
    let ahead_ms = 0
    await openHouse(
      {
        requestMoney: async () => accepted,
        checkOrder: async () => {
          ahead_ms += 16_000
          return { outcome: 'not_found' }
        },
      },
      { ...testClock(), real: () => new Date(Date.now() + ahead_ms) },
      false,
    )
    const id = await ask()
    const job = collect(house.app)
    const late = await job.claim(10)
    ahead_ms = 16_000
    await job.run(late)
    expect(told).toEqual([])
    await job.run(await job.claim(10))
    expect(told).toEqual([`check KR${id}-1`])
  })

  it('asks a last time before a request expires, because the callback of what was paid may be lost', async () => {
    const paid: OrderCheck = { outcome: 'successful', remote_id: 'M1', amount: 70_000n }
    let answer: OrderCheck = accepted
    await openHouse({ requestMoney: async () => accepted, checkOrder: async () => answer }, undefined, false)
    const [payer, refuser, idler] = [await ask(), await ask('+80000000066'), await ask('+80000000067')]
    const job = collect(house.app)
    const run = async () => {
      const [row] = await house.db<{ id: number }[]>`
        select id from collection_requests where due_at <= ${house.clock.now()} order by id limit 1`
      if (row) await job.run([{ id: row.id, leased_until: new Date(Date.now() + 15_000) }])
      return row?.id
    }
    for (let runs = 0; runs < 3; runs += 1) await run()
    house.clock.advance(DAY_S + 1)
    answer = paid
    expect(await run()).toBe(payer)
    await reached(payer, 'successful')
    answer = { outcome: 'failed', reason: 'cancelled', message: 'Cancelled By User' }
    expect(await run()).toBe(refuser)
    await reached(refuser, 'failed')
    answer = { outcome: 'not_found' }
    const before = told.length
    expect(await run()).toBe(idler)
    await reached(idler, 'expired')
    expect(told.slice(before)).toEqual([`check KR${idler}-1`])
  })
})

const DAY_S = 24 * 60 * 60
const accepted: OrderAnswer = { outcome: 'accepted', remote_id: 'P1' }
const silence: OrderAnswer & OrderCheck = { outcome: 'unknown', message: 'no answer' }

/** A house with one network, which does what the test says and takes note of it. */
async function openHouse(
  network: Required<Pick<Network, 'requestMoney'>> & Pick<Network, 'checkOrder'>,
  clock?: Clock,
  jobs = true,
) {
  told = []
  const noted = (what: string, order: Order) => told.push(`${what} ${order.reference}`)
  const fake: Network = {
    code: 'fake',
    name: 'Fake Network',
    limits: { decimals: 0, min: 10_000n, max: 10n ** 12n },
    serves: () => true,
    callbackReply: { content_type: 'text/plain', body: 'OK' },
    requestMoney: (order) => {
      noted('send', order)
      return network.requestMoney(order)
    },
    checkOrder:
      network.checkOrder &&
      ((order) => {
        noted('check', order)
        return network.checkOrder!(order)
      }),
  }
  house = await buildTestApp({ overrides: { networks: [fake], ...(clock ? { clock } : {}) } })
  const [account] = await listAccounts(house.db, house.organization)
  await house.db`insert into receivers values ('fake', '555', ${account!.id})`
  const service = await house.startService({ jobs })
  api = createApiClient(service.url, house.api_key)
}

async function ask(phonenumber = '+80000000003'): Promise<number> {
  const body = { phonenumber, amount: 7, currency: 'BXC', send_instructions: true }
  return (await api.post('/api/collectionrequests', body)).body.id
}

function reached(id: number, status: string) {
  return eventually(`request ${id} to be ${status}`, async () => {
    const { body } = await api.get(`/api/collectionrequests/${id}`)
    return body.status === status ? body : undefined
  })
}

/** Waits until the network's answer to the order of a request has been kept. */
function orders(id: number, outcome: string) {
  return eventually(`the order to be ${outcome}`, async () => {
    const [row] = await house.db`select outcome, message from collection_orders where collection_request = ${id}`
    return row?.outcome === outcome ? row : undefined
  })
}

async function pass(seconds: number) {
  await eventually('the request to wait', async () => {
    const busy = await house.db`select 1 from collection_requests where leased_until is not null`
    return busy.length === 0 ? true : undefined
  })
  house.clock.advance(seconds)
  house.app.wake()
}

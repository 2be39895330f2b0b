import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { begin, type Database } from '../../../../src/db/client.ts'
import type { Order, Payout, Refund } from '../../../../src/lib/adapter-types.ts'
import type { NetworkOperations } from '../../../../src/networks/contract.ts'
import { gsmaMomo } from '../../../../src/networks/gsma-momo/index.ts'
import { gsmaMomoDoor } from '../../../../src/simulator/doors/gsma-momo/index.ts'
import { createSimulator, type Simulator } from '../../../../src/simulator/index.ts'
import { type Bound, openBound } from '../../../drivers/bound.ts'
import { createRecordingTools } from '../../../networks/conformance/tools.ts'
import { openListener } from '../../toy-door.ts'

const CODE = gsmaMomoDoor.code

/** The documented credentials of the door, as settings of the driver. */
export const credentials = Object.fromEntries(gsmaMomoDoor.credentials.map(({ name, value }) => [name, value]))

/** The simulated provider on a clock to move, a business that hears its callbacks, and the driver in front of it. */
export async function openGsma(db: Database) {
  const listener = await openListener()
  const errors: unknown[] = []
  const time = { start_ms: Math.floor(Date.now() / 1_000) * 1_000, offset_ms: 0 }
  const now = () => new Date(time.start_ms + time.offset_ms)
  const simulator = createSimulator({
    db,
    now,
    real: now,
    secret: 'a secret of the sandbox',
    callback_url: () => null,
    doors: [gsmaMomoDoor],
    onError: (_job, error) => errors.push(error),
  })
  await begin(db, (tx) => simulator.reset(tx))
  await simulator.listen().catch(() => {})
  simulator.start()
  const tools = createRecordingTools({ now, callback_base: () => `${listener.url}/hear` })
  const open = (settings: Record<string, unknown> = {}) =>
    openBound(
      gsmaMomo,
      {
        slug: 'wallet',
        environment: 'simulated',
        hosts: simulator.hostsOf(CODE),
        settings: gsmaMomo.settings.parse({ ...credentials, ...settings }),
      } as never,
      tools,
    ) as Required<Bound<NetworkOperations>>
  const driver = open()
  return {
    simulator,
    driver,
    open,
    tools,
    errors,
    listener,
    now,
    world: simulator.world(CODE),
    set: (values: Record<string, string | number | boolean>) => simulator.setSwitches(CODE, values),
    advance: (seconds: number) => advance(simulator, time, seconds),
    /** Place a charge that is paid, and return it with the id of its money. */
    async pay(order: Order): Promise<{ order: Order; money: string }> {
      const taken = await driver.charge(order)
      await advance(simulator, time, 2)
      const asked = { ...order, remote_id: 'remote_id' in taken ? taken.remote_id! : null }
      const paid = await driver.chargeStatus(asked)
      if (paid.outcome !== 'successful') throw new Error(`The charge was not paid: ${JSON.stringify(paid)}`)
      return { order: asked, money: paid.remote_id! }
    },
    async close() {
      await simulator.stop()
      await listener.close()
    },
  }
}

export type GsmaTest = Awaited<ReturnType<typeof openGsma>>

/** Calls of the provider without the driver, with a token and the API key. */
export function callerOf(test: () => GsmaTest) {
  const basic = `Basic ${Buffer.from(`${credentials.consumer_key}:${credentials.consumer_secret}`).toString('base64')}`
  async function newToken(authorization = basic, body = 'grant_type=client_credentials') {
    const { token } = test().simulator.hostsOf(CODE)
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await fetch(token!, { method: 'POST', headers, body })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  /** A header that is given as undefined is left out. */
  async function call(method: string, path: string, body?: unknown, given: Record<string, string | undefined> = {}) {
    const { access_token } = (await newToken()).body
    const all = { authorization: `Bearer ${access_token}`, 'x-api-key': credentials.api_key, ...given }
    const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
      string,
      string
    >
    const text = typeof body === 'string' ? body : body === undefined ? null : JSON.stringify(body)
    const url = test().simulator.hostsOf(CODE).api + path
    const answer = await fetch(url, { method, headers: { ...headers, 'content-type': 'application/json' }, body: text })
    return {
      status: answer.status,
      headers: answer.headers,
      body: (await answer.json()) as Record<string, unknown> & unknown[],
    }
  }
  /** Make a call that changes something, and return the reference of what it has made. */
  async function done(method: string, path: string, body: object): Promise<string> {
    const taken = await call(method, path, body, id())
    expect(taken, path).toMatchObject({ status: 202, body: { status: 'pending', notificationMethod: 'polling' } })
    await test().advance(2)
    const asked = await call('GET', `/requeststates/${taken.body.serverCorrelationId}`)
    expect(asked.body, path).toMatchObject({ status: 'completed' })
    return String(asked.body.objectReference)
  }
  async function errorOf(method: string, path: string, body?: object) {
    const answer = await call(method, path, body, id())
    return [answer.status, answer.body.errorCode]
  }
  const balance = async () => Number((await call('GET', '/accounts/balance')).body.currentBalance)
  return { basic, newToken, call, done, errorOf, balance }
}

/** The header with a new correlation id. */
export const id = () => ({ 'x-correlationid': randomUUID() })

/** The parties of transactions. */
export const customer = (digits: string) => [{ key: 'msisdn', value: `+256772${digits}` }]
export const business = [{ key: 'organisationid', value: 'simulated-shop' }]

/** Move the clock from one due time to the next, and wait until nothing is due. */
async function advance(simulator: Simulator, time: { start_ms: number; offset_ms: number }, seconds: number) {
  const end_ms = time.offset_ms + seconds * 1_000
  for (;;) {
    simulator.wake()
    const due = await nextDue(simulator, () => time.start_ms + time.offset_ms)
    if (time.offset_ms === end_ms) return
    const next_ms = due === null ? end_ms : Math.min(due.getTime() - time.start_ms, end_ms)
    time.offset_ms = Math.max(next_ms, time.offset_ms)
  }
}

async function nextDue(simulator: Simulator, now_ms: () => number): Promise<Date | null> {
  for (;;) {
    const due = await simulator.nextDue()
    if (due === null || due.getTime() > now_ms()) return due
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** An order for a phone of Uganda that ends with these digits, with a new reference at every call. */
export function orderFor(digits: string): Order {
  return {
    reference: randomUUID(),
    receiver: 'simulated-shop',
    phonenumber: `+256772${digits}`,
    amount: 15_000_000n,
    currency: 'UGX',
    reason: 'School fees',
    remote_id: null,
  }
}

export function payoutFor(digits: string): Payout {
  const { receiver: sender, ...order } = orderFor(digits)
  return { ...order, sender, kind: 'money' }
}

export function refundFor({ order, money }: { order: Order; money: string }, amount = order.amount): Refund {
  const { receiver: sender, reference, remote_id, ...rest } = order
  return {
    ...rest,
    sender,
    amount,
    reference: randomUUID(),
    remote_id: null,
    charge: { reference, remote_id, transaction: money, amount: order.amount },
  }
}

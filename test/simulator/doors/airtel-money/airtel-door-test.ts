import { begin, type Database } from '../../../../src/db/client.ts'
import type { Order, Payout } from '../../../../src/lib/adapter-types.ts'
import { airtelMoney } from '../../../../src/networks/airtel-money/index.ts'
import type { ParsedCallback } from '../../../../src/networks/callbacks.ts'
import type { DriverTools, NetworkOperations } from '../../../../src/networks/contract.ts'
import { airtelMoneyDoor } from '../../../../src/simulator/doors/airtel-money/index.ts'
import { createSimulator, type Simulator } from '../../../../src/simulator/index.ts'
import { type Bound, openBound } from '../../../drivers/bound.ts'
import { testTools } from '../../../networks/airtel-money/airtel-test.ts'
import { openListener } from '../../toy-door.ts'

const CODE = airtelMoneyDoor.code

/** The documented credentials of the door, as settings of the driver. */
export const credentials = Object.fromEntries(airtelMoneyDoor.credentials.map(({ name, value }) => [name, value]))

/** Limit of a call, and of one that will get no answer: a busy machine answers others much later. */
const TIMEOUT_S = 20
const UNANSWERED_TIMEOUT_S = 1

/** The simulated network of Airtel on a clock to move, a business that hears its callbacks, and the driver in front of it. */
export async function openAirtel(db: Database, given: Record<string, unknown> = {}) {
  const listener = await openListener()
  const errors: unknown[] = []
  const time = { start_ms: Date.now(), offset_ms: 0 }
  const now = () => new Date(time.start_ms + time.offset_ms)
  const simulator = createSimulator({
    db,
    now,
    real: now,
    secret: 'a secret of the sandbox',
    callback_url: () => null,
    onError: (_job, error) => errors.push(error),
    doors: [airtelMoneyDoor],
  })
  await begin(db, (tx) => simulator.reset(tx))
  await simulator.listen().catch(() => {})
  simulator.start()
  await simulator.setSwitches(CODE, { callback_url: `${listener.url}/hear` })
  const alarms: string[] = []
  const maxTimeout = () =>
    simulator.faults.list().some(({ kind }) => kind === 'no_answer') ? UNANSWERED_TIMEOUT_S : TIMEOUT_S
  const withLimit = (tools: DriverTools): DriverTools => ({
    ...tools,
    http: (call) => tools.http({ ...call, timeout_s: Math.min(call.timeout_s ?? 60, maxTimeout()) }),
  })
  const open = (settings: Record<string, unknown> = {}) => {
    const parsed = airtelMoney.settings.parse({ country: 'UG', ...credentials, ...given, ...settings })
    const connection = { slug: 'airtel-ug', environment: 'staging', hosts: simulator.hostsOf(CODE), settings: parsed }
    const tools = withLimit(testTools(alarms))
    return openBound(airtelMoney, connection as never, tools) as Required<Bound<NetworkOperations>>
  }
  const airtel = open()
  return {
    simulator,
    /** The driver with the documented credentials, and one with other settings. */
    airtel,
    open,
    alarms,
    errors,
    base: simulator.urlOf(CODE),
    call: (...args: Parameters<typeof call> extends [string, ...infer Rest] ? Rest : never) =>
      call(simulator.urlOf(CODE), ...args),
    world: simulator.world(CODE),
    calls: () => Object.fromEntries(simulator.calls(CODE)),
    set: (values: Record<string, string | number | boolean>) => simulator.setSwitches(CODE, values),
    /** Return the driver's reading of the received callbacks. */
    callbacks: (): ParsedCallback[] =>
      listener.heard.map(({ method, headers, body }) =>
        airtel.readCallback({
          method,
          path: '',
          query: '',
          headers: headers as Record<string, string>,
          body: JSON.stringify(body),
          address: '127.0.0.1',
        }),
      ),
    advance: (seconds: number) => advance(simulator, time, seconds),
    async close() {
      await simulator.stop()
      await listener.close()
    },
  }
}

/** Make a call without the driver, with a new token and for Uganda unless the headers say otherwise. */
async function call(base: string, method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const { client_id, client_secret } = credentials
  const wanted = JSON.stringify({ client_id, client_secret, grant_type: 'client_credentials' })
  const token = await fetch(`${base}/auth/oauth2/token`, { method: 'POST', body: wanted })
  const { access_token } = (await token.json()) as { access_token: string }
  const place = { 'x-country': 'UG', 'x-currency': 'UGX', authorization: `Bearer ${access_token}` }
  const sent = { ...place, 'content-type': 'application/json', ...headers }
  const response = await fetch(base + path, { method, headers: sent, body: body ? JSON.stringify(body) : null })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  }
}

export const chargeBody = (changes: object = {}, msisdn: unknown = '752000002', amount: unknown = 1500) => ({
  reference: 'KR1',
  subscriber: { country: 'UG', currency: 'UGX', msisdn },
  transaction: { amount, country: 'UG', currency: 'UGX', id: 'KR1', ...changes },
})

export type AirtelTest = Awaited<ReturnType<typeof openAirtel>>

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

let orders = 0

/** An order for a phone of Uganda that ends with these digits, with a new reference at every call. */
export function orderFor(digits: string): Order {
  orders += 1
  return {
    reference: `KR${orders}x1`,
    receiver: '700000100',
    phonenumber: `+256752${digits}`,
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

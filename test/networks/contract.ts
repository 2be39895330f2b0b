import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Connection, networkCountries } from '../../src/connections/connection.ts'
import type { RawCallback } from '../../src/drivers/raw-callback.ts'
import type { NetworkOperations } from '../../src/networks/contract.ts'
import { failureReasons, type Order, type Payout } from '../../src/networks/contract.ts'
import { rawCallback } from '../connections/fake-connection.ts'
import { type Bound, bindConnection } from '../drivers/bound.ts'

export interface NetworkUnderTest {
  /** The network at this base URL, with this time limit. */
  connection(url: string, timeout_ms: number): Connection
  /** An order that the network accepts and that stays open for a while, with a new reference at every call. */
  order(): Order
  /** Start a healthy server of the network. `orders` counts its orders with a reference. */
  open(): Promise<{ url: string; orders(reference: string): Promise<number>; close(): Promise<void> }>
  /** A genuine callback of the network. `signed`: it has a signature that we can verify. */
  callback(): { callback: RawCallback; signed: boolean }
}

/** Declare the tests that every mobile-money network must pass. */
export function defineNetworkTests(tested: NetworkUnderTest): void {
  describe('declares itself', () => testDeclaration(tested))
  describe('with a healthy server', () => testSuccess(tested))
  describe('with a failing server', () => testFailures(tested))
  describe('reading callbacks', () => testCallbacks(tested))
}

/** A base URL without a server: port 2 is privileged and unused. */
export const UNREACHABLE_URL = 'http://127.0.0.1:2'
const TIMEOUT_MS = 20_000

function testDeclaration(tested: NetworkUnderTest): void {
  const connection = tested.connection(UNREACHABLE_URL, TIMEOUT_MS)
  const { driver, operations: network } = connection

  it('with a code that fits into a path', () => {
    expect(driver.code).toMatch(/^[a-z][a-z0-9-]*$/)
    expect(driver.name).not.toBe('')
  })

  it('with limits that its own decimals allow', () => {
    for (const { limits, payout_limits = limits } of driver.places)
      for (const { decimals, min, max } of [limits, payout_limits]) {
        const step = 10n ** BigInt(4 - decimals)
        expect(min).toBeGreaterThan(0n)
        expect(max).toBeGreaterThanOrEqual(min)
        expect(min % step).toBe(0n)
        expect(max % step).toBe(0n)
      }
  })

  it('with an answer to its validation requests, and none to other texts', () => {
    expect(network.readValidation === undefined).toBe(network.answerValidation === undefined)
    for (const body of ['', '{}', 'null', '<xml/>', '{"event":"payment.offered"}'])
      expect(network.readValidation?.(rawCallback({ body }))).toBe(undefined)
  })

  it('with a check of the payouts that it sends', () => {
    expect(network.payout === undefined).toBe(network.payoutStatus === undefined)
  })

  it('with the form of its phone numbers in each of its countries', () => {
    for (const { country, phone_regex } of networkCountries([connection])) {
      expect(country).toMatch(/^[A-Z]{2}$/)
      expect(() => new RegExp(phone_regex)).not.toThrow()
    }
  })

  it('with a way to collect money and a way to learn the result', () => {
    expect(network.charge ?? network.registerExpectedPayment).toBeDefined()
    expect(network.chargeStatus ?? network.readCallback).toBeDefined()
  })
}

function testSuccess(tested: NetworkUnderTest): void {
  let server: Awaited<ReturnType<NetworkUnderTest['open']>>
  let network: Bound<NetworkOperations>
  beforeAll(async () => {
    server = await tested.open()
    network = bindConnection(tested.connection(server.url, TIMEOUT_MS))
  })
  afterAll(() => server.close())

  it('accepts an order once, also when it is sent many times at once', async () => {
    const order = tested.order()
    const first = await network.charge!(order)
    expect(first).toEqual({ outcome: 'accepted', remote_id: expect.any(String) })
    const again = await Promise.all([1, 2, 3, 4].map(() => network.charge!(order)))
    for (const answer of again) expect(answer).toEqual(first)
    expect(await server.orders(order.reference)).toBe(1)
  })

  it('finds an order that it has accepted', async () => {
    const order = tested.order()
    const placed = await network.charge!(order)
    expect(await network.chargeStatus!(order)).toEqual(placed)
  })

  it('reports not_found for an order that never arrived', async () => {
    expect(await network.chargeStatus!(tested.order())).toEqual({ outcome: 'not_found' })
  })
}

/** Servers whose answers do not say how an order ended. */
export const uselessAnswers: [name: string, listener: RequestListener][] = [
  ['answers 500', (_, response) => response.writeHead(500).end()],
  [
    'answers 502 with a page',
    (_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>'),
  ],
  [
    'answers 503 in its own words',
    (_, response) => response.writeHead(503).end('{"error":"invalid_order","message":"no"}'),
  ],
  ['answers a 404 that is not its own', (_, response) => response.writeHead(404).end('Not Found')],
  ['answers 403', (_, response) => response.writeHead(403).end('{}')],
  ['answers 429', (_, response) => response.writeHead(429).end('{}')],
  ['redirects', (_, response) => response.writeHead(302, { location: '/elsewhere' }).end()],
  ['answers 200 with nothing', (_, response) => response.writeHead(200).end()],
  ['answers 200 with a page', (_, response) => response.writeHead(200).end('<html>Welcome</html>')],
  ['answers 202 with JSON that means nothing', (_, response) => response.writeHead(202).end('{"state":"pending"}')],
  ['hangs up', (request) => request.socket.destroy()],
  [
    'hangs up in the middle',
    (request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"state":')
      setTimeout(() => request.socket.destroy(), 10)
    },
  ],
]

export const missingAnswers: [name: string, listener: RequestListener][] = [
  ['never answers', () => {}],
  ['begins to answer and never ends', (_, response) => response.writeHead(200).write('{"state":')],
]

function testFailures(tested: NetworkUnderTest): void {
  it.each(uselessAnswers)('is unknown, never failed, when the server %s', async (_name, listener) => {
    await withServer(listener, (url) => expectUnknown(tested.connection(url, TIMEOUT_MS), tested.order()))
  })

  it.each(missingAnswers)('keeps its time limit and is unknown when the server %s', async (_name, listener) => {
    await withServer(listener, async (url) => {
      const started_ms = performance.now()
      await expectUnknown(tested.connection(url, 200), tested.order())
      expect(performance.now() - started_ms).toBeLessThan(15_000)
    })
  })

  it('is unknown when no server listens', async () => {
    await expectUnknown(tested.connection(UNREACHABLE_URL, TIMEOUT_MS), tested.order())
  })

  it('is unknown when its URL is empty', async () => {
    await expectUnknown(tested.connection('', TIMEOUT_MS), tested.order())
  })

  it('is unknown after any garbage', async () => {
    let answer = { status: 200, body: '' }
    const listener: RequestListener = (_, response) => response.writeHead(answer.status).end(answer.body)
    const statuses = fc.constantFrom(200, 201, 202, 403, 409, 418, 500)
    await withServer(listener, (url) =>
      fc.assert(
        fc.asyncProperty(statuses, fc.oneof(fc.string(), fc.json()), async (status, body) => {
          answer = { status, body }
          await expectUnknown(tested.connection(url, TIMEOUT_MS), tested.order())
        }),
        { numRuns: 50 },
      ),
    )
  })
}

function payoutFrom(order: Order): Payout {
  const { receiver, ...common } = order
  return { ...common, kind: 'money', sender: receiver }
}

/** Call every method of the network at once. Every answer must be unknown, and none may throw. */
async function expectUnknown(connection: Connection, order: Order): Promise<void> {
  const network = bindConnection(connection)
  const answers = await Promise.all([
    network.charge?.(order),
    network.registerExpectedPayment?.(order),
    network.chargeStatus?.(order),
    network.transaction?.({ remote_id: 'ABC123' }),
    network.accountHolder?.(order.phonenumber),
    network.payout?.(payoutFrom(order)),
    network.payoutStatus?.(payoutFrom(order)),
  ])
  for (const answer of answers) if (answer) expect(answer).toEqual({ outcome: 'unknown', message: expect.any(String) })
}

/** Run a test against an HTTP server on this machine. */
export async function withServer(listener: RequestListener, test: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await test(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

function testCallbacks(tested: NetworkUnderTest): void {
  const network = tested.connection(UNREACHABLE_URL, TIMEOUT_MS).operations
  if (!network.readCallback) return
  const read = (callback: RawCallback) => network.readCallback!(callback)
  const genuine = tested.callback()

  it('reads a genuine one', () => {
    const parsed = read(genuine.callback)
    expect(parsed).toMatchObject({ subject: expect.stringMatching(/order|transaction/), verified: genuine.signed })
  })

  it('never throws and never verifies what anyone could have sent', () => {
    const headers = fc.dictionary(fc.constantFrom(...Object.keys(genuine.callback.headers), 'x-other'), fc.string())
    fc.assert(
      fc.property(headers, fc.oneof(fc.string(), fc.json(), fc.constant(genuine.callback.body)), (headers, body) => {
        const parsed = read(rawCallback({ headers, body }))
        expect(parsed.subject === 'unrecognized' || !parsed.verified).toBe(true)
        if (parsed.subject === 'order' && parsed.answer.outcome === 'failed')
          expect(failureReasons).toContain(parsed.answer.reason)
      }),
    )
  })

  it('never throws on a slightly changed body', () => {
    const { headers, body } = genuine.callback
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.nat(body.length), fc.string({ maxLength: 3 }), (from, to, text) => {
        const changed = body.slice(0, from) + text + body.slice(to)
        fc.pre(changed !== body)
        const parsed = read(rawCallback({ headers, body: changed }))
        expect(parsed.subject === 'unrecognized' || !parsed.verified).toBe(true)
      }),
    )
  })
}

import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failureReasons, type Network, type Order, type Payout, type RawCallback } from '../../src/networks/network.ts'

/** What the suite needs to know about one network. */
export interface NetworkUnderTest {
  /** The network, talking to this base URL and giving up after so long. */
  network(url: string, timeout_ms: number): Network
  /** An order that the network takes and that stays open for a while; another reference at every call. */
  order(): Order
  /** Opens a healthy far side. `orders` counts what it holds under a reference. */
  open(): Promise<{ url: string; orders(reference: string): Promise<number>; close(): Promise<void> }>
  /** A callback as the network itself sends it. `signed`: it carries a signature that can be checked. */
  callback(): { callback: RawCallback; signed: boolean }
}

/** Declares the tests that every mobile-money network must pass. */
export function defineNetworkTests(tested: NetworkUnderTest): void {
  describe('declares itself', () => testDeclaration(tested))
  describe('when all is well', () => testSuccess(tested))
  describe('when the outside is in trouble', () => testFailures(tested))
  describe('reading callbacks', () => testCallbacks(tested))
}

/** A base URL where nobody listens: port 2 is privileged and has no use. */
export const UNREACHABLE_URL = 'http://127.0.0.1:2'
const TIMEOUT_MS = 20_000

function testDeclaration(tested: NetworkUnderTest): void {
  const network = tested.network(UNREACHABLE_URL, TIMEOUT_MS)

  it('with a code that fits into a path', () => {
    expect(network.code).toMatch(/^[a-z][a-z0-9-]*$/)
    expect(network.name).not.toBe('')
  })

  it('with limits that its own decimals allow', () => {
    const { decimals, min: least, max: most } = network.limits
    const step = 10n ** BigInt(4 - decimals)
    expect(least).toBeGreaterThan(0n)
    expect(most).toBeGreaterThanOrEqual(least)
    expect(least % step).toBe(0n)
    expect(most % step).toBe(0n)
  })

  it('with an answer to what it asks, and deaf to what it does not ask', () => {
    expect(network.readValidationRequest === undefined).toBe(network.answerValidationRequest === undefined)
    for (const body of ['', '{}', 'null', '<xml/>', '{"event":"payment.offered"}'])
      expect(network.readValidationRequest?.({ headers: {}, body })).toBe(undefined)
  })

  it('with a way to learn what became of money that it sends', () => {
    expect(network.sendMoney === undefined).toBe(network.checkPayout === undefined)
  })

  it('with what its numbers look like in each of its countries', () => {
    for (const { iso, phone_regex } of network.countries ?? []) {
      expect(iso).toMatch(/^[A-Z]{2}$/)
      expect(() => new RegExp(phone_regex)).not.toThrow()
    }
  })

  it('with a way to collect money and a way to learn what became of it', () => {
    expect(network.requestMoney ?? network.registerExpectedPayment).toBeDefined()
    expect(network.checkOrder ?? network.readCallback).toBeDefined()
  })
}

function testSuccess(tested: NetworkUnderTest): void {
  let far: Awaited<ReturnType<NetworkUnderTest['open']>>
  let network: Network
  beforeAll(async () => {
    far = await tested.open()
    network = tested.network(far.url, TIMEOUT_MS)
  })
  afterAll(() => far.close())

  it('takes an order once, however often and however simultaneously it is sent', async () => {
    const order = tested.order()
    const first = await network.requestMoney!(order)
    expect(first).toEqual({ outcome: 'accepted', remote_id: expect.any(String) })
    const again = await Promise.all([1, 2, 3, 4].map(() => network.requestMoney!(order)))
    for (const answer of again) expect(answer).toEqual(first)
    expect(await far.orders(order.reference)).toBe(1)
  })

  it('finds an order that it has taken', async () => {
    const order = tested.order()
    const placed = await network.requestMoney!(order)
    expect(await network.checkOrder!(order)).toEqual(placed)
  })

  it('is certain that an order it never saw does not exist', async () => {
    expect(await network.checkOrder!(tested.order())).toEqual({ outcome: 'not_found' })
  })
}

/** Far sides that answer, but nothing that says what became of an order. */
export const uselessAnswers: [name: string, far: RequestListener][] = [
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
  ['answers 401', (_, response) => response.writeHead(401).end('{}')],
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

export const missingAnswers: [name: string, far: RequestListener][] = [
  ['never answers', () => {}],
  ['begins to answer and never ends', (_, response) => response.writeHead(200).write('{"state":')],
]

function testFailures(tested: NetworkUnderTest): void {
  it.each(uselessAnswers)('is unknown, never failed, when the far side %s', async (_name, far) => {
    await withServer(far, (url) => expectUnknown(tested.network(url, TIMEOUT_MS), tested.order()))
  })

  it.each(missingAnswers)('gives up in time and is unknown when the far side %s', async (_name, far) => {
    await withServer(far, async (url) => {
      const began = performance.now()
      await expectUnknown(tested.network(url, 200), tested.order())
      expect(performance.now() - began).toBeLessThan(15_000)
    })
  })

  it('is unknown when nobody listens', async () => {
    await expectUnknown(tested.network(UNREACHABLE_URL, TIMEOUT_MS), tested.order())
  })

  it('is unknown when its address is none', async () => {
    await expectUnknown(tested.network('', TIMEOUT_MS), tested.order())
  })

  it('never takes garbage for an outcome', async () => {
    let answer = { status: 200, body: '' }
    const far: RequestListener = (_, response) => response.writeHead(answer.status).end(answer.body)
    const statuses = fc.constantFrom(200, 201, 202, 403, 409, 418, 500)
    await withServer(far, (url) =>
      fc.assert(
        fc.asyncProperty(statuses, fc.oneof(fc.string(), fc.json()), async (status, body) => {
          answer = { status, body }
          await expectUnknown(tested.network(url, TIMEOUT_MS), tested.order())
        }),
        { numRuns: 50 },
      ),
    )
  })
}

/** The same as an order, the other way round. */
function payoutFrom(order: Order): Payout {
  const { receiver, ...rest } = order
  return { ...rest, kind: 'money', sender: receiver }
}

/** Every verb that the network has, asked at once: the answers stay unknown, and nothing is thrown. */
async function expectUnknown(network: Network, order: Order): Promise<void> {
  const answers = await Promise.all([
    network.requestMoney?.(order),
    network.registerExpectedPayment?.(order),
    network.checkOrder?.(order),
    network.findTransaction?.('ABC123'),
    network.lookUpAccountHolder?.(order.phonenumber),
    network.sendMoney?.(payoutFrom(order)),
    network.checkPayout?.(payoutFrom(order)),
  ])
  for (const answer of answers) if (answer) expect(answer).toEqual({ outcome: 'unknown', message: expect.any(String) })
}

export async function withServer(far: RequestListener, test: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(far)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await test(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

function testCallbacks(tested: NetworkUnderTest): void {
  const network = tested.network(UNREACHABLE_URL, TIMEOUT_MS)
  if (!network.readCallback) return
  const read = (callback: RawCallback) => network.readCallback!(callback)
  const genuine = tested.callback()

  it('understands its own', () => {
    const knock = read(genuine.callback)
    expect(knock).toMatchObject({ subject: expect.stringMatching(/order|transaction/), verified: genuine.signed })
  })

  it('never throws and never believes what anybody could have sent', () => {
    const headers = fc.dictionary(fc.constantFrom(...Object.keys(genuine.callback.headers), 'x-other'), fc.string())
    fc.assert(
      fc.property(headers, fc.oneof(fc.string(), fc.json(), fc.constant(genuine.callback.body)), (headers, body) => {
        const knock = read({ headers, body })
        expect(knock.subject === 'unrecognized' || !knock.verified).toBe(true)
        if (knock.subject === 'order' && knock.answer.outcome === 'failed')
          expect(failureReasons).toContain(knock.answer.reason)
      }),
    )
  })

  it('never throws on a body that is nearly its own', () => {
    const { headers, body } = genuine.callback
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.nat(body.length), fc.string({ maxLength: 3 }), (from, to, text) => {
        const changed = body.slice(0, from) + text + body.slice(to)
        fc.pre(changed !== body)
        const knock = read({ headers, body: changed })
        expect(knock.subject === 'unrecognized' || !knock.verified).toBe(true)
      }),
    )
  })
}

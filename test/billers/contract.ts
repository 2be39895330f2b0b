import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Biller, type Vend, vendFailureReasons } from '../../src/billers/biller.ts'
import { missingAnswers, UNREACHABLE_URL, uselessAnswers, withServer } from '../networks/contract.ts'

export interface BillerUnderTest {
  /** The biller, talking to this base URL and giving up after so long. */
  biller(url: string, timeout_ms: number): Biller
  /** A purchase of prepaid electricity that is sold at once; another reference at every call. */
  order(): Vend
  /** A purchase that is refused. */
  refused(): Vend
  /** Open a healthy far side. `sold` counts what it has sold under a reference. */
  open(): Promise<{ url: string; sold(reference: string): Promise<number>; close(): Promise<void> }>
}

const TIMEOUT_MS = 20_000

/** Declare the tests that every biller must pass. */
export function defineBillerTests(tested: BillerUnderTest): void {
  describe('declares itself', () => testDeclaration(tested))
  describe('with a healthy server', () => testSuccess(tested))
  describe('with a failing server', () => testFailures(tested))
}

function testDeclaration(tested: BillerUnderTest): void {
  it('with a code, a name, and the time after which no vend is on its way any more', () => {
    const biller = tested.biller(UNREACHABLE_URL, TIMEOUT_MS)
    expect(biller.code).toMatch(/^[a-z][a-z0-9-]*$/)
    expect(biller.name).not.toBe('')
    expect(biller.in_flight_ms).toBeGreaterThan(1_000)
  })
}

function testSuccess(tested: BillerUnderTest): void {
  let server: Awaited<ReturnType<BillerUnderTest['open']>>
  let biller: Biller
  beforeAll(async () => {
    server = await tested.open()
    biller = tested.biller(server.url, TIMEOUT_MS)
  })
  afterAll(() => server.close())

  it('sells once, also when an order is sent many times at once', async () => {
    const order = tested.order()
    await Promise.all([1, 2, 3, 4].map(() => biller.vend(order)))
    expect(await server.sold(order.reference)).toBe(1)
  })

  it('sells a token, and returns the same one at a check', async () => {
    const order = tested.order()
    const sold = await biller.vend(order)
    expect(sold).toMatchObject({
      outcome: 'successful',
      remote_id: expect.stringMatching(/^.+$/),
      vended: { token: expect.stringMatching(/^\d{20}$/), pins: [] },
    })
    const known = await biller.checkVend(order)
    if (sold.outcome !== 'successful' || known.outcome !== 'successful') throw new Error('It was sold before.')
    expect(known.remote_id).toBe(sold.remote_id)
    expect(known.vended).toEqual(sold.vended)
  })

  it('gives the reason of a refusal, at the vend and at a check', async () => {
    const order = tested.refused()
    for (const answer of [await biller.vend(order), await biller.checkVend(order)]) {
      expect(answer).toMatchObject({ outcome: 'failed', message: expect.stringMatching(/./) })
      if (answer.outcome === 'failed') expect(vendFailureReasons).toContain(answer.reason)
    }
    expect(await server.sold(order.reference)).toBe(0)
  })

  it('reports not_found for an order that never arrived', async () => {
    expect(await biller.checkVend(tested.order())).toEqual({ outcome: 'not_found' })
  })

  it('finds the holder of a meter, and reports not_found for a number without one', async () => {
    const query = { service_type: 'ikeja_electric_prepaid', product_code: null }
    expect(await biller.lookUpAccountHolder({ ...query, account_number: '04042404048' })).toMatchObject({
      outcome: 'found',
      holder: { name: 'TESTMETER1', account_number: '04042404048', raw_output: { canVend: true } },
    })
    const unknown_number = await biller.lookUpAccountHolder({ ...query, account_number: '00012345674' })
    expect(unknown_number).toEqual({ outcome: 'not_found', message: expect.any(String) })
  })
}

function testFailures(tested: BillerUnderTest): void {
  it.each(uselessAnswers)('is unknown, never failed, when the server %s', async (_name, listener) => {
    await withServer(listener, (url) => expectUnknown(tested.biller(url, TIMEOUT_MS), tested.order()))
  })

  it.each(missingAnswers)('is unknown after its time limit when the server %s', async (_name, listener) => {
    await withServer(listener, (url) => expectUnknown(tested.biller(url, 200), tested.order()))
  })

  it('is unknown when no server listens, or its URL is empty', async () => {
    await expectUnknown(tested.biller(UNREACHABLE_URL, TIMEOUT_MS), tested.order())
    await expectUnknown(tested.biller('', TIMEOUT_MS), tested.order())
  })

  it('is unknown after any garbage', async () => {
    let answer = { status: 200, body: '' }
    const statuses = fc.constantFrom(200, 201, 202, 403, 409, 418, 500)
    await withServer(
      (_, response) => response.writeHead(answer.status).end(answer.body),
      (url) =>
        fc.assert(
          fc.asyncProperty(statuses, fc.oneof(fc.string(), fc.json()), async (status, body) => {
            answer = { status, body }
            await expectUnknown(tested.biller(url, TIMEOUT_MS), tested.order())
          }),
          { numRuns: 50 },
        ),
    )
  })
}

/** Call every method at once. Every answer must be unknown, and none may throw. */
async function expectUnknown(biller: Biller, order: Vend): Promise<void> {
  const { service_type, account_number } = order
  const answers = await Promise.all([
    biller.vend(order),
    biller.checkVend(order),
    biller.lookUpAccountHolder({ service_type, account_number, product_code: null }),
  ])
  for (const answer of answers) expect(answer).toEqual({ outcome: 'unknown', message: expect.any(String) })
}

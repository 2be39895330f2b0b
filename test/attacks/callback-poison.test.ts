import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestService, type TestService } from '../interface/test-service.ts'
import { printFigure } from './figures.ts'
import { findReceiver, paymentReport, runEach, sendCallback, signatureOf } from './signed-callbacks.ts'

/*
 * The network signs callbacks with contents that the program or its database cannot hold, mixed with good ones. The
 * connector also has a bug.
 */

let service: TestService
let receiver: string

beforeAll(async () => {
  service = await openTestService()
  const { operations } = service.testApp.app.connections.find('sandbox')!
  const readCallback = operations.readCallback!
  operations.readCallback = (callback) => {
    if (callback.body.includes('BUG')) throw new TypeError('a bug in the connector')
    return readCallback(callback)
  }
  receiver = await findReceiver(service)
})
afterAll(() => service.close())

const POISONS = 400
const oddTexts = fc.oneof(
  fc.constantFrom('\0', '\ud800', '\udfff\ud800', '￿', 'BUG', '"', '\\', '\u0000\u0000', '{}', 'x'.repeat(20_000)),
  fc.string({ unit: 'binary' }),
)
const fields = {
  amount: fc.constantFrom(
    '9'.repeat(30),
    '9'.repeat(16),
    '9'.repeat(41),
    '0',
    '-5',
    '1e400',
    'NaN',
    '',
    17,
    null,
    '0.00001',
  ),
  paid_at: fc.constantFrom('0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2030-02-30T12:00:00Z', '', null, 0),
  currency: fc.oneof(fc.constantFrom('ZZZ', '', 'bxc'), oddTexts),
  receiver: oddTexts,
  reference: oddTexts,
  order_reference: fc.oneof(fc.constantFrom('KR999999999999999-1', 'KR0-0'), oddTexts),
  phonenumber: oddTexts,
  name: oddTexts,
  status: fc.constantFrom('reversed', 'successful', 'lost'),
  remote_id: fc.oneof(fc.constantFrom('POISON', '', 'A'.repeat(101)), oddTexts),
}
/** Make one or two fields with such values. */
const poison = fc
  .subarray(Object.keys(fields) as (keyof typeof fields)[], { minLength: 1, maxLength: 2 })
  .chain((names) =>
    fc.record(Object.fromEntries(names.map((name): [string, fc.Arbitrary<unknown>] => [name, fields[name]]))),
  )

/** The same text with bytes changed: null characters, and bytes that are not UTF-8. */
function damage(body: string, seed: number): Uint8Array {
  const bytes = Buffer.from(body)
  if (seed % 3 === 0) bytes[seed % bytes.length] = 0
  if (seed % 7 === 0) bytes[(seed * 31) % bytes.length] = 0xff
  return bytes
}

it('everything is on disk, readable callbacks are answered with success, and good ones are credited once', async () => {
  const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000)
  const bodies = fc
    .sample(poison, { seed, numRuns: POISONS })
    .map((changes, index) => damage(paymentReport(`POISON${index}`, receiver, changes), seed + index))
  const good = Array.from({ length: 100 }, (_, index) => paymentReport(`GOOD${index}`, receiver))
  const before = await service.testApp.db<{ count: number }[]>`select count(*) from callbacks`
  const results = await runEach(POISONS, 20, async (index) => {
    const body = bodies[index]!
    const neighbour = good[index]
    const [status, good_status] = await Promise.all([
      sendCallback(service, body, signatureOf(service, body)),
      neighbour ? sendCallback(service, neighbour, signatureOf(service, neighbour)) : 200,
    ])
    return { status, good_status }
  })
  const { db } = service.testApp
  const stored = await db<{ whole: string }[]>`
    select encode(coalesce(bytes, convert_to(body, 'UTF8')), 'hex') as whole from callbacks`
  const whole = new Set(stored.map((row) => row.whole))
  const lost = bodies.filter((body) => !whole.has(Buffer.from(body).toString('hex')))
  const unread = bodies.filter((_, index) => results[index]!.status === 400)
  const credited = await db`select 1 from collections where remote_transaction_id like 'GOOD%'`
  const [states] = await db<{ failed: number; settled: number }[]>`
    select count(*) filter (where state = 'failed') as failed, count(*) filter (where state = 'settled') as settled from callbacks`
  printFigure(
    'callback-poison',
    `seed ${seed}: ${POISONS} impossible signed callbacks, ${lost.length} lost, ${states!.failed} kept as failed; ${credited.length} of ${good.length} good ones credited`,
  )
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set([200, 400]))
  expect(bodies.filter((body) => String(body).includes('BUG')).filter((body) => !unread.includes(body))).toEqual([])
  expect(states!.failed).toBeGreaterThanOrEqual(unread.length)
  expect(new Set(results.map(({ good_status }) => good_status))).toEqual(new Set([200]))
  expect(lost).toEqual([])
  expect(stored.length - before[0]!.count).toBe(POISONS + good.length)
  expect(credited).toHaveLength(good.length)
})

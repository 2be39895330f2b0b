import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fundAccount } from '../../src/core/ledger/accounts.ts'
import { begin } from '../../src/db/client.ts'
import { parseAmount } from '../../src/lib/money.ts'
import { type Operation, readDescription, type Schema } from '../interface/openapi.ts'
import { callRaw, openTestService, type RawResponse, type TestService } from '../interface/test-service.ts'
import { callbackRequests, type FuzzRequest, requestsFor } from './requests.ts'
import { knowsValidBody } from './valid-bodies.ts'

/*
 * Thousands of requests made from the service's own OpenAPI document. The service answers each in time, without an
 * error of its own, and as that document says. FUZZ_SEED repeats a run, FUZZ_RUNS makes it longer.
 */
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)
const runs = Number(process.env.FUZZ_RUNS ?? 3)
const AT_ONCE = 12
// In a few runs fast-check prefers values at the edge, which are refused more often.
const MIN_ACCEPTED_SHARE = 0.15
const PATIENCE_MS = 600_000 + runs * 60_000

let service: TestService
let document: Schema
let operations: Operation[]
let ajv: Ajv2020
const faults: unknown[] = []
const counts = new Map<number, number>()
/** Requests with bodies to addresses that store something, and how many of them were accepted. */
const writes = { sent: 0, accepted: 0 }

beforeAll(async () => {
  service = await openTestService()
  // A failed job sends no answer, so its errors are collected from the log.
  service.testApp.app.log.error = (...said: unknown[]) => void faults.push(said)
  ;({ document, operations } = await readDescription(service))
  await fillWallets()
  ajv = new Ajv2020({ strict: false, formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, uri: true } })
  process.stdout.write(`fuzz seed: ${seed}\n`)
})
afterAll(async () => {
  const list = [...counts].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`)
  process.stdout.write(`fuzz answers: ${list.join(', ')}\n`)
  const share = Math.round((100 * writes.accepted) / writes.sent)
  process.stdout.write(`fuzz writes: ${writes.accepted} of ${writes.sent} came past validation (${share} %)\n`)
  await service.close()
})

/** So much money that payments and purchases are not refused for want of it. */
async function fillWallets() {
  const { testApp, user: author } = service
  const wallets = await testApp.db<{ id: number }[]>`
    select id from accounts where organization = ${testApp.organization} and kind = 'local' and currency in ('BXC', 'NGN')`
  for (const { id: account } of wallets)
    await begin(testApp.db, (tx) =>
      fundAccount(tx, testApp.clock.now(), {
        account,
        author,
        description: 'Funds',
        amount: parseAmount('1000000000000')!,
      }),
    )
}

describe('any request', () => {
  it(
    'is answered in time, without a fault, and as the description says',
    async () => {
      const ids = [(await service.createRequest()).id, 1, 2, 3]
      for (const operation of operations) {
        // Bodies can be wrong in more ways than queries.
        const times = operation.body ? 6 : 1
        const isFine = faultFinder(operation)
        const writesSomething = knowsValidBody(operation)
        await assertFine(
          requestsFor(document, operation, ids),
          (answer) => {
            if (writesSomething) writes.sent += 1
            if (writesSomething && answer.status < 300) writes.accepted += 1
            return isFine(answer)
          },
          runs * times,
        )
      }
      expect(faults).toEqual([])
      // A request that is refused for its form shows little of the service.
      expect(writes.accepted / writes.sent).toBeGreaterThan(MIN_ACCEPTED_SHARE)
    },
    PATIENCE_MS,
  )

  it(
    'is taken in by the callback door, believed or not',
    async () => {
      await assertFine(callbackRequests, ({ status }) => (status < 500 ? undefined : 'a server error'))
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )
})

/** Send requests, many at once, and show the smallest one with a wrong answer. */
async function assertFine(
  requests: fc.Arbitrary<FuzzRequest>,
  faultOf: (answer: RawResponse) => string | undefined,
  numRuns = runs,
) {
  const several = fc.array(requests, { minLength: 1, maxLength: AT_ONCE, size: 'max' })
  await fc.assert(
    fc.asyncProperty(several, async (list) => {
      const answers = await Promise.all(list.map(send))
      service.advance(1)
      const wrong = answers.flatMap((answer, index) => {
        const fault = faultOf(answer)
        return fault === undefined
          ? []
          : [{ fault, request: list[index], answer: answer.text.slice(0, 500), status: answer.status }]
      })
      expect(wrong).toEqual([])
    }),
    { seed, numRuns },
  )
}

async function send({ method, path, headers, body }: FuzzRequest): Promise<RawResponse> {
  // Webhooks belong to an organization without events, so no outside address is called.
  const key = path.includes('webhooks') ? service.otherShop.key : service.key
  const answer = await callRaw(service.url, method, path, {
    headers: { authorization: `Token ${key}`, ...headers },
    body,
  })
  counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1)
  return answer
}

/** Make the check of the answers to one operation. */
function faultFinder({
  responses: answers,
  is_stream: streams,
  offers_csv: tabulates,
  offers_files: writes_files,
}: Operation): (answer: RawResponse) => string | undefined {
  // References point into the document, so each schema includes its components.
  const compile = (schema: Schema) => ajv.compile({ ...schema, components: document.components })
  const checks = new Map<number, ValidateFunction>()
  for (const [status, schema] of answers) if (schema) checks.set(status, compile(schema))
  const detail = compile({ type: 'object', required: ['detail'], properties: { detail: { type: 'string' } } })
  return ({ status, headers, text, body }) => {
    if (status >= 500) return 'a server error'
    if (status >= 300 && status < 400) return 'a redirect'
    if (streams && status === 200) return BEGINNING.test(text) ? undefined : 'no stream of events'
    if (writes_files && status === 200 && FILE.test(headers['content-type'] ?? ''))
      return text.length > 0 ? undefined : 'an empty file'
    if (tabulates && status === 200 && CSV.test(headers['content-type'] ?? ''))
      return text.startsWith('id,') ? undefined : 'no table'
    if (!/^application\/json/.test(headers['content-type'] ?? '')) return 'no JSON'
    const check = checks.get(status) ?? (UNDESCRIBED.has(status) ? detail : undefined)
    if (!check) return 'a status that the description does not know'
    return check(body) ? undefined : `not as described: ${ajv.errorsText(check.errors)}`
  }
}

/** Content types that an operation writes beside JSON. */
const FILE = /^(text\/csv|application\/(pdf|vnd\.openxmlformats))/
const CSV = /^text\/csv; charset=utf-8$/

/** Beginning of a stream: the wait after a broken connection, and the position to continue. */
const BEGINNING = /^retry: \d+\nid: \d+\n\n/

/** The statuses that any address may answer to wrong requests: an unknown path, refused JSON, a too large body. */
const UNDESCRIBED = new Set([404, 406, 413])

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestService, type TestService } from '../interface/test-service.ts'
import { printFigure } from './figures.ts'

/*
 * Payments to 1,000 recipients, as large as a body may be: recipients that the service has never seen, each with a contact, an
 * event, a notification and a hold of its own; the same as the text of a Python literal; and rows in which every field is
 * wrong. While the service works on one, a client of another organization goes on to read its currencies.
 */

const RECIPIENTS = 1_000
/** The first payment of each kind is not measured: it compiles the code. */
const PAYMENTS = 3
const NANOSECONDS_PER_MS = 1_000_000

let service: TestService
let numbers = 0
beforeAll(async () => {
  service = await openTestService({ jobs: false })
  for (const event of ['contact.created', 'payment.status.changed'])
    await service.shop.post('/api/webhooks', { event, target: 'https://shop.example/hook' })
})
afterAll(() => service.close())

const rows = (row: (index: number) => object) => Array.from({ length: RECIPIENTS }, (_, index) => row(index))

/** A row of some 800 bytes, for a phone that has no contact yet. */
function validRow(index: number): object {
  numbers += 1
  return {
    phonenumber: `+2567${70_000_000 + numbers}`,
    amount: '1',
    first_name: 'Jane Akinyi Nabukeera '.repeat(3),
    last_name: `Doe ${index}`,
    description: 'Wages of January',
    metadata: Object.fromEntries(Array.from({ length: 20 }, (_, key) => [`attribute-${key}`, 'a value of this one'])),
  }
}

const wrong = { first_name: {}, last_name: [], national_id: {}, description: {}, metadata: 'none', amount: 'much' }

const kinds: Record<string, () => { status: number; body: object }> = {
  'new recipients': () => ({ status: 201, body: { recipient_data: rows(validRow) } }),
  'a Python text': () => ({
    status: 201,
    body: { recipient_data: JSON.stringify(rows(validRow)).replaceAll('"', "'") },
  }),
  'wrong rows': () => ({
    status: 400,
    body: {
      recipient_data: rows((index) => ({
        ...wrong,
        phonenumber: `+${index}`,
        national_id_type: `${'x'.repeat(600)}${index}`,
      })),
    },
  }),
}

/** Read of another client: how long each took, in ms, the longest last. */
async function measureReads(isOver: (reads: number) => boolean): Promise<number[]> {
  const durations: number[] = []
  while (!isOver(durations.length)) {
    const started = performance.now()
    const { status } = await service.otherShop.get('/api/currencies')
    expect(status).toBe(200)
    durations.push(performance.now() - started)
  }
  return durations.sort((a, b) => a - b)
}

const median = (durations: readonly number[]) => durations[Math.floor(durations.length / 2)]!

it.each(Object.keys(kinds))('large payments: others are answered during %s', async (kind) => {
  const idle = await measureReads((reads) => reads === 100)
  const busy: number[] = []
  const turns: number[] = []
  const shares: number[] = []
  for (let number = 0; number <= PAYMENTS; number += 1) {
    const { status, body } = kinds[kind]!()
    const text = JSON.stringify({ currency: 'UGX', description: 'Wages', ...body })
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const started = performance.now()
    let answered = false
    const payment = service.shop.post('/api/payments', text).finally(() => {
      answered = true
    })
    const durations = await measureReads(() => answered)
    const answer = await payment
    delay.disable()
    const total_ms = performance.now() - started
    expect(answer.status).toBe(status)
    if (number === 0) continue
    busy.push(...durations)
    turns.push(delay.max / NANOSECONDS_PER_MS)
    shares.push(delay.max / NANOSECONDS_PER_MS / total_ms)
  }
  // All in one turn it would be almost everything. One payment may meet a pause of the machine, but not each of them.
  expect(Math.min(...shares)).toBeLessThan(0.6)
  busy.sort((a, b) => a - b)
  const longest_ms = Math.max(...turns)
  const ratio = busy.at(-1)! / median(idle)
  printFigure(
    'large-payments',
    `${kind}: longest turn ${longest_ms.toFixed(0)} ms; ${busy.length} reads of another client answered meanwhile, in ${(median(busy) / median(idle)).toFixed(1)} times the time of an idle service at the median and ${ratio.toFixed(0)} times at most`,
  )
})

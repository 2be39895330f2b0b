import { performance } from 'node:perf_hooks'
import { ingestIncomingPayments } from '../../src/core/collections/incoming-payments.ts'
import { newCollectionRequestBody, toNewCollectionRequest } from '../../src/core/collections/new-request.ts'
import { createCollectionRequests } from '../../src/core/collections/requests.ts'
import { begin, connect, type Database } from '../../src/db/client.ts'
import { parseAmount } from '../../src/lib/money.ts'
import { OBSERVED, sampleWaits, type Waits } from '../contention/waits.ts'
import { printProgress, type Result, type ScenarioContext, type Table } from '../measurements.ts'
import { newRequestBody } from '../requests.ts'
import { assignCustomers, CURRENCY, type Customer, type Shop } from '../shops.ts'
import { checkBooks } from './settle.ts'

/** Distributions of the load over organizations. */
const SPREADS = ['one', 'zipf', 'even'] as const
type Spread = (typeof SPREADS)[number]
const WRITERS = [4, 16, 64]
export const CONTENDERS = 20
/** The size of a batch, of requests and then of their payments. */
const BATCH = 16
const NETWORK = {
  slug: 'sandbox',
  code: 'sandbox',
  name: 'Sandbox Network',
  accounts: null,
  limits: { decimals: 4, min: 1n, max: 10n ** 15n },
}

interface Round {
  spread: Spread
  writers: number
  seconds: number
}

/**
 * Create and settle collections with the service's statements, over many connections as of many processes. Sample the
 * waits of PostgreSQL's connections. Organizations share the load by Zipf's law: the first has twice as much as the
 * second.
 */
export async function measureContention({ service, options }: ScenarioContext): Promise<Result> {
  const tables: Table[] = []
  let settled = 0
  for (const spread of SPREADS)
    for (const writers of WRITERS) {
      printProgress(`${spread}, ${writers} connections`)
      const round = { spread, writers, seconds: options.seconds }
      const { done, failed, waits } = await run(service.database_url, service.db, service.shops, round)
      settled += done
      tables.push(tableOf(round, done, failed, waits))
    }
  const [row] = await service.db<{ count: number }[]>`select count(*) from collections`
  return {
    figures: [],
    checks: [
      { claim: `${settled} collections were settled, ${row!.count} are stored`, holds: settled === row!.count },
      await checkBooks(service.db),
    ],
    tables,
  }
}

async function run(url: string, observer: Database, shops: readonly Shop[], { spread, writers, seconds }: Round) {
  const db = connect(url, { connections: writers, application: OBSERVED })
  const customers = Map.groupBy(assignCustomers(shops), ({ shop }) => shop)
  const pick = pickerOf(spread, shops)
  const counts: { done: number; failed: number; error?: string } = { done: 0, failed: 0 }
  const write = async (writer: number, until: number) => {
    for (let round = 0; performance.now() < until; round += 1) {
      const batch = Array.from({ length: BATCH }, (_, index): Customer => {
        const own = customers.get(pick())!
        // Neighbouring writers have other customers: two requests of one customer at the same time are rare.
        return own[((round * writers + writer) * BATCH + index) % own.length]!
      })
      await collect(db, batch, `${spread}-${writers}-${writer}-${round}`).then(
        () => {
          counts.done += BATCH
        },
        (error: unknown) => {
          counts.failed += 1
          counts.error ??= String(error)
        },
      )
    }
  }
  const all = (until: number) => Promise.all(Array.from({ length: writers }, (_, writer) => write(writer, until)))
  const stop = sampleWaits(observer)
  await all(performance.now() + seconds * 1_000)
  const waits = await stop()
  await db.end()
  if (counts.error) printProgress(`${counts.failed} batches failed, the first with ${counts.error}`)
  return { ...counts, waits }
}

/** Collect with two transactions: one creates the requests of a batch, the other takes their payments. */
async function collect(db: Database, batch: readonly Customer[], name: string): Promise<void> {
  const now = new Date()
  const schema = newCollectionRequestBody([CURRENCY])
  const inputs = batch.map((customer) => {
    const { organization, author } = customer.shop
    return toNewCollectionRequest(schema.parse(newRequestBody(customer)), {
      now,
      organization,
      author,
      network: NETWORK,
    })
  })
  const reports = batch.map(({ phone, shop }, index) => ({
    network: NETWORK,
    remote_id: `${name}-${index}`,
    status: 'successful' as const,
    receiver: shop.receiver,
    phonenumber: `+${phone}`,
    amount: parseAmount('1500')!,
    currency: CURRENCY,
    order_reference: null,
    reference: null,
    paid_at: now,
  }))
  await begin(db, async (tx) => {
    const made = await createCollectionRequests(tx, now, inputs)
    for (const one of made) if (!one.ok) throw one.error
  })
  await begin(db, (tx) => ingestIncomingPayments(tx, now, reports))
}

/** Choose a shop for each collection. */
function pickerOf(spread: Spread, shops: readonly Shop[]): () => Shop {
  const weights = shops.map((_, index) =>
    spread === 'zipf' ? 1 / (index + 1) : spread === 'even' || index === 0 ? 1 : 0,
  )
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return () => {
    let rest = Math.random() * total
    for (const [index, weight] of weights.entries()) {
      rest -= weight
      if (rest < 0) return shops[index]!
    }
    return shops[0]!
  }
}

const MAX_ROWS = 9

function tableOf({ spread, writers, seconds }: Round, done: number, failed: number, waits: Waits): Table {
  const shares = (counts: Map<string, number>, prefix: string) =>
    [...counts]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, MAX_ROWS)
      .map(([name, count]) => ({ name: prefix + name, values: [(100 * count) / waits.samples] }))
  return {
    title: `${spread} organization(s), ${writers} connections`,
    columns: ['per cent'],
    rows: [
      { name: 'collections a second (a rate)', values: [done / seconds] },
      { name: 'batches that failed (a number)', values: [failed] },
      { name: 'most locks that were waited for (a number)', values: [waits.max_waiting] },
      ...shares(waits.waits, ''),
      ...shares(waits.locked, 'waits for a lock in: '),
    ],
  }
}

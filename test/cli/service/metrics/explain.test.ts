import { Sql } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseFigures } from '../../../../src/cli/service/metrics/database-figures.ts'
import { sumUnmatched } from '../../../../src/core/collections/collections.ts'
import { countFailedCallbacks } from '../../../../src/core/connections/callbacks.ts'
import { countOpenOrders, insertNetworkOrders } from '../../../../src/core/connections/network-orders.ts'
import { readDeliveryBacklog } from '../../../../src/core/events/backlog.ts'
import { readParkedPayouts } from '../../../../src/core/payments/payouts.ts'
import { queues, readQueue } from '../../../../src/core/queues.ts'
import { begin, type Reader } from '../../../../src/db/client.ts'
import type { Fragment, Value } from '../../../../src/db/sql.ts'
import { allJobs } from '../../../../src/jobs/index.ts'
import { buildTestApp, type TestApp } from '../../../test-app.ts'

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** Tables of a row for each connection, and its currencies or processes, which need no further index. */
const PER_CONNECTION = [
  'connections',
  'connection_balance_checks',
  'bill_catalogue_syncs',
  'connection_floats',
  'connection_health',
]

let testApp: TestApp
beforeAll(async () => {
  testApp = await buildTestApp()
})
afterAll(() => testApp.close())

/** Run reads as they are, after noting how PostgreSQL carries out each of them. */
async function plansOf(
  read: (db: Reader) => Promise<unknown>,
  options: { seqscan: 'on' | 'off' },
): Promise<PlanNode[]> {
  const nodes: PlanNode[] = []
  const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)]
  await begin(testApp.db, async (tx) => {
    await tx.unsafe(`set local enable_seqscan = ${options.seqscan}`)
    const explain = async (statement: Fragment) => {
      const [row] = await tx<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>`
        explain (analyze, timing off, format json) ${statement}`
      nodes.push(...flatten(row!['QUERY PLAN'][0].Plan))
    }
    const reader = async (texts: TemplateStringsArray, ...values: Value[]) => {
      await explain(new Sql(texts, values))
      return tx(texts, ...values)
    }
    await read(Object.assign(reader, { unsafe: tx.unsafe }) as Reader)
  })
  return nodes
}

/** Return the maximum number of rows that a step of these plans has read. */
function mostRead(nodes: readonly PlanNode[]): number {
  return Math.max(
    ...nodes
      .filter((node) => node['Relation Name'] !== undefined)
      .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']),
  )
}

describe('the figures of the database', () => {
  it('are read through indexes, each of them', async () => {
    for (const source of databaseFigures(testApp.app)) {
      const nodes = await plansOf((db) => source.read(db), { seqscan: 'off' })
      const scanned = nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'])
      expect(
        scanned.filter((table) => !PER_CONNECTION.includes(table!)),
        source.metrics[0]!.name,
      ).toEqual([])
    }
  })

  it('know the rows of every job that has rows of its own', () => {
    const without_rows = [
      // The rows of deliveries are counted by core/events/backlog.ts.
      'deliver-webhooks',
      // These look for work by themselves, every second, hour or night.
      'issue-receipts',
      'mail-approvers',
      'update-counts',
      'match-paid-requests',
      'check-consistency',
      'refresh-exchange-rates',
      'run-maintenance',
      'match-money',
      'return-surplus',
      // The wallets of the sandbox.
      'refill-wallets',
    ]
    const names = allJobs(testApp.app).map(({ name }) => name)
    expect([...queues.map(({ job }) => job), ...without_rows].sort()).toEqual(names.sort())
  })
})

describe('with more rows than are counted', () => {
  const ROWS = 3_000
  const MAX_ROWS = 50

  beforeAll(async () => {
    const { db, organization, clock } = testApp
    const now = clock.now()
    const orders = Array.from({ length: ROWS }, (_, index) => ({
      reference: `R${index}`,
      kind: 'charge' as const,
      connection: 'sandbox',
      organization,
      attempt: 1,
      collection_request: index + 1,
      receiver: '1',
      phonenumber: '+80000000003',
      amount: 1n,
      currency: 'BXC',
      reason: '',
    }))
    await begin(db, (tx) => insertNetworkOrders(tx, now, orders))
    await db`
      insert into webhooks (organization, "user", event, target, token, secret, position, created, updated)
      select ${organization}, id, 'collection.received', 'https://example.com', 't', 's', 0, now(), now() from users limit 1`
    await db`
      insert into webhook_retries (webhook, event, attempts, due_at) select w.id, n, 1, ${now}::timestamptz
      from webhooks w, generate_series(1, ${ROWS}::integer) n`
    await db`
      insert into callbacks_open (id, network, received, headers, body, verified, state, attempts, due_at)
      select n, 'sandbox', ${now}::timestamptz, '{}', '', true, case when n <= 3 then 'failed' else 'waiting' end, 0,
        case when n > 3 then ${now}::timestamptz end
      from generate_series(1, ${ROWS}::integer) n`
    await db.unsafe('analyze')
  })

  it('a queue by organization, and one without, are counted up to the limit', async () => {
    const { clock } = testApp
    for (const job of ['network-orders', 'process-callbacks']) {
      const queue = queues.find((one) => one.job === job)!
      let due = 0
      const nodes = await plansOf(
        async (db) => {
          due = (await readQueue(db, queue, clock.now(), MAX_ROWS)).due
        },
        { seqscan: 'on' },
      )
      expect([job, due]).toEqual([job, MAX_ROWS])
      expect(mostRead(nodes), job).toBeLessThanOrEqual(2 * MAX_ROWS)
    }
  })

  it('so are open orders, notifications and failed callbacks', async () => {
    const { clock } = testApp
    const open = await plansOf(
      async (db) => expect((await countOpenOrders(db, clock.now(), MAX_ROWS))[0]!.count).toBe(MAX_ROWS),
      { seqscan: 'off' },
    )
    expect(mostRead(open)).toBeLessThanOrEqual(2 * MAX_ROWS)
    const deliveries = await plansOf(
      async (db) => {
        const { waiting, due } = await readDeliveryBacklog(db, clock.now(), MAX_ROWS)
        expect([waiting, due.due]).toEqual([MAX_ROWS, MAX_ROWS])
      },
      { seqscan: 'off' },
    )
    expect(mostRead(deliveries)).toBeLessThanOrEqual(2 * MAX_ROWS)
    const failed = await plansOf(async (db) => expect(await countFailedCallbacks(db, MAX_ROWS)).toBe(3), {
      seqscan: 'off',
    })
    expect(mostRead(failed)).toBeLessThanOrEqual(3)
  })

  it('nothing parked and nothing unmatched costs nothing', async () => {
    const nodes = await plansOf(
      async (db) => {
        expect(await readParkedPayouts(db, MAX_ROWS)).toEqual({ count: 0, oldest: null })
        expect(await sumUnmatched(db, MAX_ROWS)).toEqual([])
      },
      { seqscan: 'off' },
    )
    expect(mostRead(nodes)).toBe(0)
  })
})

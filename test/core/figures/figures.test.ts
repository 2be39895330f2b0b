import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allPermissions, type Permission } from '../../../src/core/access/api-keys.ts'
import { readAttention } from '../../../src/core/figures/attention.ts'
import { DayCache } from '../../../src/core/figures/day-cache.ts'
import { type DayFigures, type DaySpan, readDayFigures, sumFigures } from '../../../src/core/figures/day-figures.ts'
import { countDays, daysOfPeriod, periodBefore } from '../../../src/core/figures/periods.ts'
import { setFee } from '../../../src/core/ledger/fees.ts'
import { begin } from '../../../src/db/client.ts'
import { endRequests } from '../end-requests.ts'
import { createManyPayments, createManyWebhooks } from '../many-rows.ts'
import { amount, openShop, type Shop } from '../shop.ts'

describe('periods', () => {
  it.each([
    ['today', '2030-03-31', { from: '2030-03-31', to: '2030-03-31' }, { from: '2030-03-30', to: '2030-03-30' }],
    ['7_days', '2030-03-03', { from: '2030-02-25', to: '2030-03-03' }, { from: '2030-02-18', to: '2030-02-24' }],
    ['month', '2030-03-05', { from: '2030-03-01', to: '2030-03-05' }, { from: '2030-02-01', to: '2030-02-05' }],
    ['month', '2030-03-31', { from: '2030-03-01', to: '2030-03-31' }, { from: '2030-02-01', to: '2030-02-28' }],
    ['month', '2030-01-01', { from: '2030-01-01', to: '2030-01-01' }, { from: '2029-12-01', to: '2029-12-01' }],
  ] as const)('%s on %s', (name, today, period, before) => {
    expect(daysOfPeriod(name, today)).toEqual(period)
    expect(periodBefore(name, period)).toEqual(before)
  })

  it('the last 30 days are 30, and so are those before', () => {
    const period = daysOfPeriod('30_days', '2030-03-05')
    expect([countDays(period), countDays(periodBefore('30_days', period))]).toEqual([30, 30])
  })
})

const DAY_MS = 24 * 3_600_000
const span = (day: number): DaySpan => ({ start: new Date(day * DAY_MS), end: new Date((day + 1) * DAY_MS) })
const NO_FIGURES: DayFigures = { money: [], requests: [], failures: [] }

describe('the days that are kept', () => {
  const now = new Date(100.5 * DAY_MS)

  /** A cache whose reads take this long, and the days that were read. */
  function openCache(took_ms: number) {
    const reads: number[][] = []
    const time = { ms: 0 }
    const read = async (_: number, days: readonly DaySpan[]) => {
      reads.push(days.map(({ start }) => start.getTime() / DAY_MS))
      time.ms += took_ms
      return days.map(() => NO_FIGURES)
    }
    return { cache: new DayCache(read, () => time.ms), reads, time }
  }

  it('are read again after twenty times as long as reading them took, and old ones after an hour', async () => {
    const { cache, reads, time } = openCache(100)
    const view = () => cache.get(1, [span(90), span(91), span(99), span(100)], now)
    await view()
    expect(reads.splice(0)).toEqual([
      [90, 91],
      [99, 100],
    ])
    time.ms = 1_900
    await view()
    expect(reads.splice(0)).toEqual([])
    time.ms = 2_101
    await view()
    expect(reads.splice(0)).toEqual([[99, 100]])
    time.ms = 3_600_001
    await view()
    expect(reads.splice(0).flat()).toEqual([90, 91, 99, 100])
  })

  it('of a small shop are never old', async () => {
    const { cache, reads } = openCache(0)
    await cache.get(1, [span(100)], now)
    await cache.get(1, [span(100)], now)
    expect(reads).toHaveLength(2)
  })

  it('are read once by views at the same time, and for each organization', async () => {
    const { cache, reads } = openCache(1_000)
    await Promise.all([1, 1, 1, 2].map((organization) => cache.get(organization, [span(100)], now)))
    expect(reads).toHaveLength(2)
  })

  it('are read again after a read that failed', async () => {
    let fails = true
    const read = async (_: number, days: readonly DaySpan[]) => {
      if (fails) throw new Error('The database is away.')
      return days.map(() => NO_FIGURES)
    }
    const cache = new DayCache(read, () => 0)
    await expect(cache.get(1, [span(100)], now)).rejects.toThrow('away')
    fails = false
    expect(await cache.get(1, [span(100)], now)).toEqual([NO_FIGURES])
  })
})

describe('in the database', () => {
  let shop: Shop

  beforeAll(async () => {
    shop = await openShop()
  })
  afterAll(() => shop.close())

  it('money is counted with its fee and what was given back, by the days that are given', async () => {
    const { db, organization, now } = shop
    const rates = { fixed: amount('10'), percent: 0n, min_fee: 0n, max_fee: null }
    await begin(db, (tx) =>
      setFee(tx, now(), { organization, kind: 'collection', currency: 'BXC', network: null, ...rates }),
    )
    await shop.ingest(shop.paymentReport(), shop.paymentReport({ amount: amount('500') }))
    await db`update collections set reversed_in_parts = 100, refunded = 50 where amount = 500`
    await shop.createRequest({ phonenumber: '+80000000101' })
    await db`update collection_requests set error_message = 'No shop'`
    await endRequests(db, 'failed')
    const start = new Date(now().getTime() - DAY_MS / 2)
    const middle = new Date(start.getTime() + DAY_MS)
    const days = [
      { start: new Date(start.getTime() - DAY_MS), end: start },
      { start, end: middle },
    ]
    const [before, today] = await readDayFigures(db, organization, days)
    expect(before).toEqual(NO_FIGURES)
    expect(today).toEqual({
      money: [{ currency: 'BXC', count: 2, gross: amount('2000'), returned: amount('150'), fees: amount('20') }],
      requests: [{ network: 'sandbox', ended: 1, successful: 0 }],
      failures: [{ reason: 'No shop', count: 1 }],
    })
    expect(sumFigures([today!, before!, today!])).toMatchObject({
      money: [{ count: 4, gross: amount('4000'), fees: amount('40') }],
      requests: [{ ended: 2 }],
      failures: [{ reason: 'No shop', count: 2 }],
    })
  })

  it('what needs attention is counted for those who can do something about it', async () => {
    const { db, organization, now } = shop
    const read = (permissions: readonly Permission[], user: number) =>
      readAttention(
        db,
        { organization, user, permissions: new Set(permissions), is_only: true, now: now(), real: new Date() },
        2,
      )
    const { recipients, payments } = await createManyPayments(shop)
    await createManyWebhooks(shop)
    await db`update payment_recipients set state = 'parked' where id = any(${recipients.slice(0, 3)}::bigint[])`
    await db`update payments set state = 'approval_requested' where id = any(${payments.slice(0, 4)}::bigint[])`
    await db`update webhooks set failing_since = ${now()} where id in (select id from webhooks order by id limit 5)`
    const { author } = shop.requestInput()
    expect(await read(allPermissions, author + 1)).toEqual([
      { kind: 'approvals', count: 4 },
      { kind: 'parked_payouts', count: 3 },
      { kind: 'unmatched', count: 2 },
      { kind: 'low_wallets', count: 2 },
      { kind: 'failing_webhooks', count: 5 },
    ])
    // The author of a payment cannot approve it, and a viewer manages no webhooks.
    expect((await read(['view', 'approve_payments'], author)).map(({ kind }) => kind)).toEqual([
      'parked_payouts',
      'unmatched',
      'low_wallets',
    ])
  })
})

import type { App } from '../app.ts'
import { findBillConnection, listBillConnections } from '../connections/bill-sellers.ts'
import type { BillConnection, Connection } from '../connections/connection.ts'
import { callDriver } from '../connections/tools/call-driver.ts'
import { forecastFloats } from '../core/bills/provider-floats.ts'
import { sandboxNetworks } from '../core/connections/sandbox-networks.ts'
import {
  claimBalanceChecks,
  type FloatNotice,
  finishBalanceCheck,
  nextBalanceCheck,
  planBalanceChecks,
  readExpectations,
  recordBalances,
  sumBalances,
} from '../core/ledger/balances.ts'
import { begin } from '../db/client.ts'
import { logEvent } from '../lib/log-events.ts'
import type { Job } from '../lib/loop.ts'
import { formatAmount } from '../lib/money.ts'
import { leaseTimes } from './shared/lease-times.ts'

const INTERVAL_MS = 60 * 60 * 1_000
const RETRY_WAIT_MS = 10 * 60 * 1_000
/** Lease: longer than a call can take, with the wait for a token. */
const LEASE_MS = 5 * 60 * 1_000

/**
 * Asks each active connection for its balance every hour, where its network tells it, and compares it with the books. Where
 * the answer comes later, `processCallbacks` compares it.
 */
export function checkBalances(app: App): Job<string> {
  /** Connections that have a plan already, as this process knows. */
  const planned = new Set<string>()
  return {
    name: 'check-balances',
    limit: 10,
    concurrency: 2,
    async claim(limit) {
      const asked = askable(app)
      if (asked.some((slug) => !planned.has(slug))) {
        await begin(app.db, (tx) => planBalanceChecks(tx, app.clock.now(), asked))
        for (const slug of asked) planned.add(slug)
      }
      return begin(app.db, (tx) => claimBalanceChecks(tx, leaseTimes(app, LEASE_MS), limit))
    },
    nextDue: () => nextBalanceCheck(app.db.polling, app.clock.real()),
    async run(slugs) {
      await Promise.all(slugs.map((slug) => checkBalance(app, slug)))
    },
  }
}

function askable(app: App): string[] {
  const networks = app.connections.list().filter(canTellBalance)
  return [...networks, ...listBillConnections(app).filter(canTellFloat)].map(({ slug }) => slug)
}

function canTellFloat({ state, operations }: BillConnection): boolean {
  return state === 'active' && operations.balance !== undefined
}

/** The networks that come with the sandbox hold money of their own, which no books have. */
function canTellBalance({ slug, state, operations }: Connection): boolean {
  return state === 'active' && operations.balance !== undefined && !sandboxNetworks.some((one) => one.slug === slug)
}

/** Asks one connection for its balances, and stores them. */
async function checkBalance(app: App, slug: string): Promise<void> {
  const connection = app.connections.find(slug)
  const provider = findBillConnection(app, slug)
  const outcome =
    connection && canTellBalance(connection)
      ? await askBalance(app, connection)
      : provider && canTellFloat(provider)
        ? await askFloat(app, provider)
        : 'not asked'
  // Without an answer the next try comes soon; the service shows elsewhere that the network does not answer.
  const wait_ms = outcome === 'unknown' ? RETRY_WAIT_MS : INTERVAL_MS
  await begin(app.db, (tx) => finishBalanceCheck(tx, slug, new Date(app.clock.now().getTime() + wait_ms)))
}

async function askBalance(app: App, connection: Connection): Promise<'found' | 'asked' | 'unknown'> {
  const before = await readExpectations(app.db, connection.slug)
  const answer = await callDriver(app, connection, 'balance')
  if (answer.outcome === 'found') await storeBalances(app, connection.slug, 'reply', answer.balances, before)
  return answer.outcome
}

/** Asks a bill provider for our float. The purchases there tell how long it lasts. */
async function askFloat(app: App, connection: BillConnection): Promise<'found' | 'asked' | 'unknown'> {
  const { slug } = connection
  const answer = await callDriver(app, connection, 'balance')
  if (answer.outcome !== 'found') return answer.outcome
  const now = app.clock.now()
  const report = {
    connection: slug,
    source: 'reply',
    balances: sumBalances(answer.balances),
    expected: null,
  } as const
  const { notices, short } = await begin(app.db, async (tx) => ({
    notices: await recordBalances(tx, now, { ...report, tolerance_percent: 0 }),
    short: await forecastFloats(tx, now, slug, app.config.BILL_FLOAT_HOURS),
  }))
  for (const notice of notices) logNotice(app, notice)
  for (const { currency, balance, hours_left } of short)
    logEvent(app.log, 'bill_float_short', {
      connection: slug,
      currency,
      balance: formatAmount(balance),
      hours_left: Math.floor(hours_left),
    })
  return 'found'
}

/**
 * Compares the network's stated balances with the books, stores them, and logs the notices that this raises.
 * @param before balances that the books expected before the question, if its reply answers it
 */
export async function storeBalances(
  app: App,
  connection: string,
  source: 'reply' | 'callback',
  balances: Parameters<typeof sumBalances>[0],
  before?: Awaited<ReturnType<typeof readExpectations>>,
): Promise<void> {
  const notices = await begin(app.db, async (tx) => {
    const after = await readExpectations(tx, connection)
    return recordBalances(tx, app.clock.now(), {
      connection,
      source,
      balances: sumBalances(balances),
      expected: before ? [before, after] : [after],
      tolerance_percent: app.config.FLOAT_TOLERANCE_PERCENT,
    })
  })
  for (const notice of notices) logNotice(app, notice)
}

function logNotice(app: App, { kind, connection, currency, balance, booked, drift, warn_below }: FloatNotice): void {
  const fields = { connection, currency, balance: formatAmount(balance) }
  if (kind === 'drift')
    logEvent(app.log, 'float_drifted', { ...fields, booked: formatAmount(booked), drift: formatAmount(drift) })
  else logEvent(app.log, 'float_low', { ...fields, warn_below: formatAmount(warn_below!) })
}

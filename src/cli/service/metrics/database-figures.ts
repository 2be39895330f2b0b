import type { App } from '../../../app.ts'
import { listBillConnections } from '../../../connections/bill-sellers.ts'
import { readLastArchiveRun } from '../../../core/archive/last-run.ts'
import { listOverdue } from '../../../core/archive/overdue.ts'
import { countWaitingDifferences } from '../../../core/bills/differences.ts'
import { countShortFloats, listProviderFloats } from '../../../core/bills/provider-floats.ts'
import { sumUnmatched } from '../../../core/collections/collections.ts'
import { countFailedCallbacks } from '../../../core/connections/callbacks.ts'
import { readAnsweredShares } from '../../../core/connections/connection-health.ts'
import { countOpenOrders } from '../../../core/connections/network-orders.ts'
import { countUnassigned, sumUnassigned } from '../../../core/connections/unassigned-payments.ts'
import { readConsistencyFindings } from '../../../core/consistency.ts'
import { countFailingWebhooks, readDeliveryBacklog } from '../../../core/events/backlog.ts'
import { readLastBackup } from '../../../core/last-backup.ts'
import { countFloatNotices } from '../../../core/ledger/balances.ts'
import { countLatePayouts } from '../../../core/payments/late-payouts.ts'
import { readParkedPayouts } from '../../../core/payments/payouts.ts'
import { type QueueState, queues, readQueue } from '../../../core/queues.ts'
import { isSendingHeld } from '../../../core/sending.ts'
import type { Reader } from '../../../db/client.ts'
import { readReplication } from '../../../db/replication.ts'
import type { Sample } from '../../../http/health.ts'
import { readSpace } from '../../../lib/disk-space.ts'
import { type Amount, formatAmount } from '../../../lib/money.ts'
import { readRetentionRules } from '../retention-rules.ts'

/** Metric whose figures come from the database. */
export interface DatabaseMetric {
  name: string
  help: string
  labels: readonly string[]
}

/** Figures by the metrics they are for. A metric without samples is not served. */
export type Figures = Record<string, readonly Sample[]>

/** Figures that one read gives. */
export interface FigureSource {
  metrics: readonly DatabaseMetric[]
  /**
   * Read in a transaction. What needs more than the database is in the function that it may return, called after the
   * transaction.
   */
  read(db: Reader): Promise<Figures | (() => Promise<Figures>)>
}

type Parts = Pick<App, 'clock' | 'config' | 'bill_connections' | 'billers'>

/**
 * Figures of the database. Each statement begins at an index of waiting rows, and counts at most `MAX_COUNTED`: such a
 * figure means as many or more.
 */
export function databaseFigures(app: Parts): FigureSource[] {
  return [
    queueFigures(app),
    orderFigures(app),
    payoutFigures(app),
    moneyFigures(),
    floatFigures(app),
    ...noticeFigures(),
    connectionFigures(app),
    replicationFigures(),
    backupFigures(),
    archiveFigures(app),
  ]
}

const one = (figure: number | null | undefined): Sample[] => (figure == null ? [] : [{ labels: {}, figure }])
const metric = (name: string, help: string, ...labels: string[]): DatabaseMetric => ({ name, help, labels })
const ageOf = (now: Date, then: Date | null) =>
  then === null ? 0 : Math.max(0, (now.getTime() - then.getTime()) / 1_000)
/** A number with a fraction is exact enough to watch, and for nothing else. */
const toNumber = (amount: Amount) => Number(formatAmount(amount))

function queueFigures({ clock }: Parts): FigureSource {
  return {
    metrics: [
      metric(
        'kusanya_job_due_rows',
        'Rows that are due, also those that a process works on now, by job_name.',
        'job_name',
      ),
      metric(
        'kusanya_job_oldest_due_seconds',
        'For how long the oldest of these rows has been due; 0 without any.',
        'job_name',
      ),
      metric('kusanya_webhook_deliveries_waiting', 'Notifications that have neither arrived nor been given up.'),
      metric('kusanya_oldest_webhook_delivery_seconds', 'The age of the oldest of these notifications; 0 without any.'),
      metric('kusanya_webhooks_failing', 'Webhooks whose last attempts all failed.'),
    ],
    async read(db) {
      const now = clock.now()
      const { waiting, oldest, due } = await readDeliveryBacklog(db, now)
      const states = [due]
      for (const queue of queues) states.push(await readQueue(db, queue, now))
      const by = (figureOf: (state: QueueState) => number) =>
        states.map((state) => ({ labels: { job_name: state.job }, figure: figureOf(state) }))
      return {
        kusanya_job_due_rows: by(({ due }) => due),
        kusanya_job_oldest_due_seconds: by((state) => ageOf(now, state.oldest)),
        kusanya_webhook_deliveries_waiting: one(waiting),
        kusanya_oldest_webhook_delivery_seconds: one(ageOf(now, oldest)),
        kusanya_webhooks_failing: one(await countFailingWebhooks(db)),
      }
    },
  }
}

function orderFigures({ clock }: Parts): FigureSource {
  const labels = ['connection', 'kind', 'state'] as const
  return {
    metrics: [
      metric(
        'kusanya_open_orders',
        'Orders to networks whose end is not known, by connection, kind (charge, payout, refund) and state (new, sent, accepted).',
        ...labels,
      ),
      metric(
        'kusanya_oldest_open_order_seconds',
        'The age of the oldest of these orders, from when it was made.',
        ...labels,
      ),
    ],
    async read(db) {
      const found = await countOpenOrders(db, clock.now())
      const by = (figureOf: (open: (typeof found)[number]) => number) =>
        found.map((open) => ({
          labels: { connection: open.connection, kind: open.kind, state: open.state },
          figure: figureOf(open),
        }))
      return {
        kusanya_open_orders: by(({ count }) => count),
        kusanya_oldest_open_order_seconds: by(({ oldest_s }) => oldest_s),
      }
    },
  }
}

function payoutFigures({ clock }: Parts): FigureSource {
  return {
    metrics: [
      metric('kusanya_parked_payouts', 'Payouts whose network has given no result for a long time; it is still asked.'),
      metric('kusanya_oldest_parked_payout_seconds', 'The age of the oldest of them since it was sent; 0 without any.'),
      metric(
        'kusanya_late_payouts',
        'Payouts that a network sent after it had reported a failure, which wait for a person.',
      ),
    ],
    async read(db) {
      const { count, oldest } = await readParkedPayouts(db)
      return {
        kusanya_parked_payouts: one(count),
        kusanya_oldest_parked_payout_seconds: one(ageOf(clock.now(), oldest)),
        kusanya_late_payouts: one(await countLatePayouts(db)),
      }
    },
  }
}

function moneyFigures(): FigureSource {
  const byCurrency = <Row extends { currency: string }>(rows: readonly Row[], figureOf: (row: Row) => number) =>
    rows.map((row) => ({ labels: { currency: row.currency }, figure: figureOf(row) }))
  return {
    metrics: [
      metric(
        'kusanya_unmatched_collections',
        'Collections that match no request, with money that is left, by currency.',
        'currency',
      ),
      metric('kusanya_unmatched_amount', 'The money of these collections, in the currency.', 'currency'),
      metric(
        'kusanya_unassigned_payments',
        'Payments to a receiver or in a currency without an account, which wait to be assigned.',
      ),
      metric('kusanya_unassigned_amount', 'The money of these payments, in the currency.', 'currency'),
    ],
    async read(db) {
      const unmatched = await sumUnmatched(db)
      return {
        kusanya_unmatched_collections: byCurrency(unmatched, ({ count }) => count),
        kusanya_unmatched_amount: byCurrency(unmatched, ({ amount }) => toNumber(amount)),
        kusanya_unassigned_payments: one(await countUnassigned(db)),
        kusanya_unassigned_amount: byCurrency(await sumUnassigned(db), ({ amount }) => toNumber(amount)),
      }
    },
  }
}

/** Figures about floats: how long each lasts at a bill provider, and the notices about floats at networks. */
function floatFigures(app: Parts): FigureSource {
  const labels = ['connection', 'currency'] as const
  return {
    metrics: [
      metric(
        'kusanya_floats_drifting',
        'Connections and currencies whose balance at the network differs from the float of the books.',
      ),
      metric('kusanya_floats_low', 'Connections and currencies whose balance at the network is below its threshold.'),
      metric(
        'kusanya_bill_floats_short',
        'Floats at bill providers that do not last for BILL_FLOAT_HOURS at the pace of the last day.',
      ),
      metric(
        'kusanya_bill_float_hours_left',
        'For how many hours a float at a bill provider lasts at the pace of the last day; missing where nothing was sold.',
        ...labels,
      ),
      metric(
        'kusanya_bill_float_uncounted_purchases',
        'Purchases of the last day that the pace does not have: in other currencies, and the provider has not said their cost.',
        ...labels,
      ),
    ],
    async read(db) {
      const { drifting, low } = await countFloatNotices(db)
      const floats = await listProviderFloats(
        db,
        listBillConnections(app).map(({ slug }) => slug),
      )
      const by = (figureOf: (float: (typeof floats)[number]) => number | null) =>
        floats.flatMap((float) => {
          const figure = figureOf(float)
          const { connection, currency } = float
          return figure === null ? [] : [{ labels: { connection, currency }, figure }]
        })
      return {
        kusanya_floats_drifting: one(drifting),
        kusanya_floats_low: one(low),
        kusanya_bill_floats_short: one(await countShortFloats(db)),
        kusanya_bill_float_hours_left: by(({ hours_left }) => hours_left),
        kusanya_bill_float_uncounted_purchases: by(({ uncounted_last_day }) => uncounted_last_day),
      }
    },
  }
}

function noticeFigures(): FigureSource[] {
  const notice = (name: string, help: string, read: (db: Reader) => Promise<number | null>): FigureSource => ({
    metrics: [metric(name, help)],
    read: async (db) => ({ [name]: one(await read(db)) }),
  })
  return [
    notice(
      'kusanya_consistency_findings',
      'What the last nightly check of the data found wrong; 0 when all is well.',
      readConsistencyFindings,
    ),
    notice(
      'kusanya_sending_held',
      '1 while an operator or a restore holds what would go to networks and billers.',
      async (db) => ((await isSendingHeld(db)) ? 1 : 0),
    ),
    notice(
      'kusanya_bill_differences_waiting',
      'Differences between the catalogues of bill providers and the offers that wait for a decision.',
      countWaitingDifferences,
    ),
    notice(
      'kusanya_failed_callbacks',
      'Callbacks of networks that could not be processed and wait for a person.',
      (db) => countFailedCallbacks(db),
    ),
  ]
}

function connectionFigures({ clock }: Parts): FigureSource {
  return {
    metrics: [
      metric(
        'kusanya_connection_answered_ratio',
        'The share of the calls of the last 15 minutes that had an answer, by connection, of all processes.',
        'connection',
      ),
    ],
    async read(db) {
      const shares = await readAnsweredShares(db, clock.real())
      return {
        kusanya_connection_answered_ratio: shares.map(({ connection, share }) => ({
          labels: { connection },
          figure: share,
        })),
      }
    },
  }
}

function replicationFigures(): FigureSource {
  return {
    metrics: [
      metric('kusanya_replicas', 'Replicas that follow the database.'),
      metric(
        'kusanya_synchronous_replicas_missing',
        '1 while commits are to wait for a replica and there is none, otherwise 0.',
      ),
      metric(
        'kusanya_replication_lag_bytes',
        'How much of the write-ahead log a replica has not replayed, by replica.',
        'replica',
      ),
      metric('kusanya_replication_lag_seconds', 'How far a replica is behind, by replica.', 'replica'),
    ],
    async read(db) {
      const { replicas, wants_synchronous, sees_lag } = await readReplication(db)
      const by = (figureOf: (replica: (typeof replicas)[number]) => number | null) =>
        replicas.flatMap((replica) => {
          const figure = figureOf(replica)
          return figure === null ? [] : [{ labels: { replica: replica.name }, figure }]
        })
      const has_synchronous = replicas.some(({ sync_state }) => sync_state === 'sync' || sync_state === 'quorum')
      return {
        kusanya_replicas: one(replicas.length),
        // Without the right to see replicas, their state is unknown.
        kusanya_synchronous_replicas_missing:
          wants_synchronous && !sees_lag ? [] : one(wants_synchronous && !has_synchronous ? 1 : 0),
        kusanya_replication_lag_bytes: by(({ lag_bytes }) => lag_bytes),
        kusanya_replication_lag_seconds: by(({ lag_s }) => lag_s),
      }
    },
  }
}

function backupFigures(): FigureSource {
  return {
    metrics: [
      metric(
        'kusanya_last_backup_timestamp_seconds',
        'When `kusanya backup` made the last backup; missing where it has made none.',
      ),
      metric(
        'kusanya_backup_disk_free_bytes',
        'Bytes still free on the disk of the last backup, where this machine has it.',
      ),
      metric(
        'kusanya_backup_disk_total_bytes',
        'Bytes in all on the disk of the last backup, where this machine has it.',
      ),
    ],
    async read(db) {
      const backup = await readLastBackup(db)
      return async () => {
        const space = backup && (await readSpace(backup.folder))
        return {
          kusanya_last_backup_timestamp_seconds: one(backup && backup.at.getTime() / 1_000),
          kusanya_backup_disk_free_bytes: one(space?.free_bytes),
          kusanya_backup_disk_total_bytes: one(space?.total_bytes),
        }
      }
    },
  }
}

function archiveFigures(app: Parts): FigureSource {
  return {
    metrics: [
      metric(
        'kusanya_last_archive_timestamp_seconds',
        'When `kusanya archive` last wrote and removed all that was old enough; missing where it never has.',
      ),
      metric(
        'kusanya_archive_overdue_seconds',
        'For how long the oldest row that `kusanya archive` would take has been older than its setting, by kind; 0 without any.',
        'kind',
      ),
    ],
    async read(db) {
      const archived = await readLastArchiveRun(db)
      const overdue = await listOverdue(db, readRetentionRules(app))
      return {
        kusanya_last_archive_timestamp_seconds: one(archived && archived.getTime() / 1_000),
        kusanya_archive_overdue_seconds: overdue.map(({ kind, overdue_ms }) => ({
          labels: { kind },
          figure: overdue_ms / 1_000,
        })),
      }
    },
  }
}

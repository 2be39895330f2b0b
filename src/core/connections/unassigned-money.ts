import type { Tx } from '../../db/client.ts'
import { WriteConflict } from '../../lib/batches/write-conflict.ts'
import type { ConnectionRef, IncomingPaymentReport } from './destinations.ts'
import {
  insertParts,
  insertUnassigned,
  linkAssigned,
  lockUnassigned,
  type NewUnassignedPayment,
  readParts,
  reverseUnassigned,
  type UnassignedPayment,
} from './unassigned-payments.ts'

/** Result for a report that is not in the books yet. */
type UnassignedResult =
  /** The report has an account, and is to be recorded. */
  | 'record'
  /** The money is stored as unassigned now. */
  | 'unassigned'
  /** The money is stored as unassigned already, or was reversed before. */
  | 'known'
  /** The network has taken unassigned money back. */
  | 'reversed'

/** Unassigned money of one transaction: its reports, and its stored payments. */
interface UnassignedMoney {
  results: UnassignedResult[]
  /** Reports, with the parts that the networks had reversed before. */
  reports: IncomingPaymentReport[]
  /** The ids of the rows here that become collections in this transaction, or were collections before. */
  to_link: number[]
}

/** Report with the knowledge of the books about it. */
interface CheckedReport {
  report: IncomingPaymentReport
  has_account: boolean
  is_recorded: boolean
}

/** Locks the unassigned money stored for the transactions of these reports. */
export function lockUnassignedMoney(tx: Tx, reports: readonly IncomingPaymentReport[]): Promise<UnassignedPayment[]> {
  return lockUnassigned(tx, reports.map(keyOf))
}

/**
 * Keeps the reports without an account as unassigned money, and applies reversals of such money. Money that was
 * reversed here is not recorded, with or without an account.
 * @param stored result of `lockUnassignedMoney` for their transactions
 * @returns the result of each report, in order; the caller records those with `record` and then calls `linkRecorded`
 * @throws WriteConflict when another transaction stores or assigns the same payment
 */
export async function keepUnassigned(
  tx: Tx,
  now: Date,
  reports: readonly CheckedReport[],
  stored: readonly UnassignedPayment[],
): Promise<UnassignedMoney> {
  if (stored.length === 0 && reports.every(({ has_account, is_recorded }) => has_account || is_recorded))
    return {
      results: reports.map(({ is_recorded }) => (is_recorded ? 'known' : 'record')),
      reports: reports.map(({ report }) => report),
      to_link: [],
    }
  const by_key = new Map(stored.map((row) => [textOf(row), row]))
  const added = new Map<string, NewUnassignedPayment>()
  const taken_back: number[] = []
  const results = reports.map(({ report, has_account, is_recorded }): UnassignedResult => {
    if (is_recorded) return 'known'
    const key = keyOf(report)
    const known = by_key.get(textOf(key)) ?? added.get(textOf(key))
    // It was assigned after the books were read.
    if (known?.state === 'assigned') throw new WriteConflict()
    const is_reversal = report.status === 'reversed'
    if (known?.state === 'reversed') return 'known'
    if (known && is_reversal) {
      known.state = 'reversed'
      if ('id' in known) taken_back.push(known.id)
      return 'reversed'
    }
    if (has_account) return 'record'
    if (known) return 'known'
    added.set(textOf(key), toUnassigned(report))
    return 'unassigned'
  })
  await insertUnassigned(tx, now, [...added.values()])
  if (taken_back.length > 0) await reverseUnassigned(tx, now, taken_back)
  await insertParts(
    tx,
    reports.flatMap(({ report, is_recorded }) => (is_recorded ? [] : partsOf(report))),
  )
  return {
    results,
    reports: await addStoredParts(tx, stored, reports),
    to_link: stored.filter(({ state }) => state !== 'assigned').map(({ id }) => id),
  }
}

/** Reports, each with all parts that its network has reversed until now. */
async function addStoredParts(
  tx: Tx,
  stored: readonly UnassignedPayment[],
  reports: readonly CheckedReport[],
): Promise<IncomingPaymentReport[]> {
  const parts = await readParts(
    tx,
    stored.map(({ id }) => id),
  )
  const byPayment = Map.groupBy(parts, textOf)
  return reports.map(({ report }) => {
    const known = byPayment.get(textOf(keyOf(report))) ?? []
    return known.length === 0 ? report : { ...report, reversals: [...known, ...(report.reversals ?? [])] }
  })
}

function partsOf(report: IncomingPaymentReport) {
  return (report.reversals ?? []).map((part) => ({ ...keyOf(report), ...part }))
}

/** Links the stored rows to their collections, after these were recorded. */
export async function linkRecorded(tx: Tx, now: Date, { to_link }: UnassignedMoney): Promise<void> {
  if (to_link.length > 0) await linkAssigned(tx, now, to_link)
}

/** The report of a stored payment, as its network made it. */
export function toReport(payment: UnassignedPayment, connections: readonly ConnectionRef[]): IncomingPaymentReport {
  const { network: code, connection: slug, remote_transaction_id: remote_id, payment_date: paid_at, state } = payment
  const { receiver, currency, amount, phonenumber, order_reference, reference } = payment
  const network = connections.find((one) => one.slug === slug) ?? { slug, code, name: code }
  const status = state === 'reversed' ? 'reversed' : 'successful'
  // Money without any reference may be the money of an order of ours that is in the books already.
  const hides_order = order_reference === null && reference === null
  const money = { remote_id, paid_at, status, receiver, currency, amount, phonenumber } as const
  return { network, ...money, order_reference, reference, hides_order }
}

function toUnassigned(report: IncomingPaymentReport): NewUnassignedPayment {
  const { receiver, currency, amount, phonenumber, order_reference, reference, paid_at: payment_date } = report
  const state = report.status === 'reversed' ? 'reversed' : 'unassigned'
  return {
    ...keyOf(report),
    receiver,
    currency,
    amount,
    phonenumber,
    order_reference,
    reference,
    payment_date,
    state,
  }
}

function keyOf({ network, remote_id }: IncomingPaymentReport) {
  return { network: network.code, connection: network.slug, remote_transaction_id: remote_id }
}

function textOf({ connection, remote_transaction_id }: { connection: string; remote_transaction_id: string }): string {
  return `${connection}:${remote_transaction_id}`
}

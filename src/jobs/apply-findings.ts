import type { App } from '../app.ts'
import type { Connection } from '../connections/connection.ts'
import { callDriver } from '../connections/tools/call-driver.ts'
import {
  type IncomingPaymentReport,
  type IngestResult,
  ingestIncomingPayments,
} from '../core/collections/incoming-payments.ts'
import type { LearntOrder, MoneyKind, NetworkOrder } from '../core/connections/network-orders.ts'
import { NotInService } from '../core/connections/service-state.ts'
import { bookStatementFees, type Finding } from '../core/ledger/reconciliation.ts'
import { findOrderOfPayout, findOrderOfRecipient } from '../core/payments/payout-orders.ts'
import { settle } from '../core/settlements/settle.ts'
import { begin, type Tx } from '../db/client.ts'
import { getMessage } from '../lib/messages/message.ts'
import type { StatementLine } from '../lib/statements/statement-line.ts'
import { learntFrom, logSettlement, networkKindRules } from './orders/order-kinds.ts'
import { applyInBatch } from './shared/apply-in-batch.ts'

/** Result of applying findings: the number of applied ones, and the others, each with the reason. */
export interface ApplyResult {
  recorded: number
  reversed: number
  known: number
  /** Fees of networks that were booked. */
  fees: number
  refused: { remote_id: string; why: string }[]
}

/** Maximum number of transactions that a network is asked about at the same time. */
const MAX_CONCURRENT_CALLS = 20

/**
 * Adds to the books the transactions and fees that a statement has and the books lack. The network is asked about each
 * transaction, and only its answer counts, not the file: an unconfirmed transaction is never credited. If it cannot be
 * asked, the statement counts that the driver has fetched from it.
 *
 * Of sent money, only the reversals are checked; a person has to look into sent money that the books do not know. About
 * a reversed part the network is asked by the id of the whole.
 * @param result the counts are added to it.
 */
export async function applyFindings(
  app: App,
  slug: string,
  findings: readonly Finding[],
  result: ApplyResult,
): Promise<void> {
  for (const { remote_id } of findings.filter(isUnknownPayment))
    result.refused.push({ remote_id, why: getMessage('findings.books_know_no_such') })
  await applyReversedPayouts(app, slug, findings.filter(isReversedPayout), result)
  await applyFees(app, slug, findings.filter(isFee), result)
  const incoming = findings.filter(isMissingOrReversedCollection)
  if (app.connections.find(slug)?.state === 'draft') {
    const { message: why } = new NotInService(slug)
    return void result.refused.push(...incoming.map(({ remote_id }) => ({ remote_id, why })))
  }
  for (let from = 0; from < incoming.length; from += MAX_CONCURRENT_CALLS) {
    const chunk = incoming.slice(from, from + MAX_CONCURRENT_CALLS)
    const answers = await Promise.all(chunk.map((finding) => fetchTransaction(app, slug, finding)))
    const confirmed = answers.flatMap((answer) => ('payment' in answer ? [answer.payment] : []))
    result.refused.push(...answers.flatMap((answer) => ('why' in answer ? [answer] : [])))
    const ingest = async (payments: readonly IncomingPaymentReport[]) => {
      const ingested = await begin(app.db, (tx) => ingestIncomingPayments(tx, app.clock.now(), payments)).catch(
        (error: unknown) => {
          if (!(error instanceof NotInService) || payments.length > 1) throw error
          result.refused.push({ remote_id: payments[0]!.remote_id, why: error.message })
          return []
        },
      )
      for (const [index, outcome] of ingested.entries()) countResult(result, payments[index]!.remote_id, outcome)
    }
    await applyInBatch(confirmed, ingest, app.log)
  }
}

/** A fee of money that is in the books. */
function isFee({ kind, books }: Finding): boolean {
  return kind === 'fee_differs' && books !== null
}

/** Books fees that are not booked. They move no money of wallets, so the statement is enough. */
async function applyFees(app: App, slug: string, findings: readonly Finding[], result: ApplyResult): Promise<void> {
  if (findings.length === 0) return
  const others = await begin(app.db, (tx) => bookStatementFees(tx, app.clock.now(), slug, findings))
  result.fees += findings.length - others.length
  result.refused.push(...others.map(({ remote_id }) => ({ remote_id, why: getMessage('findings.another_fee_booked') })))
}

/** Sent money that the books do not know. */
function isUnknownPayment({ kind, statement }: Finding): boolean {
  return kind === 'missing_in_books' && statement?.sent === true && statement.reversal_of === null
}

/** True for money that the books lack, or still have although the network has reversed it, whole or in part. */
function isMissingOrReversedCollection({ kind, statement, books }: Finding): boolean {
  // A reversed part leaves the account again.
  if (kind === 'missing_in_books') return statement?.sent === (statement?.reversal_of !== null)
  return kind === 'status_differs' && statement?.status === 'reversed' && books?.what === 'collection'
}

/** True for sent money that the network has reversed, whole or in part, without the knowledge of the books. */
function isReversedPayout({ kind, statement, books }: Finding): boolean {
  if (kind === 'missing_in_books') return statement?.sent === false && statement.reversal_of !== null
  return kind === 'status_differs' && statement?.status === 'reversed' && books?.what === 'payment'
}

async function applyReversedPayouts(
  app: App,
  slug: string,
  findings: readonly Finding[],
  result: ApplyResult,
): Promise<void> {
  for (let from = 0; from < findings.length; from += MAX_CONCURRENT_CALLS) {
    const chunk = findings.slice(from, from + MAX_CONCURRENT_CALLS)
    const checked = await Promise.all(chunk.map((finding) => checkReversedPayout(app, slug, finding)))
    const reversed = checked.filter((answer) => answer !== undefined)
    for (const [index, { remote_id }] of chunk.entries())
      if (!checked[index]) result.refused.push({ remote_id, why: getMessage('findings.network_not_say') })
    const settleBatch = async (batch: readonly LearntOrder[]) =>
      logSettlement(app, await begin(app.db, (tx) => settle(tx, app.clock.now(), batch)))
    await applyInBatch(reversed, settleBatch, app.log)
    result.reversed += reversed.length
  }
}

/** Asks the network about one payout. Returns its answer if the network has reversed the payout or a part of it. */
async function checkReversedPayout(app: App, slug: string, finding: Finding): Promise<LearntOrder | undefined> {
  const connection = app.connections.find(slug)!
  const order = await begin(app.db, (tx) => findReversedPayout(tx, slug, finding))
  const call = order && networkKindRules[order.kind as MoneyKind].ask(app, connection, order)
  if (!order || !call) return undefined
  const answer = await call.make()
  const has_parts = answer.outcome === 'successful' && 'reversals' in answer && (answer.reversals ?? []).length > 0
  if (answer.outcome !== 'reversed' && !has_parts) return undefined
  return learntFrom(app, connection, order, { source: 'statement', answer })
}

function findReversedPayout(tx: Tx, slug: string, { books, statement }: Finding): Promise<NetworkOrder | undefined> {
  return books ? findOrderOfRecipient(tx, books.id) : findOrderOfPayout(tx, slug, statement!.reversal_of!)
}

/**
 * Fetches the network's word about received money. If it cannot be asked about single payments, its own statement
 * counts, if that names the payer: the driver has just fetched it from the network.
 */
async function fetchTransaction(
  app: App,
  slug: string,
  { remote_id: id, statement }: Finding,
): Promise<{ payment: IncomingPaymentReport } | { remote_id: string; why: string }> {
  const connection = app.connections.find(slug)!
  const remote_id = statement?.reversal_of ?? id
  if (!connection.operations.transaction)
    return toStatedPayment(connection, statement) ?? { remote_id, why: getMessage('findings.network_cannot_asked') }
  const found = await callDriver(app, connection, 'transaction', { remote_id })
  if (found.outcome === 'not_found') return { remote_id, why: getMessage('findings.network_not_know') }
  if (found.outcome === 'unknown') return { remote_id, why: found.message }
  return { payment: { ...found.receipt, network: connection } }
}

/** The money of a line that a driver has fetched. */
function toStatedPayment(
  network: Connection,
  line: StatementLine | null,
): { payment: IncomingPaymentReport } | undefined {
  if (!line?.payment || line.paid_at === null || line.currency === null || line.reversal_of !== null) return undefined
  if (line.status !== 'successful' && line.status !== 'reversed') return undefined
  const { remote_id, status, amount, currency, paid_at, fee, payment } = line
  const report = { remote_id, status, amount, currency, paid_at, ...payment, ...(fee && { fee }) }
  return { payment: { ...report, network, source: 'statement' } }
}

function countResult(result: ApplyResult, remote_id: string, outcome: IngestResult): void {
  if (outcome === 'unassigned')
    result.refused.push({ remote_id, why: getMessage('findings.receiver_belongs_no_account') })
  else result[outcome] += 1
}

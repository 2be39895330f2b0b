import { getMessage } from '../../lib/messages/message.ts'
import { type StatementLine, WrongStatement } from '../../lib/statements/statement-line.ts'
import { formatTimestamp } from '../../lib/time.ts'
import type { Period } from '../contract.ts'
import { phoneOf, receiverOf } from './accounts.ts'
import { describe, readTransaction, shorten, type Transaction } from './answers.ts'
import { ownAccount } from './asks.ts'
import type { Client } from './client.ts'
import { readStatusWord } from './outcomes.ts'

const PAGE_LINES = 50

/** More than this is no statement that a provider gives out, but one whose offset it ignores. */
const MAX_LINES = 500_000

/**
 * The provider's own record of a period. The pages are read to the end before the first line is returned, because a later line
 * may say who has reversed an earlier one.
 * @throws WrongStatement where the provider does not answer, or with something else: a part of a statement is none
 */
export async function* statement(newClient: () => Client, period: Period): AsyncGenerator<StatementLine> {
  const transactions = await fetchAll(newClient, period)
  const { settings } = newClient()
  const refunded = new Set(transactions.flatMap((one) => (isOwnReversal(one) ? [one.original!] : [])))
  const reversed = new Set(
    transactions.flatMap(({ status, remote_id }) =>
      readStatusWord(status, settings) === 'reversed' ? [remote_id] : [],
    ),
  )
  for (const [index, transaction] of transactions.entries()) {
    const { type, original, remote_id } = transaction
    // The line of the transaction itself says that all of it was taken back.
    const is_repeated = type === 'reversal' && original && reversed.has(original) && !refunded.has(original)
    if (!is_repeated) yield toLine(transaction, index + 1, { settings, refunded: refunded.has(remote_id) })
  }
}

async function fetchAll(newClient: () => Client, period: Period): Promise<Transaction[]> {
  const found = new Map<string, Transaction>()
  for (let offset = 0; offset < MAX_LINES; ) {
    const { lines, available } = await fetchPage(newClient(), period, offset)
    const before = found.size
    for (const [index, line] of lines.entries()) {
      const transaction = readTransaction(line)
      if (!transaction)
        throw new WrongStatement(getMessage('gsma.line_statement_cannot_read', { offset: offset + index + 1 }))
      // A transaction that arrives meanwhile moves the others to the next page, where they are seen again.
      found.set(transaction.remote_id, transaction)
    }
    offset += lines.length
    // Without a count only an empty page is the end: a provider may return fewer lines than requested.
    if (lines.length === 0 || (available !== undefined && offset >= available)) {
      if (available !== undefined && offset < available)
        throw new WrongStatement(getMessage('gsma.transactions_lists_only', { available, offset }))
      return [...found.values()]
    }
    if (found.size === before) throw new WrongStatement(getMessage('gsma.answers_same_page'))
  }
  throw new WrongStatement(getMessage('gsma.lists_transactions_choose', { max: MAX_LINES }))
}

async function fetchPage(client: Client, { from, to }: Period, offset: number) {
  const { key, value } = ownAccount(client.settings)
  const query = new URLSearchParams({
    limit: String(PAGE_LINES),
    offset: String(offset),
    fromDateTime: formatTimestamp(from),
    toDateTime: formatTimestamp(to),
  })
  const path = `/accounts/${key}/${encodeURIComponent(value)}/transactions?${query}`
  const reply = await client.call({ verb: 'statement', method: 'GET', path })
  if (reply.outcome === 'unknown') throw new WrongStatement(reply.message)
  if (reply.status !== 200 || !Array.isArray(reply.body))
    throw new WrongStatement(getMessage('gsma.gives_no_list', { answer: describe(reply) }))
  const count = reply.headers.get('x-records-available-count') ?? ''
  return { lines: reply.body as unknown[], available: /^\d{1,9}$/.test(count) ? Number(count) : undefined }
}

/** Return true for a reversal that we requested, which is a refund in our books. */
function isOwnReversal({ type, original, own_reference }: Transaction): boolean {
  return type === 'reversal' && original !== undefined && UUID_V4.test(own_reference?.toLowerCase() ?? '')
}

const statuses = {
  completed: 'successful',
  pending: 'pending',
  reversed: 'reversed',
  failed: 'failed',
  declined: 'failed',
} as const

function toLine(
  transaction: Transaction,
  line: number,
  { settings, refunded }: { settings: Client['settings']; refunded: boolean },
): StatementLine {
  const { remote_id, amount, currency, status, at, original, fee, own_reference, debit, credit } = transaction
  const meaning = readStatusWord(status, settings)
  if (!meaning) throw new WrongStatement(getMessage('drivers.line_not_known', { line, word: shorten(status) }))
  const receiver = receiverOf(credit, settings)
  const sent = receiver === undefined
  if (sent && receiverOf(debit, settings) === undefined)
    throw new WrongStatement(getMessage('gsma.line_names_account', { line }))
  const phonenumber = phoneOf(debit)
  const is_payment = !sent && phonenumber !== '' && transaction.type !== 'reversal'
  const is_foreign_reversal = transaction.type === 'reversal' && !isOwnReversal(transaction)
  return {
    line,
    remote_id,
    amount,
    sent,
    // Our refund has its own line, so the payment itself stays unchanged.
    status: refunded && meaning === 'reversed' ? 'successful' : statuses[meaning],
    currency,
    paid_at: at ?? null,
    reversal_of: (is_foreign_reversal && original) || null,
    fee: fee ?? null,
    ...(is_payment && {
      payment: { receiver: receiver!, phonenumber, order_reference: own_reference ?? null, reference: null },
    }),
  }
}

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

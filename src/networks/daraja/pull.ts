import { z } from 'zod'
import { parseJson } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type StatementLine, WrongStatement } from '../../lib/statements/statement-line.ts'
import type { NetworkTransaction, PaidCharge, Period, TransactionLookup, UnknownOutcome } from '../contract.ts'
import { post, unclear } from './calls.ts'
import { RECEIPT } from './results.ts'
import { receivingNumber, type Session } from './settings.ts'
import { formatEatDate, readAmount, readEat, readPhone, toMessage } from './wire.ts'

/*
 * Pull Transactions: the payments that have reached the short code in the last 48 hours, with clear phone numbers. It is how a
 * confirmation is read back, and how one that Daraja sent in vain is found.
 */

/** Reach of Daraja's list into the past, less a margin for clock differences. */
const REACH_MS = 48 * 60 * 60 * 1_000 - 60_000
/** A network that ignores the offset must not keep us forever. */
const MAX_PAGES = 500

/** A payment of the list. */
interface Pulled extends NetworkTransaction {
  is_reversal: boolean
}

/** The first payment of the last 48 hours that `fits`. That there is none proves nothing: the list may be behind. */
export async function findPulled(
  session: Session,
  fits: (payment: NetworkTransaction) => boolean,
): Promise<TransactionLookup> {
  const now = session.tools.now()
  for await (const page of readPages(session, { from: new Date(now.getTime() - REACH_MS), to: now })) {
    if (page.outcome === 'unknown') return page
    const found = page.payments.find((payment) => !payment.is_reversal && fits(payment))
    if (!found) continue
    const { is_reversal: _, ...receipt } = found
    return { outcome: 'found', receipt }
  }
  return { outcome: 'unknown', message: getMessage('daraja.payment_not_list') }
}

/** Range of payment dates around the prompt: it is open for a minute, and clocks differ. */
const BEFORE_MS = 2 * 60_000
const AFTER_MS = 5 * 60_000

/**
 * The payment of a prompt, by our reference. A payment to a till has none: there it is the one with the phone and the amount that
 * was made while the prompt was open.
 */
export function findMoneyOf(session: Session, charge: PaidCharge): Promise<TransactionLookup> {
  const { reference, phonenumber, amount } = charge
  const sent = charge.sent.getTime()
  return findPulled(session, (payment) => {
    if (!payment.hides_order) return payment.order_reference === reference
    const paid = payment.paid_at.getTime()
    const is_in_time = paid >= sent - BEFORE_MS && paid <= sent + AFTER_MS
    return is_in_time && payment.phonenumber === phonenumber && payment.amount === amount
  })
}

/**
 * Read the payments of a period.
 * @throws WrongStatement for a period that began before Daraja's list does, or an incomplete list, which must not pass
 * for the whole
 */
export async function* readStatement(session: Session, period: Period): AsyncGenerator<StatementLine> {
  const oldest = session.tools.now().getTime() - REACH_MS
  if (period.from.getTime() < oldest)
    throw new WrongStatement(
      getMessage('daraja.lists_payments_last', { value: new Date(oldest).toISOString().slice(0, 16) }),
    )
  let line = 0
  for await (const page of readPages(session, period)) {
    if (page.outcome === 'unknown') throw new WrongStatement(page.message)
    for (const { remote_id, amount, currency, paid_at, is_reversal } of page.payments) {
      line += 1
      const status = is_reversal ? 'reversed' : 'successful'
      yield { line, remote_id, amount, sent: false, status, currency, paid_at, reversal_of: null }
    }
  }
}

/** Query the payments of the last ten minutes, to see whether Daraja answers. */
export async function tryPull(session: Session): Promise<{ outcome: 'page' } | UnknownOutcome> {
  const now = session.tools.now()
  return readPage(session, { from: new Date(now.getTime() - 600_000), to: now }, 0)
}

/** Page of the list. `beginning` tells pages apart, even if none of its payments can be read. */
type Page = { outcome: 'page'; payments: Pulled[]; count: number; beginning: string }

async function* readPages(session: Session, period: Period): AsyncGenerator<Page | UnknownOutcome> {
  let offset = 0
  let first: string | undefined
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await readPage(session, period, offset)
    const start = page.outcome === 'page' ? page.beginning : undefined
    // A repeated page is the whole list.
    if (first !== undefined && start === first) return
    yield page
    if (page.outcome === 'unknown' || page.count === 0) return
    first ??= start
    offset += page.count
  }
  yield { outcome: 'unknown', message: getMessage('daraja.pull_transactions_pages', { max: MAX_PAGES }) }
}

async function readPage(session: Session, { from, to }: Period, offset: number): Promise<Page | UnknownOutcome> {
  const reply = await post(session, 'statement', '/pulltransactions/v1/query', {
    ShortCode: session.connection.settings.short_code,
    StartDate: formatEatDate(from),
    EndDate: formatEatDate(to),
    OffSetValue: String(offset),
  })
  if (reply.outcome === 'not_sent') return { outcome: 'unknown', message: reply.message }
  if (reply.outcome === 'unknown') return reply
  const list = PullBody.safeParse(reply.body)
  if (reply.status !== 200 || !list.data) return unclear('question for payments', reply)
  const { ResponseCode, Response } = list.data
  if (ResponseCode === '1001') return { outcome: 'page', payments: [], count: 0, beginning: '' }
  // The list is nested in another list, as JSON or as text.
  const nested = Lists.safeParse(typeof Response === 'string' ? parseJson(Response) : Response)
  if (!nested.success) return unclear('question for payments', reply)
  const lines = nested.data.flat()
  const payments = lines.flatMap((line) => readPayment(session, line) ?? [])
  if (payments.length < lines.length)
    session.tools.alarm(getMessage('daraja.pull_transactions_payments', { count: lines.length - payments.length }))
  return { outcome: 'page', payments, count: lines.length, beginning: JSON.stringify(lines[0] ?? '') }
}

function readPayment({ connection, tools }: Session, line: unknown): Pulled | undefined {
  const payment = PulledLine.safeParse(line).data
  const amount = readAmount(payment?.amount)
  const paid_at = payment && readPaymentDate(payment.trxDate, tools.now())
  if (!payment || amount === undefined || !paid_at) return undefined
  return {
    remote_id: payment.transactionId,
    status: 'successful',
    receiver: receivingNumber(connection.settings),
    phonenumber: readPhone(payment.msisdn),
    amount,
    currency: 'KES',
    ...readReferences(payment.billreference),
    name: null,
    paid_at,
    is_reversal: /revers/i.test(payment.transactiontype),
  }
}

/**
 * Return the references of a payment: text of the customer or AccountReference of a prompt. Daraja does not say which,
 * so a text in the form of our references may be either.
 */
export function readReferences(
  typed: string,
): Pick<NetworkTransaction, 'order_reference' | 'reference' | 'hides_order'> {
  const text = typed.trim()
  // Payments to a till have no account number.
  if (text === '') return { order_reference: null, reference: null, hides_order: true }
  return { order_reference: /^[A-Za-z0-9]{12}$/.test(text) ? text : null, reference: toMessage(text, '') || null }
}

/** Tolerance for clock differences. */
const AHEAD_MS = 5 * 60_000

/** The list writes `2026-11-22T09:30:00Z`; whether that is UTC is not documented. A date in the future is East Africa Time. */
function readPaymentDate(text: string, now: Date): Date | undefined {
  const date = readEat(text)
  return date && date.getTime() > now.getTime() + AHEAD_MS ? readEat(text.replace(/Z$/, '')) : date
}

const text = z.union([z.string(), z.number()]).transform(String)
const optionalText = text.catch('')

const PullBody = z.object({ ResponseCode: text.pipe(z.enum(['1000', '1001'])), Response: z.unknown() })
const Lists = z.array(z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]))
const PulledLine = z.object({
  transactionId: z.string().regex(RECEIPT),
  trxDate: z.string(),
  msisdn: optionalText,
  transactiontype: optionalText,
  billreference: optionalText,
  amount: z.union([z.string(), z.number()]),
})

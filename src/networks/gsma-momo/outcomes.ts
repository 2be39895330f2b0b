import { getMessage } from '../../lib/messages/message.ts'
import type { PayoutAnswer } from '../contract.ts'
import { type Reply, readError, shorten, type Transaction, unknown } from './answers.ts'
import { type Ask, knownId } from './asks.ts'
import type { GsmaSettings } from './settings.ts'

/*
 * Meanings of transaction statuses. The standard leaves the status to the provider, and names only `completed`.
 */

/** Meaning of a status word. Any other word is unknown, and never a failure. */
const words: Readonly<Record<string, 'completed' | 'pending' | 'reversed' | 'failed' | 'declined'>> = {
  completed: 'completed',
  pending: 'pending',
  reversed: 'reversed',
  failed: 'failed',
  declined: 'declined',
  cancelled: 'declined',
}

/** Return the meaning of a status word at this provider; undefined for an unknown word. */
export function readStatusWord(status: string, { completed_words = '' }: Pick<GsmaSettings, 'completed_words'>) {
  const own = completed_words.split(',').map((word) => word.trim().toLowerCase())
  if (status !== '' && own.includes(status)) return 'completed'
  return Object.hasOwn(words, status) ? words[status] : undefined
}

/** Verdict of a transaction on an order, and the alarm for the operator. */
interface Verdict {
  answer: PayoutAnswer
  alarm?: string
}

/** Read the state of an order from its transaction. */
export function readOutcome(transaction: Transaction, ask: Ask, settings: GsmaSettings): Verdict {
  const { remote_id, status, own_reference } = transaction
  if (!isOwn(own_reference, ask)) return { answer: unknown(getMessage('gsma.transaction_belongs_another')) }
  const meaning = readStatusWord(status, settings)
  // Some providers name the charge itself as the transaction of its reversal. That it was completed says nothing then.
  if (ask.charge?.transaction === remote_id)
    return {
      answer: meaning === 'reversed' ? { outcome: 'successful' } : unknown(getMessage('gsma.shows_charge_not_refund')),
    }
  if (meaning === 'completed') return readSuccess(transaction, ask)
  if (meaning === 'pending') return { answer: { outcome: 'accepted', remote_id: knownId(ask) ?? remote_id } }
  if (meaning === 'reversed') return { answer: { outcome: 'reversed', message: getMessage('gsma.took_money_back') } }
  if (meaning === undefined) return { answer: unknown(getMessage('gsma.status_not_known', { word: shorten(status) })) }
  const is_cancelled = meaning === 'declined' && ask.kind === 'charge'
  return {
    answer: {
      outcome: 'failed',
      reason: is_cancelled ? 'cancelled' : 'rejected',
      message: is_cancelled ? getMessage('drivers.customer_not_approve') : getMessage('gsma.not_carry_out'),
      code: shorten(status),
    },
  }
}

/** A reversal may carry the reference of the charge that it reverses. */
function isOwn(reference: string | undefined, ask: Ask): boolean {
  const named = reference?.toLowerCase()
  return named === undefined || named === ask.reference || named === ask.charge?.reference.toLowerCase()
}

/** A sum in another currency is nothing that we could book. */
function readSuccess({ remote_id, amount, currency, fee, at }: Transaction, ask: Ask): Verdict {
  if (currency !== ask.currency)
    return {
      answer: unknown(getMessage('gsma.reports_payment_another')),
      alarm: getMessage('gsma.reports_payment_another_currency'),
    }
  const details = { ...(fee !== undefined && { fee }), ...(at && { paid_at: at }) }
  return { answer: { outcome: 'successful', remote_id, amount, ...details } }
}

/**
 * Return true if the provider says in the standard's form that the object does not exist. A missing page does not
 * count.
 */
export function isNotFound(reply: Reply): boolean {
  const error = reply.status === 404 ? readError(reply.body) : undefined
  return error !== undefined && (error.category === 'identification' || error.code.toLowerCase() === 'identifiererror')
}

import { z } from 'zod'
import type { RawCallback } from '../../drivers/raw-callback.ts'
import { parseJson } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { ValidationRequest } from '../callbacks.ts'
import type { CallbackReply, NetworkTransaction, TransactionLookup } from '../contract.ts'
import { readAddress } from './addresses.ts'
import { askAboutReceipt } from './payout.ts'
import { findPulled, readReferences } from './pull.ts'
import { RECEIPT } from './results.ts'
import { initiatorOf, type Opened, receivingNumber, type Session } from './settings.ts'
import { readAmount, readEat, readPhone } from './wire.ts'

/*
 * Payments that a customer makes without a prompt (C2B). The money of prompts is reported here, too.
 */

/** Read the report of a payment, or its validation request. Undefined for anything else. */
export function readPayment({ connection, tools }: Opened, body: string): NetworkTransaction | undefined {
  const payment = PaymentBody.safeParse(parseJson(body)).data
  const { short_code } = connection.settings
  const amount = readAmount(payment?.TransAmount)
  if (!payment || amount === undefined) return undefined
  // An unreadable date must not lose the money.
  const paid_at = readEat(payment.TransTime) ?? tools.now()
  const name = [payment.FirstName, payment.MiddleName, payment.LastName].map((part) => part.trim()).filter(Boolean)
  return {
    remote_id: payment.TransID,
    status: 'successful',
    // A till is named by its own number or its store's number.
    receiver:
      payment.BusinessShortCode === short_code ? receivingNumber(connection.settings) : payment.BusinessShortCode,
    phonenumber: readPhone(payment.MSISDN),
    amount,
    currency: 'KES',
    ...readReferences(payment.BillRefNumber),
    name: name.join(' ') || null,
    paid_at,
  }
}

/** Read the validation request of a payment. */
export function readValidation(session: Opened, callback: RawCallback): ValidationRequest | undefined {
  if (readAddress(session.connection, callback)?.purpose !== 'validation') return undefined
  const payment = readPayment(session, callback.body)
  if (!payment) return undefined
  const { remote_id, receiver, phonenumber, amount, currency, reference } = payment
  return { remote_id, receiver, phonenumber, amount, currency, reference }
}

/** Our answer. Of the codes for a refusal, the one for an account number is used where the reason speaks of one. */
export function answerValidation(verdict: 'accept' | 'reject', reason: string | null): CallbackReply {
  if (verdict === 'accept') return toReply({ ResultCode: '0', ResultDesc: 'Accepted' })
  const code = REFUSALS.find(([words]) => words.test(reason ?? ''))?.[1] ?? 'C2B00016'
  return toReply({ ResultCode: code, ResultDesc: 'Rejected' })
}

const REFUSALS: readonly [RegExp, string][] = [
  [/\b(account|reference|invoice|order)\b/i, 'C2B00012'],
  [/\bamount\b/i, 'C2B00013'],
  [/\b(phone|number|msisdn)\b/i, 'C2B00011'],
]

/** The answer to every other callback. */
export function callbackReply(session: Opened, callback: RawCallback): CallbackReply {
  const purpose = readAddress(session.connection, callback)?.purpose
  const is_confirmation = purpose === 'confirmation'
  // M-Pesa decides by its own default about a payment whose validation got no verdict.
  if ((is_confirmation || purpose === 'validation') && !readPayment(session, callback.body)) return NOT_PROCESSED
  return toReply({ ResultCode: 0, ResultDesc: is_confirmation ? 'Success' : 'Accepted' })
}

/** Answer to an unreadable payment. It is not processed, so M-Pesa must not count it as received. */
const NOT_PROCESSED: CallbackReply = {
  status: 400,
  content_type: 'application/json',
  body: JSON.stringify({ ResultCode: 1, ResultDesc: getMessage('daraja.payment_cannot_read') }),
}

const toReply = (content: object): CallbackReply => ({
  status: 200,
  content_type: 'application/json',
  body: JSON.stringify(content),
})

/**
 * Read a payment back by its receipt. The source is Pull Transactions, or a query whose answer comes to our address as
 * a report of the payment.
 * @param account_number text of the payer in the confirmation; the answer to the query does not repeat it
 */
export async function findTransaction(
  session: Session,
  remote_id: string,
  account_number?: string,
): Promise<TransactionLookup> {
  // The id may come from anybody. One of another form cannot be a payment of this network.
  if (!RECEIPT.test(remote_id)) return { outcome: 'not_found' }
  if (session.connection.settings.pull_transactions)
    return findPulled(session, (payment) => payment.remote_id === remote_id)
  if (!initiatorOf(session.connection))
    return {
      outcome: 'unknown',
      message: getMessage('daraja.payment_cannot_read_back'),
    }
  const asked = await askAboutReceipt(session, remote_id, account_number)
  return asked.outcome === 'unknown' ? asked : { outcome: 'unknown', message: getMessage('daraja.been_asked_will') }
}

const text = z.union([z.string(), z.number()]).transform(String)
/** Text that decides nothing about the money: another form counts as missing. */
const optionalText = text.catch('')

const PaymentBody = z.object({
  TransID: z.string().regex(RECEIPT),
  TransTime: optionalText,
  TransAmount: z.union([z.string(), z.number()]),
  BusinessShortCode: text,
  BillRefNumber: optionalText,
  MSISDN: optionalText,
  FirstName: optionalText,
  MiddleName: optionalText,
  LastName: optionalText,
})

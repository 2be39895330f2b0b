import { z } from 'zod'
import { spare } from '../../drivers/members.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { ChargeStatus, Order, OrderAnswer } from '../contract.ts'
import { orderAddress } from './addresses.ts'
import { post, readRefusal, unclear } from './calls.ts'
import { chargeCodes } from './codes.ts'
import { findPulled } from './pull.ts'
import { receivingNumber, type Session } from './settings.ts'
import { formatEat, toDarajaText, toMessage, toMsisdn, toShillings } from './wire.ts'

/*
 * M-Pesa Express: the prompt on the customer's phone ("STK push") and its status query. A second call is a second
 * prompt, so a charge is sent once. The id for the query comes only in the answer to the call, and is lost with it. Our
 * reference therefore stands in the callback address and in AccountReference.
 */

/** Send the prompt. An answer that says nothing certain is unknown: the prompt may be on the phone. */
export async function charge(session: Session, order: Order): Promise<OrderAnswer> {
  const { connection, tools } = session
  const { kind } = connection.settings
  const receiver = receivingNumber(connection.settings)
  const msisdn = toMsisdn(order.phonenumber)
  const amount = toShillings(order.amount)
  if (!msisdn || amount === undefined || order.currency !== 'KES')
    return refused(getMessage('daraja.takes_whole_kenya'))
  if (order.receiver !== receiver) {
    tools.alarm(getMessage('daraja.place_receiving_number', { detail: toMessage(order.receiver, '(none)'), receiver }))
    return { outcome: 'failed', reason: 'not_allowed', message: getMessage('daraja.receiving_number_not_belong') }
  }
  const reply = await post(session, 'charge', '/mpesa/stkpush/v1/processrequest', {
    ...identify(session),
    TransactionType: kind === 'till' ? 'CustomerBuyGoodsOnline' : 'CustomerPayBillOnline',
    Amount: amount,
    PartyA: Number(msisdn),
    PartyB: Number(receiver),
    PhoneNumber: Number(msisdn),
    CallBackURL: orderAddress(session, 'charge', order.reference),
    AccountReference: order.reference,
    TransactionDesc: toDarajaText(order.reason, 13, 'Payment'),
  })
  if (reply.outcome === 'unknown') return reply
  if (reply.outcome === 'not_sent') return { outcome: 'failed', reason: 'unreachable', message: reply.message }
  const taken = TakenCharge.safeParse(reply.body)
  if (reply.status === 200 && taken.data) return { outcome: 'accepted', remote_id: taken.data.CheckoutRequestID }
  return (reply.error && readRefusal(session, reply.error)) ?? unclear('charge', reply)
}

/**
 * Query the state of a prompt. Daraja gives neither the receipt nor the amount. It never says that a prompt does not
 * exist.
 */
export async function chargeStatus(session: Session, order: Order): Promise<ChargeStatus> {
  if (order.remote_id === null) return findByReference(session, order)
  const reply = await post(session, 'charge status', '/mpesa/stkpushquery/v1/query', {
    ...identify(session),
    CheckoutRequestID: order.remote_id,
  })
  if (reply.outcome === 'not_sent') return { outcome: 'unknown', message: reply.message }
  if (reply.outcome === 'unknown') return reply
  const accepted = { outcome: 'accepted', remote_id: order.remote_id } as const
  if (reply.error) {
    if (IS_OPEN.test(reply.error.message)) return accepted
    // Notify the operator of a refused password. It says nothing about the order.
    readRefusal(session, reply.error)
    return unclear('question about a charge', reply)
  }
  const state = ChargeState.safeParse(reply.body)
  if (reply.status !== 200 || state.data?.CheckoutRequestID !== order.remote_id)
    return unclear('question about a charge', reply)
  const { ResultCode: code, ResultDesc } = state.data
  if (code === '0') return { outcome: 'successful' }
  const meaning = IS_OPEN.test(ResultDesc) ? OPEN : chargeCodes.get(code)
  if (meaning?.outcome === 'open') return accepted
  if (meaning?.outcome !== 'failed')
    return {
      outcome: 'unknown',
      message: getMessage('daraja.reports_code_not_known', { code, detail: toMessage(ResultDesc, '') }),
    }
  if (meaning.alarm) session.tools.alarm(meaning.alarm)
  return { outcome: 'failed', reason: meaning.reason, message: wordsOf(meaning, ResultDesc), code }
}

/** Search the list of payments, the only proof without Daraja's id. A missing payment proves nothing. */
async function findByReference(session: Session, order: Order): Promise<ChargeStatus> {
  const nothing = { outcome: 'unknown', message: getMessage('daraja.cannot_asked_without') } as const
  if (!session.connection.settings.pull_transactions) return nothing
  const found = await findPulled(session, ({ order_reference }) => order_reference === order.reference)
  if (found.outcome !== 'found') return nothing
  const { remote_id, amount, paid_at } = found.receipt
  return { outcome: 'successful', remote_id, amount, paid_at }
}

/**
 * The short code with its password, which is good for this second only.
 * The time must be the same text in both places.
 */
export function identify({ connection, tools }: Session) {
  const { short_code, passkey } = connection.settings
  const Timestamp = formatEat(tools.now())
  const Password = Buffer.from(`${short_code}${passkey}${Timestamp}`).toString('base64')
  return { BusinessShortCode: Number(short_code), Password, Timestamp }
}

/** Return the message for people. Daraja's own words for a wrong PIN speak of an initiator. */
export function wordsOf({ reason, words }: { reason: string; words: string }, description: string): string {
  return reason === 'wrong_pin' ? words : toMessage(description, words)
}

const refused = (message: string) => ({ outcome: 'failed', reason: 'rejected', message }) as const

/** The same code says many things; these words say that the prompt is still open, whatever the code. */
export const IS_OPEN = /being processed|under processing|still processing/i
export const OPEN = { outcome: 'open' } as const

const code = z.union([z.string(), z.number()]).transform(String)

const TakenCharge = z.object({
  ResponseCode: code.pipe(z.literal('0')),
  CheckoutRequestID: z.string().min(1).max(100),
})

/** State of a charge. The result decides; an answered query alone says nothing more. */
const ChargeState = z.object({
  ResponseCode: spare(code).pipe(z.literal('0').optional()),
  CheckoutRequestID: z.string(),
  ResultCode: code,
  ResultDesc: z.string().catch(''),
})

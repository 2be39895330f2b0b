import { z } from 'zod'
import { spare } from '../../drivers/members.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { BalanceAnswer, Payout, PayoutAnswer, Refund, StatusAnswer, UnknownOutcome } from '../contract.ts'
import { orderAddress, queryAddress } from './addresses.ts'
import { type DarajaAnswer, type NotSent, post, readRefusal, unclear } from './calls.ts'
import { RECEIPT } from './results.ts'
import { initiatorOf, type Session } from './settings.ts'
import { toDarajaText, toMsisdn, toShillings } from './wire.ts'

/*
 * Calls of an API operator: payouts (B2C), reversals, and queries. Daraja answers each call with "accepted" and reports
 * the result at the address that the call names. A query is answered in the same way.
 */

/** Send money. OriginatorConversationID is our reference: Daraja refuses a second payout under it. */
export async function payout(session: Session, order: Payout): Promise<PayoutAnswer> {
  const { settings } = session.connection
  const msisdn = toMsisdn(order.phonenumber)
  const amount = toShillings(order.amount)
  if (order.kind !== 'money') return refused(getMessage('daraja.sends_money_only'))
  if (!msisdn || amount === undefined || order.currency !== 'KES')
    return refused(getMessage('daraja.sends_whole_kenya'))
  const signed = sign(session)
  if (!signed) return NO_CREDENTIAL
  const reply = await post(session, 'payout', '/mpesa/b2c/v3/paymentrequest', {
    OriginatorConversationID: order.reference,
    InitiatorName: signed.name,
    SecurityCredential: signed.credential,
    CommandID: settings.payout_command,
    Amount: amount,
    PartyA: Number(settings.payout_short_code),
    PartyB: Number(msisdn),
    Remarks: toDarajaText(order.reason, 100, 'Payment').padEnd(2, '.'),
    QueueTimeOutURL: orderAddress(session, 'timeout', order.reference),
    ResultURL: orderAddress(session, 'result', order.reference),
    // Daraja spells it with two s here, and with one everywhere else.
    Occassion: '',
  })
  return readTaken(session, 'payout', reply, ({ ConversationID }) => ConversationID)
}

/** Query a payout by our reference. The answer comes later. */
export async function payoutStatus(session: Session, { reference }: Payout): Promise<StatusAnswer> {
  const short_code = session.connection.settings.payout_short_code!
  return askAboutTransaction(session, 'payout status', {
    short_code,
    conversation: reference,
    result_url: orderAddress(session, 'status', reference),
  })
}

/** Take a payment back. M-Pesa reverses whole payments only, and each of them once. */
export async function refund(session: Session, order: Refund): Promise<PayoutAnswer> {
  const { settings } = session.connection
  const amount = toShillings(order.amount)
  if (amount === undefined || order.amount !== order.charge.amount) return refused(getMessage('daraja.m_pesa_gives'))
  if (!isReceipt(order.charge)) return refused(getMessage('daraja.receipt_payment_not_known'))
  const signed = sign(session)
  if (!signed) return NO_CREDENTIAL
  const reply = await post(session, 'refund', '/mpesa/reversal/v1/request', {
    Initiator: signed.name,
    SecurityCredential: signed.credential,
    CommandID: 'TransactionReversal',
    TransactionID: order.charge.transaction,
    Amount: amount,
    ReceiverParty: Number(settings.short_code),
    // Misspelt by Daraja, which refuses the right spelling.
    RecieverIdentifierType: '11',
    ResultURL: orderAddress(session, 'refund', order.reference),
    QueueTimeOutURL: orderAddress(session, 'timeout', order.reference),
    Remarks: toDarajaText(order.reason, 100, 'Refund').padEnd(2, '.'),
    Occasion: '',
  })
  // Daraja takes this id in a query about a reversal.
  return readTaken(session, 'refund', reply, ({ OriginatorConversationID }) => OriginatorConversationID)
}

/**
 * Return true if M-Pesa has sent the receipt of a charge. Until then the charge has a stand-in: our reference, which
 * has the form of a receipt, or Daraja's id of the prompt.
 */
export function isReceipt({ reference, remote_id, transaction }: Refund['charge']): boolean {
  return transaction !== reference && transaction !== remote_id && RECEIPT.test(transaction)
}

/** Query a reversal. The answer comes later. */
export async function refundStatus(session: Session, { reference, remote_id }: Refund): Promise<StatusAnswer> {
  if (remote_id === null) return { outcome: 'unknown', message: getMessage('daraja.cannot_asked_about') }
  return askAboutTransaction(session, 'refund status', {
    short_code: session.connection.settings.short_code,
    conversation: remote_id,
    result_url: orderAddress(session, 'status', reference),
  })
}

/** Query a payment to us by its receipt. The answer comes later, to an address that keeps the account number. */
export async function askAboutReceipt(
  session: Session,
  receipt: string,
  account_number = '',
): Promise<{ outcome: 'asked' } | UnknownOutcome> {
  return askAboutTransaction(session, 'transaction', {
    short_code: session.connection.settings.short_code,
    receipt,
    result_url: queryAddress(session, 'transaction', [receipt, account_number.slice(0, MAX_KEPT)].join(' ').trim()),
  })
}

/** Longer texts would make the address too long. Daraja's account numbers have at most 20 characters. */
const MAX_KEPT = 40

/** Read the object of a query about a payment to us from its address. */
export function readReceiptSubject(subject: string): { receipt: string; account_number: string } {
  const [receipt = '', account_number = ''] = subject.split(/ (.*)/s)
  return { receipt, account_number }
}

/** Query the balances of a short code. The answer comes later. */
export async function askForBalance(session: Session): Promise<BalanceAnswer> {
  const { payout_short_code, short_code } = session.connection.settings
  const signed = sign(session)
  if (!signed) return { outcome: 'unknown', message: NO_CREDENTIAL.message }
  const reply = await post(session, 'balance', '/mpesa/accountbalance/v1/query', {
    Initiator: signed.name,
    SecurityCredential: signed.credential,
    CommandID: 'AccountBalance',
    PartyA: Number(payout_short_code ?? short_code),
    IdentifierType: '4',
    Remarks: 'Balance',
    QueueTimeOutURL: queryAddress(session, 'unanswered'),
    ResultURL: queryAddress(session, 'balance'),
  })
  return readAsked(session, 'question for the balance', reply)
}

interface Query {
  short_code: string
  /** The receipt, or the OriginatorConversationID of the request. */
  receipt?: string
  conversation?: string
  result_url: string
}

async function askAboutTransaction(
  session: Session,
  verb: string,
  { short_code, receipt = '', conversation = '', result_url }: Query,
): Promise<{ outcome: 'asked' } | UnknownOutcome> {
  const signed = sign(session)
  if (!signed) return { outcome: 'unknown', message: NO_CREDENTIAL.message }
  const reply = await post(session, verb, '/mpesa/transactionstatus/v1/query', {
    Initiator: signed.name,
    SecurityCredential: signed.credential,
    CommandID: 'TransactionStatusQuery',
    TransactionID: receipt,
    // The documentation and its examples spell this field differently.
    OriginatorConversationID: conversation,
    OriginalConversationID: conversation,
    PartyA: Number(short_code),
    IdentifierType: '4',
    ResultURL: result_url,
    QueueTimeOutURL: queryAddress(session, 'unanswered'),
    Remarks: 'Status',
    Occasion: '',
  })
  return readAsked(session, 'question about a transaction', reply)
}

type Reply = DarajaAnswer | NotSent | UnknownOutcome

function readTaken(
  session: Session,
  what: string,
  reply: Reply,
  idOf: (ids: z.output<typeof Taken>) => string | undefined,
): PayoutAnswer {
  if (reply.outcome === 'unknown') return reply
  if (reply.outcome === 'not_sent') return { outcome: 'failed', reason: 'unreachable', message: reply.message }
  const taken = reply.status === 200 ? Taken.safeParse(reply.body).data : undefined
  const remote_id = taken && idOf(taken)
  if (remote_id !== undefined) return { outcome: 'accepted', remote_id }
  return (reply.error && readRefusal(session, reply.error)) ?? unclear(what, reply)
}

function readAsked(session: Session, what: string, reply: Reply): { outcome: 'asked' } | UnknownOutcome {
  if (reply.outcome === 'not_sent') return { outcome: 'unknown', message: reply.message }
  if (reply.outcome === 'unknown') return reply
  if (reply.status === 200 && Taken.safeParse(reply.body).success) return { outcome: 'asked' }
  if (reply.error) readRefusal(session, reply.error)
  return unclear(what, reply)
}

/** The initiator with its encrypted password. Undefined, with an alarm, where the settings do not allow it. */
function sign({ connection, tools }: Session): { name: string; credential: string } | undefined {
  const initiator = initiatorOf(connection)
  const credential = initiator?.credential()
  if (initiator && credential) return { name: initiator.name, credential }
  tools.alarm(getMessage('daraja.initiator_cannot_used'))
  return undefined
}

const refused = (message: string) => ({ outcome: 'failed', reason: 'rejected', message }) as const

const NO_CREDENTIAL = {
  outcome: 'failed',
  reason: 'not_allowed',
  message: getMessage('daraja.password_initiator_cannot_encrypted'),
} as const

/** Each kind of order has one id of its own, and a query needs none. */
const id = spare(z.string().min(1).max(100))
const Taken = z.object({
  ResponseCode: z.union([z.string(), z.number()]).transform(String).pipe(z.literal('0')),
  ConversationID: id,
  OriginatorConversationID: id,
})

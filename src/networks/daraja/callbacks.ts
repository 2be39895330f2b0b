import { z } from 'zod'
import { readableItems, spare } from '../../drivers/members.ts'
import type { RawCallback } from '../../drivers/raw-callback.ts'
import { parseJson } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { parseAmount } from '../../lib/money.ts'
import type { ParsedCallback, ReportedBalance } from '../callbacks.ts'
import type { NetworkTransaction, PayoutAnswer } from '../contract.ts'
import { type ReadAddress, readAddress } from './addresses.ts'
import { readPayment } from './c2b.ts'
import { IS_OPEN, OPEN, wordsOf } from './charge.ts'
import { chargeCodes, transactionStates } from './codes.ts'
import { readReceiptSubject } from './payout.ts'
import { readReferences } from './pull.ts'
import { RECEIPT, type Result, readEnd, readResult, readStatus, reportAlarm } from './results.ts'
import { type Opened, receivingNumber } from './settings.ts'
import { readAmount, readEat, readPhone, toMessage } from './wire.ts'

/*
 * Daraja signs no reports. The end of a prompt and a confirmation are therefore never verified: they are read back. An
 * operator's order can be read back only with a query whose answer comes the same way. Such a result counts on two
 * conditions: it came to the address given out for it alone, and from an address of Safaricom. The answer to our query
 * also counts where sender addresses are not checked.
 */

/** Read a callback: its claim, and whether the claim counts. */
export function readCallback(opened: Opened, callback: RawCallback): ParsedCallback {
  const address = readAddress(opened.connection, callback)
  switch (address?.purpose) {
    case 'charge':
      return readCharge(callback, address)
    case 'result':
    case 'refund':
      return readOrderResult(opened, callback, address)
    case 'timeout':
      return aboutOrder(address.subject, getMessage('daraja.request_waited_too'))
    case 'status':
    case 'transaction':
    case 'balance':
      return readQueryAnswer(opened, callback, address)
    case 'confirmation':
      return readConfirmation(opened, callback, address)
    case 'unanswered':
      return unrecognized(getMessage('daraja.question_waited_too'))
    default:
      return unrecognized(getMessage('daraja.address_not_one_reports'))
  }
}

/** The end of a prompt. It is never verified; its ids are used: the receipt, and the one by which Daraja can be asked. */
function readCharge({ body }: RawCallback, { subject, is_ours, from_safaricom }: ReadAddress): ParsedCallback {
  const end = ChargeEnd.safeParse(parseJson(body)).data?.Body.stkCallback
  if (!end) return unrecognized(getMessage('daraja.not_end_prompt'))
  // Anybody may claim that an order has an id, such as the id of another paid order.
  if (!is_ours) return aboutOrder(subject, getMessage('daraja.address_not_one'))
  const answer = toChargeAnswer(end)
  if (from_safaricom === false) return { subject: 'order', order: { reference: subject }, verified: false, answer }
  const order = { reference: subject, remote_id: end.CheckoutRequestID }
  return { subject: 'order', order, verified: false, has_ids: true, answer }
}

function toChargeAnswer(end: z.output<typeof ChargeEnd>['Body']['stkCallback']): PayoutAnswer {
  const { ResultCode: code, ResultDesc } = end
  if (code !== '0') {
    const meaning = IS_OPEN.test(ResultDesc) ? OPEN : chargeCodes.get(code)
    if (meaning?.outcome === 'open') return { outcome: 'accepted', remote_id: end.CheckoutRequestID }
    if (meaning?.outcome !== 'failed')
      return {
        outcome: 'unknown',
        message: `Daraja reports a code that is not known: ${code} ${toMessage(ResultDesc, '')}`,
      }
    return { outcome: 'failed', reason: meaning.reason, message: wordsOf(meaning, ResultDesc), code }
  }
  const items = new Map(end.CallbackMetadata?.Item.map(({ Name, Value }) => [Name, Value]))
  const receipt = items.get('MpesaReceiptNumber')
  const amount = readAmount(items.get('Amount'))
  const paid_at = readEat(items.get('TransactionDate'))
  return {
    outcome: 'successful',
    ...(typeof receipt === 'string' && RECEIPT.test(receipt) && { remote_id: receipt }),
    ...(amount !== undefined && { amount }),
    ...(paid_at && { paid_at }),
  }
}

/** The end of a payout or a reversal. */
function readOrderResult(opened: Opened, { body }: RawCallback, address: ReadAddress): ParsedCallback {
  const { purpose, subject, is_ours, from_safaricom } = address
  const result = readResult(body)
  if (!result) return unrecognized(getMessage('daraja.not_result_request'))
  if (!is_ours) return aboutOrder(subject, getMessage('daraja.address_not_one'))
  reportSender(opened, address)
  const answer = readEnd(opened, result)
  const remote_id = purpose === 'refund' ? result.originator_conversation_id : result.conversation_id
  const order = { reference: subject, ...(remote_id !== '' && { remote_id }) }
  // An uncertain report causes a status query, like every unverified callback.
  return { subject: 'order', order, verified: from_safaricom === true && answer.outcome !== 'unknown', answer }
}

/** Read the answer to our query. An unverified one causes nothing: the query is repeated in its time. */
function readQueryAnswer(opened: Opened, { body }: RawCallback, address: ReadAddress): ParsedCallback {
  const { purpose, subject, is_ours, from_safaricom } = address
  if (!is_ours) return unrecognized(getMessage('daraja.address_not_one'))
  reportSender(opened, address)
  if (from_safaricom === false) return unrecognized(getMessage('daraja.answer_not_come'))
  const result = readResult(body)
  if (!result) return { ...unrecognized(getMessage('daraja.not_answer_question')), verified: true }
  if (purpose === 'balance') return readBalances(opened, result)
  if (purpose === 'status')
    return { subject: 'order', order: { reference: subject }, verified: true, answer: readStatus(opened, result) }
  const receipt = readTransaction(opened, result, subject)
  return receipt
    ? { subject: 'transaction', remote_id: receipt.remote_id, verified: true, receipt }
    : { ...unrecognized(`M-Pesa does not confirm the payment: ${result.code} ${result.description}`), verified: true }
}

/** A confirmation is read back, unless the operator has chosen to trust the addresses alone. */
function readConfirmation(opened: Opened, { body }: RawCallback, { from_safaricom }: ReadAddress): ParsedCallback {
  const receipt = readPayment(opened, body)
  // M-Pesa reports money once: an unreadable report is kept for a person.
  if (!receipt)
    return { ...unrecognized(getMessage('daraja.not_confirmation_payment')), verified: from_safaricom === true }
  const { remote_id, reference } = receipt
  if (from_safaricom !== true) return { subject: 'transaction', remote_id, verified: false, receipt: null }
  if (opened.connection.settings.trust_confirmations)
    return { subject: 'transaction', remote_id, verified: true, receipt }
  const account_number = reference === null ? {} : { account_number: reference }
  return { subject: 'transaction', remote_id, verified: false, receipt: null, ...account_number }
}

/**
 * Read the payment in the answer to a query about its receipt. The text of the customer is not in it, but in the
 * address.
 */
function readTransaction(
  { connection, tools }: Opened,
  result: Result,
  subject: string,
): NetworkTransaction | undefined {
  const { parameters } = result
  const { receipt: remote_id, account_number } = readReceiptSubject(subject)
  const state = transactionStates.get(String(parameters.get('TransactionStatus') ?? '').toLowerCase())
  const amount = readAmount(parameters.get('Amount'))
  // An unreadable date must not lose the money.
  const paid_at = readEat(parameters.get('FinalisedTime')) ?? readEat(parameters.get('InitiatedTime')) ?? tools.now()
  if (result.code !== '0' || parameters.get('ReceiptNo') !== remote_id || amount === undefined) return undefined
  if (state !== 'successful' && state !== 'reversed') return undefined
  const [phone = '', ...name] = String(parameters.get('DebitPartyName') ?? '').split(' - ')
  return {
    remote_id,
    status: state,
    receiver: receivingNumber(connection.settings),
    phonenumber: readPhone(phone),
    amount,
    currency: 'KES',
    ...readReferences(account_number),
    name: toMessage(name.join(' - '), '') || null,
    paid_at,
  }
}

/** `Working Account|KES|700000.00|700000.00|0.00|0.00&…`: name, currency, current, available, reserved, uncleared. */
function readBalances(opened: Opened, { code, description, parameters }: Result): ParsedCallback {
  if (code !== '0') {
    reportAlarm(opened, code)
    return { ...unrecognized(`M-Pesa does not tell the balance: ${code} ${description}`), verified: true }
  }
  const accounts = String(parameters.get('AccountBalance') ?? '').split('&')
  const balances = accounts.flatMap((account): ReportedBalance[] => {
    const [name = '', currency = '', current = ''] = account.split('|').map((part) => part.trim())
    const amount = parseAmount(current)
    return amount === undefined || !/^[A-Z]{3}$/.test(currency) ? [] : [{ currency, amount, name }]
  })
  if (balances.length < accounts.length)
    return { ...unrecognized(getMessage('daraja.balance_cannot_read')), verified: true }
  return { subject: 'balance', verified: true, balances }
}

/** A callback with the right proof from an address that is not on the list: the list, or the proxy, is wrong. */
function reportSender({ tools }: Opened, { from_safaricom }: ReadAddress): void {
  if (from_safaricom === false) tools.alarm(getMessage('daraja.callback_secret_address'))
}

/** Return an event of an order that causes a status query. */
function aboutOrder(reference: string, message: string): ParsedCallback {
  return { subject: 'order', order: { reference }, verified: false, answer: { outcome: 'unknown', message } }
}

function unrecognized(message: string): ParsedCallback & { subject: 'unrecognized' } {
  return { subject: 'unrecognized', message }
}

const ChargeEnd = z.object({
  Body: z.object({
    stkCallback: z.object({
      CheckoutRequestID: z.string().min(1).max(100),
      ResultCode: z.union([z.string(), z.number()]).transform(String),
      ResultDesc: z.string().catch(''),
      CallbackMetadata: spare(
        z.object({
          Item: readableItems(z.object({ Name: z.string(), Value: spare(z.union([z.string(), z.number()])) })),
        }),
      ),
    }),
  }),
})

import { z } from 'zod'
import { spare, spareText as text } from '../../drivers/members.ts'
import { readAmountUp } from '../../drivers/numbers.ts'
import type { Charge, UnknownOutcome } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Pin, ProviderVend, VendAnswer, VendCheck, VendedGoods } from '../contract.ts'
import { cleanWords, readToken } from '../shared/words.ts'
import { accessFault, codeOf, type Reply } from './client.ts'
import {
  failures,
  NOT_USED,
  PROCESSING,
  RESOLVED,
  type Refusal,
  refusals,
  statusCodes,
  statuses,
  WRONG_KEYS,
} from './codes.ts'
import { toRequestId } from './request-id.ts'

/** Verdict of an answer, and the alarm for the operator. */
export interface Verdict<Answer> {
  answer: Answer
  alarm?: string | undefined
}

/** Read the answer to a purchase. */
export function readPayment(reply: Reply, order: ProviderVend, described: string): Verdict<VendAnswer> {
  const code = readableCode(reply)
  const refusal = code === undefined ? undefined : refusals[code]
  if (refusal) return toVerdict(refusal, code!)
  return readTransaction(reply, order, code, described)
}

/** Read the answer to a status query for a purchase. Only codes about the purchase count. */
export function readRequery(reply: Reply, order: ProviderVend, described: string): Verdict<VendCheck> {
  const code = readableCode(reply)
  if (code === NOT_USED) return { answer: { outcome: 'not_found' } }
  const alarm = code === undefined ? undefined : refusals[code]?.alarm
  if (alarm) return { answer: unknown(getMessage('vtpass.not_answer_question', { answer: described })), alarm }
  return readTransaction(reply, order, code, described)
}

/** The code of an answer that VTpass itself has given: a 5xx, a 401 or a 429 may come from anything before it. */
function readableCode(reply: Reply): string | undefined {
  const is_own = (reply.status >= 200 && reply.status < 300) || reply.status === 400
  return is_own ? codeOf(reply) : undefined
}

function readTransaction(
  reply: Reply,
  order: ProviderVend,
  code: string | undefined,
  described: string,
): Verdict<VendAnswer> {
  if (code === undefined || code === WRONG_KEYS || accessFault(reply))
    return { answer: unknown(getMessage('vtpass.answer_says_nothing', { answer: described })) }
  const transaction = Transaction.safeParse(reply.body).data
  const request_id = toRequestId(order)
  if (transaction?.requestId !== undefined && transaction.requestId !== request_id)
    return { answer: unknown(getMessage('vtpass.answered_about_another')) }
  if (code === RESOLVED)
    return {
      answer: unknown(getMessage('vtpass.resolved_transaction_hand')),
      alarm: getMessage('vtpass.resolved_transaction_hand_ask'),
    }
  const word = transaction?.content?.transactions?.status?.trim().toLowerCase() ?? ''
  const state = Object.hasOwn(statuses, word) ? statuses[word] : undefined
  const failure = failures[code]
  if (failure && state === 'delivered')
    return { answer: unknown(getMessage('vtpass.says_purchase_failed', { answer: described })) }
  if (failure) return toVerdict(failure, code)
  const remote_id = transaction?.content?.transactions?.transactionId ?? request_id
  if (code === PROCESSING) return { answer: { outcome: 'accepted', remote_id } }
  const meaning = statusCodes.has(code) ? state : undefined
  if (meaning === 'open') return { answer: { outcome: 'accepted', remote_id } }
  if (meaning === 'failed') return toVerdict(failures[word === 'reversed' ? '040' : '016']!, code)
  if (meaning === 'delivered' && transaction)
    return {
      answer: { outcome: 'successful', remote_id, vended: toGoods(transaction, order), ...chargeOf(transaction) },
    }
  return { answer: unknown(getMessage('vtpass.answer_says_nothing', { answer: described })) }
}

/** Return VTpass's charge to the wallet in naira, without its commission. */
function chargeOf({ content }: Transaction): { charged?: Charge } {
  const amount = readAmountUp(content?.transactions?.total_amount)
  return amount === undefined || amount < 0n ? {} : { charged: { amount, currency: 'NGN' } }
}

function toVerdict({ reason, message, alarm }: Refusal, code: string) {
  return { answer: { outcome: 'failed' as const, reason, message: `${message} (${code})` }, alarm }
}

function unknown(message: string): UnknownOutcome {
  return { outcome: 'unknown', message }
}

/** Members of an answer that are about the call and about our account. The rest is the biller's own data. */
const OWN_MEMBERS: ReadonlySet<string> = new Set([
  'code',
  'content',
  'response_description',
  'requestId',
  'amount',
  'transaction_date',
  'wallet_credit_id',
])

function toGoods(transaction: Transaction, order: ProviderVend): VendedGoods {
  const raw = Object.fromEntries(Object.entries(transaction).filter(([name]) => !OWN_MEMBERS.has(name)))
  const is_power = order.kind === 'electricity'
  const token = is_power && order.details.prepaid !== false ? firstToken(transaction) : undefined
  return {
    token: token ?? null,
    amount_of_power: (is_power && token && powerOf(transaction)) || null,
    pins: order.kind === 'epin' ? pinsOf(transaction) : [],
    provider_message: cleanWords(transaction.response_description ?? ''),
    raw_output: Object.keys(raw).length === 0 ? null : raw,
    more: { ...keyTokens(transaction), ...(order.kind === 'exampin' && examPin(transaction)) },
  }
}

/** Find the token, for which each distribution company has its own name. */
function firstToken({ mainToken, token, Token, purchased_code }: Transaction): string | undefined {
  return [mainToken, token, Token, purchased_code].map(readToken).find((one) => one !== undefined)
}

function powerOf({ mainTokenUnits, units, Units, PurchasedUnits }: Transaction): string | undefined {
  const text = [mainTokenUnits, units, Units, PurchasedUnits].find((one) => /\d/.test(one ?? ''))?.trim()
  if (text === undefined) return undefined
  return /[a-z]/i.test(text) ? text.replace(/\s{0,5}kwh$/i, 'KWH') : `${text}KWH`
}

/** A meter with old keys needs these two first. */
function keyTokens({ resetToken, configureToken, kct1, kct2, bonusToken }: Transaction) {
  const [reset, configure] = [readToken(resetToken) ?? readToken(kct1), readToken(configureToken) ?? readToken(kct2)]
  const bonus = readToken(bonusToken)
  return {
    ...(reset && { resetToken: reset }),
    ...(configure && { configureToken: configure }),
    ...(bonus && { bonusToken: bonus }),
  }
}

function pinsOf({ cards, purchased_code = '' }: Transaction): Pin[] {
  const named = cards ?? [...purchased_code.matchAll(SERIAL_AND_PIN)].map(toCard)
  return named.map(({ Serial, Pin }) => ({ instructions: '', serial_number: Serial, pin: Pin, expires_on: '' }))
}

const SERIAL_AND_PIN = /Serial No ?: ?([\w-]{1,60})[^\w-]\W{0,9}pin ?: ?([\w-]{1,60})/gi

function toCard([, Serial, Pin]: RegExpExecArray) {
  return { Serial: Serial!, Pin: Pin! }
}

/** The pin of a candidate: `Pin : 3678251321392432`, or the first of `tokens`. */
function examPin({ Pin, tokens, purchased_code }: Transaction) {
  const text = Pin ?? tokens?.[0] ?? purchased_code ?? ''
  const pin = text.replace(/^.*pin\s*:\s*/i, '').trim()
  return pin === '' ? {} : { token_pin: pin }
}

type Transaction = z.infer<typeof Transaction>
/** Numbers are texts here. */
const Transaction = z.looseObject({
  response_description: text,
  requestId: text,
  content: spare(
    z
      .object({
        transactions: z.object({
          status: text,
          total_amount: text,
          transactionId: spare(z.string().min(1)),
        }),
      })
      .partial(),
  ),
  purchased_code: text,
  mainToken: text,
  token: text,
  Token: text,
  bonusToken: text,
  mainTokenUnits: text,
  units: text,
  Units: text,
  PurchasedUnits: text,
  resetToken: text,
  configureToken: text,
  kct1: text,
  kct2: text,
  Pin: text,
  tokens: spare(z.array(z.string())),
  cards: spare(z.array(z.object({ Serial: z.string(), Pin: z.string() }))),
})

import { z } from 'zod'
import { readableItems, spare } from '../../drivers/members.ts'
import { parseJson } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, parseAmount } from '../../lib/money.ts'
import type { PayoutAnswer } from '../contract.ts'
import { initiatorCodes, transactionStates } from './codes.ts'
import type { Opened } from './settings.ts'
import { readAmount, readEat, toMessage } from './wire.ts'

/** Report on a call of an API operator: a payout, a reversal, a query. */
export interface Result {
  code: string
  description: string
  originator_conversation_id: string
  conversation_id: string
  /** The receipt; null if Daraja sends a placeholder that ends with zeros. */
  transaction: string | null
  parameters: ReadonlyMap<string, string | number | undefined>
}

/** Read the body of a result. Undefined when it is none. */
export function readResult(body: string): Result | undefined {
  const result = ResultBody.safeParse(parseJson(body)).data?.Result
  return (
    result && {
      code: result.ResultCode,
      description: toMessage(result.ResultDesc, ''),
      originator_conversation_id: result.OriginatorConversationID,
      conversation_id: result.ConversationID,
      transaction:
        PLACEHOLDER.test(result.TransactionID) || !RECEIPT.test(result.TransactionID) ? null : result.TransactionID,
      parameters: new Map(result.ResultParameters.map(({ Key, Value }) => [Key, Value])),
    }
  )
}

/** The id of a movement of money, as it is in the customer's SMS. */
export const RECEIPT = /^[A-Z0-9]{8,20}$/
const PLACEHOLDER = /0{7}$/

/** Read the final state of a payout or a reversal. */
export function readEnd(opened: Opened, result: Result): PayoutAnswer {
  if (result.code !== '0') return readFailure(opened, result)
  const { parameters, transaction } = result
  const remote_id = transaction ?? readReceipt(parameters.get('TransactionReceipt'))
  const amount = readAmount(parameters.get('TransactionAmount') ?? parameters.get('Amount'))
  const paid_at = readEat(parameters.get('TransactionCompletedDateTime') ?? parameters.get('TransCompletedTime'))
  return {
    outcome: 'successful',
    ...(remote_id && { remote_id }),
    ...(amount !== undefined && { amount }),
    ...nameOf(parameters.get('ReceiverPartyPublicName')),
    ...(paid_at && { paid_at }),
  }
}

/**
 * Read the answer to a query about a payout or a reversal. A failed query says nothing about the money, even if no
 * transaction is found: a payout may still wait in the queue.
 */
export function readStatus(opened: Opened, result: Result): PayoutAnswer {
  const { parameters } = result
  if (result.code !== '0') return unansweredQuestion(opened, result)
  const word = String(parameters.get('TransactionStatus') ?? '')
  const state = transactionStates.get(word.toLowerCase())
  if (state === 'successful') {
    const remote_id = readReceipt(parameters.get('ReceiptNo'))
    const amount = readAmount(parameters.get('Amount'))
    const paid_at = readEat(parameters.get('FinalisedTime'))
    const fee = readCharges(parameters.get('DebitPartyCharges'))
    return {
      outcome: 'successful',
      ...(remote_id && { remote_id }),
      ...(amount !== undefined && { amount }),
      ...(fee !== undefined && { fee }),
      ...nameOf(parameters.get('CreditPartyName')),
      ...(paid_at && { paid_at }),
    }
  }
  if (state === 'reversed') return { outcome: 'reversed', message: getMessage('daraja.m_pesa_taken') }
  if (state === 'failed')
    return {
      outcome: 'failed',
      reason: 'rejected',
      message: getMessage('daraja.m_pesa_reports', { detail: toMessage(word, '') }),
      code: word,
    }
  const conversation = String(parameters.get('ConversationID') ?? '')
  if (state === 'open' && conversation) return { outcome: 'accepted', remote_id: conversation }
  return {
    outcome: 'unknown',
    message: getMessage('daraja.m_pesa_reports_state', { detail: toMessage(word, '(none)') }),
  }
}

function unansweredQuestion(opened: Opened, { code, description }: Result): PayoutAnswer {
  const meaning = initiatorCodes.get(code)
  if (meaning?.outcome === 'failed' && meaning.reason === 'not_allowed') reportAlarm(opened, code)
  return { outcome: 'unknown', message: `M-Pesa does not answer the question: ${code} ${description}`.trim() }
}

/** Alert the operator to a code that only the operator can repair. */
export function reportAlarm({ tools }: Opened, code: string): void {
  const meaning = initiatorCodes.get(code)
  if (meaning?.outcome === 'failed' && meaning.alarm) tools.alarm(meaning.alarm)
}

function readFailure(opened: Opened, { code, description }: Result): PayoutAnswer {
  const meaning = initiatorCodes.get(code)
  if (meaning?.outcome !== 'failed') {
    const words = meaning?.outcome === 'unknown' ? meaning.words : getMessage('daraja.m_pesa_reports_code')
    return { outcome: 'unknown', message: `${words} (${code} ${description})`.replace(' )', ')') }
  }
  reportAlarm(opened, code)
  return { outcome: 'failed', reason: meaning.reason, message: toMessage(description, meaning.words), code }
}

function readReceipt(value: unknown): string | undefined {
  return typeof value === 'string' && RECEIPT.test(value) && !PLACEHOLDER.test(value) ? value : undefined
}

/** `254708374149 - Grace A` names the customer. */
function nameOf(value: unknown): { name?: string } {
  const [, ...rest] = typeof value === 'string' ? value.split(' - ') : []
  const name = rest.join(' - ').trim()
  return name ? { name: toMessage(name, name) } : {}
}

/** `Fee For B2C Payment|KES|22.40`; several are joined with `&`. Undefined if one of them cannot be read. */
function readCharges(value: unknown): Amount | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  const parts = value.split('&').map((part) => part.split('|'))
  const sums = parts.map(([, currency, sum]) => (currency === 'KES' ? parseAmount((sum ?? '').trim()) : undefined))
  return sums.every((sum) => sum !== undefined && sum >= 0n)
    ? sums.reduce((total, sum) => total! + sum!, 0n)
    : undefined
}

const text = z.union([z.string(), z.number()]).transform(String)
/** Text that decides nothing: another form counts as missing. */
const optionalText = text.catch('')

/** A parameter may lack its value, and a single one may stand without a list. */
const Parameter = z.object({ Key: z.string(), Value: spare(z.union([z.string(), z.number()])) })
const Parameters = z
  .object({ ResultParameter: z.union([readableItems(Parameter), Parameter.transform((one) => [one])]).catch([]) })
  .transform(({ ResultParameter }) => ResultParameter)

const ResultBody = z.object({
  Result: z.object({
    ResultCode: text,
    ResultDesc: optionalText,
    OriginatorConversationID: optionalText,
    ConversationID: optionalText,
    TransactionID: optionalText,
    ResultParameters: Parameters.catch([]),
  }),
})

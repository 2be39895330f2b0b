import { z } from 'zod'
import { readableItems, spare, spareText as text } from '../../drivers/members.ts'
import { shortenWords } from '../../drivers/words.ts'
import type { UnknownOutcome } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, parseAmount } from '../../lib/money.ts'
import { isObject } from '../../lib/structured-input.ts'
import { truncateToSecond } from '../../lib/time.ts'

/*
 * The objects of the standard, as providers send them. The OpenAPI files of the standard and its text spell some members
 * differently, and both spellings are in use.
 */

/** An answer of a provider. Numbers in `body` are texts; it is undefined when the answer is not JSON. */
export interface Reply {
  outcome: 'answered'
  status: number
  headers: Headers
  body: unknown
}

/** An error object, in one spelling. */
export interface ErrorObject {
  /** Category in lower case and without blanks: `businessrule`, `serviceunavailable`. */
  category: string
  /** Code as the provider wrote it. */
  code: string
  /** The provider's own words and parameters. */
  words: string
}

const ErrorMembers = z.object({
  errorcategory: text,
  errorcode: z.string().trim().min(1),
  errordescription: text,
  errorparameters: readableItems(z.object({ key: text, value: text })).catch([]),
})

/** Read the error object of an answer, of a request state or of a callback. Undefined for anything else. */
export function readError(value: unknown): ErrorObject | undefined {
  if (!isObject(value)) return undefined
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]))
  const error = ErrorMembers.safeParse({ errorparameters: [], ...members }).data
  if (!error) return undefined
  const parameters = error.errorparameters.map(({ key, value: said }) => [key, said].filter(Boolean).join(' '))
  return {
    category: (error.errorcategory ?? '').toLowerCase().replaceAll(/\s/g, ''),
    code: shorten(error.errorcode),
    words: shorten([error.errordescription, ...parameters].filter(Boolean).join('; ')),
  }
}

/** Reference that can be a part of an address. */
const reference = z
  .string()
  .trim()
  .regex(/^(?!\.+$)[\x21-\x7e]{1,256}$/)

/** State of a request that was taken. */
export interface RequestState {
  id: string
  status: string
  /** The transaction, where there is one. */
  object: string | undefined
  error: ErrorObject | undefined
}

const State = z.object({
  serverCorrelationId: reference,
  status: z.string(),
  objectReference: spare(reference),
  errorReference: z.unknown().optional(),
  error: z.unknown().optional(),
})

/** Read a request state. Undefined for anything else. */
export function readRequestState(body: unknown): RequestState | undefined {
  const state = State.safeParse(body).data
  return (
    state && {
      id: state.serverCorrelationId,
      status: state.status.trim().toLowerCase(),
      object: state.objectReference,
      error: readError(state.errorReference) ?? readError(state.error),
    }
  )
}

/** Identifier of an account. */
export interface Identifier {
  key: string
  value: string
}

/** A transaction, as far as we use it. */
export interface Transaction {
  remote_id: string
  /** Status in lower case. */
  status: string
  type: string
  amount: Amount
  currency: string
  debit: readonly Identifier[]
  credit: readonly Identifier[]
  /** Reference that the requester gave it. */
  own_reference: string | undefined
  /** The transaction that this one reverses. */
  original: string | undefined
  fee: Amount | undefined
  /** Time of the last change, or of creation. */
  at: Date | undefined
}

const Party = spare(readableItems(z.object({ key: z.string(), value: z.string() })))

const Fee = z.object({ feeAmount: z.string(), feeCurrency: text })

const TransactionMembers = z.object({
  transactionReference: reference,
  transactionStatus: z.string(),
  type: text,
  amount: z.string(),
  currency: z.string(),
  debitParty: Party,
  creditParty: Party,
  requestingOrganisationTransactionReference: text,
  originalTransactionReference: text,
  fees: spare(z.array(Fee)),
  creationDate: text,
  modificationDate: text,
})

/** Read a transaction. Undefined for anything else, and for one whose amount is no amount above zero. */
export function readTransaction(body: unknown): Transaction | undefined {
  const members = TransactionMembers.safeParse(body).data
  const amount = members && readAmount(members.amount)
  if (!members || amount === undefined || amount <= 0n) return undefined
  const currency = members.currency.trim().toUpperCase()
  return {
    remote_id: members.transactionReference,
    status: members.transactionStatus.trim().toLowerCase(),
    type: (members.type ?? '').trim().toLowerCase(),
    amount,
    currency,
    debit: members.debitParty ?? [],
    credit: members.creditParty ?? [],
    own_reference: members.requestingOrganisationTransactionReference?.trim() || undefined,
    original: members.originalTransactionReference?.trim() || undefined,
    fee: sumOfFees(members.fees, currency),
    at: readDate(members.modificationDate) ?? readDate(members.creationDate),
  }
}

/** Sum the provider's fees; undefined if it states none, or any in another currency. */
function sumOfFees(fees: z.output<typeof Fee>[] = [], currency: string): Amount | undefined {
  const amounts = fees.map(({ feeAmount, feeCurrency = currency }) =>
    feeCurrency.trim().toUpperCase() === currency ? readAmount(feeAmount) : undefined,
  )
  if (amounts.some((amount) => amount === undefined)) return undefined
  const sum = (amounts as Amount[]).reduce((one, other) => one + other, 0n)
  return sum > 0n ? sum : undefined
}

/** Read an amount with or without zeros at its end: `5`, `5.0`, `5.00` are the same. */
export function readAmount(value: string): Amount | undefined {
  return value.length > 40 ? undefined : parseAmount(value.trim())
}

/** A date of ISO 8601 with its time zone. One without has no certain meaning. */
export function readDate(value: string | undefined): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})$/.test(value ?? '')) return undefined
  const date = new Date(value!)
  return Number.isNaN(date.getTime()) ? undefined : truncateToSecond(date)
}

const Link = z.object({ link: z.string().min(1).max(2_000) })

/** Target of a link from `/responses`. */
interface LinkTarget {
  kind: 'transactions' | 'requeststates'
  id: string
}

/** Read the link to a resource: the end of an address, with or without its beginning. */
export function readLink(body: unknown): LinkTarget | undefined {
  const path = Link.safeParse(body).data?.link.split(/[?#]/, 1)[0]
  const [, kind, end] = /(?:^|\/)(transactions|requeststates)\/([^/]+)\/?$/i.exec(path ?? '') ?? []
  const id = end === undefined ? undefined : reference.safeParse(decode(end)).data
  return id === undefined ? undefined : { kind: kind!.toLowerCase() as LinkTarget['kind'], id }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

/** Describe a provider's answer for messages: the status, with code and words if given. */
export function describe({ status, body }: Reply): string {
  const error = readError(body)
  return [`HTTP ${status}`, error?.code, error?.words].filter(Boolean).join(', ')
}

/** Return an answer that says nothing about an order. */
export function noVerdict(reply: Reply): UnknownOutcome {
  return unknown(getMessage('gsma.answer_says_nothing', { answer: describe(reply) }))
}

export function unknown(message: string): UnknownOutcome {
  return { outcome: 'unknown', message }
}

const MAX_WORDS = 160

/** Words of a provider, as they are stored and shown. */
export function shorten(words: string): string {
  return shortenWords(words, MAX_WORDS)
}

import { type Amount, formatAmount, parseAmount } from '../../lib/money.ts'
import { referenceStart, toSmsReference } from './references.ts'
import { monthOf } from './usage.ts'

export type Outcome = 'sent' | 'delivered' | 'failed' | 'unknown'

/** Report of a provider, as it is stored. */
export interface SmsAnswer {
  at: Date
  source: 'reply' | 'status' | 'report'
  outcome: Outcome
  reason: string | null
  code: string | null
  message: string | null
}

/** A provider over which an SMS was sent. The row of the SMS has them, the newest last. */
export interface SmsProvider {
  /** The slug of the connection. */
  connection: string
  sender_id: string | null
  /** Reference of ours, which the provider repeats. */
  reference: string
  /** The provider's id of the SMS. */
  remote_id: string | null
  /** Latest report; null: the provider was not asked to send it yet. */
  outcome: Outcome | null
  parts: number
  cost: Amount | null
  currency: string | null
  /** The month in whose usage its parts are counted, as `monthOf` writes it; null: they are not. */
  month: string | null
  created: Date
  /** Reports, each change of the outcome. */
  answers: SmsAnswer[]
}

/** A report as the row has it, without the nulls at its end. Times are milliseconds since 1970. */
type StoredAnswer = [at: number, source: SmsAnswer['source'], outcome: Outcome, ...texts: (string | null)[]]

/** A provider as the row has it: its members by their places, because names would be most of it. */
export type StoredProvider = [
  connection: string,
  sender_id: string | null,
  reference_start: string,
  remote_id: string | null,
  outcome: Outcome | null,
  parts: number,
  cost: string | null,
  currency: string | null,
  /** True if its parts are counted, in the month of `created`. */
  is_counted: boolean,
  created: number,
  ...answers: StoredAnswer[],
]

/** Returns the providers of an SMS as its row has them. */
export function storeProviders(providers: readonly SmsProvider[]): StoredProvider[] {
  return providers.map((one) => [
    one.connection,
    one.sender_id,
    referenceStart(one.reference),
    one.remote_id,
    one.outcome,
    one.parts,
    one.cost === null ? null : formatAmount(one.cost),
    one.currency,
    one.month !== null,
    one.created.getTime(),
    ...one.answers.map(storeAnswer),
  ])
}

function storeAnswer({ at, source, outcome, reason, code, message }: SmsAnswer): StoredAnswer {
  const texts = [reason, code, message]
  while (texts.length > 0 && texts.at(-1) === null) texts.pop()
  return [at.getTime(), source, outcome, ...texts]
}

/** Reads the providers of an SMS from its row. */
export function readProviders(sms: number, stored: readonly StoredProvider[]): SmsProvider[] {
  return stored.map(
    ([connection, sender_id, start, remote_id, outcome, parts, cost, currency, is_counted, ms, ...answers]) => {
      const created = new Date(ms)
      return {
        connection,
        sender_id,
        reference: toSmsReference(start, sms),
        remote_id,
        outcome,
        parts,
        cost: cost === null ? null : parseAmount(cost)!,
        currency,
        month: is_counted ? monthOf(created) : null,
        created,
        answers: answers.map(([at, source, said, reason = null, code = null, message = null]) => ({
          at: new Date(at),
          source,
          outcome: said,
          reason,
          code,
          message,
        })),
      }
    },
  )
}

/** The words by which reports find an SMS that name it by the id of its provider. */
export function providerId(connection: string, remote_id: string): string {
  return `${connection} ${remote_id}`
}

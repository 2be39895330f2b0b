import { z } from 'zod'
import { spare, spareText as text } from '../../drivers/members.ts'
import { parseJsonAsTexts } from '../../drivers/numbers.ts'
import { shortenWords } from '../../drivers/words.ts'
import type { UnknownOutcome } from '../../lib/adapter-types.ts'
import type { HttpAnswer } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { isObject } from '../../lib/structured-input.ts'

/** The part that is in all answers, and the two other forms that the gateway uses for errors. */
const Envelope = z.object({
  data: z.unknown().optional(),
  status: spare(z.object({ response_code: text, result_code: text, code: text, message: text })),
  status_code: text,
  status_message: text,
  error: text,
  error_description: text,
})

/** An answer in the form of Airtel. Numbers in it are texts. */
export interface Reply {
  /** The HTTP status, 200 to 499. */
  http_status: number
  data: unknown
  /** Codes in the answer, the product's code first. */
  codes: string[]
  /** Airtel's own words. */
  words: string
}

/** Statuses that say nothing about the order: time-outs, too many calls, and a redirect. */
function isUnusable(status: number): boolean {
  return status < 200 || (status >= 300 && status < 400) || status >= 500 || status === 408 || status === 429
}

/**
 * Read an answer. What is not in Airtel's form is unknown: an HTML page, an empty or truncated answer, a 5xx, a 429.
 */
export function readReply(answer: HttpAnswer): Reply | UnknownOutcome {
  if (answer.incomplete !== null) return unknown(answer.incomplete)
  const body = parseJsonAsTexts(answer.text)
  const parsed = isObject(body) ? Envelope.safeParse(body) : undefined
  if (isUnusable(answer.status)) {
    const words = parsed?.data?.status_message ?? parsed?.data?.status?.message
    return unknown(
      getMessage('airtel.answered_http', { code: answer.status, said: words ? `: ${shorten(words)}` : '' }),
    )
  }
  // The gateway forbids a call in any words, so the status decides.
  if (answer.status === 403 && !parsed?.success) return { http_status: 403, data: undefined, codes: [], words: '' }
  if (!parsed?.success) return unknown(getMessage('airtel.answer_cannot_understood', { code: answer.status }))
  const { data, status, status_code, status_message, error, error_description } = parsed.data
  const codes = [status?.response_code, status?.result_code, status_code, status?.code]
  return {
    http_status: answer.status,
    data,
    codes: codes.flatMap((code) => code || []),
    words: shorten(status?.message ?? status_message ?? error_description ?? error ?? ''),
  }
}

const Transaction = z.object({
  transaction: z.object({ id: text, airtel_money_id: text, status: text, message: text }),
})

/** Part of an answer about one transaction; undefined if it has none. */
type TransactionPart = z.output<typeof Transaction>['transaction']

export function transactionOf({ data }: Reply): TransactionPart | undefined {
  return Transaction.safeParse(data).data?.transaction
}

export function unknown(message: string): UnknownOutcome {
  return { outcome: 'unknown', message }
}

/** The outcome of an answer in which we recognize nothing. */
export function unrecognized({ http_status, codes, words }: Reply): UnknownOutcome {
  const said = [codes.join(', '), words].filter(Boolean).join(' ')
  return unknown(
    getMessage('airtel.answer_cannot_understood', { code: said ? `${http_status}: ${said}` : http_status }),
  )
}

const MAX_WORDS = 160

/** Airtel's words, as they are stored and shown. */
export function shorten(words: string): string {
  return shortenWords(words, MAX_WORDS)
}

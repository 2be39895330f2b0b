import { type Amount, formatAmount, parseAmount } from '../../../lib/money.ts'
import { withoutTrailing } from '../../../lib/text/trailing.ts'

/*
 * The form of Reloadly's answers. Its money is JSON numbers with many decimals or an exponent, which JSON.stringify cannot
 * write.
 */

const MARK = '\u0001'

/** Keep the spelling of a number. */
export function literal(text: string): string {
  return MARK + text + MARK
}

/** A sum in the way of Reloadly: five decimals, and small ones with an exponent. */
export function money(amount: Amount): string {
  const text = `${formatAmount(amount)}0`
  const small = /^(-?)0\.(0{3,})([1-9])(\d*)$/.exec(text)
  if (!small || amount === 0n) return literal(text)
  const [, sign, zeros, first, rest] = small as unknown as [string, string, string, string, string]
  const more = withoutTrailing(rest, '0')
  return literal(`${sign}${first}${more && `.${more}`}E-${zeros.length + 1}`)
}

/** The text of an answer. */
export function toJson(value: unknown): string {
  return JSON.stringify(value).replace(/"\\u0001([^"\\]*)\\u0001"/g, '$1')
}

/** `2026-11-22 08:00:00`, in UTC. */
export function dateTime(time: Date): string {
  return time.toISOString().slice(0, 19).replace('T', ' ')
}

/** An error of a service. */
export function errorBody(message: string, errorCode: string | null, path: string, now: Date) {
  return { timeStamp: dateTime(now), message, path, errorCode, infoLink: null, details: [] }
}

const RATE_DECIMALS = 9

/** Convert local currency to dollars, rounded up to an amount that the account can be charged. */
export function toDollars(amount: Amount, rate: string): Amount {
  const [whole = '0', decimals = ''] = rate.split('.')
  const scaled = BigInt(whole + decimals.padEnd(RATE_DECIMALS, '0'))
  const dollars = amount * 10n ** BigInt(RATE_DECIMALS)
  return (dollars + scaled - 1n) / scaled
}

/** A sum without so many percent, and at least a ten-thousandth. */
export function withoutPercent(amount: Amount, percent: string): Amount {
  const rest = (amount * (1_000_000n - (parseAmount(percent) ?? 0n))) / 1_000_000n
  return rest > 0n ? rest : 1n
}

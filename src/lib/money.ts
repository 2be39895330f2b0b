import { withoutTrailing } from './text/trailing.ts'

/**
 * An exact sum of money: a whole number of ten-thousandths of the currency's unit.
 * `1500.5` is `15005000n`. Money is never a float.
 */
export type Amount = bigint

const SCALE = 10_000n
/** Maximum length of an amount: more digits than any sum has, and few enough to be read in no time. */
const MAX_AMOUNT_LENGTH = 1_000
const PLAIN_DECIMAL = /^([+-]?)(\d+)(?:\.(\d*))?$/

/**
 * Reads a plain decimal text (`1500`, `1500.5`, `0.0001`) exactly.
 * Returns undefined for anything else: separators, exponents, more than four decimals.
 * Zeros after the fourth decimal change nothing and are accepted. A text of more than 1,000 characters is no amount.
 */
export function parseAmount(text: string): Amount | undefined {
  const parts = text.length > MAX_AMOUNT_LENGTH ? null : PLAIN_DECIMAL.exec(text)
  if (!parts) return undefined
  const decimals = withoutTrailing(parts[3] ?? '', '0')
  if (decimals.length > 4) return undefined
  const amount = BigInt(parts[2]!) * SCALE + BigInt(decimals.padEnd(4, '0'))
  return parts[1] === '-' ? -amount : amount
}

/** Reads an amount in the form of people and networks: like `parseAmount`, but with optional commas, `1,500.50`. */
export function parseDisplayedAmount(text: string): Amount | undefined {
  return text.length > MAX_AMOUNT_LENGTH ? undefined : parseAmount(text.replaceAll(/,(?=\d{3}(\D|$))/g, ''))
}

/** Writes an amount for the wire and SQL: always four decimals, `1500.5000`. */
export function formatAmount(amount: Amount): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(5, '0')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`
}

/**
 * Writes an amount for people, wherever they read one (SMS, command line, console, messages): commas between thousands, and either no
 * decimals or at least two, `1,500` or `1,500.50`. No digit is left out, `0.1234`.
 */
export function displayAmount(amount: Amount): string {
  const [whole, decimals] = shortAmount(amount < 0n ? -amount : amount).split('.') as [string, string?]
  const groups: string[] = []
  for (let end = whole.length; end > 0; end -= 3) groups.unshift(whole.slice(Math.max(0, end - 3), end))
  return `${amount < 0n ? '-' : ''}${groups.join(',')}${decimals === undefined ? '' : `.${decimals.padEnd(2, '0')}`}`
}

/** Writes an amount for networks and billers that take as few characters as possible: `1500` or `1500.5`. */
export function shortAmount(amount: Amount): string {
  return formatAmount(amount).replace(/\.?0{1,4}$/, '')
}

/** Counts the decimals that an amount needs, 0 to 4. */
export function countDecimals(amount: Amount): number {
  let decimals = 4
  let digits = amount
  while (decimals > 0 && digits % 10n === 0n) {
    digits /= 10n
    decimals -= 1
  }
  return decimals
}

/** The smaller of two amounts. */
export function smallerAmount(a: Amount, b: Amount): Amount {
  if (a < b) return a
  return b
}

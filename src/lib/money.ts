/**
 * An exact sum of money: a whole number of ten-thousandths of the currency's unit.
 * `1500.5` is `15005000n`. Money is never a float.
 */
export type Amount = bigint

const SCALE = 10_000n
const PLAIN_DECIMAL = /^([+-]?)(\d+)(?:\.(\d*))?$/

/**
 * Reads a plain decimal text (`1500`, `1500.5`, `0.0001`) exactly.
 * Returns undefined for anything else: separators, exponents, more than four decimals.
 * Zeros after the fourth decimal change nothing and are accepted.
 */
export function parseAmount(text: string): Amount | undefined {
  const parts = PLAIN_DECIMAL.exec(text)
  if (!parts) return undefined
  const decimals = (parts[3] ?? '').replace(/0+$/, '')
  if (decimals.length > 4) return undefined
  const amount = BigInt(parts[2]!) * SCALE + BigInt(decimals.padEnd(4, '0'))
  return parts[1] === '-' ? -amount : amount
}

/** Reads an amount in the form of people and networks: like `parseAmount`, but with optional commas, `1,500.50`. */
export function parseDisplayedAmount(text: string): Amount | undefined {
  return parseAmount(text.replaceAll(/,(?=\d{3}(\D|$))/g, ''))
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
  const [whole, decimals] = shortAmount(amount).split('.') as [string, string?]
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (decimals === undefined ? '' : `.${decimals.padEnd(2, '0')}`)
}

/** Writes an amount for networks and billers that take as few characters as possible: `1500` or `1500.5`. */
export function shortAmount(amount: Amount): string {
  return formatAmount(amount).replace(/\.?0+$/, '')
}

/** How many decimals an amount needs, 0 to 4. */
export function countDecimals(amount: Amount): number {
  let decimals = 4
  let digits = amount
  while (decimals > 0 && digits % 10n === 0n) {
    digits /= 10n
    decimals -= 1
  }
  return decimals
}

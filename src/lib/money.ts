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
 * Trailing zeros beyond the fourth decimal are no information and are accepted.
 */
export function parseAmount(text: string): Amount | undefined {
  const parts = PLAIN_DECIMAL.exec(text)
  if (!parts) return undefined
  const decimals = (parts[3] ?? '').replace(/0+$/, '')
  if (decimals.length > 4) return undefined
  const amount = BigInt(parts[2]!) * SCALE + BigInt(decimals.padEnd(4, '0'))
  return parts[1] === '-' ? -amount : amount
}

/** Reads an amount as people and networks write it: like `parseAmount`, but thousands may have commas, `1,500.50`. */
export function parseDisplayedAmount(text: string): Amount | undefined {
  return parseAmount(text.replaceAll(/,(?=\d{3}(\D|$))/g, ''))
}

/** Writes an amount the way the wire and SQL want it: always four decimals, `1500.5000`. */
export function formatAmount(amount: Amount): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(5, '0')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`
}

/** Writes an amount for people: thousands separated, no superfluous zeros, `1,500` or `1,500.5`. */
export function displayAmount(amount: Amount): string {
  const [whole, decimals] = formatAmount(amount).split('.') as [string, string]
  const rest = decimals.replace(/0+$/, '')
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (rest && `.${rest}`)
}

/** How many decimals an amount needs, 0 to 4. */
export function countDecimals(amount: Amount): number {
  let decimals = 4
  let rest = amount
  while (decimals > 0 && rest % 10n === 0n) {
    rest /= 10n
    decimals -= 1
  }
  return decimals
}

import type { Amount } from '../../lib/money.ts'

const PRICE = /^-?(\d{1,12})(?:\.(\d{1,20}))?(?:[eE]([+-]?\d{1,2}))?$/

/** Amounts have four decimals. */
const DECIMALS = 4
/** More than this is no price of an SMS. */
const MAX_PRICE: Amount = 10_000_000_000n

/**
 * Read a price as providers write it, `0.00750`, `-0.0075` or `8.55E-4`, times how often it is paid, without its sign.
 * Prices have more decimals than amounts: the sum is rounded to the ten-thousandth, half of it upwards. Undefined for
 * anything else.
 */
export function readPrice(text: string, times = 1): Amount | undefined {
  const [, whole, decimals = '', exponent = '0'] = PRICE.exec(text.trim()) ?? []
  if (whole === undefined) return undefined
  const digits = BigInt(whole + decimals) * BigInt(times)
  const shift = DECIMALS - decimals.length + Number(exponent)
  const divisor = shift < 0 ? 10n ** BigInt(-shift) : 1n
  const price = shift < 0 ? (digits + divisor / 2n) / divisor : digits * 10n ** BigInt(shift)
  return price <= MAX_PRICE ? price : undefined
}

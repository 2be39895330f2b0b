import type { Amount } from '../../lib/money.ts'

const DECIMALS = 12
/** Digits of `DECIMALS` that an amount does not have. */
const DROPPED = 10n ** BigInt(DECIMALS - 4)

/**
 * Reads a price as providers write it, `0.00750` or `-0.0075`, times how often it is paid, without its sign. Prices have more
 * decimals than amounts: the sum is rounded to the ten-thousandth, half of it upwards. Undefined for anything else.
 */
export function readPrice(text: string, times = 1): Amount | undefined {
  const [, whole, decimals = ''] = /^-?(\d{1,12})(?:\.(\d{1,12}))?$/.exec(text.trim()) ?? []
  if (whole === undefined) return undefined
  const exact = BigInt(whole + decimals.padEnd(DECIMALS, '0')) * BigInt(times)
  return (exact + DROPPED / 2n) / DROPPED
}

import { randomBytes } from 'node:crypto'
import type { Amount } from '../../lib/money.ts'

/** Makes a token: 66 bits, printed as 20 digits (STS). No real meter accepts a token of the sandbox. */
export function generateToken(): string {
  const bytes = randomBytes(9)
  bytes[0]! &= 0b11
  return BigInt(`0x${bytes.toString('hex')}`)
    .toString()
    .padStart(20, '0')
}

/** VAT on electricity is 7.5 %, so 1000 of 1075 parts buy power. */
export const NET_PARTS = 1_000n
export const GROSS_PARTS = 1_075n

/** The power that an amount buys after tax, in tenths of a kWh, rounded down. */
export function tenthsOfKwhFor(amount: Amount, tariff: Amount): bigint {
  return (amount * 10n * NET_PARTS) / (tariff * GROSS_PARTS)
}

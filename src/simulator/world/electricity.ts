import { randomBytes } from 'node:crypto'
import type { Amount } from '../../lib/money.ts'

/** Make a token: 66 bits, printed as 20 digits (STS). No real meter accepts a token of the sandbox. */
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

/** The price of a kWh without tax, by a word in the name of the distribution company: as in the catalogue of the sandbox. */
const tariffs: Readonly<Record<string, Amount>> = {
  abuja: 657_000n,
  eko: 685_000n,
  enugu: 633_000n,
  ibadan: 624_000n,
  ikeja: 669_000n,
  jos: 615_000n,
  kaduna: 602_000n,
  kano: 598_000n,
  harcourt: 641_000n,
}
const USUAL_TARIFF: Amount = 680_000n

/**
 * Return the price of a kWh, so that an amount buys the same power from every simulated provider. @param company name
 * or code
 */
export function tariffOf(company: string): Amount {
  const word = Object.keys(tariffs).find((one) => company.toLowerCase().includes(one))
  return word === undefined ? USUAL_TARIFF : tariffs[word]!
}

/** The power that an amount buys after tax, in tenths of a kWh, rounded down. */
export function tenthsOfKwhFor(amount: Amount, tariff: Amount): bigint {
  return (amount * 10n * NET_PARTS) / (tariff * GROSS_PARTS)
}

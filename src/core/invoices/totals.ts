import type { Amount } from '../../lib/money.ts'
import { currencyUnit } from '../ledger/currencies.ts'

/** Invoice line: text, quantity and price without tax. Quantity and tax rate have four decimals, as amounts have. */
export interface NewLine {
  text: string
  quantity: bigint
  /** Negative for a discount. */
  unit_price: Amount
  /** Tax rate in percent; null for none. */
  tax_rate: bigint | null
}

/** A line with its amount without tax. */
export type Line = NewLine & { amount: Amount }

/** The tax of all lines with one rate. */
export interface Tax {
  rate: bigint
  /** Taxable amount. */
  net: Amount
  amount: Amount
}

/** Totals of an invoice. The total is exactly the subtotal and the taxes. */
export interface Totals {
  lines: Line[]
  taxes: Tax[]
  subtotal: Amount
  total: Amount
}

const SCALE = 10_000n

/**
 * Adds up an invoice. Each line and each tax is rounded once, to the decimals of the currency, half away from zero;
 * sums are never rounded. A tax is computed on the sum of the lines with its rate, so that many small lines do not
 * collect errors.
 */
export function computeTotals(currency: string, new_lines: readonly NewLine[]): Totals {
  const unit = currencyUnit(currency)
  const lines = new_lines.map((line) => ({
    ...line,
    amount: divideAndRound(line.quantity * line.unit_price, SCALE, unit),
  }))
  const rates = [...new Set(lines.flatMap(({ tax_rate }) => tax_rate ?? []))].sort((a, b) => (a < b ? -1 : 1))
  const taxes = rates.map((rate) => {
    const net = sum(lines.filter(({ tax_rate }) => tax_rate === rate))
    return { rate, net, amount: divideAndRound(net * rate, 100n * SCALE, unit) }
  })
  const subtotal = sum(lines)
  return { lines, taxes, subtotal, total: subtotal + sum(taxes) }
}

function sum(parts: readonly { amount: Amount }[]): Amount {
  return parts.reduce((total, { amount }) => total + amount, 0n)
}

/** A quotient as a multiple of `unit`, half away from zero. */
function divideAndRound(dividend: bigint, divisor: bigint, unit: bigint): bigint {
  const step = divisor * unit
  const size = dividend < 0n ? -dividend : dividend
  const rounded = ((2n * size + step) / (2n * step)) * unit
  return dividend < 0n ? -rounded : rounded
}

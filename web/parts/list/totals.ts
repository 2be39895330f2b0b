import { formatAmount, parseAmount } from '../../../src/lib/money.ts'
import { formatMoney } from '../../format.ts'
import { locale } from '../../texts/index.ts'

/** The sum of amounts as people read it, such as `KES 200 and UGX 1,500`: one for each currency. */
export function formatTotals(rows: readonly { amount: string; currency: string }[]): string {
  const sums = new Map<string, bigint>()
  for (const { amount, currency } of rows) sums.set(currency, (sums.get(currency) ?? 0n) + (parseAmount(amount) ?? 0n))
  const totals = [...sums].toSorted(([a], [b]) => a.localeCompare(b))
  return new Intl.ListFormat(locale).format(totals.map(([currency, sum]) => formatMoney(formatAmount(sum), currency)))
}

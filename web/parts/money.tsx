import { formatMoney } from '../format.ts'

export function Money({ amount, currency }: { amount: string; currency?: string }) {
  return <span className="numeric money">{formatMoney(amount, currency)}</span>
}

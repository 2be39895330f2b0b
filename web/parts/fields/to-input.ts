/**
 * The digits of an amount, as a person would type them; empty without an amount. Three decimals have a zero behind them: people of some
 * countries read `1.125` as 1,125 (`readTypedAmount`).
 */
export function toInput(amount: string | null | undefined): string {
  if (!amount) return ''
  const short = amount.replace(/\.?0{1,4}$/, '') || '0'
  return /\.\d{3}$/.test(short) ? `${short}0` : short
}

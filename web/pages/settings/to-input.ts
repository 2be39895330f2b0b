/** The digits of an amount, as a person would type them; empty without an amount. */
export function toInput(amount: string | null | undefined): string {
  return amount ? amount.replace(/\.?0{1,4}$/, '') || '0' : ''
}

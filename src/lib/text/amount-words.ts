import { type Amount, shortAmount } from '../money.ts'

/** Writes a whole number in the words of a language, as the modules of n2words do. */
export type ToCardinal = (value: bigint) => string

/** An amount in words; its decimals are written as on a cheque: `one thousand five hundred 50/100`. */
export function amountInWords(amount: Amount, toCardinal: ToCardinal): string {
  const [whole = '0', decimals] = shortAmount(amount).split('.')
  const words = toCardinal(BigInt(whole))
  return decimals === undefined
    ? words
    : `${words} ${decimals.padEnd(2, '0')}/1${'0'.repeat(Math.max(2, decimals.length))}`
}

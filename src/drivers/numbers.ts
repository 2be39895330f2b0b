import type { Amount } from '../lib/money.ts'
import { rewriteNumbers } from '../lib/structured-input.ts'

/*
 * The forms in which providers write numbers. Some send amounts as texts, some as JSON numbers with many decimals or with
 * an exponent (`3.8E-5`). None of them becomes a float.
 */

/**
 * Parse JSON in which every number stays the text that was sent, so that no amount is rounded. Returns undefined for a
 * text that is not JSON, or would take long to read.
 */
export function parseJsonAsTexts(text: string): unknown {
  try {
    const texts = rewriteNumbers(text, (number) => `"${number}"`)
    JSON.parse(text)
    return JSON.parse(texts)
  } catch {
    return undefined
  }
}

/** Amounts have four decimals. */
const SCALE_DECIMALS = 4
/** A longer text is no sum of money. */
const MAX_CHARACTERS = 60
const MAX_EXPONENT = 30
const DECIMAL = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/

/**
 * Read a decimal, also one with an exponent, as an amount. Undefined: it is no number, or it has more decimals than
 * amounts have.
 */
export function readAmount(text: unknown): Amount | undefined {
  const parsed = readDecimal(text)
  return parsed?.is_exact ? parsed.amount : undefined
}

/** As `readAmount`, but round further decimals down: the minimum worth of a float. */
export function readAmountDown(text: unknown): Amount | undefined {
  const parsed = readDecimal(text)
  if (!parsed) return undefined
  return !parsed.is_exact && parsed.is_negative ? parsed.amount - 1n : parsed.amount
}

/** As `readAmount`, but round further decimals up: the maximum cost. */
export function readAmountUp(text: unknown): Amount | undefined {
  const parsed = readDecimal(text)
  if (!parsed) return undefined
  return !parsed.is_exact && !parsed.is_negative ? parsed.amount + 1n : parsed.amount
}

function readDecimal(text: unknown): { amount: Amount; is_exact: boolean; is_negative: boolean } | undefined {
  if (typeof text !== 'string' || text.length > MAX_CHARACTERS) return undefined
  const parts = DECIMAL.exec(text.trim())
  if (!parts) return undefined
  const [, sign, whole, decimals = '', exponent = '0'] = parts
  const shift = SCALE_DECIMALS - decimals.length + Number(exponent)
  if (Math.abs(Number(exponent)) > MAX_EXPONENT) return undefined
  const digits = BigInt(whole! + decimals)
  const divisor = shift < 0 ? 10n ** BigInt(-shift) : 1n
  const size = shift < 0 ? digits / divisor : digits * 10n ** BigInt(shift)
  const is_negative = sign === '-' && digits !== 0n
  return { amount: is_negative ? -size : size, is_exact: digits % divisor === 0n, is_negative }
}

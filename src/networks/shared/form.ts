import { type Amount, shortAmount } from '../../lib/money.ts'

/*
 * The forms in which networks write numbers, amounts and phones.
 */

/** A text of JSON, or a number of it. */
const STRING_OR_NUMBER = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/gs

/**
 * Parses JSON in which every number stays the text that was sent, so that no amount is rounded. Returns undefined for a
 * text that is not JSON.
 */
export function parseJsonAsTexts(text: string): unknown {
  try {
    JSON.parse(text)
    return JSON.parse(text.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`)))
  } catch {
    return undefined
  }
}

/** Writes an amount as a JSON number without zeros at the end: `1500`, `1500.5`. */
export function toJsonNumber(amount: Amount): string {
  return shortAmount(amount)
}

/**
 * The digits of a phone number (E.164) after the calling code of its country, such as `256`. Undefined for a number of
 * another country.
 */
export function toNationalNumber(phonenumber: string, calling_code: string): string | undefined {
  const start = `+${calling_code}`
  return phonenumber.startsWith(start) ? phonenumber.slice(start.length) : undefined
}

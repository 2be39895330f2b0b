import { withoutTrailing } from '../text/trailing.ts'

/** Writes a number of a spreadsheet out: `2.56772E+11` is 256772000000. Another text stays as it is. */
export function expandNumber(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text)
  if (!match) return text
  const [, sign, whole, decimals = '', exponent = '0'] = match
  const digits = roundDigits(whole! + decimals)
  const point = whole!.length + Number(exponent)
  const padded = point > digits.length ? digits.padEnd(point, '0') : digits
  const [before, after] = point > 0 ? [padded.slice(0, point), padded.slice(point)] : ['0', '0'.repeat(-point) + padded]
  const kept = withoutTrailing(after, '0')
  return sign + (before.replace(/^0+(?=\d)/, '') || '0') + (kept && `.${kept}`)
}

/** Spreadsheets compute with 15 digits. The digits after these are noise: 1500.4999999999998 is 1500.5. */
const EXACT_DIGITS = 15

/** Rounds digits after the fifteenth, and keeps their number. */
function roundDigits(digits: string): string {
  const zeros = /^0*/.exec(digits)![0].length
  const cut = digits.length - zeros - EXACT_DIGITS
  if (cut <= 0) return digits
  const unit = 10n ** BigInt(cut)
  const rounded = ((BigInt(digits) + unit / 2n) / unit) * unit
  return String(rounded).padStart(digits.length, '0')
}

/** The formats of dates and times that have only a number. Those from 27 on are of East Asia. */
const BUILT_IN: readonly (readonly [first: number, last: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
]

/**
 * True if a format of a spreadsheet shows a number as a date or a time.
 * @param code undefined for a format that has only a number
 */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return BUILT_IN.some(([first, last]) => id >= first && id <= last)
  return /[dmyhs]/i.test(letters(code))
}

/**
 * Returns the letters of a format, without its literal parts: texts in quotes, signs behind a backslash, colours and
 * conditions in brackets.
 */
function letters(code: string): string {
  let rest = ''
  for (let at = 0; at < code.length; at += 1) {
    const sign = code[at]!
    if (sign === '\\' || sign === '_' || sign === '*') at += 1
    else if (sign === '"' || sign === '[') {
      const end = code.indexOf(sign === '"' ? '"' : ']', at + 1)
      // `[h]` counts hours: that is a time.
      if (sign === '[' && /^\[(h+|m+|s+)\]/i.test(code.slice(at, at + 12))) rest += 'h'
      at = end < 0 ? code.length : end
    } else rest += sign
  }
  return rest.replace(/General/gi, '')
}

const DAY_MS = 86_400_000
const EPOCH_1900_MS = Date.UTC(1899, 11, 30)
const EPOCH_1904_MS = Date.UTC(1904, 0, 1)
/** 31 December 9999. */
const MAX_SERIAL = 2_958_466

/**
 * The day and the time that a spreadsheet shows for a number: `2030-01-31`, or `2030-01-31 18:00:00`. A part of a day is only a time,
 * `18:00:00`. Undefined for a number that is none of them.
 */
export function dateOfSerial(serial: number, since_1904: boolean): string | undefined {
  if (!(serial >= 0 && serial < MAX_SERIAL)) return undefined
  const ms = (since_1904 ? EPOCH_1904_MS : EPOCH_1900_MS) + serial * DAY_MS
  const text = new Date(Math.round(ms / 1_000) * 1_000).toISOString()
  if (serial < 1) return text.slice(11, 19)
  return Number.isInteger(serial) ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, 19)}`
}

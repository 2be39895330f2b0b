/*
 * Signs that show nothing themselves and change the display of others: controls of terminals (C0 and C1, with the
 * escape), ends of lines, and invisible formats. Such formats turn the direction of a text, or have no width.
 */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
/** The same without tabs and the ends of lines of a text of several. */
const CONTROLS_IN_LINES = /(?!\r\n|[\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
/** The same in JSON, whose texts have the escapes of C0 already. */
const CONTROLS_IN_JSON = /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu
/** Formats that join letters of Arabic and Indian scripts, or emoji. */
const JOINERS = /[\u200c\u200d]/

/**
 * Returns a text of one line for a screen: signs that steer the screen are shown by their codes, as JSON does
 * (`\u001b`).
 */
export function showControls(text: string): string {
  return text.replace(CONTROLS, codeOf)
}

/** Lines for a screen: as `showControls`, with tabs and ends of lines. */
export function showControlsInLines(text: string): string {
  return text.replace(CONTROLS_IN_LINES, codeOf)
}

/** JSON for a screen: the same value, with every control escaped. */
export function showControlsInJson(json: string): string {
  return json.replace(CONTROLS_IN_JSON, codeOf)
}

/** A text for a line that other programs show, such as the subject of a mail: ends of lines and tabs are blanks, other controls left out. */
export function withoutControls(text: string): string {
  return text.replace(/[\r\n\t\v\f\x85\u2028\u2029]+/g, ' ').replace(CONTROLS, keepJoiners)
}

/** Lines that other programs show, such as the text of a mail: every end of a line is `\n`, and controls are left out. */
export function linesWithoutControls(text: string): string {
  return text.replace(/\r\n?|[\v\f\x85\u2028\u2029]/g, '\n').replace(CONTROLS_IN_LINES, keepJoiners)
}

const keepJoiners = (sign: string) => (JOINERS.test(sign) ? sign : '')

function codeOf(sign: string): string {
  return sign
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}

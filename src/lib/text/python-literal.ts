/**
 * Rewrites a Python literal as JSON text, without running any of it: `{'id': '7', 'ok': True, 'x': None}` becomes `{
 * "id" : "7" , "ok" : true , "x" : null }`. Some clients send Python's `str()` of a dictionary as metadata.
 *
 * It translates tokens only: strings with their prefixes and escapes, `True`, `False`, `None`, whole numbers with an
 * `L`, numbers as keys, trailing commas. The JSON parser then checks the order of the tokens. Returns undefined if the
 * text contains anything else. The time taken is proportional to its length.
 */
export function pythonToJson(text: string): string | undefined {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const token = TOKEN.exec(text)
    if (!token) return undefined
    const [, string, number, word, mark] = token
    if (string !== undefined) tokens.push(JSON.stringify(decodeEscapes(string.slice(1, -1))))
    else if (number !== undefined) tokens.push(number)
    else if (mark !== undefined) pushPunctuation(tokens, mark)
    else if (word !== undefined) {
      const value = KEYWORDS.get(word)
      if (!value) return undefined
      tokens.push(value)
    }
  }
  return tokens.join(' ')
}

/** A string, a number, a word or a punctuation mark. */
const TOKEN =
  /\s*(?:[uUbB]?('[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)L?(?!\w)|([A-Za-z]+)|([{}[\],:])|$)/sy

/** The JSON words are accepted as well: people mix them into Python. */
const KEYWORDS = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
])

function pushPunctuation(tokens: string[], mark: string) {
  const last = tokens.at(-1)
  const before = tokens.at(-2)
  // A comma before the closing bracket is correct in Python and an error in JSON.
  if ((mark === '}' || mark === ']') && last === ',' && before !== '{' && before !== '[') tokens.pop()
  // JSON allows only strings as keys.
  if (mark === ':' && (before === '{' || before === ',') && /^-?\d/.test(last!)) tokens.push(`"${tokens.pop()}"`)
  tokens.push(mark)
}

const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|(\r\n|.))/gs

const ESCAPE_VALUES = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['a', '\x07'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['\n', ''],
  ['\r\n', ''],
])

function decodeEscapes(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(ESCAPE, (written, hex2?: string, hex4?: string, hex8?: string, single?: string) => {
    // An escape that does not exist in Python stays unchanged, including its backslash.
    if (single !== undefined) return ESCAPE_VALUES.get(single) ?? written
    const code = Number.parseInt((hex2 ?? hex4 ?? hex8)!, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : written
  })
}

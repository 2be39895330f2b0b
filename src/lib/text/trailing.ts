/**
 * Returns a text without the given character at its end. A pattern such as `/0+$/` would start again at each zero of a
 * text.
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end -= 1
  return text.slice(0, end)
}

/** Maximum characters read of a provider's text: nobody reads more, and a megabyte takes long to clean. */
const MAX_READ = 10_000

/** The beginning of a provider's words: more than is shown of any. */
export function beginningOf(words: string): string {
  return words.length > MAX_READ ? words.slice(0, MAX_READ).toWellFormed() : words
}

/** Words of a provider as they are stored and shown: on one line, without control characters, and cut to so many characters. */
export function shortenWords(words: string, max: number): string {
  const cleaned = beginningOf(words)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .toWellFormed()
  return cleaned.length > max ? `${cleaned.slice(0, max).trimEnd().toWellFormed()}…` : cleaned
}

/** The words that Safaricom's Daraja refuses anywhere in a callback address, in upper or lower case. */
const DARAJA_WORDS = ['m-pesa', 'mpesa', 'safaricom', 'exe', 'exec', 'cmd', 'sql', 'query']

/**
 * Finds the words in an address that a network refuses there, for `checkSettings` of a driver. Percent-encoded letters
 * count as the letters that they stand for.
 * @param words in lower case; Daraja's unless given
 */
export function forbiddenWords(url: string, words: readonly string[] = DARAJA_WORDS): string[] {
  const texts = [url, decode(url)].map((text) => text.toLowerCase())
  return words.filter((word) => texts.some((text) => text.includes(word)))
}

function decode(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

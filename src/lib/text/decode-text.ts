/**
 * Decode a text that a person has written or piped in. Programs of Windows mark it with its encoding, UTF-8 or UTF-16; the mark
 * is no part of the text.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return new TextDecoder().decode(bytes)
}

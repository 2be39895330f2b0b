/**
 * Decodes base64 (RFC 4648, section 4, with its padding) in one pass.
 * @returns undefined for a text that is not base64
 */
export function decodeBase64(text: string): Buffer<ArrayBuffer> | undefined {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const bytes = Buffer.from(text, 'base64')
  // Node leaves out signs that are not base64.
  return text.length % 4 === 0 && bytes.length === (text.length / 4) * 3 - padding ? bytes : undefined
}

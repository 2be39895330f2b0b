import { describe, expect, it } from 'vitest'
import { decodeText } from '../../../src/lib/text/decode-text.ts'

describe('a text that a person has written', () => {
  it.each([
    ['UTF-8', Buffer.from('clé')],
    ['UTF-8 with its mark', Buffer.from('\uFEFFclé')],
    ['UTF-16', Buffer.from('\uFEFFclé', 'utf16le')],
    ['UTF-16 in the other order', Buffer.from('\uFEFFclé', 'utf16le').swap16()],
  ])('is read without its mark: %s', (_, bytes) => {
    expect(decodeText(bytes)).toBe('clé')
  })

  it('may be empty', () => {
    expect(decodeText(Buffer.from(''))).toBe('')
  })
})

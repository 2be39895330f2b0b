import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeBase64 } from '../../src/lib/base64.ts'

it('decodes what was encoded', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(decodeBase64(Buffer.from(bytes).toString('base64'))).toEqual(Buffer.from(bytes))
    }),
  )
})

it.each(['a', 'ab', 'abc', 'abc!', 'ab=c', '====', 'a===', 'abcd=', ' abcd', 'abc\n', 'ab c', 'ábcd', 'abcdé'])(
  'refuses %j',
  (text) => {
    expect(decodeBase64(text)).toBeUndefined()
  },
)

import { describe, expect, it } from 'vitest'
import { forbiddenWords } from '../../../src/lib/http/forbidden-words.ts'

describe('forbidden words in a callback address', () => {
  it('are found in any case, in host and path, and behind percent signs', () => {
    expect(forbiddenWords('https://M-Pesa.example.com/api/callbacks/daraja-ke/0a')).toEqual(['m-pesa'])
    expect(forbiddenWords('https://pay.example.com/EXECUTE')).toEqual(['exe', 'exec'])
    expect(forbiddenWords('https://pay.example.com/%6Dpesa?x=%')).toEqual([])
    expect(forbiddenWords('https://pay.example.com/%6Dpesa')).toEqual(['mpesa'])
  })

  it('are not in an address of ours', () => {
    expect(forbiddenWords('https://pay.example.com/api/callbacks/daraja-ke/0a1b/7c9e/result')).toEqual([])
  })

  it('may be those of another network', () => {
    expect(forbiddenWords('https://pay.example.com/mpesa', ['pay'])).toEqual(['pay'])
  })
})

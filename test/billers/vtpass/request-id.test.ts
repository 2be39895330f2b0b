import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isOfEarlierDay, referenceOf, sinceMidnightMs, toRequestId } from '../../../src/billers/vtpass/request-id.ts'

const at = (text: string) => new Date(text)

describe('a request id', () => {
  it('begins with date and time in Lagos, and goes on with the reference', () => {
    expect(toRequestId({ reference: 'KB17', created: at('2026-11-22T08:15:30Z') })).toBe('202611220915KB17')
    // It is tomorrow in Lagos already.
    expect(toRequestId({ reference: 'KB17', created: at('2026-12-31T23:30:00Z') })).toBe('202701010030KB17')
  })

  it('has letters and digits only, whatever the reference has', () => {
    const request_id = toRequestId({ reference: 'KB-17 é/Z', created: at('2026-11-22T08:15:30Z') })
    expect(request_id).toMatch(/^\d{12}[0-9A-Za-z]+$/)
    expect(referenceOf(request_id)).toBe('KB-17 é/Z')
  })

  it('gives the reference back, and no two references have the same', () => {
    const created = at('2026-11-22T08:15:30Z')
    const references = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 15 }).filter((one) => one.isWellFormed())
    fc.assert(
      fc.property(references, (reference) => {
        expect(referenceOf(toRequestId({ reference, created }))).toBe(reference)
      }),
    )
  })

  it.each(['', '202611220915', 'KB17', '2026112209151-2', '202611220915Zff', '202611220915Z4b'])(
    '%j is none of ours',
    (text) => expect(referenceOf(text)).toBeUndefined(),
  )

  it('belongs to its day in Lagos', () => {
    const created = at('2026-11-22T22:59:00Z')
    expect(isOfEarlierDay(created, at('2026-11-22T22:59:59Z'))).toBe(false)
    expect(isOfEarlierDay(created, at('2026-11-22T23:00:00Z'))).toBe(true)
    // The clock of a sandbox may be ahead.
    expect(isOfEarlierDay(at('2026-11-24T08:00:00Z'), created)).toBe(false)
    expect(sinceMidnightMs(at('2026-11-22T23:00:05Z'))).toBe(5_000)
  })
})

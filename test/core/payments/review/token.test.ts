import { describe, expect, it } from 'vitest'
import { digestOf, reviewError, signReview } from '../../../../src/core/payments/review/token.ts'

const KEY = 'a key'
const now = new Date('2030-01-01T12:00:00Z')
const reviewed = { organization: 1, user: 2, digest: digestOf(['payment', { amount: 450_000n }]) }

function check(token: string, changes: Partial<typeof reviewed> = {}, confirms = false, at = now): string | undefined {
  const answer = { token, confirms_not_registered: confirms }
  return reviewError(KEY, at, { ...reviewed, ...changes }, answer)?.fields.non_field_errors?.join()
}

describe('a signed review', () => {
  it('lets only what was reviewed be sent, by the person who has seen it', () => {
    const token = signReview(KEY, now, reviewed, 0)
    expect(check(token)).toBeUndefined()
    expect(check('')).toBe('Review the payment before you send it.')
    const changed = 'The payment has changed since its review. Review it again.'
    expect(check(token, { digest: digestOf(['payment', { amount: 450_001n }]) })).toBe(changed)
    expect(check(token, { user: 3 })).toBe(changed)
    expect(check(token, { organization: 3 })).toBe(changed)
    expect(check('x.y.z')).toBe(changed)
  })

  it('needs a confirmation for numbers that are not registered, which cannot be taken out', () => {
    const token = signReview(KEY, now, reviewed, 1)
    expect(check(token)).toContain('not registered')
    expect(check(token, {}, true)).toBeUndefined()
    expect(check(token.replace('.1.', '.0.'))).toContain('has changed')
  })

  it('counts for 30 minutes', () => {
    const token = signReview(KEY, now, reviewed, 0)
    const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
    expect(check(token, {}, false, later(30))).toBeUndefined()
    expect(check(token, {}, false, later(31))).toContain('older than 30 minutes')
    expect(check(token.replace(/^\d+/, String(later(90).getTime())), {}, false, later(31))).toContain('has changed')
  })
})

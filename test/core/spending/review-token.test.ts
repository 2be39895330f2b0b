import { describe, expect, it } from 'vitest'
import { Invalid } from '../../../src/core/refusals.ts'
import { changedCostsError, digestOf, readReview, signReview } from '../../../src/core/spending/review-token.ts'
import { amount } from '../shop.ts'

const KEY = 'a key'
const now = new Date('2030-01-01T12:00:00Z')
const costs = { amount: amount('45'), fee: amount('1.5') }
const reviewed = { organization: 1, user: 2, digest: digestOf(['payment', { amount: 450_000n }]) }

function check(token: string, changes: Partial<typeof reviewed> = {}, confirms = false, at = now): string | undefined {
  const answer = { token, confirms_not_registered: confirms }
  const read = readReview(KEY, at, { ...reviewed, ...changes }, answer)
  if (!(read instanceof Invalid)) expect(read).toEqual(costs)
  return read instanceof Invalid ? read.fields.non_field_errors?.join() : undefined
}

const sign = (not_registered = 0) => signReview(KEY, now, reviewed, { ...costs, not_registered })

describe('a signed review', () => {
  it('lets only what was reviewed be sent, by the person who has seen it', () => {
    const token = sign()
    expect(check(token)).toBeUndefined()
    expect(check('')).toBe('Review the payment before you send it.')
    const changed = 'The payment has changed since its review. Review it again.'
    expect(check(token, { digest: digestOf(['payment', { amount: 450_001n }]) })).toBe(changed)
    expect(check(token, { user: 3 })).toBe(changed)
    expect(check(token, { organization: 3 })).toBe(changed)
    for (const made_up of ['x.y.z', 'x', '1.0.450000.0', `${token}.`, token.replace('.450000.', '.450001.')])
      expect(check(made_up)).toBe(changed)
  })

  it('needs a confirmation for numbers that are not registered, which cannot be taken out', () => {
    const token = sign(1)
    expect(check(token)).toContain('not registered')
    expect(check(token, {}, true)).toBeUndefined()
    expect(check(token.replace('.1.', '.0.'))).toContain('has changed')
  })

  it('counts for 30 minutes', () => {
    const token = sign()
    const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
    expect(check(token, {}, false, later(30))).toBeUndefined()
    expect(check(token, {}, false, later(31))).toContain('older than 30 minutes')
    expect(check(token.replace(/^\d+/, String(later(90).getTime())), {}, false, later(31))).toContain('has changed')
  })
})

describe('costs that changed after a review', () => {
  const change = (costs_now: typeof costs) =>
    changedCostsError('UGX', costs, costs_now)?.fields.non_field_errors?.join()

  it('are refused with both sums', () => {
    expect(change(costs)).toBeUndefined()
    expect(change({ ...costs, fee: amount('2') })).toBe(
      'The fee has changed since the review, from UGX 1.50 to UGX 2. Review the payment again.',
    )
    expect(change({ ...costs, amount: amount('40') })).toBe(
      'The amount has changed since the review, from UGX 45 to UGX 40. Review the payment again.',
    )
  })
})

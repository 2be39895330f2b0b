import { describe, expect, it } from 'vitest'
import type { Purchase } from '../../../../src/core/bills/purchases.ts'
import { decideVend, type LearntPurchase } from '../../../../src/core/bills/vends/outcomes.ts'
import { NOW, purchaseRow } from '../../settlements/rows.ts'

/* The decisions about purchases, without a database. */

const goods = { token: '1', amount_of_power: null, pins: [], provider_message: '', raw_output: null, more: {} }
const sold: LearntPurchase['answer'] = { outcome: 'successful', remote_id: 'B1', vended: goods }
const refused = (reason: 'declined' | 'no_funds_at_biller'): LearntPurchase['answer'] => ({
  outcome: 'failed',
  reason,
  message: 'No',
})

/** Decide about a prepaid purchase that was sent, or was as these changes say. */
function decide(answer: LearntPurchase['answer'], changes: Partial<Purchase> = {}) {
  return decideVend(purchaseRow(changes), { purchase: { id: 1, organization: 1, reference: 'R1' }, answer }, NOW)
}

describe('a purchase that was sent', () => {
  it('ends with its token, and only with it', () => {
    expect(decide(sold)).toMatchObject({ does: 'change', after: { status: 'success', remote_id: 'B1', due_at: null } })
    const tokenless = { ...sold, vended: { ...goods, token: null } } as LearntPurchase['answer']
    expect(decide(tokenless)).toMatchObject({ after: { status: 'pending', outcome: 'accepted', vended: null } })
    expect(decide(tokenless, { details: { prepaid: false } })).toMatchObject({ after: { status: 'success' } })
  })

  it('fails by a refusal; one about the provider may be cured by another provider', () => {
    const declined = decide(refused('declined'))
    expect(declined).toMatchObject({ after: { status: 'failed', failure_code: 'EXC00107' }, refusal: undefined })
    expect(decide(refused('no_funds_at_biller'))).toMatchObject({
      after: { status: 'failed', failure_code: 'EXC00144' },
      refusal: { reason: 'no_funds_at_biller' },
    })
  })

  it('is open while its provider may still get the order, and is asked about at growing intervals', () => {
    for (const answer of [
      { outcome: 'not_found', final: false },
      { outcome: 'unknown', message: 'HTTP 503' },
      { outcome: 'accepted', remote_id: 'B1' },
    ] as const)
      expect(decide(answer)).toMatchObject({
        after: { status: 'pending', outcome: answer.outcome, status_queries: 1, due_at: expect.any(Date) },
      })
    expect(decide({ outcome: 'not_found', final: true })).toMatchObject({
      after: { status: 'failed', failure_code: 'BX0024' },
      refusal: { reason: 'no_answer' },
    })
  })
})

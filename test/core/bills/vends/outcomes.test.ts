import { describe, expect, it } from 'vitest'
import type { StoredPurchase } from '../../../../src/core/bills/purchases.ts'
import { decideVend } from '../../../../src/core/bills/vends/outcomes.ts'
import type { NetworkOrder, VendNews } from '../../../../src/core/connections/network-orders.ts'
import { NOW, purchaseRow, vendRow } from '../../settlements/rows.ts'

/* The decisions about purchases, without a database. */

const goods = { token: '1', amount_of_power: null, pins: [], provider_message: '', raw_output: null, more: {} }
const sold: VendNews = { outcome: 'successful', remote_id: 'B1', vended: goods }
const refused = (reason: 'declined' | 'no_funds_at_biller'): VendNews => ({
  outcome: 'failed',
  reason,
  message: 'No',
})

/** Decide about a prepaid purchase that was sent, or was as these changes say. */
function decide(answer: VendNews, changes: Partial<StoredPurchase> = {}, order: Partial<NetworkOrder> = {}) {
  const before = vendRow(order)
  return decideVend(purchaseRow(changes), before, { order: before, source: 'status', answer }, NOW)
}

describe('a purchase that was sent', () => {
  it('ends with its token, and only with it', () => {
    expect(decide(sold)).toMatchObject({
      purchase: { status: 'success', remote_id: 'B1', due_at: null },
      after: { state: 'successful', closed: NOW, due_at: null },
    })
    const tokenless = { ...sold, vended: { ...goods, token: null } } as VendNews
    expect(decide(tokenless)).toMatchObject({
      purchase: { status: 'pending', outcome: 'accepted', vended: null },
      after: { state: 'accepted', closed: null },
    })
    expect(decide(tokenless, { details: { prepaid: false } })).toMatchObject({ purchase: { status: 'success' } })
  })

  it('fails by a refusal; one about the provider may be cured by another provider', () => {
    const declined = decide(refused('declined'))
    expect(declined).toMatchObject({ purchase: { status: 'failed', failure_code: 'EXC00107' }, may_move: false })
    expect(decide(refused('no_funds_at_biller'))).toMatchObject({
      purchase: { status: 'failed', failure_code: 'EXC00144' },
      after: { state: 'failed', failure_reason: 'no_funds_at_biller' },
      may_move: true,
    })
  })

  it('goes to no other provider after a restore if it needs an approval', () => {
    const unseen = { outcome: 'not_found', final: true } as const
    const restored = { restored: true }
    expect(decide(unseen, {}, restored)).toMatchObject({ may_move: true })
    for (const answer of [unseen, refused('no_funds_at_biller')])
      expect(decide(answer, { approvals_required: 1, approvals: 1 }, restored)).toMatchObject({
        purchase: { status: 'failed' },
        may_move: false,
      })
    expect(decide(unseen, { approvals_required: 1, approvals: 1 })).toMatchObject({ may_move: true })
  })

  it('is open while its provider may still get the order, and is asked about at growing intervals', () => {
    for (const answer of [
      { outcome: 'not_found', final: false },
      { outcome: 'unknown', message: 'HTTP 503' },
      { outcome: 'accepted', remote_id: 'B1' },
    ] as const)
      expect(decide(answer)).toMatchObject({
        purchase: { status: 'pending', outcome: answer.outcome, status_queries: 1, due_at: expect.any(Date) },
      })
    expect(decide({ outcome: 'not_found', final: true })).toMatchObject({
      purchase: { status: 'failed', failure_code: 'BX0024' },
      after: { state: 'not_sent', failure_reason: 'no_answer' },
      may_move: true,
    })
  })

  it('is never sent again, whatever is said about it', () => {
    const answers: VendNews[] = [
      sold,
      refused('declined'),
      refused('no_funds_at_biller'),
      { outcome: 'accepted', remote_id: 'B1' },
      { outcome: 'unknown', message: 'HTTP 503' },
      { outcome: 'not_found', final: false },
      { outcome: 'not_found', final: true },
    ]
    for (const state of ['sent', 'accepted', 'successful', 'failed', 'not_sent'] as const)
      for (const answer of answers) {
        const { after } = decide(answer, { status: state === 'successful' ? 'success' : 'pending' }, { state })
        expect(after.state).not.toBe('new')
        expect(after.sent).toEqual(vendRow().sent)
      }
  })
})

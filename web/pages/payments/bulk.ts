import { api } from '../../api.ts'
import { formatTotals } from '../../parts/list/totals.ts'
import type { BulkAction } from '../../parts/list-page.tsx'
import { t } from '../../texts/index.ts'
import type { PaymentSummary } from '../../wire.ts'

/** Return the actions on several payments. @param approves whether the user may approve payments */
export function paymentActions(approves: boolean): BulkAction<PaymentSummary>[] {
  if (!approves) return []
  return [
    {
      button: t('lists.actions.approve.button'),
      text: (rows) => t('lists.actions.approve.text', { count: rows.length, money: formatTotals(rows) }),
      done: (counts) => t('lists.actions.approve.done', counts),
      act: ({ id }) => api.post(`/payments/${id}/approve`),
    },
    {
      button: t('lists.actions.reject.button'),
      text: (rows) => t('lists.actions.reject.text', { count: rows.length, money: formatTotals(rows) }),
      done: (counts) => t('lists.actions.reject.done', counts),
      act: ({ id }, _key, reason) => api.post(`/payments/${id}/reject`, { reason }),
      reason: true,
      danger: true,
    },
  ]
}

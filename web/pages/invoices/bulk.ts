import { ApiError, api } from '../../api.ts'
import { formatTotals } from '../../parts/list/totals.ts'
import type { BulkAction } from '../../parts/list-page.tsx'
import { t } from '../../texts/index.ts'
import type { Invoice, InvoicesDone } from '../../wire.ts'

/** Return the actions on several invoices. @param collects whether the user may initiate collections */
export function invoiceActions(collects: boolean): BulkAction<Invoice>[] {
  if (!collects) return []
  const money = (rows: readonly Invoice[]) =>
    formatTotals(rows.map(({ total, currency }) => ({ amount: total, currency })))
  return [
    {
      button: t('lists.actions.issue.button'),
      text: (rows) => t('lists.actions.issue.text', { count: rows.length, money: money(rows) }),
      done: (counts) => t('lists.actions.issue.done', counts),
      act: ({ id }) => api.post(`/invoices/${id}/issue`),
    },
    {
      button: t('lists.actions.send.button'),
      text: (rows) => t('lists.actions.send.text', { count: rows.length }),
      done: (counts) => t('lists.actions.send.done', counts),
      act: ({ id }, key) => api.postOnce(`/invoices/${id}/send`, {}, key),
    },
    {
      button: t('lists.actions.remind_invoices.button'),
      text: (rows) => t('lists.actions.remind_invoices.text', { count: rows.length }),
      done: (counts) => t('lists.actions.remind_invoices.done', counts),
      act: ({ id }) => remind(id),
    },
    {
      button: t('lists.actions.void.button'),
      text: (rows) => t('lists.actions.void.text', { count: rows.length, money: money(rows) }),
      done: (counts) => t('lists.actions.void.done', counts),
      danger: true,
      reason: true,
      act: ({ id }, key, reason) => api.postOnce(`/invoices/${id}/void`, { reason: reason.slice(0, 200) }, key),
    },
  ]
}

/** Remind the customer of one invoice. @throws ApiError with the reason if it was left out */
async function remind(id: number): Promise<void> {
  const [refused] = (await api.post<InvoicesDone>('/invoices/remind', { invoices: [id] })).left_out
  if (refused) throw new ApiError(400, refused.message)
}

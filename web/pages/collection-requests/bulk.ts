import { api } from '../../api.ts'
import type { BulkAction } from '../../parts/list-page.tsx'
import { t } from '../../texts/index.ts'
import type { CollectionRequest } from '../../wire.ts'

/** Return the actions on several requests. @param collects whether the user may initiate collections */
export function requestActions(collects: boolean): BulkAction<CollectionRequest>[] {
  if (!collects) return []
  return [
    {
      button: t('lists.actions.remind.button'),
      text: (rows) => t('lists.actions.remind.text', { count: rows.length }),
      done: (counts) => t('lists.actions.remind.done', counts),
      act: ({ id }, key) => api.postOnce(`/collectionrequests/${id}/remind`, { comment: '' }, key),
    },
    {
      button: t('lists.actions.retry.button'),
      text: (rows) => t('lists.actions.retry.text', { count: rows.length }),
      done: (counts) => t('lists.actions.retry.done', counts),
      act: ({ id }, key) => api.postOnce(`/collectionrequests/${id}/retry`, { comment: '' }, key),
    },
    {
      button: t('lists.actions.cancel.button'),
      text: (rows) => t('lists.actions.cancel.text', { count: rows.length }),
      done: (counts) => t('lists.actions.cancel.done', counts),
      act: ({ id }) => api.post(`/collectionrequests/${id}/cancel`),
      danger: true,
    },
  ]
}

import { api } from '../../api.ts'
import type { BulkAction } from '../../parts/list-page.tsx'
import { t } from '../../texts/index.ts'
import type { Delivery } from '../../wire.ts'

/** Actions on several deliveries. */
export const deliveryActions: BulkAction<Delivery>[] = [
  {
    button: t('lists.actions.resend.button'),
    text: (rows) => t('lists.actions.resend.text', { count: rows.length }),
    done: (counts) => t('lists.actions.resend.done', counts),
    act: ({ webhook, event }) => api.post(`/webhooks/${webhook}/deliveries/${event}/replay`),
  },
]

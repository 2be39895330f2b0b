import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { DirectReview } from '../../parts/review/direct-review.tsx'
import { t } from '../../texts/index.ts'
import type { BulkPaymentDetail, SignedReview } from '../../wire.ts'

/**
 * Button with the review of a file. Only the review starts the payments. A file that is started stays as it is, so
 * pressing twice pays once.
 */
export function StartReview({ bulk }: { bulk: BulkPaymentDetail }) {
  const client = useQueryClient()
  const readAgain = () => client.invalidateQueries({ queryKey: ['/bulk-payments'] })
  const stopped = bulk.state === 'stopped'
  return (
    <DirectReview
      button={t(stopped ? 'review.file_again' : 'review.file')}
      submit={t(stopped ? 'bulk.start.again' : 'bulk.start.button')}
      look={{ variant: 'filled' }}
      loading={t('review.loading_file')}
      is_file
      review={() => api.post<SignedReview>(`/bulk-payments/${bulk.id}/review`)}
      // The check before the review or the start may have found more: the page shows it.
      refused={readAgain}
      send={({ headers }) => api.post(`/bulk-payments/${bulk.id}/start`, {}, headers)}
      done={readAgain}
    />
  )
}

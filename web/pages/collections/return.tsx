import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { formatMoney } from '../../format.ts'
import { type Done, notifyDone } from '../../parts/notify.tsx'
import { DirectReview } from '../../parts/review/direct-review.tsx'
import { t } from '../../texts/index.ts'
import type { Incoming, Payment, SignedReview } from '../../wire.ts'

/** Button with the review of a return: unmatched money goes back to the phone that paid it. */
export function ReturnMoney({ collection: { id, status, phonenumber, currency } }: { collection: Incoming }) {
  const client = useQueryClient()
  const readAgain = () => client.invalidateQueries({ queryKey: ['/incoming'] })
  return (
    <DirectReview
      button={t('collections.return.button')}
      submit={t('collections.return.button')}
      loading={t('review.loading')}
      about={({ sums }) => {
        const text = t('collections.return.text', { amount: formatMoney(sums[0]!.amount, currency), phonenumber })
        return status === 'failed' ? `${text} ${t('collections.return.never_accepted')}` : text
      }}
      review={() => api.post<SignedReview>(`/incoming/${id}/return-review`)}
      refused={readAgain}
      send={({ headers }, key) => api.postOnce<Payment>(`/incoming/${id}/return`, {}, key, headers)}
      done={(payment) => {
        notifyDone(describeReturn(payment))
        readAgain()
      }}
    />
  )
}

function describeReturn(payment: Payment | undefined): Done {
  if (!payment) return t('collections.return.done_already')
  const { id, state } = payment
  const waits = state === 'approval_needed' || state === 'approval_requested'
  const message = t(waits ? 'collections.return.for_approval' : 'collections.return.done', { id })
  return { message, link: `/payments/${id}` }
}

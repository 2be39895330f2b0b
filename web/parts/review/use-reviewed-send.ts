import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api.ts'
import { t } from '../../texts/index.ts'

/**
 * Send what was reviewed. When the service refuses it, the review is asked for again, so that the page shows what holds
 * now. If there is no new review, the old one stays beside the refusal.
 */
export function useReviewedSend<Answer>(props: {
  send: () => Promise<Answer>
  done: (answer: Answer) => void
  renew: () => Promise<void>
}) {
  const [renewed, setRenewed] = useState(false)
  const mutation = useMutation({
    mutationFn: props.send,
    onSuccess: (answer) => props.done(answer),
    onMutate: () => setRenewed(false),
    onError: async (error) => {
      if (!(error instanceof ApiError) || error.status !== 400) return
      await props.renew().then(
        () => setRenewed(true),
        () => {},
      )
    },
  })
  return {
    send: () => mutation.mutate(),
    pending: mutation.isPending,
    /** The properties of the `<Problem>` above the button. */
    problem: { error: mutation.error, ...(renewed && { title: t('review.renewed') }) },
  }
}

import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { t } from '../../texts/index.ts'
import type { SignedReview } from '../../wire.ts'
import { Problem } from '../problem.tsx'
import { type AcceptedReview, acceptReview } from './accept.ts'
import { Costs } from './costs.tsx'
import { Recipients } from './recipients.tsx'
import { Rules } from './rules.tsx'
import { useReviewedSend } from './use-reviewed-send.ts'

export interface ReviewStepProps<Answer> {
  review: SignedReview
  /** The label of the button that sends. */
  submit: string
  /** True for a file, whose names a job looks up. */
  is_file?: boolean
  /** Explanation above the review. */
  about?: ReactNode
  send: (accepted: AcceptedReview) => Promise<Answer>
  done: (answer: Answer) => void
  back: () => void
  /** Ask for the review again, after the service has refused to send what was reviewed. */
  renew: () => Promise<void>
}

/** Everything that a person has to see before money leaves, and the button that sends it. */
export function ReviewStep<Answer>(props: ReviewStepProps<Answer>) {
  const { review, submit, is_file, about, send, done, back, renew } = props
  const [confirmed, setConfirmed] = useState(false)
  const sending = useReviewedSend({
    send: () => send(acceptReview(review, confirmed)),
    done,
    renew: async () => {
      await renew()
      setConfirmed(false)
    },
  })
  const not_registered = review.names.not_registered ?? 0
  return (
    <Stack maw={1000} mx="auto">
      {about && <Text fz="sm">{about}</Text>}
      <Warnings review={review} is_file={is_file === true} />
      <Recipients review={review} />
      <Costs review={review} />
      <Rules review={review} />
      {not_registered > 0 && (
        <Checkbox
          label={t('review.confirm', { count: not_registered })}
          checked={confirmed}
          onChange={({ currentTarget }) => setConfirmed(currentTarget.checked)}
        />
      )}
      <Problem {...sending.problem} />
      <Group justify="flex-end">
        <Button variant="default" onClick={back}>
          {t('parts.go_back')}
        </Button>
        <Button loading={sending.pending} disabled={not_registered > 0 && !confirmed} onClick={sending.send}>
          {submit}
        </Button>
      </Group>
    </Stack>
  )
}

/** The counts of names that a person has to look at. */
function Warnings({ review: { names }, is_file }: { review: SignedReview; is_file: boolean }) {
  const { not_registered = 0, differs = 0, unknown = 0 } = names
  return (
    <>
      {not_registered > 0 && (
        <Alert color="red" title={t('review.not_registered', { count: not_registered })}>
          {t('review.not_registered_about')}
        </Alert>
      )}
      {differs > 0 && (
        <Alert color="orange" title={t('review.differs', { count: differs })}>
          {t('review.differs_about')}
        </Alert>
      )}
      {unknown > 0 && (
        <Alert color="gray" title={t('review.unknown', { count: unknown })}>
          {t(is_file ? 'review.unknown_file' : 'review.unknown_about')}
        </Alert>
      )}
    </>
  )
}

import { Button, type ButtonProps, Center, Group, Loader, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { ApiError, newDuplicateKey } from '../../api.ts'
import { t } from '../../texts/index.ts'
import type { SignedReview } from '../../wire.ts'
import { Problem } from '../problem.tsx'
import type { AcceptedReview } from './accept.ts'
import { ReviewStep } from './review-step.tsx'

interface DirectReviewProps<Answer> {
  /** The label of the button that opens the review. */
  button: string
  /** The label of the button that sends. */
  submit: string
  /** Text while the service makes the review. */
  loading: string
  /** Explanation above the review. */
  about?: (review: SignedReview) => ReactNode
  /** True for a file, whose names a job looks up. */
  is_file?: boolean
  /** Ask the service what would be sent. */
  review: () => Promise<SignedReview>
  /** Send the money. `key`: another one for each time that the review opens, for `api.postOnce`. */
  send: (accepted: AcceptedReview, key: string) => Promise<Answer>
  done: (answer: Answer) => void
  /** Called when the service has refused the review or the sending. */
  refused?: () => void
  look?: ButtonProps
}

/** Button that opens the review of money that needs no form. Only the review sends. */
export function DirectReview<Answer>(props: DirectReviewProps<Answer>) {
  const { button, submit, is_file = false, look, about } = props
  const [opened, { open, close }] = useDisclosure()
  const [reviewed, setReviewed] = useState<SignedReview>()
  const key = useRef('')
  const noticeRefusal = (error: unknown) => {
    if (error instanceof ApiError && error.status === 400) props.refused?.()
  }
  const review = useMutation({ mutationFn: props.review, onSuccess: setReviewed, onError: noticeRefusal })
  const start = () => {
    setReviewed(undefined)
    key.current = newDuplicateKey()
    open()
    review.mutate()
  }
  return (
    <>
      <Button variant="default" {...look} aria-haspopup="dialog" onClick={start}>
        {button}
      </Button>
      <Modal opened={opened} onClose={close} title={t('review.title')} fullScreen>
        {reviewed ? (
          <ReviewStep
            review={reviewed}
            submit={submit}
            is_file={is_file}
            about={about?.(reviewed)}
            back={close}
            renew={async () => setReviewed(await props.review())}
            send={async (accepted) => {
              try {
                return await props.send(accepted, key.current)
              } catch (error) {
                noticeRefusal(error)
                throw error
              }
            }}
            done={(answer) => {
              close()
              props.done(answer)
            }}
          />
        ) : (
          <Waiting text={props.loading} error={review.error} close={close} />
        )}
      </Modal>
    </>
  )
}

function Waiting({ text, error, close }: { text: string; error: unknown; close(): void }) {
  if (!error)
    return (
      <Center mih="50vh">
        <Stack align="center">
          <Loader />
          <Text fz="sm" c="dimmed" role="status">
            {text}
          </Text>
        </Stack>
      </Center>
    )
  return (
    <Stack maw={1000} mx="auto">
      <Problem error={error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {t('parts.go_back')}
        </Button>
      </Group>
    </Stack>
  )
}

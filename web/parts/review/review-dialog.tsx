import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { newDuplicateKey } from '../../api.ts'
import { t } from '../../texts/index.ts'
import type { SignedReview } from '../../wire.ts'
import { type Done, notifyDone } from '../notify.tsx'
import { Problem } from '../problem.tsx'
import { useSubmit } from '../use-submit.ts'
import type { AcceptedReview } from './accept.ts'
import { ReviewStep } from './review-step.tsx'

export interface ReviewDialogProps<Values, Answer> {
  /** The labels of the button that opens the dialog, and of the dialog. */
  button: string
  title: string
  /** The label of the button that sends the money. */
  submit: string
  initial: Values
  fields: (form: UseFormReturnType<Values>) => ReactNode
  /** Ask the service what the form would send. */
  review: (values: Values) => Promise<SignedReview>
  /** Send the money. `key`: another one for each time that the dialog opens, for `api.postOnce`. */
  send: (values: Values, key: string, accepted: AcceptedReview) => Promise<Answer>
  /** The notification after success. */
  done: (answer: Answer) => Done
  look?: ButtonProps
}

/**
 * Button with a form that sends money, in two steps: the fields, then the review over the whole window. Only the review
 * sends. After that all data on the page is read again.
 */
export function ReviewDialog<Values extends Record<string, unknown>, Answer>(props: ReviewDialogProps<Values, Answer>) {
  const [opened, { open, close }] = useDisclosure()
  const [review, setReview] = useState<SignedReview>()
  const closeAll = () => {
    close()
    setReview(undefined)
  }
  return (
    <>
      <Button {...props.look} aria-haspopup="dialog" onClick={open}>
        {props.button}
      </Button>
      <Modal
        opened={opened}
        onClose={closeAll}
        title={review ? t('review.title') : props.title}
        size="lg"
        fullScreen={review !== undefined}
      >
        <Steps {...props} reviewed={review} setReview={setReview} close={closeAll} />
      </Modal>
    </>
  )
}

type StepsProps<Values, Answer> = ReviewDialogProps<Values, Answer> & {
  reviewed: SignedReview | undefined
  setReview(review: SignedReview | undefined): void
  close(): void
}

function Steps<Values extends Record<string, unknown>, Answer>(props: StepsProps<Values, Answer>) {
  const { initial, fields, submit, reviewed, setReview, close } = props
  const client = useQueryClient()
  const form = useForm<Values>({ initialValues: initial })
  const { onSubmit, pending, error } = useSubmit(
    form,
    props.review,
    (review, unchanged) => unchanged && setReview(review),
  )
  const key = useRef('')
  if (reviewed)
    return (
      <ReviewStep
        review={reviewed}
        submit={submit}
        back={() => setReview(undefined)}
        renew={async () => setReview(await props.review(form.values))}
        send={(accepted) => {
          key.current ||= newDuplicateKey()
          return props.send(form.values, key.current, accepted)
        }}
        done={(answer) => {
          notifyDone(props.done(answer))
          client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
          close()
        }}
      />
    )
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {fields(form)}
        <Problem error={error} />
        {pending && (
          <Text fz="sm" c="dimmed" role="status">
            {t('review.loading')}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('parts.cancel')}
          </Button>
          <Button type="submit" loading={pending}>
            {t('review.button')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

import { Button, Center, Group, Loader, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, api } from '../../api.ts'
import { Problem } from '../../parts/problem.tsx'
import { ReviewStep } from '../../parts/review/review-step.tsx'
import { t } from '../../texts/index.ts'
import type { BulkPaymentDetail, SignedReview } from '../../wire.ts'

/**
 * Button with the review of a file. Only the review starts the payments. A file that is started stays as it is, so
 * pressing twice pays once.
 */
export function StartReview({ bulk }: { bulk: BulkPaymentDetail }) {
  const [opened, { open, close }] = useDisclosure()
  const client = useQueryClient()
  const readAgain = () => client.invalidateQueries({ queryKey: ['/bulk-payments'] })
  const review = useMutation({
    mutationFn: () => api.post<SignedReview>(`/bulk-payments/${bulk.id}/review`),
    // The check before the review may have found more: the page shows it.
    onError: (error) => error instanceof ApiError && error.status === 400 && readAgain(),
  })
  const stopped = bulk.state === 'stopped'
  return (
    <>
      <Button
        variant="default"
        aria-haspopup="dialog"
        onClick={() => {
          open()
          review.mutate()
        }}
      >
        {t(stopped ? 'review.file_again' : 'review.file')}
      </Button>
      <Modal opened={opened} onClose={close} title={t('review.title')} fullScreen>
        {review.data ? (
          <ReviewStep
            review={review.data}
            submit={t(stopped ? 'bulk.start.again' : 'bulk.start.button')}
            is_file
            back={close}
            send={async ({ headers }) => {
              try {
                await api.post(`/bulk-payments/${bulk.id}/start`, {}, headers)
              } catch (error) {
                if (error instanceof ApiError && error.status === 400) await readAgain()
                throw error
              }
            }}
            done={async () => {
              close()
              await readAgain()
            }}
          />
        ) : (
          <Waiting error={review.error} close={close} />
        )}
      </Modal>
    </>
  )
}

function Waiting({ error, close }: { error: unknown; close(): void }) {
  if (!error)
    return (
      <Center mih="50vh">
        <Stack align="center">
          <Loader />
          <Text fz="sm" c="dimmed" role="status">
            {t('review.loading_file')}
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

import { Alert, Button, Modal, Progress, SegmentedControl, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconRepeat } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { formatCount } from '../../format.ts'
import { FormButtons } from '../../parts/form-dialog.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { t } from '../../texts/index.ts'

interface ReplayChunk {
  count: number
  next: { webhook: number; event: number } | null
}

/** Replay many notifications: those that failed, or all of a period; of one webhook or of all. */
export function Resend({ webhook }: { webhook?: number }) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" leftSection={<IconRepeat size={16} />} aria-haspopup="dialog" onClick={open}>
        {t('deliveries.resend')}
      </Button>
      <Modal opened={opened} onClose={close} title={t('deliveries.many.title')}>
        <ResendForm webhook={webhook} close={close} />
      </Modal>
    </>
  )
}

function ResendForm({ webhook, close }: { webhook?: number; close(): void }) {
  const client = useQueryClient()
  const form = useForm({ initialValues: { which: 'failed', since: '', until: '' } })
  const [total, setTotal] = useState<number>()
  const [sent, setSent] = useState(0)
  const [done, setDone] = useState(false)
  const readFilters = () => {
    const { which, since, until } = form.values
    return { webhook, failed: which === 'failed', since: since || undefined, until: until || undefined }
  }
  const { onSubmit, pending, error } = useSubmit(
    form,
    async () => {
      if (total === undefined)
        return setTotal((await api.post<ReplayChunk>('/webhooks/replays', { ...readFilters(), dry_run: true })).count)
      await sendAll(readFilters(), setSent)
      setDone(true)
      client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/webhooks') })
    },
    () => {},
  )
  if (done) return <ResendResult sent={sent} close={close} />
  return (
    <form onSubmit={onSubmit} noValidate onChange={() => setTotal(undefined)}>
      <Stack>
        <Text fz="sm">{t(webhook ? 'deliveries.many.to_this' : 'deliveries.many.to_all')}</Text>
        <SegmentedControl
          aria-label={t('deliveries.many.which')}
          data={[
            { value: 'failed', label: t('deliveries.many.failed') },
            { value: 'all', label: t('deliveries.many.period') },
          ]}
          {...form.getInputProps('which')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <TextInput type="datetime-local" label={t('deliveries.many.since')} {...form.getInputProps('since')} />
          <TextInput type="datetime-local" label={t('deliveries.many.until')} {...form.getInputProps('until')} />
        </SimpleGrid>
        {total !== undefined && (
          <Text fz="sm" role="status" fw={600}>
            {total === 0
              ? t('deliveries.many.none')
              : t('deliveries.many.found', { count: total, number: formatCount(total) })}
          </Text>
        )}
        {sent > 0 && (
          <Progress value={(100 * sent) / Math.max(total ?? 1, 1)} aria-label={t('deliveries.many.progress')} />
        )}
        <Problem error={error} />
        <FormButtons
          submit={
            total ? t('deliveries.many.send', { count: total, number: formatCount(total) }) : t('deliveries.many.count')
          }
          disabled={total === 0}
          pending={pending}
          close={close}
        />
      </Stack>
    </form>
  )
}

function ResendResult({ sent, close }: { sent: number; close(): void }) {
  return (
    <Stack>
      <Alert
        role="status"
        color="green"
        title={t('deliveries.many.sent', { count: sent, number: formatCount(sent) })}
      />
      <Button onClick={close} ml="auto">
        {t('deliveries.many.done')}
      </Button>
    </Stack>
  )
}

/** Replay in chunks, so that the progress is visible. */
async function sendAll(filters: object, onProgress: (sent: number) => void): Promise<void> {
  let sent = 0
  for (let after: ReplayChunk['next'] | undefined; after !== null; ) {
    const chunk: ReplayChunk = await api.post<ReplayChunk>('/webhooks/replays', { ...filters, after })
    sent += chunk.count
    onProgress(sent)
    after = chunk.next
  }
}

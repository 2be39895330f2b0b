import { Button, Group, Modal, MultiSelect, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { codedEventChoices } from '../../event-types.ts'
import { notifyDone } from '../../parts/notify.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { t } from '../../texts/index.ts'
import type { WebhookHealth } from '../../wire.ts'
import { TargetHelp } from './target-help.tsx'

const EXAMPLE = 'https://shop.example/notifications'

/** Create a webhook for each of the chosen events. */
export function NewWebhook() {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} aria-haspopup="dialog" onClick={open}>
        {t('webhooks.new.title')}
      </Button>
      <Modal opened={opened} onClose={close} title={t('webhooks.new.title')} size="lg">
        <WebhookForm close={close} />
      </Modal>
    </>
  )
}

function WebhookForm({ close }: { close(): void }) {
  const client = useQueryClient()
  const form = useForm({ initialValues: { events: [] as string[], target: '', description: '' } })
  const { onSubmit, pending, error } = useSubmit(
    form,
    (values) => api.post<{ results: WebhookHealth[] }>('/webhooks/batch', values),
    ({ results }) => {
      const message = t('webhooks.new.done', { count: results.length })
      notifyDone(results.length === 1 ? { message, link: `/webhooks/${results[0]!.id}` } : message)
      client.invalidateQueries({ queryKey: ['/webhooks/health'] })
      close()
    },
  )
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <MultiSelect
          label={t('webhooks.new.events')}
          description={t('webhooks.new.events_about')}
          data={codedEventChoices}
          searchable
          hidePickedOptions
          required
          {...form.getInputProps('events')}
        />
        <TextInput
          label={t('webhooks.address')}
          description={t('webhooks.new.address_about')}
          type="url"
          placeholder={EXAMPLE}
          required
          data-autofocus
          {...form.getInputProps('target')}
        />
        <TargetHelp target={form.values.target} />
        <TextInput
          label={t('webhooks.description')}
          description={t('webhooks.description_about')}
          {...form.getInputProps('description')}
        />
        <Problem error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('parts.cancel')}
          </Button>
          <Button type="submit" loading={pending}>
            {t('webhooks.new.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

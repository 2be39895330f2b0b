import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { eventTypes } from '../../event-types.ts'
import { Problem } from '../../parts/problem.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { t } from '../../texts/index.ts'

const EXAMPLE = 'https://shop.example/notifications'

/** Creates a webhook. */
export function NewWebhook() {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        {t('webhooks.new.title')}
      </Button>
      <Modal opened={opened} onClose={close} title={t('webhooks.new.title')}>
        <WebhookForm close={close} />
      </Modal>
    </>
  )
}

function WebhookForm({ close }: { close(): void }) {
  const client = useQueryClient()
  const form = useForm({ initialValues: { event: eventTypes[0]!, target: '' } })
  const { onSubmit, pending, error } = useSubmit(
    form,
    (values) => api.post('/webhooks', values),
    () => {
      notifications.show({ color: 'green', message: t('webhooks.new.done') })
      client.invalidateQueries({ queryKey: ['/webhooks/health'] })
      close()
    },
  )
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <Select
          label={t('webhooks.event')}
          data={eventTypes}
          searchable
          allowDeselect={false}
          required
          {...form.getInputProps('event')}
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

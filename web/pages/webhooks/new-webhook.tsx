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

/** Creates a webhook. */
export function NewWebhook() {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        Add a webhook
      </Button>
      <Modal opened={opened} onClose={close} title="Add a webhook">
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
      notifications.show({ color: 'green', message: 'It is told from now on.' })
      client.invalidateQueries({ queryKey: ['/webhooks/health'] })
      close()
    },
  )
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <Select
          label="Event"
          data={eventTypes}
          searchable
          allowDeselect={false}
          required
          {...form.getInputProps('event')}
        />
        <TextInput
          label="Address"
          description="Each event is posted to it, signed with the secret of the webhook."
          type="url"
          placeholder="https://shop.example/notifications"
          required
          data-autofocus
          {...form.getInputProps('target')}
        />
        <Problem error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={pending}>
            Add
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

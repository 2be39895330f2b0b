import { Button, Checkbox, Group, Modal, SegmentedControl, Stack, Switch, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Problem } from '../../parts/problem.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useSession } from '../../session.tsx'
import type { Permission } from '../../wire.ts'
import { permissionNames } from '../users/dialogs.tsx'

interface CreatedKey {
  id: number
  key: string
}

/** Creates an API key for the signed-in user. */
export function NewKey({ onCreated }: { onCreated(key: CreatedKey): void }) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        Make a key
      </Button>
      <Modal opened={opened} onClose={close} title="Make an API key">
        <KeyForm close={close} onCreated={onCreated} />
      </Modal>
    </>
  )
}

const initial = {
  name: '',
  scope: 'all',
  permissions: ['view'],
  read_only: false,
  expires: '',
  reads_per_minute: '',
  writes_per_minute: '',
}

function KeyForm({ close, onCreated }: { close(): void; onCreated(key: CreatedKey): void }) {
  const client = useQueryClient()
  const form = useForm({ initialValues: initial })
  const { onSubmit, pending, error } = useSubmit(
    form,
    ({ scope, permissions, ...values }) =>
      api.post<CreatedKey>('/keys', { ...values, permissions: scope === 'all' ? null : permissions }),
    (key) => {
      onCreated(key)
      client.invalidateQueries({ queryKey: ['/keys'] })
      close()
    },
  )
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <TextInput
          label="Name"
          description="What it is for, such as webshop."
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Scope form={form} />
        <Switch
          label="Read only"
          description="It may look, and change nothing."
          {...form.getInputProps('read_only', { type: 'checkbox' })}
        />
        <TextInput
          label="Expires"
          description="Never, unless a day is given. It ends as that day begins, in UTC."
          type="date"
          {...form.getInputProps('expires')}
        />
        <Group grow align="flex-start">
          <TextInput label="Reads a minute" inputMode="numeric" {...form.getInputProps('reads_per_minute')} />
          <TextInput label="Writes a minute" inputMode="numeric" {...form.getInputProps('writes_per_minute')} />
        </Group>
        <Problem error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={pending}>
            Make it
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The permissions of the key: all of its user's, or some of them. */
function Scope({ form }: { form: UseFormReturnType<typeof initial> }) {
  const { permissions: mine } = useSession()
  return (
    <>
      <SegmentedControl
        aria-label="What it may do"
        data={[
          { value: 'all', label: 'All that I may' },
          { value: 'some', label: 'Only some of it' },
        ]}
        {...form.getInputProps('scope')}
      />
      {form.values.scope === 'some' && (
        <Checkbox.Group label="May" {...form.getInputProps('permissions')}>
          <Stack gap="xs" mt="xs">
            {mine.map((code) => (
              <Checkbox key={code} value={code} label={permissionNames[code as Permission]} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </>
  )
}

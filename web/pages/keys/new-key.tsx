import { Button, Checkbox, Modal, SegmentedControl, Stack, Switch, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { FieldRow } from '../../parts/fields/field-row.tsx'
import { useSession, useTimeZone } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { Permission } from '../../wire.ts'
import { type Confirmation, ConfirmForm } from '../account/confirm-form.tsx'
import { permissionNames } from '../users/role-fields.tsx'

interface CreatedKey {
  id: number
  key: string
}

/** Create an API key for the signed-in user. */
export function NewKey({ onCreated }: { onCreated(key: CreatedKey): void }) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} aria-haspopup="dialog" onClick={open}>
        {t('keys.new.button')}
      </Button>
      <Modal opened={opened} onClose={close} title={t('keys.new.title')}>
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
  const time_zone = useTimeZone()
  const form = useForm({ initialValues: initial })
  const send = (confirmation: Confirmation) => {
    const { scope, permissions, ...values } = form.values
    return api.post<CreatedKey>('/keys', {
      ...values,
      ...confirmation,
      permissions: scope === 'all' ? null : permissions,
    })
  }
  const done = (key: CreatedKey) => {
    onCreated(key)
    client.invalidateQueries({ queryKey: ['/keys'] })
    close()
  }
  return (
    <ConfirmForm close={close} submit={t('keys.new.submit')} send={send} done={done}>
      <TextInput
        label={t('fields.name')}
        description={t('keys.new.name_about')}
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Scope form={form} />
      <Switch
        label={t('keys.new.read_only')}
        description={t('keys.new.read_only_about')}
        {...form.getInputProps('read_only', { type: 'checkbox' })}
      />
      <TextInput
        label={t('keys.expires')}
        description={t('keys.new.expires_about', { time_zone })}
        type="date"
        {...form.getInputProps('expires')}
      />
      <FieldRow>
        <TextInput label={t('keys.new.reads')} inputMode="numeric" {...form.getInputProps('reads_per_minute')} />
        <TextInput label={t('keys.new.writes')} inputMode="numeric" {...form.getInputProps('writes_per_minute')} />
      </FieldRow>
    </ConfirmForm>
  )
}

/** The permissions of the key: all of its user's, or some of them. */
function Scope({ form }: { form: UseFormReturnType<typeof initial> }) {
  const { permissions: mine } = useSession()
  return (
    <>
      <SegmentedControl
        aria-label={t('keys.permissions')}
        data={[
          { value: 'all', label: t('keys.new.all') },
          { value: 'some', label: t('keys.new.some') },
        ]}
        {...form.getInputProps('scope')}
      />
      {form.values.scope === 'some' && (
        <Checkbox.Group label={t('keys.permissions')} {...form.getInputProps('permissions')}>
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

import { Button, Checkbox, Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Problem } from '../../parts/problem.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Permission } from '../../wire.ts'
import type { Member } from './users.tsx'

/** The displayed names of permissions, by their codes in the interface (src/core/access/api-keys.ts). */
export const permissionNames: Record<Permission, string> = {
  view: 'View',
  initiate_collections: 'Initiate collections',
  initiate_payments: 'Initiate payments',
  approve_payments: 'Approve payments',
  pay_bills: 'Pay bills',
  manage_contacts: 'Manage contacts',
  manage_organization: 'Manage users and organization settings',
}

/** How a one-time link is delivered. */
export interface Sent {
  mailed: boolean
  path: string | null
  problem: string | null
}

interface InviteProps {
  close(): void
  onSent(sent: Sent & { to: string }): void
}

/** Invites a person, who becomes a user with a one-time link. */
export function InviteDialog({ opened, close, onSent }: InviteProps & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={close} title="Invite somebody">
      <InviteForm close={close} onSent={onSent} />
    </Modal>
  )
}

function InviteForm({ close, onSent }: InviteProps) {
  const client = useQueryClient()
  const form = useForm({ initialValues: { email: '', permissions: ['view'] as Permission[] } })
  const { onSubmit, pending, error } = useSubmit(
    form,
    (values) => api.post<Sent>('/invitations', values),
    (sent) => {
      onSent({ ...sent, to: form.values.email })
      client.invalidateQueries({ queryKey: ['/invitations'] })
      close()
    },
  )
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <TextInput label="E-mail" type="email" required data-autofocus {...form.getInputProps('email')} />
        <PermissionBoxes {...form.getInputProps('permissions')} />
        <Problem error={error} />
        <Button type="submit" loading={pending}>
          Invite
        </Button>
      </Stack>
    </form>
  )
}

/** Sets the permissions of a user. */
export function PermissionsDialog({ member, close }: { member: Member; close(): void }) {
  const client = useQueryClient()
  const form = useForm({ initialValues: { permissions: member.permissions } })
  const { onSubmit, pending, error } = useSubmit(
    form,
    (values) => api.patch(`/users/${member.id}`, values),
    () => {
      client.invalidateQueries({ queryKey: ['/users'] })
      close()
    },
  )
  return (
    <Modal opened onClose={close} title={`What ${member.name} may do`}>
      <form onSubmit={onSubmit}>
        <Stack>
          <PermissionBoxes {...form.getInputProps('permissions')} />
          <Problem error={error} />
          <Button type="submit" loading={pending}>
            Save
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}

function PermissionBoxes(props: { value?: Permission[]; onChange?(value: Permission[]): void; error?: string }) {
  const { value, onChange, error } = props
  return (
    <Checkbox.Group
      label="May"
      description="Nobody without any permission sees this organization."
      error={error}
      value={value}
      onChange={(codes) => onChange?.(codes as Permission[])}
    >
      <Stack gap="xs" mt="xs">
        {Object.entries(permissionNames).map(([code, name]) => (
          <Checkbox key={code} value={code} label={name} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

import { Button, Checkbox, Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { isPending, notifyChange, type PendingAnswer } from '../../parts/pending-change.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { Permission } from '../../wire.ts'
import type { Member } from './users.tsx'

/** The displayed names of permissions, by their codes in the interface (src/core/access/api-keys.ts). */
export const permissionNames: Record<Permission, string> = {
  view: t('users.permissions.view'),
  initiate_collections: t('users.permissions.initiate_collections'),
  initiate_payments: t('users.permissions.initiate_payments'),
  approve_payments: t('users.permissions.approve_payments'),
  pay_bills: t('users.permissions.pay_bills'),
  manage_contacts: t('users.permissions.manage_contacts'),
  manage_organization: t('users.permissions.manage_organization'),
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

/** The links and pending changes of a page may have changed. */
function refresh(client: QueryClient): void {
  for (const key of ['/users', '/invitations', '/control-changes']) client.invalidateQueries({ queryKey: [key] })
}

/** Invites a person, who becomes a user with a one-time link. */
export function InviteDialog({ opened, close, onSent }: InviteProps & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={close} title={t('users.invite')}>
      <InviteForm close={close} onSent={onSent} />
    </Modal>
  )
}

function InviteForm({ close, onSent }: InviteProps) {
  const client = useQueryClient()
  const form = useForm({ initialValues: { email: '', permissions: ['view'] as Permission[] } })
  const { onSubmit, pending, error } = useSubmit(
    form,
    (values) => api.post<Sent & PendingAnswer>('/invitations', values),
    (sent) => {
      if (isPending(sent)) notifyChange(sent, '')
      else onSent({ ...sent, to: form.values.email })
      refresh(client)
      close()
    },
  )
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <TextInput label={t('access.email')} type="email" required data-autofocus {...form.getInputProps('email')} />
        <PermissionBoxes had={[]} {...form.getInputProps('permissions')} />
        <Problem error={error} />
        <Button type="submit" loading={pending}>
          {t('users.send_invitation')}
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
    (answer) => {
      notifyChange(answer, t('users.permissions_saved', { name: member.name }))
      refresh(client)
      close()
    },
  )
  return (
    <Modal opened onClose={close} title={t('users.permissions_of', { name: member.name })}>
      <form onSubmit={onSubmit}>
        <Stack>
          <PermissionBoxes had={member.permissions} {...form.getInputProps('permissions')} />
          <Problem error={error} />
          <Button type="submit" loading={pending}>
            {t('users.save')}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}

interface PermissionBoxesProps {
  /** The permissions that the person has already. */
  had: readonly Permission[]
  value?: Permission[]
  onChange?(value: Permission[]): void
  error?: string
}

/** Users can give only permissions that they have. */
function PermissionBoxes({ had, value, onChange, error }: PermissionBoxesProps) {
  const { may } = useSession()
  return (
    <Checkbox.Group
      label={t('users.permissions_title')}
      description={t('users.permissions_about')}
      error={error}
      value={value}
      onChange={(codes) => onChange?.(codes as Permission[])}
    >
      <Stack gap="xs" mt="xs">
        {Object.entries(permissionNames).map(([code, name]) => (
          <Checkbox
            key={code}
            value={code}
            label={name}
            disabled={!may(code as Permission) && !had.includes(code as Permission)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

import { Alert, Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { CopyField } from '../../parts/copy-field.tsx'
import { FormButtons } from '../../parts/form-dialog.tsx'
import { isPending, notifyChange, type PendingAnswer } from '../../parts/pending-change.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { t } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'
import type { Permission } from '../../wire.ts'
import { type Confirmation, ConfirmForm } from '../account/confirm-form.tsx'
import type { Member } from './member.ts'
import { RoleField } from './role-fields.tsx'

/** Delivery of a one-time link. */
export interface Sent {
  mailed: boolean
  path: string | null
  problem: string | null
}

interface InviteProps {
  close(): void
  onSent(sent: Sent & { to: string }): void
  /** Permissions that the form begins with. */
  permissions?: Permission[]
}

/** The links and pending changes of a page may have changed. */
function refresh(client: QueryClient): void {
  for (const key of ['/users', '/invitations', '/roles', '/control-changes', '/go-live', '/first-steps'])
    client.invalidateQueries({ queryKey: [key] })
}

/** Invite a person, who becomes a user with a one-time link. */
export function InviteDialog({ opened, ...props }: InviteProps & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={props.close} title={t('users.invite')}>
      <InviteForm {...props} />
    </Modal>
  )
}

function InviteForm({ close, onSent, permissions = ['view'] }: InviteProps) {
  const client = useQueryClient()
  const form = useForm({ initialValues: { email: '', permissions } })
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
        <RoleField had={[]} {...form.getInputProps('permissions')} />
        <Problem error={error} />
        <FormButtons submit={t('users.send_invitation')} pending={pending} close={close} />
      </Stack>
    </form>
  )
}

/** Set the role of a user, or permissions that have no name. */
export function RoleDialog({ member, close }: { member: Member; close(): void }) {
  const client = useQueryClient()
  const form = useForm({ initialValues: { permissions: member.permissions } })
  const send = (confirmation: Confirmation) => api.patch(`/users/${member.id}`, { ...form.values, ...confirmation })
  const done = (answer: unknown) => {
    notifyChange(answer, t('users.role_saved', { name: member.name }))
    refresh(client)
    close()
  }
  return (
    <Modal opened onClose={close} title={t('users.role_of', { name: member.name })}>
      <ConfirmForm close={close} submit={t('users.save')} send={send} done={done}>
        <RoleField had={member.permissions} {...form.getInputProps('permissions')} />
      </ConfirmForm>
    </Modal>
  )
}

/** Show a one-time link, which cannot be shown again. */
export function SentNotice({ to, mailed, path, problem, close }: Sent & { to: string; close(): void }) {
  return (
    <Alert
      role="status"
      color={problem ? 'yellow' : 'green'}
      title={t(mailed ? 'users.link_mailed' : 'users.link_shown', { email: to })}
      withCloseButton
      closeButtonLabel={t('parts.close')}
      onClose={close}
    >
      {problem && translateMessage(problem)}
      {path && <CopyField label={t('users.link')} value={`${window.location.origin}${path}`} />}
    </Alert>
  )
}

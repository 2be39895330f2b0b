import { Badge, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { AuditLink } from '../../parts/audit-link.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { ExportMenu } from '../../parts/files/export-menu.tsx'
import type { Column } from '../../parts/list/column.ts'
import { Loading } from '../../parts/loading.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { notifyChange, PendingChanges } from '../../parts/pending-change.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import { Trans, t } from '../../texts/index.ts'
import type { Invitation, Permission } from '../../wire.ts'
import { ConfirmForm } from '../account/confirm-form.tsx'
import { InviteDialog, RoleDialog, type Sent, SentNotice } from './dialogs.tsx'
import type { Member } from './member.ts'
import { permissionNames, roleName } from './role-fields.tsx'
import { Roles } from './roles.tsx'

/** The users of the organization, and open invitations. */
export default function Users() {
  const [inviting, { open, close }] = useDisclosure()
  const [sent, setSent] = useState<Sent & { to: string }>()
  return (
    <>
      <PageHead
        title={t('shell.nav.users')}
        about={t('users.about')}
        actions={
          <Button leftSection={<IconPlus size={16} />} aria-haspopup="dialog" onClick={open}>
            {t('users.invite')}
          </Button>
        }
      />
      <Stack>
        <PendingChanges />
        {sent && <SentNotice {...sent} close={() => setSent(undefined)} />}
        <Members onSent={setSent} />
        <Invitations />
        <Roles />
      </Stack>
      <InviteDialog opened={inviting} close={close} onSent={setSent} />
    </>
  )
}

const memberColumns: Column<Member>[] = [
  {
    title: t('users.name'),
    value: (member) => <Name member={member} />,
    file: (member) => member.name,
    beside: [{ title: t('fields.email'), file: (member) => member.email }],
  },
  {
    title: t('users.role'),
    value: (member) => (
      <>
        <RoleOf role={member.role} codes={member.permissions} />
        <ApproverWait from={member.approves_from} />
      </>
    ),
    file: describeRole,
  },
  {
    title: t('users.last_sign_in'),
    value: (member) => <LastSignIn at={member.last_sign_in} />,
    file: ({ last_sign_in: time }) => (time === null ? t('users.no_sign_in') : { time }),
  },
]

/** The role of a user in words; without one, the permissions. */
function describeRole({ role, permissions }: Member): string {
  if (role !== null) return roleName(role)
  return permissions.map((code) => permissionNames[code]).join(', ') || t('users.no_permissions')
}

function Members({ onSent }: { onSent(sent: Sent & { to: string }): void }) {
  const { user } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: ['/users'],
    queryFn: () => api.get<{ results: Member[] }>('/users'),
  })
  const [editing, setEditing] = useState<Member>()
  const reset = async (member: Member) =>
    onSent({ ...(await api.post<Sent>(`/users/${member.id}/password-reset`)), to: member.email })
  const columns: Column<Member>[] = [
    ...memberColumns,
    {
      title: t('users.actions'),
      value: (member) => (
        <MemberActions
          member={member}
          is_self={member.id === user?.id}
          edit={() => setEditing(member)}
          reset={() => reset(member)}
        />
      ),
      file: false,
    },
  ]
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <Panel
      title={t('users.list')}
      actions={<ExportMenu size="xs" what={t('shell.nav.users')} columns={columns} read={() => data.results} />}
    >
      <DataTable title={t('users.list')} rows={data.results} keyOf={({ id }) => id} columns={columns} />
      {editing && <RoleDialog member={editing} close={() => setEditing(undefined)} />}
    </Panel>
  )
}

function Name({ member: { name, email, second_factor, second_factor_missing } }: { member: Member }) {
  return (
    <>
      {name}
      <Text fz="xs" c="dimmed" className="any-break">
        {email}
      </Text>
      {second_factor && (
        <Text fz="xs" c="dimmed">
          {t('users.has_second_factor')}
        </Text>
      )}
      {second_factor_missing && (
        <Badge color="orange" variant="light" tt="none" fw={500} mt={2}>
          {t('users.needs_second_factor')}
        </Badge>
      )}
    </>
  )
}

function LastSignIn({ at }: { at: string | null }) {
  if (at !== null) return <Time at={at} />
  return (
    <Text fz="sm" c="dimmed">
      {t('users.no_sign_in')}
    </Text>
  )
}

interface MemberActionsProps {
  member: Member
  is_self: boolean
  edit(): void
  reset(): Promise<unknown>
}

function MemberActions({ member, is_self, edit, reset }: MemberActionsProps) {
  return (
    <Group gap="xs">
      {!is_self && (
        <>
          <Button variant="default" size="xs" aria-haspopup="dialog" onClick={edit}>
            {t('users.role')}
          </Button>
          <Confirm button={t('users.reset_password')} title={t('users.reset_password_title')} act={reset}>
            {t('users.reset_password_text', { name: member.name })}
          </Confirm>
          {member.second_factor && <SecondFactorReset member={member} />}
        </>
      )}
      <AuditLink object="user" id={member.id} size="xs" />
    </Group>
  )
}

/** Reset for a user who has lost the phone and the recovery codes. */
function SecondFactorReset({ member }: { member: Member }) {
  const client = useQueryClient()
  const [opened, { open, close }] = useDisclosure()
  const done = (answer: unknown) => {
    notifyChange(answer, t('users.second_factor_off'))
    client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    close()
  }
  return (
    <>
      <Button variant="default" size="xs" aria-haspopup="dialog" onClick={open}>
        {t('users.turn_second_factor_off')}
      </Button>
      <Modal opened={opened} onClose={close} title={t('users.turn_second_factor_off_title', { name: member.name })}>
        <ConfirmForm
          close={close}
          submit={t('users.turn_second_factor_off')}
          send={(confirmation) => api.post(`/users/${member.id}/second-factor-reset`, confirmation)}
          done={done}
        >
          <Text fz="sm">{t('users.turn_second_factor_off_text', { name: member.name })}</Text>
        </ConfirmForm>
      </Modal>
    </>
  )
}

/** A new approver waits. */
function ApproverWait({ from }: { from: string | null }) {
  const { now } = useSession()
  if (from === null || from <= now) return null
  return (
    <Text fz="xs" c="dimmed" mt={4}>
      <Trans i18nKey="users.approves_from" components={{ time: <Time at={from} /> }} />
    </Text>
  )
}

/** The role of a user; without one, the permissions. */
function RoleOf({ role, codes }: { role: string | null; codes: Permission[] }) {
  if (role !== null) return <Text fz="sm">{roleName(role)}</Text>
  if (codes.length === 0) return <Text fz="sm">{t('users.no_permissions')}</Text>
  return (
    <Group gap={4}>
      <Text fz="sm">{roleName(null)}</Text>
      {codes.map((code) => (
        <Badge key={code} variant="default" tt="none" fw={500}>
          {permissionNames[code]}
        </Badge>
      ))}
    </Group>
  )
}

function Invitations() {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: ['/invitations'],
    queryFn: () => api.get<{ results: Invitation[] }>('/invitations'),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data || data.results.length === 0) return null
  return (
    <Panel title={t('users.invitations')}>
      {data.results.map((invitation) => (
        <Group key={invitation.id} justify="space-between">
          <div>
            <Text fz="sm">{invitation.email}</Text>
            <Text fz="xs" c="dimmed">
              {roleName(invitation.role)}
            </Text>
            <Text fz="xs" c="dimmed">
              <Trans i18nKey="users.invitation_expires" components={{ time: <Time at={invitation.expires} /> }} />
            </Text>
          </div>
          <Confirm
            button={t('users.revoke')}
            title={t('users.revoke_title')}
            act={() => api.delete(`/invitations/${invitation.id}`)}
            done={() => client.invalidateQueries({ queryKey: ['/invitations'] })}
          >
            {t('users.revoke_text', { email: invitation.email })}
          </Confirm>
        </Group>
      ))}
    </Panel>
  )
}

import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { formatCount } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { type DataColumn, DataTable } from '../../parts/data-table.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Panel } from '../../parts/panel.tsx'
import { notifyChange } from '../../parts/pending-change.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { t } from '../../texts/index.ts'
import type { Permission, Role } from '../../wire.ts'
import { type Confirmation, ConfirmForm } from '../account/confirm-form.tsx'
import { FoldedMayList, PermissionBoxes, roleName, useRoles } from './role-fields.tsx'

/** Roles of the organization with their rights. Own roles can be created, changed and deleted. */
export function Roles() {
  const { data, error, refetch } = useRoles()
  const [editing, setEditing] = useState<Role | 'new'>()
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  const actions: DataColumn<Role> = {
    title: t('users.actions'),
    value: (role) => role.id !== null && <RoleActions role={role} edit={() => setEditing(role)} />,
  }
  return (
    <Panel
      title={t('users.roles.title')}
      about={t('users.roles.about')}
      actions={
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          aria-haspopup="dialog"
          onClick={() => setEditing('new')}
        >
          {t('users.roles.new')}
        </Button>
      }
    >
      <DataTable
        title={t('users.roles.title')}
        rows={data.results}
        keyOf={({ name }) => name}
        columns={[
          { title: t('users.role'), value: (role) => roleName(role.name) },
          { title: t('users.role_may'), value: (role) => <FoldedMayList codes={role.permissions} /> },
          { title: t('users.roles.users'), align: 'right', value: (role) => formatCount(role.users) },
          // Standard roles have none.
          ...(data.results.some(({ id }) => id !== null) ? [actions] : []),
        ]}
      />
      {editing && <RoleDialog role={editing === 'new' ? null : editing} close={() => setEditing(undefined)} />}
    </Panel>
  )
}

function RoleActions({ role, edit }: { role: Role; edit(): void }) {
  const client = useQueryClient()
  return (
    <Group gap="xs">
      <Button variant="default" size="xs" aria-haspopup="dialog" onClick={edit}>
        {t('users.roles.edit')}
      </Button>
      <Confirm
        button={t('users.roles.delete')}
        title={t('users.roles.delete_title', { role: role.name })}
        danger
        act={() => api.delete(`/roles/${role.id}`)}
        done={() => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })}
      >
        {t('users.roles.delete_text')}
      </Confirm>
    </Group>
  )
}

/** Create an own role, or change one. */
function RoleDialog({ role, close }: { role: Role | null; close(): void }) {
  const client = useQueryClient()
  const had = (role?.permissions ?? []) as Permission[]
  const form = useForm({
    initialValues: { name: role?.name ?? '', permissions: role ? had : (['view'] as Permission[]) },
  })
  const send = (confirmation: Confirmation) => {
    const values = { ...form.values, ...confirmation }
    return role ? api.patch(`/roles/${role.id}`, values) : api.post('/roles', values)
  }
  const done = (answer: unknown) => {
    notifyChange(answer, t('users.roles.saved'))
    client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    close()
  }
  const title = role ? t('users.roles.edit_title', { role: role.name }) : t('users.roles.new_title')
  return (
    <Modal opened onClose={close} title={title}>
      <ConfirmForm close={close} submit={t('users.roles.save')} send={send} done={done}>
        {role && role.users > 0 && (
          <Text fz="sm">{t('users.roles.edit_about', { count: role.users, number: formatCount(role.users) })}</Text>
        )}
        <TextInput label={t('users.roles.name')} required data-autofocus {...form.getInputProps('name')} />
        <PermissionBoxes had={had} {...form.getInputProps('permissions')} />
      </ConfirmForm>
    </Modal>
  )
}

import { Checkbox, List, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { useCards } from '../../parts/data-table.tsx'
import { More } from '../../parts/panel.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { Permission, Role } from '../../wire.ts'

/** The displayed names of permissions, by their codes in the interface (src/core/access/api-keys.ts). */
export const permissionNames: Record<Permission, string> = {
  view: t('users.permissions.view'),
  initiate_collections: t('users.permissions.initiate_collections'),
  initiate_payments: t('users.permissions.initiate_payments'),
  approve_payments: t('users.permissions.approve_payments'),
  pay_bills: t('users.permissions.pay_bills'),
  manage_contacts: t('users.permissions.manage_contacts'),
  erase_contacts: t('users.permissions.erase_contacts'),
  manage_integrations: t('users.permissions.manage_integrations'),
  manage_organization: t('users.permissions.manage_organization'),
}

const standardNames: Record<string, string> = {
  owner: t('users.roles.standard.owner'),
  finance: t('users.roles.standard.finance'),
  payment_maker: t('users.roles.standard.payment_maker'),
  payment_checker: t('users.roles.standard.payment_checker'),
  support: t('users.roles.standard.support'),
  developer: t('users.roles.standard.developer'),
  viewer: t('users.roles.standard.viewer'),
}

/** The displayed name of a role: of a standard role by its code, of an own one as it is; null: the permissions have no name. */
export function roleName(role: string | null): string {
  return role === null ? t('users.roles.custom') : (standardNames[role] ?? role)
}

/** Read the roles of the organization. */
export function useRoles() {
  return useQuery({ queryKey: ['/roles'], queryFn: () => api.get<{ results: Role[] }>('/roles') })
}

/** Rights that a set of permissions gives, in words. */
export function MayList({ codes }: { codes: readonly string[] }) {
  if (codes.length === 0) return <Text fz="sm">{t('users.role_may_nothing')}</Text>
  return (
    <List fz="sm" spacing={2} aria-label={t('users.role_may')}>
      {(Object.keys(permissionNames) as Permission[])
        .filter((code) => codes.includes(code))
        .map((code) => (
          <List.Item key={code}>{t(`users.may.${code}`)}</List.Item>
        ))}
    </List>
  )
}

/** The same, folded on a phone, where it would be longer than the window. */
export function FoldedMayList({ codes }: { codes: readonly string[] }) {
  const cards = useCards()
  if (!cards || codes.length === 0) return <MayList codes={codes} />
  return (
    <More summary={t('users.permission_count', { count: codes.length })}>
      <MayList codes={codes} />
    </More>
  )
}

interface FieldProps {
  /** The permissions that the person has already. */
  had: readonly Permission[]
  value?: Permission[]
  onChange?(value: Permission[]): void
  error?: string
}

/** Choice of a role, or of unnamed permissions. Users can give only permissions that they have. */
export function RoleField({ had, value = [], onChange, error }: FieldProps) {
  const { may } = useSession()
  const { data } = useRoles()
  const roles = data?.results ?? []
  const matching = roles.find((role) => isSameSet(role.permissions, value))
  const [custom, setCustom] = useState(false)
  const choices = roles.map((role) => ({
    value: role.name,
    label: roleName(role.name),
    disabled: !role.permissions.every((code) => may(code as Permission) || had.includes(code as Permission)),
  }))
  const choose = (name: string | null) => {
    const role = roles.find((one) => one.name === name)
    setCustom(!role)
    if (role) onChange?.(role.permissions as Permission[])
  }
  const shows_boxes = custom || (data !== undefined && !matching)
  return (
    <Stack gap="xs">
      <Select
        label={t('users.role')}
        data={[...choices, { value: CUSTOM, label: t('users.roles.custom') }]}
        value={shows_boxes ? CUSTOM : (matching?.name ?? null)}
        onChange={choose}
        allowDeselect={false}
        error={shows_boxes ? undefined : error}
      />
      {shows_boxes ? (
        <PermissionBoxes had={had} value={value} onChange={onChange} error={error} />
      ) : (
        <>
          <Text fz="sm" fw={500}>
            {t('users.role_may')}
          </Text>
          <MayList codes={value} />
        </>
      )}
    </Stack>
  )
}

/** Value that no role can have as its name. */
const CUSTOM = 'custom'

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one))
}

/** Users can give only permissions that they have. */
export function PermissionBoxes({ had, value, onChange, error }: FieldProps) {
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
            description={t(`users.may.${code as Permission}`)}
            disabled={!may(code as Permission) && !had.includes(code as Permission)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

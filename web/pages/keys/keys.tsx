import { Alert, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { formatWord } from '../../format.ts'
import { AuditLink } from '../../parts/audit-link.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { type Column, ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../texts/index.ts'
import type { ApiKey, Permission } from '../../wire.ts'
import { permissionNames } from '../users/role-fields.tsx'
import { NewKey } from './new-key.tsx'

const columns: Column<ApiKey>[] = [
  {
    name: 'name',
    title: t('fields.name'),
    value: (row) => <KeyName api_key={row} />,
    file: (row) => row.name,
    beside: [{ title: t('keys.key'), file: (row) => `${row.prefix}…${row.last_four}` }],
  },
  {
    name: 'state',
    title: t('fields.state'),
    status: true,
    value: (row) => <Status state={row.state} noun="key" />,
    file: (row) => formatWord(row.state, 'key'),
  },
  { name: 'permissions', title: t('keys.permissions'), value: describeRights },
  { name: 'limits', title: t('keys.limits'), value: describeLimits },
  {
    name: 'expires',
    title: t('keys.expires'),
    value: (row) => (row.expires ? <Time at={row.expires} /> : t('keys.never')),
    file: (row) => (row.expires ? { time: row.expires } : t('keys.never')),
  },
  {
    name: 'last_used',
    title: t('keys.last_used'),
    value: (row) => (row.last_used ? <Time at={row.last_used} /> : t('keys.never')),
    file: (row) => (row.last_used ? { time: row.last_used } : t('keys.never')),
  },
]

/** The list of API keys. */
export default function Keys() {
  const [made, setMade] = useState<{ id: number; key: string }>()
  return (
    <>
      {made && (
        <Alert
          role="status"
          color="green"
          mb="lg"
          title={t('keys.copy_now')}
          withCloseButton
          closeButtonLabel={t('parts.close')}
          onClose={() => setMade(undefined)}
        >
          <CopyField label={t('keys.key')} value={made.key} />
        </Alert>
      )}
      <ListPage<ApiKey>
        title={t('shell.nav.keys')}
        about={t('keys.about')}
        path="/keys"
        primary={<NewKey onCreated={setMade} />}
        empty={t('keys.none')}
        columns={[
          ...columns,
          { name: 'actions', title: t('keys.actions'), file: false, value: (row) => <Actions api_key={row} /> },
        ]}
      />
    </>
  )
}

function Actions({ api_key: row }: { api_key: ApiKey }) {
  const client = useQueryClient()
  const changed = () => client.invalidateQueries({ queryKey: ['/keys'] })
  return (
    <Group gap="xs">
      {row.state === 'active' && (
        <Confirm
          button={t('keys.revoke')}
          title={t('keys.revoke_title', { name: row.name })}
          danger
          act={() => api.post(`/keys/${row.id}/revoke`)}
          done={changed}
        >
          {t('keys.revoke_text')}
        </Confirm>
      )}
      <AuditLink object="key" id={row.id} size="xs" />
    </Group>
  )
}

function KeyName({ api_key: { name, prefix, last_four, user_name } }: { api_key: ApiKey }) {
  return (
    <>
      {name}
      <Text fz="xs" c="dimmed" ff="monospace" className="code-text no-break">
        {prefix}…{last_four}
      </Text>
      {user_name && (
        <Text fz="xs" c="dimmed">
          {t('keys.owner', { name: user_name })}
        </Text>
      )}
    </>
  )
}

function describeRights({ permissions, read_only }: ApiKey): string {
  const rights = permissions
    ? permissions.map((code) => permissionNames[code as Permission]).join(', ') || t('keys.no_permissions')
    : t('keys.same_as_user')
  return read_only ? t('keys.read_only_of', { permissions: rights }) : rights
}

function describeLimits({ reads_per_minute, writes_per_minute }: ApiKey): string {
  const parts = [
    reads_per_minute && t('keys.reads', { count: reads_per_minute }),
    writes_per_minute && t('keys.writes', { count: writes_per_minute }),
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : t('keys.default_limits')
}

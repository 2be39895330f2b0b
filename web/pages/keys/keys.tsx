import { Alert, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import type { ApiKey, Permission } from '../../wire.ts'
import { permissionNames } from '../users/dialogs.tsx'
import { NewKey } from './new-key.tsx'

/** The list of API keys. */
export default function Keys() {
  const [made, setMade] = useState<{ id: number; key: string }>()
  const client = useQueryClient()
  const changed = () => client.invalidateQueries({ queryKey: ['/keys'] })
  return (
    <>
      {made && (
        <Alert
          role="status"
          color="green"
          mb="lg"
          title="Copy the key now. It is not kept, and cannot be shown again."
          withCloseButton
          closeButtonLabel="Close"
          onClose={() => setMade(undefined)}
        >
          <CopyField label="Key" value={made.key} />
        </Alert>
      )}
      <ListPage<ApiKey>
        title="API keys"
        about="What your programs call the API with."
        path="/keys"
        actions={<NewKey onCreated={setMade} />}
        empty="There is none yet."
        columns={[
          { title: 'Name', value: (row) => <KeyName of={row} /> },
          { title: 'State', value: (row) => <Status of={row.state} /> },
          { title: 'May', value: describeRights },
          { title: 'Limits', value: describeLimits },
          { title: 'Expires', value: (row) => (row.expires ? <Time at={row.expires} /> : 'Never') },
          { title: 'Last used', value: (row) => (row.last_used ? <Time at={row.last_used} /> : 'Never') },
          {
            title: 'End it',
            value: (row) =>
              row.state === 'active' && (
                <Confirm
                  button="Revoke"
                  title={`Revoke ${row.name}?`}
                  danger
                  act={() => api.post(`/keys/${row.id}/revoke`)}
                  done={changed}
                >
                  Whatever calls the API with this key is refused from now on. A revoked key cannot be brought back.
                </Confirm>
              ),
          },
        ]}
      />
    </>
  )
}

function KeyName({ of: { name, prefix, last_four, user_name } }: { of: ApiKey }) {
  return (
    <>
      {name}
      <Text fz="xs" c="dimmed" ff="monospace" className="no-break">
        {prefix}…{last_four}
      </Text>
      {user_name && (
        <Text fz="xs" c="dimmed">
          of {user_name}
        </Text>
      )}
    </>
  )
}

function describeRights({ permissions, read_only }: ApiKey): string {
  const rights = permissions
    ? permissions.map((code) => permissionNames[code as Permission]).join(', ') || 'Nothing'
    : 'All that its user may'
  return read_only ? `${rights}; read only` : rights
}

function describeLimits({ reads_per_minute, writes_per_minute }: ApiKey): string {
  const parts = [
    reads_per_minute && `${reads_per_minute} reads`,
    writes_per_minute && `${writes_per_minute} writes`,
  ].filter(Boolean)
  return parts.length > 0 ? `${parts.join(', ')} a minute` : 'Those of all'
}

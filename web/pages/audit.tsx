import { formatWord } from '../format.ts'
import { ListPage } from '../parts/list-page.tsx'
import { Time } from '../parts/time.tsx'
import type { AuditEntry } from '../wire.ts'

/** The audit log, which cannot be changed. */
export default function Audit() {
  return (
    <ListPage<AuditEntry>
      title="Audit log"
      about="What people did in the console, what API keys changed, and what operators did at the command line. It cannot be changed."
      path="/audit"
      empty="Nobody has done anything yet."
      filters={[{ name: 'action', label: 'Action', placeholder: 'sign in' }]}
      columns={[
        { title: 'When', value: (row) => <Time at={row.created} /> },
        { title: 'Who', value: actorName },
        { title: 'What', value: (row) => formatWord(row.action) },
        { title: 'On what', value: (row) => (row.object === null ? '—' : `${row.object_type} ${row.object}`) },
        { title: 'Details', value: (row) => formatDetails(row) },
        { title: 'From', value: (row) => row.address ?? '—' },
      ]}
    />
  )
}

/** An actor who is not a user, such as an operator, is named in the details. A key is named by the name that it was given. */
function actorName({ user_name, key, key_name, details }: AuditEntry): string {
  if (key !== null) return `API key ${key_name} (${user_name})`
  return user_name ?? (typeof details.by === 'string' ? formatWord(details.by) : '—')
}

function formatDetails({ details: { by: _, ...details } }: AuditEntry): string {
  const parts = Object.entries(details).map(([name, value]) => `${formatWord(name)}: ${[value].flat().join(', ')}`)
  return parts.join('; ') || '—'
}

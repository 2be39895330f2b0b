import { formatWord } from '../format.ts'
import { ListPage } from '../parts/list-page.tsx'
import { Time } from '../parts/time.tsx'
import { t } from '../texts/index.ts'
import type { AuditEntry } from '../wire.ts'

/** The audit log, which cannot be changed. */
export default function Audit() {
  return (
    <ListPage<AuditEntry>
      title={t('shell.nav.audit')}
      about={t('audit.about')}
      path="/audit"
      empty={t('audit.empty')}
      filters={[{ name: 'action', label: t('audit.action'), placeholder: t('audit.action_example') }]}
      columns={[
        { title: t('audit.time'), value: (row) => <Time at={row.created} /> },
        { title: t('audit.actor'), value: actorName },
        { title: t('audit.action'), value: (row) => formatWord(row.action) },
        {
          title: t('audit.object'),
          value: (row) => (row.object === null ? '—' : `${formatWord(row.object_type ?? '')} ${row.object}`),
        },
        { title: t('audit.details'), value: (row) => formatDetails(row) },
        { title: t('audit.address'), value: (row) => row.address ?? '—' },
      ]}
    />
  )
}

/** An actor who is not a user, such as an operator, is named in the details. A key is named by the name that it was given. */
function actorName({ user_name, key, key_name, details }: AuditEntry): string {
  if (key !== null) return t('audit.key', { name: key_name ?? '—', user: user_name ?? '—' })
  return user_name ?? (typeof details.by === 'string' ? formatWord(details.by) : '—')
}

function formatDetails({ details: { by: _, ...details } }: AuditEntry): string {
  const parts = Object.entries(details).map(([name, value]) => `${formatWord(name)}: ${[value].flat().join(', ')}`)
  return parts.join('; ') || '—'
}

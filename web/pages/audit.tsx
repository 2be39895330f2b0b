import { Alert, Anchor, Code } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../api.ts'
import { formatPair, formatTime, formatWord, joinParts } from '../format.ts'
import { NO_VALUE } from '../parts/list/column.ts'
import { ListPage } from '../parts/list-page.tsx'
import { Time } from '../parts/time.tsx'
import { Trans, t } from '../texts/index.ts'
import type { AuditChoices, AuditEntry, AuditedObject } from '../wire.ts'

/** The audit log, which cannot be changed, by person, action, object and time. */
export default function Audit() {
  const { data } = useQuery({
    queryKey: ['/audit/choices'],
    queryFn: () => api.get<AuditChoices>('/audit/choices'),
  })
  const users = (data?.users ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <ListPage<AuditEntry>
      title={t('shell.nav.audit')}
      about={t('audit.about')}
      path="/audit"
      above={<Archived />}
      empty={t('audit.empty')}
      filters={[
        { name: 'user', label: t('audit.person'), choices: users },
        { name: 'action', label: t('audit.action'), choices: data?.actions ?? [] },
        { name: 'object_type', label: t('audit.object_type'), choices: Object.keys(pages) },
        { name: 'object', label: t('audit.object_id') },
        { name: 'days', label: t('audit.time'), kind: 'days' },
      ]}
      columns={[
        {
          name: 'time',
          title: t('audit.time'),
          value: (row) => <Time at={row.created} />,
          file: (row) => ({ time: row.created }),
        },
        { name: 'actor', title: t('audit.actor'), value: actorName },
        { name: 'action', title: t('audit.action'), value: (row) => formatWord(row.action) },
        { name: 'object', title: t('audit.object'), value: (row) => <ObjectLink entry={row} />, file: objectName },
        {
          name: 'details',
          title: t('audit.details'),
          value: (row) => <span className="audit-details">{formatDetails(row)}</span>,
          file: formatDetails,
        },
        { name: 'address', title: t('audit.address'), value: (row) => row.address ?? '—' },
      ]}
    />
  )
}

/** Page for each type of object: the object's own, or a shared one. A connection is named in the details. */
const pages: Record<AuditedObject, (id: number, details: AuditEntry['details']) => string> = {
  account: (id) => `/wallets/${id}`,
  bulkpayment: (id) => `/bulk-payments/${id}`,
  collection: (id) => `/collections/${id}`,
  collectionrequest: (id) => `/collectionrequests/${id}`,
  connection: (_id, { connection }) => (connection ? `/connections/${connection}` : '/connections'),
  contact: (id) => `/contacts/${id}`,
  fee: () => '/settings',
  invoice: (id) => `/invoices/${id}`,
  key: () => '/keys',
  order: () => '/orders',
  organization: () => '/settings',
  payment: (id) => `/payments/${id}`,
  paymentlink: (id) => `/payment-links/${id}`,
  purchase: (id) => `/bills/${id}`,
  receipt: () => '/receipts',
  user: () => '/users',
  webhook: (id) => `/webhooks/${id}`,
}

/** Name an object by its type and id. */
function objectName({ object, object_type }: AuditEntry): string {
  return object === null || object_type === null ? NO_VALUE : `${formatWord(object_type)} ${object}`
}

function ObjectLink({ entry }: { entry: AuditEntry }) {
  const { object, object_type, details } = entry
  const name = objectName(entry)
  if (object === null || object_type === null) return name
  const page = pages[object_type as AuditedObject] as (typeof pages)[AuditedObject] | undefined
  if (!page) return name
  return (
    <Anchor component={Link} to={page(object, details)} inherit>
      {name}
    </Anchor>
  )
}

/** Say up to when entries are in the archive, and how to read them there. */
function Archived() {
  const { data } = useQuery({
    queryKey: ['/audit/archive'],
    queryFn: () => api.get<{ newest: string | null }>('/audit/archive'),
  })
  if (!data?.newest) return null
  return (
    <Alert color="gray">
      <Trans i18nKey="audit.archived" values={{ time: formatTime(data.newest) }} components={{ code: <Code /> }} />
    </Alert>
  )
}

/** An actor who is not a user, such as an operator, is named in the details. A key is named by the name that it was given. */
function actorName({ user_name, key, key_name, details }: AuditEntry): string {
  if (key !== null) return t('audit.key', { name: key_name ?? '—', user: user_name ?? '—' })
  return user_name ?? (typeof details.by === 'string' ? formatWord(details.by) : '—')
}

function formatDetails({ details: { by: _, ...details } }: AuditEntry): string {
  const parts = Object.entries(details).flatMap(([name, value]) => {
    const words = [value].flat().map((one) => (typeof one === 'boolean' ? formatWord(String(one)) : String(one ?? '')))
    return words.join('') === '' ? [] : [formatPair(formatWord(name), words.join(', '))]
  })
  return joinParts(parts) || '—'
}

import { Button, CopyButton, Stack, Text } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api, type List } from '../api.ts'
import { nameEvent } from '../event-types.ts'
import { BackLink } from '../parts/back-link.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { Json } from '../parts/json.tsx'
import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Panel } from '../parts/panel.tsx'
import { Problem, replacesContent } from '../parts/problem.tsx'
import { Status } from '../parts/status.tsx'
import { Time } from '../parts/time.tsx'
import { useSession } from '../session.tsx'
import { t } from '../texts/index.ts'
import type { Delivery, Event } from '../wire.ts'
import { failureText } from './webhooks/failure.tsx'

/** Pages of the objects of events, by the first word of the type. */
const pages = {
  collectionrequest: '/collectionrequests',
  collection: '/collections',
  payment: '/payments',
  contact: '/contacts',
  billpayment: '/bills',
  invoice: '/invoices',
} as const

/** An event with its object, and its deliveries to webhooks. */
export default function EventPage() {
  const { id } = useParams({ strict: false })
  const { may } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: ['/events', id],
    queryFn: () => api.get<Event>(`/events/${id}`),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      <BackLink to="/events">{t('shell.nav.events')}</BackLink>
      <PageHead
        title={`${nameEvent(data.type)} ${data.id}`}
        about={
          <>
            {data.type} · <Time at={data.created} />
          </>
        }
        primary={<OpenObject event={data} />}
      />
      <Stack>
        {may('manage_organization') && <Deliveries event={data.id} />}
        <Panel
          title={t('events.object')}
          about={t('events.object_about')}
          actions={<CopyJson value={JSON.stringify(data.data, null, 2)} />}
        >
          <Json label={t('events.json')} value={data.data} />
        </Panel>
      </Stack>
    </>
  )
}

/** Link to the page of the event's object, as it is now. */
function OpenObject({ event: { type, data } }: { event: Event }) {
  const kind = type.split('.')[0] as keyof typeof pages
  if (!(kind in pages) || typeof data.id !== 'number') return null
  return (
    <Button component={Link} to={`${pages[kind]}/${data.id}`}>
      {t(`events.open.${kind}`, { id: data.id })}
    </Button>
  )
}

function CopyJson({ value }: { value: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button variant="default" size="xs" leftSection={<IconCopy size={14} />} onClick={copy}>
          {t(copied ? 'parts.copied' : 'parts.copy')}
        </Button>
      )}
    </CopyButton>
  )
}

/** Maximum number of deliveries of an event that the page shows. */
const MAX_DELIVERIES = 100

function Deliveries({ event }: { event: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['/webhooks/deliveries', { event }],
    queryFn: () => api.get<List<Delivery>>('/webhooks/deliveries', { event, limit: MAX_DELIVERIES }),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <Panel title={t('shell.nav.deliveries')}>
      {data.results.length === 0 ? (
        <Text fz="sm" c="dimmed">
          {t('events.no_deliveries')}
        </Text>
      ) : (
        <DataTable
          title={t('events.deliveries')}
          rows={data.results}
          keyOf={({ id }) => id}
          columns={[
            {
              title: t('fields.to'),
              value: (row) => (
                <Link to={`/deliveries/${row.webhook}/${row.event}`} className="row-link break-anywhere">
                  {row.target}
                </Link>
              ),
            },
            {
              title: t('fields.state'),
              status: true,
              value: (row) => <Status state={row.state} noun="delivery" />,
            },
            { title: t('deliveries.attempts'), align: 'right', value: (row) => row.attempts },
            {
              title: t('deliveries.last_failure'),
              value: (row) => (row.last_failure ? failureText(row.last_failure) : '—'),
            },
          ]}
        />
      )}
    </Panel>
  )
}

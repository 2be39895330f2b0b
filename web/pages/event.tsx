import { Anchor, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api } from '../api.ts'
import { nameEvent } from '../event-types.ts'
import { Json } from '../parts/json.tsx'
import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Panel } from '../parts/panel.tsx'
import { Problem, replacesContent } from '../parts/problem.tsx'
import { Time } from '../parts/time.tsx'
import { t } from '../texts/index.ts'
import type { Event } from '../wire.ts'

export default function EventPage() {
  const { id } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['/events', id],
    queryFn: () => api.get<Event>(`/events/${id}`),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      <Anchor component={Link} to="/events" fz="sm">
        {t('shell.nav.events')}
      </Anchor>
      <PageHead
        title={`${nameEvent(data.type)} ${data.id}`}
        about={
          <>
            {data.type} · <Time at={data.created} />
          </>
        }
      />
      <Stack>
        <Panel title={t('events.object')} about={t('events.object_about')}>
          <Json label={t('events.object')} value={data.data} />
        </Panel>
      </Stack>
    </>
  )
}

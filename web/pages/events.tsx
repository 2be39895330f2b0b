import { Badge } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEventStream } from '../event-stream.ts'
import { eventTypes } from '../event-types.ts'
import { ListPage } from '../parts/list-page.tsx'
import { Time } from '../parts/time.tsx'
import { t } from '../texts/index.ts'
import type { Event } from '../wire.ts'

/** The live list of events, as webhooks and streams get them. */
export default function Events() {
  const client = useQueryClient()
  const live = useEventStream(() => client.invalidateQueries({ queryKey: ['/events'] }))
  return (
    <ListPage<Event>
      title={t('shell.nav.events')}
      about={t('events.about')}
      path="/events"
      rowLink={(row) => `/events/${row.id}`}
      empty={t('events.none')}
      // The stream reports new events. Without an open stream the list is polled.
      poll_ms={live ? undefined : 3_000}
      actions={
        live && (
          <Badge variant="dot" color="green" tt="none" fw={500}>
            {t('events.live')}
          </Badge>
        )
      }
      filters={[{ name: 'type', label: t('fields.event_type'), choices: eventTypes }]}
      columns={[
        { title: t('events.event'), value: (row) => row.type },
        { title: t('events.object'), value: describe },
        { title: t('events.time'), value: (row) => <Time at={row.created} /> },
        {
          title: t('fields.id'),
          align: 'right',
          ordering: 'id',
          value: (row) => <span className="numeric">{row.id}</span>,
        },
      ]}
    />
  )
}

/** A short description of the event's object. */
function describe({ data }: Event): string {
  const words = [data.id, data.status ?? data.state, data.phonenumber ?? data.phone_number]
  return words.filter((word) => typeof word === 'string' || typeof word === 'number').join(' · ')
}

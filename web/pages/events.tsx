import { Badge } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEventStream } from '../event-stream.ts'
import { eventTypes } from '../event-types.ts'
import { ListPage } from '../parts/list-page.tsx'
import { Time } from '../parts/time.tsx'
import type { Event } from '../wire.ts'

/** The live list of events, as webhooks and streams get them. */
export default function Events() {
  const client = useQueryClient()
  const live = useEventStream(() => client.invalidateQueries({ queryKey: ['/events'] }))
  return (
    <ListPage<Event>
      title="Events"
      about="Everything that happened, as webhooks are told of it. New ones appear by themselves."
      path="/events"
      rowLink={(row) => `/events/${row.id}`}
      empty="Nothing has happened yet."
      // The stream reports new events. Without an open stream the list is polled.
      poll_ms={live ? undefined : 3_000}
      actions={
        live && (
          <Badge variant="dot" color="green" tt="none" fw={500}>
            Live
          </Badge>
        )
      }
      filters={[{ name: 'type', label: 'Event type', choices: eventTypes }]}
      columns={[
        { title: 'Event', value: (row) => row.type },
        { title: 'Of what', value: describe },
        { title: 'When', value: (row) => <Time at={row.created} /> },
        { title: 'Id', align: 'right', ordering: 'id', value: (row) => <span className="numeric">{row.id}</span> },
      ]}
    />
  )
}

/** A short description of the event's object. */
function describe({ data }: Event): string {
  const words = [data.id, data.status ?? data.state, data.phonenumber ?? data.phone_number]
  return words.filter((word) => typeof word === 'string' || typeof word === 'number').join(' · ')
}

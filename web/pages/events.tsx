import { Badge } from '@mantine/core'
import { eventChoices, nameEvent } from '../event-types.ts'
import { formatWord } from '../format.ts'
import { useLiveState } from '../live/stream.ts'
import { EventName } from '../parts/event-name.tsx'
import { ListPage } from '../parts/list-page.tsx'
import { Time } from '../parts/time.tsx'
import { stateNouns } from '../texts/agreement.ts'
import { t } from '../texts/index.ts'
import type { Event } from '../wire.ts'

/** The live list of events, as webhooks and streams get them. */
export default function Events() {
  const live = useLiveState()
  return (
    <ListPage<Event>
      title={t('shell.nav.events')}
      about={t('events.about')}
      path="/events"
      rowLink={(row) => `/events/${row.id}`}
      empty={t('events.none')}
      actions={
        live && (
          <Badge variant="dot" color="green" tt="none" fw={500}>
            {t('events.live')}
          </Badge>
        )
      }
      filters={[{ name: 'type', label: t('fields.event_type'), choices: eventChoices }]}
      columns={[
        {
          name: 'event',
          title: t('events.event'),
          value: (row) => <EventName type={row.type} />,
          file: (row) => nameEvent(row.type),
        },
        { name: 'object', card: 'note', title: t('events.object'), value: describe },
        {
          name: 'time',
          card: 'note',
          title: t('events.time'),
          value: (row) => <Time at={row.created} />,
          file: (row) => ({ time: row.created }),
        },
        {
          name: 'id',
          title: t('fields.id'),
          align: 'right',
          ordering: 'id',
          value: (row) => <span className="numeric">{row.id}</span>,
          file: (row) => row.id,
        },
      ]}
    />
  )
}

/** A short description of the event's object. */
function describe({ type, data }: Event): string {
  const noun = type.startsWith('billpayment.') ? 'purchase' : stateNouns.find((one) => type.startsWith(`${one}.`))
  const state = data.status ?? data.state
  const words = [
    data.id,
    typeof state === 'string' ? formatWord(state, noun) : undefined,
    data.phonenumber ?? data.phone_number,
  ]
  return words.filter((word) => typeof word === 'string' || typeof word === 'number').join(' · ')
}

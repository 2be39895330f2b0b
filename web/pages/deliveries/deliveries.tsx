import { eventChoices, nameEvent } from '../../event-types.ts'
import { formatWord } from '../../format.ts'
import { EventName } from '../../parts/event-name.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../texts/index.ts'
import type { Delivery } from '../../wire.ts'
import { failureText } from '../webhooks/failure.tsx'
import { deliveryActions } from './bulk.ts'
import { Resend } from './resend.tsx'

const states = ['waiting', 'delivered', 'failed', 'cancelled']

/** The list of webhook deliveries. */
export default function Deliveries() {
  return (
    <ListPage<Delivery>
      title={t('shell.nav.deliveries')}
      about={t('deliveries.about')}
      path="/webhooks/deliveries"
      rowLink={(row) => `/deliveries/${row.webhook}/${row.event}`}
      actions={<Resend />}
      empty={t('deliveries.none')}
      bulk={deliveryActions}
      rowName={(row) => `${row.type} ${row.event}`}
      filters={[
        { name: 'state', label: t('fields.state'), choices: states, noun: 'delivery' },
        { name: 'type', label: t('fields.event_type'), choices: eventChoices },
        { name: 'webhook', label: t('deliveries.webhook_id') },
      ]}
      columns={[
        {
          name: 'event',
          title: t('webhooks.event'),
          value: (row) => <EventName type={row.type} id={row.event} />,
          file: (row) => `${nameEvent(row.type)} ${row.event}`,
        },
        {
          name: 'to',
          title: t('fields.to'),
          value: (row) => <span className="break-anywhere">{row.target}</span>,
          file: (row) => row.target,
        },
        {
          name: 'state',
          title: t('fields.state'),
          status: true,
          value: (row) => <Status state={row.state} noun="delivery" />,
          file: (row) => formatWord(row.state, 'delivery'),
        },
        { name: 'attempts', title: t('deliveries.attempts'), align: 'right', value: (row) => row.attempts },
        {
          name: 'last_failure',
          title: t('deliveries.last_failure'),
          value: (row) => (row.last_failure ? failureText(row.last_failure) : '—'),
        },
        {
          name: 'event_time',
          card: 'note',
          title: t('deliveries.event_time'),
          ordering: 'id',
          value: (row) => <Time at={row.created} />,
          file: (row) => ({ time: row.created }),
        },
      ]}
    />
  )
}

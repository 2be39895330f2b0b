import { eventTypes } from '../../event-types.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import type { Delivery } from '../../wire.ts'
import { Resend } from './resend.tsx'

const states = ['waiting', 'delivered', 'failed', 'cancelled']

/** The list of webhook deliveries. */
export default function Deliveries() {
  return (
    <ListPage<Delivery>
      title="Deliveries"
      about="Notifications to webhooks: what was sent, and what was answered."
      path="/webhooks/deliveries"
      rowLink={(row) => `/deliveries/${row.webhook}/${row.event}`}
      actions={<Resend />}
      empty="Nothing was sent to a webhook yet."
      poll_ms={3_000}
      filters={[
        { name: 'state', label: 'State', choices: states },
        { name: 'type', label: 'Event type', choices: eventTypes },
        { name: 'webhook', label: 'Webhook', placeholder: 'Its id' },
      ]}
      columns={[
        { title: 'Event', value: (row) => `${row.type} ${row.event}` },
        { title: 'To', value: (row) => <span className="break-anywhere">{row.target}</span> },
        { title: 'State', value: (row) => <Status of={row.state} /> },
        { title: 'Attempts', align: 'right', value: (row) => row.attempts },
        { title: 'Last failure', value: (row) => row.last_failure ?? '—' },
        { title: 'Happened', ordering: 'id', value: (row) => <Time at={row.created} /> },
      ]}
    />
  )
}

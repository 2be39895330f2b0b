import { Anchor, Text, Timeline } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatMoney } from '../../format.ts'
import { Panel } from '../../parts/panel.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import type { Invoice } from '../../wire.ts'

interface Entry {
  key: string
  at: string
  title: string
  about?: ReactNode
}

const sources = { page: 'The customer pays on the page', reminder: 'Reminder requests', manual: 'You request' }

/** What happened to an invoice, oldest first. */
export function InvoiceTimeline({ invoice }: { invoice: Invoice }) {
  const entries = entriesOf(invoice).sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  return (
    <Panel title="What happened">
      <Timeline active={entries.length - 1} bulletSize={14} lineWidth={2}>
        {entries.map(({ key, at, title, about }) => (
          <Timeline.Item key={key} title={title}>
            {about && (
              <Text fz="sm" component="div">
                {about}
              </Text>
            )}
            <Text fz="xs" c="dimmed" component="div">
              <Time at={at} />
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Panel>
  )
}

function entriesOf(invoice: Invoice): Entry[] {
  const { created, issued, paid, voided, sends, reminders } = invoice
  return [
    { key: 'created', at: created, title: 'Draft made' },
    ...(issued ? [{ key: 'issued', at: issued, title: `Issued as ${invoice.number}` }] : []),
    ...sends.map((send, index) => ({
      key: `send ${index}`,
      at: send.created,
      title: `Sent by ${send.channel === 'sms' ? 'SMS' : 'e-mail'}`,
      about: (
        <>
          {send.recipient} <Status of={send.state} />
        </>
      ),
    })),
    ...reminders.map((reminder) => ({
      key: `reminder ${reminder.day}`,
      at: reminder.created,
      title: reminder.sms_message === null ? 'Reminder' : 'Reminder by SMS',
      about: reminder.problem,
    })),
    ...requestEntries(invoice),
    ...(paid ? [{ key: 'paid', at: paid, title: 'The sum was reached' }] : []),
    ...(voided ? [{ key: 'voided', at: voided, title: 'Voided', about: invoice.void_reason }] : []),
  ]
}

function requestEntries({ requests, currency }: Invoice): Entry[] {
  return requests.flatMap((request) => {
    const { id, source, amount, status, phonenumber, created, paid, collection, amount_reversed } = request
    const taken_back =
      amount_reversed !== '0.0000' && `, of which ${formatMoney(amount_reversed, currency)} was taken back`
    return [
      {
        key: `request ${id}`,
        at: created,
        title: `${sources[source]} ${formatMoney(amount, currency)}`,
        about: (
          <>
            <Anchor component={Link} to={`/collectionrequests/${id}`} fz="sm">
              Request {id}
            </Anchor>{' '}
            to {phonenumber} <Status of={status} />
          </>
        ),
      },
      ...(paid
        ? [
            {
              key: `payment ${id}`,
              at: paid,
              title: `${formatMoney(amount, currency)} arrived`,
              about: (
                <>
                  <Anchor component={Link} to={`/collections/${collection}`} fz="sm">
                    Collection {collection}
                  </Anchor>
                  {taken_back}
                </>
              ),
            },
          ]
        : []),
    ]
  })
}

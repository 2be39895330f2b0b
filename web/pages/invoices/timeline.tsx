import { Anchor, Text, Timeline } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatMoney } from '../../format.ts'
import { Panel } from '../../parts/panel.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { Trans, t } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'
import type { Invoice } from '../../wire.ts'

interface Entry {
  key: string
  at: string
  title: string
  about?: ReactNode
}

const request_titles = {
  page: 'invoices.timeline.request_page',
  reminder: 'invoices.timeline.request_reminder',
  manual: 'invoices.timeline.request_manual',
} as const

/** History of an invoice, oldest first. */
export function InvoiceTimeline({ invoice }: { invoice: Invoice }) {
  const entries = entriesOf(invoice).sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  return (
    <Panel title={t('invoices.timeline.title')}>
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
    { key: 'created', at: created, title: t('invoices.timeline.created') },
    ...(issued
      ? [{ key: 'issued', at: issued, title: t('invoices.timeline.issued', { number: invoice.number ?? '' }) }]
      : []),
    ...sends.map((send, index) => ({
      key: `send ${index}`,
      at: send.created,
      title: send.channel === 'sms' ? t('invoices.timeline.sent_sms') : t('invoices.timeline.sent_email'),
      about: (
        <>
          {send.recipient} <Status state={send.state} />
        </>
      ),
    })),
    ...reminders.map((reminder) => ({
      key: `reminder ${reminder.day}`,
      at: reminder.created,
      title: reminder.sms_message === null ? t('invoices.timeline.reminder') : t('invoices.timeline.reminder_sms'),
      about: reminder.problem && translateMessage(reminder.problem),
    })),
    ...requestEntries(invoice),
    ...(paid ? [{ key: 'paid', at: paid, title: t('invoices.timeline.paid') }] : []),
    ...(voided
      ? [{ key: 'voided', at: voided, title: t('invoices.timeline.voided'), about: invoice.void_reason }]
      : []),
  ]
}

function requestEntries({ requests, currency }: Invoice): Entry[] {
  return requests.flatMap((request) => {
    const { id, source, amount, status, phonenumber, created, paid, collection, amount_reversed } = request
    return [
      {
        key: `request ${id}`,
        at: created,
        title: t(request_titles[source], { amount: formatMoney(amount, currency) }),
        about: (
          <>
            <Trans
              i18nKey="invoices.timeline.request"
              values={{ id, phonenumber }}
              components={{ a: <Anchor component={Link} to={`/collectionrequests/${id}`} fz="sm" /> }}
            />{' '}
            <Status state={status} noun="collectionrequest" />
          </>
        ),
      },
      ...(paid
        ? [
            {
              key: `payment ${id}`,
              at: paid,
              title: t('invoices.timeline.received', { amount: formatMoney(amount, currency) }),
              about: (
                <Trans
                  i18nKey={
                    amount_reversed === '0.0000'
                      ? 'invoices.timeline.collection'
                      : 'invoices.timeline.collection_reversed'
                  }
                  values={{ id: collection, amount: formatMoney(amount_reversed, currency) }}
                  components={{ a: <Anchor component={Link} to={`/collections/${collection}`} fz="sm" /> }}
                />
              ),
            },
          ]
        : []),
    ]
  })
}

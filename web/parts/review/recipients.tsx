import { Badge, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { formatCount } from '../../format.ts'
import { t } from '../../texts/index.ts'
import type { PaymentReview } from '../../wire.ts'
import { DataTable } from '../data-table.tsx'
import { Money } from '../money.tsx'
import { Panel } from '../panel.tsx'
import { placeName } from './places.ts'

type Recipient = PaymentReview['recipients'][number]

/** More rows are folded. */
const SHOWN_AT_FIRST = 20

/** The recipients, those with a doubtful name first. */
export function Recipients({ review }: { review: PaymentReview }) {
  const [all, setAll] = useState(false)
  const { recipients, recipients_count: count } = review
  const rows = (all ? recipients : recipients.slice(0, SHOWN_AT_FIRST)).map((recipient, index) => ({
    recipient,
    index,
  }))
  return (
    <Panel
      title={t('review.to')}
      about={rows.length < count && t('review.first_rows', { shown: formatCount(rows.length), count })}
    >
      <DataTable
        title={t('review.to')}
        rows={rows}
        keyOf={({ index }) => index}
        columns={[
          { title: t('fields.phone_number'), value: ({ recipient }) => <Phone recipient={recipient} /> },
          { title: t('review.name'), value: ({ recipient }) => recipient.name || t('review.no_name') },
          { title: t('fields.name_on_network'), value: ({ recipient }) => <NetworkName recipient={recipient} /> },
          {
            title: t('fields.amount'),
            align: 'right',
            value: ({ recipient }) => <Money amount={recipient.amount} currency={recipient.currency} />,
          },
          {
            title: t('review.fee'),
            align: 'right',
            value: ({ recipient }) => <Money amount={recipient.fee} currency={recipient.currency} />,
          },
        ]}
      />
      {rows.length < recipients.length && (
        <Button variant="default" size="xs" w="fit-content" onClick={() => setAll(true)}>
          {t('review.show_all')}
        </Button>
      )}
    </Panel>
  )
}

function Phone({ recipient: { phonenumber, network, country } }: { recipient: Recipient }) {
  return (
    <>
      <span className="numeric">{phonenumber}</span>
      <Text fz="xs" c="dimmed">
        {[network, placeName(country)].filter(Boolean).join(', ')}
      </Text>
    </>
  )
}

const colors = {
  not_registered: 'red',
  differs: 'orange',
  unknown: 'gray',
  not_compared: 'gray',
  matches: 'green',
}

function NetworkName({ recipient: { name_on_network, name_state } }: { recipient: Recipient }) {
  return (
    <Stack gap={4} align="flex-start">
      {name_on_network !== '' && <Text fz="sm">{name_on_network}</Text>}
      <Badge variant="dot" color={colors[name_state]} tt="none" fw={500} className="wrapping-badge">
        {t(`review.states.${name_state}`)}
      </Badge>
    </Stack>
  )
}

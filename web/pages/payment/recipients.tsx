import { Anchor, Badge, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatWord } from '../../format.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { ExportMenu } from '../../parts/files/export-menu.tsx'
import type { Column } from '../../parts/list/column.ts'
import { Money } from '../../parts/money.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Status } from '../../parts/status.tsx'
import { Trans, t } from '../../texts/index.ts'
import type { Payment, PaymentDetails } from '../../wire.ts'

type Recipient = PaymentDetails['recipients'][number]

/** Recipients, each with the account holder's name on the network, and the state of the money. */
export function Recipients({ payment, details }: { payment: Payment; details: PaymentDetails | undefined }) {
  const { currency } = payment
  const rows = payment.phone_nos.map((phone, index) => ({ phone, recipient: details?.recipients[index] }))
  return (
    <Panel
      title={t('payments.recipients')}
      actions={
        <ExportMenu
          size="xs"
          what={t('payments.recipients_of', { id: payment.id })}
          columns={columnsOf(currency)}
          read={() => rows}
          fileRow={toLine(currency)}
        />
      }
    >
      <DataTable
        title={t('payments.recipients')}
        rows={rows}
        keyOf={({ phone }) => phone.phonenumber}
        columns={columnsOf(currency)}
      />
    </Panel>
  )
}

function columnsOf(currency: string): Column<Row>[] {
  return [
    {
      title: t('fields.phone_number'),
      value: (row) => <Contact {...row} />,
      file: ({ phone }) => phone.phonenumber,
      beside: [{ title: t('fields.name'), file: ({ recipient }) => recipient?.name }],
    },
    {
      title: t('fields.name_on_network'),
      value: ({ recipient }) => recipient && <NetworkName recipient={recipient} />,
      file: ({ recipient }) => recipient?.name_on_network,
    },
    {
      title: t('fields.amount'),
      align: 'right',
      value: ({ phone }) => <PhoneAmount phone={phone} currency={currency} />,
      file: ({ phone }) => ({ amount: phone.amount, currency }),
    },
    {
      title: t('fields.fee'),
      align: 'right',
      value: ({ recipient }) => recipient && <Money amount={recipient.fee} currency={currency} />,
      file: ({ recipient }) => ({ amount: recipient?.fee ?? null, currency }),
    },
    {
      title: t('fields.state'),
      status: true,
      value: ({ phone }) => <Status state={phone.state} noun="payment" />,
      file: ({ phone }) => formatWord(phone.state, 'payment'),
    },
    { title: t('fields.problem'), value: ({ phone }) => phone.last_error ?? '—' },
    { title: t('payments.network_id'), value: ({ phone }) => phone.remote_transaction_id ?? '—' },
  ]
}

interface Row {
  phone: Payment['phone_nos'][number]
  recipient: Recipient | undefined
}

/** A recipient as a line of a file. The list of payments has only their number. */
function toLine(currency: string) {
  return ({ phone, recipient }: Row) => ({
    ...{ phonenumber: phone.phonenumber, name: recipient?.name, name_on_network: recipient?.name_on_network },
    ...{ amount: phone.amount, currency, fee: recipient?.fee, reversed_amount: phone.reversed_amount },
    ...{ state: phone.state, last_error: phone.last_error, remote_transaction_id: phone.remote_transaction_id },
    description: phone.description,
  })
}

function Contact({ phone, recipient }: Row) {
  return (
    <>
      <Anchor component={Link} to={`/contacts/${phone.contact}`} className="numeric" inherit>
        {phone.phonenumber}
      </Anchor>
      {recipient && (
        <Text fz="xs" c="dimmed">
          {recipient.name}
        </Text>
      )}
    </>
  )
}

function PhoneAmount({ phone, currency }: { phone: Row['phone']; currency: string }) {
  return (
    <>
      <Money amount={phone.amount} currency={currency} />
      {hasComeBackInPart(phone) && (
        <Text fz="xs" c="dimmed">
          <Trans
            i18nKey="payments.partly_returned"
            components={{ money: <Money amount={phone.reversed_amount} currency={currency} /> }}
          />
        </Text>
      )}
    </>
  )
}

/** The name on the network, marked if it differs from the name of the contact. */
function NetworkName({ recipient: { check, name_on_network } }: { recipient: Recipient }) {
  return (
    <Stack gap={4} align="flex-start">
      {name_on_network !== '' && <Text fz="sm">{name_on_network}</Text>}
      <NameBadge check={check} />
    </Stack>
  )
}

function NameBadge({ check }: { check: Recipient['check'] }) {
  const look = {
    same: 'green',
    different: 'red',
    not_registered: 'red',
    not_compared: 'gray',
    not_known: 'gray',
  }
  return (
    <Badge variant="dot" color={look[check]} tt="none" fw={500} className="wrapping-badge">
      {t(`payments.names.${check}`)}
    </Badge>
  )
}

/** Return true if a part of the money has come back, but not all of it. */
function hasComeBackInPart({ state, reversed_amount }: Payment['phone_nos'][number]): boolean {
  return state === 'complete' && !/^0\.0+$/.test(reversed_amount)
}
